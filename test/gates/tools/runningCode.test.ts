import { describe, expect, test } from 'vitest';
import { decisionOn } from './toolRequest.ts';

type Row = readonly [command: string, decision: 'allow' | 'ask' | 'deny'];

function check(command: string, expected: Row[1]) {
  expect(decisionOn(command)).toBe(expected);
}

describe('a device never runs, however its path is written', () => {
  test.each<Row>([
    ["bash //dev/stdin <<< 'cat .env'", 'deny'],
    ['bash /./dev/stdin', 'deny'],
    ['bash /dev/../dev/stdin', 'deny'],
    ['source //dev/stdin', 'deny'],
    ['. /dev/fd/0', 'deny'],
    ['python3 //dev/stdin', 'deny'],
    ['python3 src/../../../../../../dev/stdin', 'deny'],
    ['perl /proc/self/fd/0', 'deny'],
    ['make -f /dev/stdin', 'deny'],
    ['make --file=/./dev/stdin', 'deny'],
    ['ninja -f //dev/stdin', 'deny'],
    ['just --justfile /dev/stdin', 'deny'],
    ['rake -f /dev/stdin', 'deny'],
    ['deno run /dev/stdin', 'deny'],
    ['bun test //dev/stdin', 'ask'],
    ['node --test src/a.js //dev/stdin', 'ask'],
    ['node --env-file=/dev/stdin src/a.js', 'deny'],
    ['ln -s /dev/stdin src/x', 'deny'],
    ['go build -o /dev/null ./...', 'allow'],
    ['echo x > /dev/null', 'allow'],
    ['cat /dev/stdin', 'allow'],
    ['node --env-file=.env src/a.js', 'allow'],
    ['prettier --write //elsewhere/x/a.ts', 'deny'],
    ['prettier --config-precedence=http://x', 'ask'],
  ])('%s: %s', check);
});

describe('an interpreter that would run its standard input is asked about', () => {
  test.each<Row>([
    ["python3 -v <<< 'print(1)'", 'ask'],
    ['python3 -i', 'ask'],
    ['python3 -q', 'ask'],
    ['python3 -m', 'ask'],
    ['node -c', 'ask'],
    ['node inspect src/a.js', 'ask'],
    ['tsx inspect src/a.ts', 'ask'],
    ['php -i', 'ask'],
    ['php -q', 'ask'],
    ['java -showversion', 'ask'],
    ['python3 -V', 'allow'],
    ['node -v', 'allow'],
    ['ruby -v', 'allow'],
    ['php -m', 'allow'],
    ['java -version', 'allow'],
    ['python3 -v src/a.py', 'allow'],
  ])('%s: %s', check);
});

describe('a program is judged by its effect without operands', () => {
  test.each<Row>([
    ['deno', 'ask'],
    ['deno -q', 'ask'],
    ['deno run --allow-all', 'ask'],
    ["swift <<< 'print(1)'", 'ask'],
    ['kotlin', 'ask'],
    ['kotlin -cp out', 'ask'],
    ['kotlinc -nowarn', 'ask'],
    ['sbt', 'ask'],
    ['sbt -no-colors', 'ask'],
    ['lua < src/a.lua', 'ask'],
    ['yarn', 'ask'],
    ['yarn --silent', 'ask'],
    ['bundle', 'ask'],
    ['patch', 'ask'],
    ['ruff check --fix', 'allow'],
    ['eslint --fix', 'allow'],
    ['deno --version', 'allow'],
    ['deno test', 'allow'],
    ['swift test', 'allow'],
    ['swift --version', 'allow'],
    ['kotlin -version', 'allow'],
    ['kotlinc src/a.kt -d out', 'allow'],
    ['yarn --version', 'allow'],
    ['bundle -v', 'allow'],
    ['pnpm --version', 'allow'],
    ['gradle', 'allow'],
    ['ls | sort | uniq -c', 'allow'],
  ])('%s: %s', check);
});

describe('options and names that load code from elsewhere are judged as code', () => {
  test.each<Row>([
    ["node --test --test-reporter='data:text/javascript,1' src/a.js", 'ask'],
    ['node --test --test-reporter=/elsewhere/x/r.js src/a.js', 'deny'],
    ['node --test --test-reporter=spec', 'allow'],
    ['python3 -X pycache_prefix=/elsewhere/x src/a.py', 'deny'],
    ['python3 -X dev src/a.py', 'allow'],
    ['dotnet build -p:PreBuildEvent=date', 'ask'],
    ['dotnet build -p PreBuildEvent=date', 'ask'],
    ['pandoc -t /elsewhere/x.lua a.md', 'deny'],
    ['pandoc -f x.lua a.md', 'ask'],
    ['ocamlfind remove x', 'ask'],
    ['pandoc -t html -o a.html a.md', 'allow'],
    ['java jdk.internal.jshell.tool.JShellToolProvider', 'ask'],
    ['java jdk/internal/jshell/tool/JShellToolProvider', 'ask'],
    ['java sun.net.httpserver.simpleserver.Main', 'ask'],
    ['java -cp out:/elsewhere/x/evil.jar Main', 'deny'],
    ['java -cp out com.example.Main', 'allow'],
    ['java -jar out/app.jar', 'allow'],
    ['java src/Main.java', 'allow'],
  ])('%s: %s', check);
});

describe('every marker of xargs counts', () => {
  test.each<Row>([
    ["xargs -I{} -I 'ls src' sh -c 'ls src'", 'deny'],
    ["xargs -I{} -Icat sh -c 'cat src/a.txt'", 'deny'],
    ["xargs --replace -I% sh -c '{}'", 'deny'],
    ['ls src | xargs -I% echo %', 'allow'],
  ])('%s: %s', check);
});

describe('reporters, formats, plugins and configurations are code', () => {
  test.each<Row>([
    ['mocha -R /elsewhere/x.js', 'deny'],
    ['mocha --ui=/elsewhere/x.js', 'deny'],
    ['vitest --reporter=/elsewhere/x.mjs', 'deny'],
    ['vitest --environment /elsewhere/x.mjs', 'deny'],
    ['vitest --config=/dev/stdin', 'deny'],
    ['eslint -f /elsewhere/x.js src', 'deny'],
    ['eslint --format=//dev/stdin src', 'deny'],
    ['jest --coverageReporters=/elsewhere/x.js', 'deny'],
    [`jest --config='{"globalSetup":"/elsewhere/x"}'`, 'ask'],
    ['playwright test --reporter=/elsewhere/x.ts', 'deny'],
    ['cypress run --browser /elsewhere/x', 'deny'],
    ['nox -f /elsewhere/x.py', 'deny'],
    ['phpcs --standard=/elsewhere/x src', 'deny'],
    ['phpunit -c /elsewhere/x.xml', 'deny'],
    ['pylint --rcfile=/elsewhere/x src', 'deny'],
    ['mypy --config-file=/dev/stdin src', 'deny'],
    ['rspec -P /elsewhere/x.rb', 'deny'],
    ["rollup -p '{x:1}' src/a.js", 'ask'],
    ['make -I /elsewhere/x', 'deny'],
    ['make -p', 'ask'],
    ['make --print-data-base', 'ask'],
    ['ninja -t browse', 'ask'],
    ['pytest --cov-report=xml:/elsewhere/x', 'deny'],
    ['pytest --basetemp=.', 'deny'],
    ['astro add react', 'ask'],
    ['mocha -R spec', 'allow'],
    ['vitest run --reporter=dot --environment=jsdom', 'allow'],
    ['eslint -f stylish -c eslint.config.js src', 'allow'],
    ['jest --config jest.config.js --coverageReporters=text', 'allow'],
    ['playwright test --reporter=list', 'allow'],
    ['phpcs --standard=PSR12 src', 'allow'],
    ['pytest --cov=src --cov-report=term-missing', 'allow'],
    ['astro check', 'allow'],
  ])('%s: %s', check);
});

describe('programs that start another one are judged by the program that they start', () => {
  test.each<Row>([
    ['c8 printenv', 'ask'],
    ['npx c8 sh -c "cat .env"', 'deny'],
    ['nyc --reporter=/elsewhere/x.js npm test', 'deny'],
    ['yarn workspaces foreach -A exec x', 'ask'],
    ['dune exec x', 'ask'],
    ['yarn run node -e "x"', 'ask'],
    ['yarn workspace a node -e "x"', 'ask'],
    ['yarn node -e "x"', 'ask'],
    ['pnpm --filter web concurrently "node x"', 'ask'],
    ['pnpm cat .env', 'deny'],
    ['bun run -', 'ask'],
    ['bun run cat .env', 'deny'],
    ['yarn "$x"', 'deny'],
    ['coverage run -pm timeit "x"', 'ask'],
    ['pnpm --filter web test src/a.test.ts', 'allow'],
    ['yarn run db:migrate', 'allow'],
    ['yarn tsc --noEmit', 'allow'],
    ['pnpm vitest run src', 'allow'],
    ['bun run build', 'allow'],
    ['bun test src', 'allow'],
    ['pnpm ls', 'allow'],
    ['make RM=src/evil.sh', 'ask'],
    ['make CHECK=cat', 'ask'],
    ['make BUILD=', 'ask'],
    ['npx c8 --reporter=text npm test', 'allow'],
    ['make V=1 BUILD=release', 'allow'],
  ])('%s: %s', check);
});

describe('what uses the network is asked about', () => {
  test.each<Row>([
    ['kubectl version', 'ask'],
    ['go mod tidy', 'ask'],
    ['govulncheck ./...', 'ask'],
    ['buf push', 'ask'],
    ['buf generate', 'ask'],
    ['dprint config update', 'ask'],
    ['vale sync', 'ask'],
    ['pandoc https://example.org/x', 'ask'],
    ['go list -m -u all', 'ask'],
    ['yarn upgrade-interactive', 'ask'],
    ['pnpm install-test', 'ask'],
    ['deno check npm:left-pad', 'ask'],
    ['deno info npm:left-pad', 'ask'],
    ['deno doc jsr:@std/fs', 'ask'],
    ['go list ./...', 'allow'],
    ['deno check src/a.ts', 'allow'],
    ['deno info', 'allow'],
  ])('%s: %s', check);
});

describe('a server that other machines can reach is asked about', () => {
  test.each<Row>([
    ['vite --host', 'ask'],
    ['vite --host 0.0.0.0', 'ask'],
    ['vite preview --host', 'ask'],
    ['webpack serve --host 0.0.0.0', 'ask'],
    ['npm run dev -- --host', 'ask'],
    ['npm run dev -- --host=0.0.0.0', 'ask'],
    ['python manage.py runserver 0.0.0.0:8000', 'ask'],
    ['next dev -H ::', 'ask'],
    ['python3 -m http.server --bind 0.0.0.0', 'ask'],
    ['vite --port 3000', 'allow'],
    ['python manage.py runserver 127.0.0.1:8000', 'allow'],
    ['npm run dev -- --host=localhost', 'allow'],
  ])('%s: %s', check);
});

describe('what formats or lints files of every kind is asked about those that decide what runs', () => {
  test.each<Row>([
    ['deno fmt .github', 'ask'],
    ['deno fmt .vscode/settings.json', 'ask'],
    ['deno lint --fix .github', 'ask'],
    ['deno fmt', 'allow'],
    ['deno fmt --check src', 'allow'],
    ['deno lint src', 'allow'],
  ])('%s: %s', check);
});
