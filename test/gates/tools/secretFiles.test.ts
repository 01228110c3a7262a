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
    ["grep -r '' --include='*env' .", 'ask'],
    ["grep -r '' --include='\\\\.env' .", 'ask'],
    ["grep -r '' --exclude=.env --include=.env .", 'ask'],
    ["grep -r '' --exclude=zzz --include='*.ts' .", 'ask'],
    ["grep -r '' --exclude-from=list --include='*.ts' .", 'ask'],
    ["rg --hidden '' -g '*env'", 'ask'],
    ["rg '' -g '!.env' -g '*env'", 'ask'],
    ["rg '' -g '!*.PE*' deploy", 'ask'],
    ["rg '' --iglob '!*.PE*' deploy", 'allow'],
    ["rg '' --iglob '.ENV'", 'ask'],
    ["rg '' -t ts -g .env", 'ask'],
    ["rg '' -g '#x'", 'ask'],
    ["rg TODO -g 'src/**'", 'allow'],
    ["rg TODO -g 'deploy/**'", 'ask'],
    ["rg TODO -g '*.{ts,js}'", 'allow'],
    ['rg TODO -t java', 'allow'],
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
    [{ pattern: 'x' }, 'changed'],
    [{ pattern: 'x', path: 'src' }, 'allow'],
    [{ pattern: 'x', path: '.env' }, 'deny'],
    [{ pattern: 'x', glob: '.env' }, 'deny'],
    [{ pattern: 'x', glob: '*.ts' }, 'allow'],
    [{ pattern: 'x', glob: '*.{env,ts}' }, 'deny'],
    [{ pattern: 'x', glob: '!ravel/** !deploy/** !.env' }, 'allow'],
    [{ pattern: 'x', glob: '*.{js,ts}' }, 'allow'],
    [{ pattern: 'x', glob: '*env' }, 'deny'],
    [{ pattern: 'x', glob: '!.en* *env' }, 'deny'],
    [{ pattern: 'x', glob: '!*.PE* !.EN* !ravel' }, 'changed'],
    [{ pattern: 'x', path: '.git' }, 'deny'],
    [{ pattern: 'x', path: '.git/config' }, 'deny'],
    [{ pattern: 'x', glob: '!ravel !deploy **/*' }, 'deny'],
    [{ pattern: 'x', type: 'ts' }, 'allow'],
    [{ pattern: 'x', path: 'ravel/project-root' }, 'changed'],
    [{ pattern: 'x', path: 'ravel/project-root', glob: '*.yaml' }, 'changed'],
  ])('Grep %j: %s', (input, expected) => {
    const verdict = judgeIn({ secrets }, 'Grep', input);
    const changed = 'input' in verdict ? verdict.input : undefined;
    expect(changed === undefined ? verdict.decision : 'changed').toBe(expected);
    // What it runs with instead reads none of them.
    if (changed !== undefined) expect(judgeIn({ secrets }, 'Grep', changed)).toEqual({ decision: 'allow' });
  });

  test.each([
    ['d/.aws/config', '!**/.aws'],
    ['d/.ssh/known', '!**/.ssh'],
    ['d/.kube/x', '!**/.kube'],
    ['d/.docker/config.json', '!**/config.json'],
  ])('Grep over %s runs with %s', (secret, glob) => {
    const input = { pattern: 'x', glob };
    expect(judgeIn({ secrets: [secret] }, 'Grep', { pattern: 'x' })).toEqual({
      decision: 'allow',
      gate: 'protected',
      input,
    });
    expect(decisionOn("grep -rn '' d", { secrets: [secret] })).toBe('ask');
    expect(decisionOn('cat d/.*/*', { secrets: [secret] })).toBe('deny');
  });
});

test('a search that would read secrets besides runs without them, and one that asks for them is told how', () => {
  const excluded = '!**/.env !**/server.pem !**/session-log.*';
  const input = { pattern: 'x', glob: `!*.md ${excluded}` };
  expect(judgeIn({ secrets }, 'Grep', { pattern: 'x', glob: '!*.md' })).toEqual({
    decision: 'allow',
    gate: 'protected',
    input,
  });
  const named = judgeIn({ secrets }, 'Grep', { pattern: 'x', glob: '*env' });
  expect(named).toMatchObject({ reason: expect.stringContaining(`write the glob *env !**/.env.`) });
});

describe('a search that could read the configuration of git, which the disk says holds a password', () => {
  const scene = { secrets: ['.git/config'] };
  test.each(["grep -r '' .git", "grep -r '' .", 'tar cf x.tar .', 'cp -r .git copy', 'cat .git/confi?', 'cat .git/*'])(
    '%s',
    (command) => expect(decisionOn(command, scene)).not.toBe('allow'),
  );
});

describe('a path that begins or ends with a blank, which the tool removes, is denied', () => {
  test.each(['Read', 'Write', 'Edit', 'Glob', 'Grep'])('%s', (tool) => {
    for (const path of [' /etc/passwd', ' ~/notes.txt', ' id_rsa', ' .vscode/tasks.json', 'src\n'])
      expect(judgeIn({}, tool, { file_path: path, path, pattern: '*' }).decision).toBe('deny');
  });
});

describe('a pattern that leaves its folder by an alternative is denied', () => {
  test.each(['{/etc/*,x}', '{..,x}/**', '.{.,x}/**', '{x,~/y}', '@(..|x)/*', '{a,.}./x', 'x,/etc/*'])('%s', (pattern) =>
    expect(judgeIn({}, 'Glob', { pattern }).decision).toBe('deny'),
  );
  test.each(['**/*.{ts,tsx}', './src/**', '{src,test}/**/*.ts', '!(*.d).ts'])('unlike %s', (pattern) =>
    expect(judgeIn({}, 'Glob', { pattern }).decision).toBe('allow'),
  );
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
    'server.pem.',
    'server.pem.',
    '.ｅｎｖ',
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

test('a file that decides which code runs and may hold secrets is asked about when it is written, and not read', () => {
  expect(decisionOn('touch .envrc')).toBe('ask');
  expect(decisionOn('cat .envrc')).toBe('deny');
});

describe('settings of a package manager that hold a token', () => {
  const scene = { secrets: ['.npmrc', 'packages/a/.yarnrc.yml'] };

  test.each([
    ['cat .npmrc', 'deny'],
    ['cp packages/a/.yarnrc.yml x', 'deny'],
    ['cat packages/a/.y*', 'deny'],
    ['grep -r token packages', 'ask'],
    ['ln .npmrc x', 'ask'],
    ['git show HEAD:.npmrc', 'ask'],
    ['cat packages/b/.npmrc', 'allow'],
    ['cat .yarnrc.yml', 'allow'],
    ['ls -l .npmrc', 'allow'],
  ])('%s: %s', (command, expected) => expect(decisionOn(command, scene)).toBe(expected));

  test('are not read by tools on files either', () => {
    expect(judgeIn(scene, 'Read', { file_path: '.npmrc' }).decision).toBe('deny');
    expect(judgeIn(scene, 'Read', { file_path: '.yarnrc.yml' }).decision).toBe('allow');
    const changed = {
      decision: 'allow',
      gate: 'protected',
      input: { pattern: 'x', path: 'packages', glob: '!**/.yarnrc.yml' },
    };
    expect(judgeIn(scene, 'Grep', { pattern: 'x', path: 'packages' })).toEqual(changed);
    expect(judgeIn(scene, 'Grep', { pattern: 'x', path: 'packages', glob: '*.ts' }).decision).toBe('allow');
  });
});
