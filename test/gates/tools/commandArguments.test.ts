import { describe, expect, test } from 'vitest';
import { workOf } from '../../support/workOf.ts';
import { decisionOn } from './toolRequest.ts';

type Row = readonly [command: string, decision: 'allow' | 'ask' | 'deny'];

function check(command: string, expected: Row[1]) {
  expect(decisionOn(command)).toBe(expected);
}

describe('the arguments of a command are read as the program reads them', () => {
  test.each<Row>([
    ['head -n5 src/a.ts', 'allow'],
    ['head -c 10 --quiet src/a.ts', 'allow'],
    ['cut -d: -f1 src/a.csv', 'allow'],
    ['cut -d: -f1 .env', 'deny'],
    ['sort -k2n -t, data.csv', 'allow'],
    ['sort -unoravel/x data.csv', 'deny'],
    ['sort --output=../x data.csv', 'deny'],
    ['sort --outp=out data.csv', 'ask'],
    ['grep -nife.txt src/a.ts', 'allow'],
    ['grep -nf/etc/shadow src/a.ts', 'deny'],
    ['grep -e. ../other/key', 'deny'],
    ['grep -- -x src/a.ts', 'allow'],
    ['uniq in.txt .git/config', 'deny'],
    ['tail -5 log.txt', 'allow'],
    ['ls -la --sort=size src', 'allow'],
    ['ls --frobnicate', 'ask'],
    ['diff -u --label=a a.ts b.ts', 'allow'],
    ['npx jest --watchAll=false', 'allow'],
    ['make -j4 test', 'allow'],
    ['make -Cravel', 'deny'],
    ['gcc -Wall -O2 -Iinclude -oprog main.c', 'allow'],
    ['gcc -o../prog main.c', 'deny'],
    ['jq --arg name x .[$name] a.json', 'ask'],
    ["jq --arg name x '.[$name]' a.json", 'allow'],
    ['jq --rawfile x .env . a.json', 'deny'],
    ['zstd -T .env', 'deny'],
    ['rustc --print=link-args=ravel/x a.rs', 'deny'],
    ['sdiff -W .env a', 'deny'],
  ])('%s: %s', check);
});

describe('files that name files or commands are asked about', () => {
  test.each<Row>([
    ['wc --files0-from=list', 'ask'],
    ['du --files0-from=list', 'ask'],
    ['date -f list', 'ask'],
    ['xargs -a list rm', 'ask'],
    ['tar -cf x.tar -T list', 'ask'],
    ['sha256sum -c sums', 'ask'],
    ['patch -p1 < fix.patch', 'ask'],
    ['gcc @args', 'ask'],
    ['sort --compress-program=./x a.txt', 'ask'],
    ['split --filter=./x a.txt', 'ask'],
    ['rg --pre ./x y', 'ask'],
    ['make --eval=x', 'ask'],
    ['cmake -E rm -rf src', 'ask'],
    ['cmake -P x.cmake', 'ask'],
    ['go build -toolexec ./x ./...', 'ask'],
    ['cargo --config x build', 'ask'],
  ])('%s: %s', check);
});

describe('code in arguments and on standard input is asked about', () => {
  test.each<Row>([
    ["python3 -c'print(1)'", 'ask'],
    ["python3 -Bc 'print(1)'", 'ask'],
    ['python3 -', 'ask'],
    ['python3 < x.py', 'ask'],
    ["node <<'E'\n1\nE", 'ask'],
    ["perl -pe 's/a/b/' x", 'ask'],
    ['.venv/bin/python -c 1', 'ask'],
    ['python3 -mpip install x', 'ask'],
    ['coverage run -m http.server', 'ask'],
    ['coverage run -m pytest', 'allow'],
    ['.venv/bin/python -m pytest', 'allow'],
    ['python3 tool.py -c x', 'allow'],
    ['node --test', 'allow'],
    ['node --version', 'allow'],
    ['deno run https://example.org/x.ts', 'ask'],
    ['go run example.org/x@latest', 'ask'],
    ['go run ./cmd/app --port 1', 'allow'],
  ])('%s: %s', check);
});

describe('an argument that may turn out to be an option is asked about', () => {
  test.each<Row>([
    ['wc -l *.ts', 'ask'],
    ['wc -l ./*.ts', 'allow'],
    ['head -n1 *.ts', 'allow'],
    ['tar -tf *', 'ask'],
    ['cat src/*.ts', 'allow'],
  ])('%s: %s', check);
});

describe('copies, moves and links are judged by their destination', () => {
  test.each<Row>([
    ['cp -r src src2', 'allow'],
    ['cp -r a/. .', 'ask'],
    ['cp -rT a .', 'ask'],
    ['cp -r a/ravel .', 'deny'],
    ['cp -t .git/hooks a', 'deny'],
    ['cp a/.npm* .', 'ask'],
    ['mv src lib', 'allow'],
    ['mv ravel old', 'deny'],
    ['mv a/* .', 'deny'],
    ['ln -s a.ts src/b.ts', 'allow'],
    ['ln -s ../a.ts src/b.ts', 'allow'],
    ['ln -s . here', 'deny'],
    ['cd src && ln -s ravel ../x', 'deny'],
    ['ln -sr ravel src/x', 'deny'],
    ['ln .env b', 'deny'],
    ['tar czf out.tgz dist', 'allow'],
    ['tar -tzf out.tgz', 'allow'],
    ['tar xf out.tgz', 'ask'],
    ['tar -cf host:x src', 'ask'],
    ['unzip -l x.zip', 'allow'],
    ['unzip x.zip', 'ask'],
  ])('%s: %s', check);
});

describe('other programs that a command starts are judged with it', () => {
  test.each<Row>([
    ['timeout -k 1 5 git push', 'deny'],
    ['nice -n5 npm test', 'allow'],
    ['stdbuf --frobnicate npm test', 'deny'],
    ['ls | xargs -n1 echo', 'allow'],
    ['ls | xargs -I% sh -c %', 'deny'],
    ['find src -name "*.ts" -exec grep -l x {} +', 'allow'],
    ['find . -name "*.pem" -exec cat {} +', 'ask'],
    ['find . -name "*.ts" -o -exec cat {} +', 'ask'],
    ["find . -name '*.pyc' -delete", 'allow'],
    ["find . -name '*.yaml' -delete", 'deny'],
    ['find . -type f -delete', 'deny'],
    ['find src -delete', 'ask'],
    ['find src -fprint ravel/x', 'deny'],
    ['poetry run pytest', 'allow'],
    ['uv run pytest', 'ask'],
    ['npx gradle', 'ask'],
  ])('%s: %s', check);
});

describe('what leaves the machine or shows the environment is not let through', () => {
  test.each<Row>([
    ['npm ci', 'ask'],
    ['npm run env', 'ask'],
    ['npm publish', 'deny'],
    ['npm run x --script-shell=./x', 'ask'],
    ['yarn build', 'allow'],
    ['yarn add x', 'ask'],
    ['bun publish', 'deny'],
    ['curl -s localhost:3000', 'ask'],
    ['curl -s https://example.org', 'deny'],
    ['docker compose ps', 'allow'],
    ['docker run -v /:/h alpine', 'deny'],
    ['ps aux', 'allow'],
    ['ps eww', 'ask'],
    ['printenv PATH', 'allow'],
    ['printenv API_KEY', 'ask'],
    ['kill %1', 'allow'],
    ['kill -- -1', 'deny'],
    ['env FOO=1 npm test', 'allow'],
    ['env LD_PRELOAD=x npm test', 'deny'],
    ['PYTHONPATH=src pytest', 'ask'],
    ['MAKEFLAGS=x make', 'ask'],
  ])('%s: %s', check);
});

test('a confined session is not asked about what a sandbox holds', () => {
  const confined = { confinement: 'confined' } as const;
  const rows: readonly Row[] = [
    ['frobnicate --all', 'allow'],
    ['python3 -c "print(1)"', 'allow'],
    ['npm ci', 'allow'],
    ['cat "$FILE"', 'allow'],
    ['echo x > /tmp/out.txt', 'allow'],
    ['tar xf out.tgz', 'allow'],
    ['frobnicate ravel/x', 'deny'],
    ['frobnicate .git/config', 'deny'],
    ['cat .env', 'deny'],
    ['git push', 'deny'],
    ['rm -rf .', 'deny'],
    ['rm -rf "$DIR"', 'ask'],
    ['echo x > .envrc', 'ask'],
  ];
  expect(rows.map(([command]) => [command, decisionOn(command, confined)])).toEqual(rows);
});

test('the temporary folder that all share is asked about', () => {
  expect(decisionOn('echo x > /tmp/a')).toBe('ask');
  expect(decisionOn('cat /tmp/.x/key')).toBe('deny');
});

test('a command with thousands of arguments gets a verdict soon', () => {
  const files = Array.from({ length: 5000 }, (_, index) => `src/${index}.ts`);
  const work = workOf(() => {
    expect(decisionOn(`rm ${files.join(' ')}`)).toBe('ask');
    expect(decisionOn(`ls -${'l'.repeat(100_000)}`)).toBe('ask');
  });
  expect(work).toBeLessThan(5000);
});
