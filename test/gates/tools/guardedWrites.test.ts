import { describe, expect, test } from 'vitest';
import { decisionOn, judgeIn } from './toolRequest.ts';

describe('a write that reaches more than it names is not allowed:', () => {
  test.each([
    'python3 -m venv --clear .',
    "sed -i'/srv/x/.b*hrc' p as",
    "sed -i'.git/hooks/pre-*mit' p com",
    "sed --in-place='ravel/project-root/mem*yaml' p ory.",
    "csplit -f src -b '/../../srv/.bashrc%.0d' f 1",
    'csplit --suffix-format=/x f 1',
    'split --additional-suffix=/../ravel/x f src',
    'tsc @args',
    'javac @args',
    'gcc @args',
    'java @args A.java',
    'mypy @args',
    'rustc @args',
    'kotlinc @args',
    'gunzip -N x.gz',
    'gunzip --name x.gz',
    'gzip -dN x.gz',
    'python3 -X pycache_prefix=/srv/x a.py',
    'pytest --cov-report=xml:/srv/x/f',
    'biome format --write .vscode',
    'npx biome check --write .github',
    'prettier --write ravel',
    'npx prettier --write .',
    "prettier --write 'r*vel/**'",
    "prettier --write '**/*.yaml'",
    "prettier --write '{ravel,src}/**'",
    'black .git',
    'eslint --fix .git',
    'eslint --fix ravel',
    'ruff format ravel',
    'ruff check --fix .vscode',
    'gofmt -w ravel',
    'prettier --write .npmrc',
  ])('%s', (command) => expect(decisionOn(command)).not.toBe('allow'));
});

describe('a file that a program names after another one is judged too:', () => {
  test.each([
    'split -a1 -l1 a .npmr',
    'split -l1 a .npm',
    'split -a 5 a x',
    'split a src/b.p',
    "sed -irc 's/a/b/' .npm",
    "sed --in-place=rc 's/a/b/' .npm",
    'cp --backup=simple --suffix=rc x .npm',
    'cp -b -S rc x/.npm .',
    'mv -b -S rc x .npm',
    'ln -b -S rc -f x .npm',
    'gunzip .npmrc.gz',
    'gzip -d src/.envrc.gz',
    'unxz .npmrc.xz',
    'zstd -d .npmrc.zst',
    'gunzip -S rc .npmrcrc',
    'jar xf x.jar',
    'jar cf ravel/x src',
    'dotnet test --logger "trx;LogFileName=/srv/x"',
  ])('%s', (command) => expect(decisionOn(command)).not.toBe('allow'));

  test.each([
    'split -l 100 src/a.txt',
    'split -l 100 src/a.txt part-',
    "sed -i.bak 's/a/b/' src/a.txt",
    'cp --suffix=.orig src/a src/b',
    'gunzip -k src/a.txt.gz',
    'csplit -f part src/a.txt 10',
    'jar tf x.jar',
  ])('and another is: %s', (command) => expect(decisionOn(command)).toBe('allow'));
});

describe('a formatter of sources is not asked about:', () => {
  test.each([
    'black .',
    'npx prettier --check .',
    'npx prettier --check .github',
    'npx prettier --write src',
    "npx prettier --write 'src/**/*.{ts,json}'",
    "npx prettier --write '**/*.{ts,tsx}'",
    'npx eslint --fix . src',
    'npx biome check --write .',
    'ruff check --fix .',
    'ruff format src tests',
    'isort .',
    'python3 -m venv --clear .venv',
    'npx tsc -p . --noEmit',
    'gzip -k src/a.txt',
    'python3 -X dev src/a.py',
  ])('%s', (command) => expect(decisionOn(command)).toBe('allow'));
});

describe('a find that may change what is guarded is not allowed:', () => {
  test.each([
    'find .git/hooks -name pre-push -delete',
    'find src .git -name COMMIT_EDITMSG -exec rm {} +',
    "find . -name '*.tmp' -exec grep -q x {} \\; -o -delete",
    "find . -name '*.tmp' -print -o -delete",
    'find . -name tasks.json -exec cp evil {} \\;',
    'find . -name pre-push -exec cp evil {} \\;',
    'find . -name ci.yml -exec cp evil {} \\;',
    "find . -name 'npmrc' -o -name '*npmrc' -delete",
    "find . -name '[.]npmrc' -delete",
    "find . -name '\\.npmrc' -delete",
    "find . -name '*.json' -delete",
    'find ravel -name x.txt -delete',
    'find . -type f -delete',
    "find . -type d -name 'hooks' -exec rm -r {} +",
    "find . -name 'project-root' -exec rm -r {} +",
    "find . -name 'ravel' -exec rm -r {} +",
    "find . -name '*.txt' , -delete",
    "find . -name '*.yml' -exec sed -i s/a/b/ {} +",
    "find . -name 'x*' -exec true {} + -o -exec rm {} +",
    'find packages -name tasks.json -exec cp evil {} \\;',
    'find packages/*/ -name tasks.json -delete',
    'find packages -iname TASKS.JSON -delete',
    'find packages -name tasks.json -fprint x -delete',
    "find packages -name '*.yml' -exec sed -i s/a/b/ {} +",
    "find packages -name '*.toml' -exec sed -i s/a/b/ {} +",
    'find packages -name workflows -exec rm -r {} +',
    'find packages -type d -name workflows -exec cp ci.yml {} \\;',
    'find src -name sitecustomize.py -exec cp evil.py {} \\;',
  ])('%s', (command) => expect(decisionOn(command)).not.toBe('allow'));

  test.each([
    "find . -name '*.pyc' -delete",
    'find . -name __pycache__ -exec rm -rf {} +',
    "find src test -name '*.ts' -exec sed -i s/a/b/ {} +",
    "find . -name '*.ts' -exec wc -l {} +",
    "find . -name '*.js' -exec grep -l foo {} +",
    "find . -name '*.log' -o -name '*.tmp' -delete",
    "find src -name '*.py' -exec sed -i s/a/b/ {} +",
    'find packages -name package.json -exec sed -i s/a/b/ {} +',
    'find packages -name tasks.json -exec grep -l x {} +',
    "find packages -name '*.js' -delete",
  ])('and a command that changes other files is: %s', (command) => expect(decisionOn(command)).toBe('allow'));
});

describe('a tree that would replace what is guarded is not allowed:', () => {
  test.each([
    'mkdir -p x/workflows; echo a > x/workflows/ci.yml; mv x .github',
    'cp -r x/. .github',
    'cp -r x .github',
    'mv x .github',
    'mkdir -p x/ravel/project-root; cp -rT x .',
    'cp -r x/. .',
    'cp -r x/* .',
    'mv x/* .',
    'cp -r x/ravel .',
    'mv x ravel',
    'mv x sub/.github',
    'cp -r src sub/.git',
    'cp -r x .config',
    'rm -rf .github',
    'git mv x .github',
  ])('%s', (command) => expect(decisionOn(command)).not.toBe('allow'));

  test.each(['mv x lib', 'cp -r src src2', 'mv src/old .', 'mv src/a.ts src/b.ts lib', 'cp -r src lib/'])(
    'and another is: %s',
    (command) => expect(decisionOn(command)).toBe('allow'),
  );
});

test('a link is judged from the folder that the system starts at', () => {
  const scene = { links: { 'vendor/out': '/srv/other' } };
  expect(decisionOn('ln -s vendor/out/../x.js y', scene)).toBe('deny');
  expect(decisionOn('ln -s ../a.ts src/b.ts')).toBe('allow');
});

test.each([
  ...['.clinerules/a.md', '.helix/config.toml', '.kiro/hooks/a.json', '.opencode/plugin/a.ts', 'opencode.json'],
  ...['.continue/config.yaml', '.mise.local.toml', 'bunfig.toml', '.pnpmfile.mjs', '.gdbinit', '.lldbinit', '.pdbrc'],
  ...['.github/hooks/a.json', '.github/dependabot.yaml', '.gitlab-ci.yaml', 'azure-pipelines.yaml', '.travis.yaml'],
  ...['.zprofile', '.vim/vimrc', '.nvim/init.lua', '.git-hooks/pre-commit', '.config/mise/config.toml'],
  ...['Jenkinsfile.prod', 'src/a.pth', '.clinerules'],
])('a person is asked before a session writes %s', (path) => {
  expect(judgeIn({}, 'Write', { file_path: path, content: '' }).decision).toBe('ask');
  expect(judgeIn({}, 'Edit', { file_path: path }).decision).toBe('ask');
});

describe('what a line links or moves is not known in the rest of it:', () => {
  test.each([
    'mkdir -p a/b; ln -s .. a/b/l; mv a/b/l a/l; echo x > a/l/ravel/project-root/memory.yaml',
    'mkdir -p a/b; ln -s .. a/b/l; mv a/b/l a/l; rm -rf a/l/x',
    'mkdir -p a/b; ln -s .. a/b/l; mv a/b/l a/l; cat a/l/x',
    'ln -sr ../srv/other/notes.txt src/x; cat src/x',
    "ln -s deploy k; cat 'k'/server.p?m",
    'mv deploy k; cat k*/server.p?m',
    'ln -s . a/l; cat a/l/../x',
    'cp -r a b && cd b/l && cat x',
    '(sleep 1; cat a/l/x) & ln -s b a/l',
    'bash -c "sleep 1; cat a/l/x" & ln -s b a/l',
    'for i in 1 2; do cat a/l/x; ln -s b a/l; done',
    'while true; do echo y > a/l/x; mv k a/l; done',
    'cat a/l/x | ln -s b a/l',
    ': <(sleep 1; cat a/l/x); ln -s b a/l',
  ])('%s', (command) => expect(decisionOn(command)).not.toBe('allow'));

  test.each([
    'mv src/a.ts src/b.ts && cat src/b.ts',
    'rm -rf lib && cp -r src lib && ls lib/a',
    'ln -s a.ts src/l && ls -l src/l',
    'mv src/a.ts lib && npm test',
    'cp src/a.ts src/b.ts && cat src/b.ts',
    'cat a/l/x; ln -s b a/l',
    'npm test & cp -r dist out; wait',
    'for f in a b; do mv src/$f.ts lib/$f.ts; done',
    'for f in a b; do cp -r src/$f lib/$f; done',
  ])('while this is: %s', (command) => expect(decisionOn(command)).toBe('allow'));
});
