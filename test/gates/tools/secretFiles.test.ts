import { describe, expect, test } from 'vitest';
import { mayHoldSecrets } from '../../../src/gates/tools/toolPath.ts';
import { decisionOn, judgeIn } from './toolRequest.ts';

const secrets = ['.env', 'deploy/server.pem', 'ravel/project-root/session-log.yaml'];

describe('a search of a tree that holds secrets', () => {
  test.each([
    ['grep -rn TODO .', 'ask'],
    ['grep -rn TODO', 'ask'],
    ['grep -rn TODO src', 'allow'],
    ['grep -rn TODO deploy', 'ask'],
    ['grep -rn TODO . --include=*.ts', 'allow'],
    ['grep -rn TODO . --include=.env', 'ask'],
    ['grep -rn TODO . --exclude=.env --exclude=*.pem --exclude-dir=ravel', 'allow'],
    ['grep -rn TODO . --exclude=.env', 'ask'],
    ['rg TODO', 'ask'],
    ['rg TODO -t ts', 'allow'],
    ['rg TODO -t yaml', 'ask'],
    ["rg TODO -g '*.ts'", 'allow'],
    ["rg TODO -g '!ravel' -g '!deploy'", 'allow'],
    ["rg TODO --hidden -g '!ravel' -g '!deploy'", 'ask'],
    ['rg --files', 'allow'],
    ['cat deploy/*', 'deny'],
    ['cat dep*/*.p?m', 'deny'],
    ['cat src/*', 'allow'],
    ['cp -r deploy copy', 'ask'],
    ['tar czf x.tgz .', 'ask'],
  ])('%s: %s', (command, expected) => expect(decisionOn(command, { secrets })).toBe(expected));

  test.each<[Record<string, unknown>, string]>([
    [{ pattern: 'x' }, 'deny'],
    [{ pattern: 'x', path: 'src' }, 'allow'],
    [{ pattern: 'x', path: '.env' }, 'deny'],
    [{ pattern: 'x', glob: '.env' }, 'deny'],
    [{ pattern: 'x', glob: '*.ts' }, 'allow'],
    [{ pattern: 'x', glob: '*.{env,ts}' }, 'deny'],
    [{ pattern: 'x', glob: '!ravel/** !deploy/** !.env' }, 'allow'],
    [{ pattern: 'x', type: 'ts' }, 'allow'],
    [{ pattern: 'x', path: 'ravel/project-root' }, 'deny'],
  ])('Grep %j: %s', (input, expected) => expect(judgeIn({ secrets }, 'Grep', input).decision).toBe(expected));
});

test('a pattern does not reach through a link that leads out of the project', () => {
  const scene = { secrets: ['vendor/out'], links: { 'vendor/out': '/srv/other' } };
  expect(decisionOn('cat vendor/*/notes.txt', scene)).toBe('deny');
  expect(decisionOn('grep -rn x vendor', scene)).toBe('allow');
});

describe('a name that says that a file holds secrets', () => {
  test.each([
    '.env',
    '.ENV',
    '.env.local',
    '.env ',
    '.e\u200bnv',
    'prod.env',
    'server.pem',
    'id_rsa',
    'id_ed25519.bak',
    'credentials.json',
    'app-secrets.yaml',
    'service-account-1.json',
    '.netrc',
    'session-log.yaml',
  ])('%j', (name) => expect(mayHoldSecrets(name)).toBe(true));

  test.each(['.env.example', '.env.sample', 'id_rsa.pub', 'secrets.ts', 'environment.ts', 'keys.md', 'credentials.ts'])(
    'is not %j',
    (name) => expect(mayHoldSecrets(name)).toBe(false),
  );
});

describe('files that decide what others run are asked about, by tools and commands', () => {
  test.each([
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    'lefthook.yml',
    '.pre-commit-config.yaml',
    '.cargo/config.toml',
    '.mise.toml',
    '.npmrc',
    'AGENTS.md',
    'packages/a/.gitattributes',
    '.claude/settings.json',
    '.VSCode/settings.json',
  ])('%s', (path) => {
    expect(judgeIn({}, 'Write', { file_path: path, content: '' }).decision).toBe('ask');
    expect(decisionOn(`touch ${path}`)).toBe('ask');
    expect(decisionOn(`cp src/a.ts ${path}`)).toBe('ask');
    expect(judgeIn({}, 'Read', { file_path: path }).decision).toBe('allow');
  });
});

test('a file that decides what runs and may hold secrets is asked about when it is written, and not read', () => {
  expect(decisionOn('touch .envrc')).toBe('ask');
  expect(decisionOn('cat .envrc')).toBe('deny');
});
