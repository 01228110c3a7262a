import { describe, expect, test } from 'vitest';
import { decisionOn } from './toolRequest.ts';

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
