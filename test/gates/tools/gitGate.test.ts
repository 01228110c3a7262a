import { describe, expect, test } from 'vitest';
import { decisionOn } from './toolRequest.ts';

const check = (expected: string) => (command: string) => expect(decisionOn(command)).toBe(expected);

describe('git can be read', () => {
  test.each([
    'git log -5 --oneline --graph',
    'git log --since=2.weeks -- src',
    'git shortlog -sn',
    'git diff --stat main...HEAD -- src/a.ts',
    'git show HEAD~1:src/a.ts',
    'git blame -L 10,20 src/a.ts',
    'git grep -n foo -- src',
    'git branch -vv',
    'git branch --contains HEAD',
    'git tag --list v1.0',
    'git config --get user.name',
    'git config user.name',
    'git stash show stash@{0}',
    'git reflog -3',
    'git apply --check fix.patch',
    'git show 3f2a1b9^{commit}',
    'git show 3f2a1b9~1:src/a.ts',
    'git show HEAD v1.0 main~2',
    'git diff 3f2a1b9',
    'git diff 3f2a1b9...e4c5d6f',
    'git diff 3f2a1b9^{commit} e4c5d6f^{commit} -- src/a.ts',
    'git log -p 3f2a1b9..e4c5d6f',
    'git log -S process.env --oneline',
    'git grep process.env',
    'git grep -n foo HEAD~3 -- src/a.ts "*.md"',
    "git grep foo '*.ts'",
    'git grep foo src/',
    'git ls-files --others --exclude-standard',
  ])('%s', check('allow'));
});

describe('git cannot be written, whatever comes first', () => {
  test.each([
    'git branch -v new',
    'git branch --list -D x',
    'git tag v2',
    'git config --local core.hooksPath x',
    'git config --show-origin core.pager x',
    'git config --type=bool core.bare true',
    'git config set a.b c',
    'git config edit',
    'git remote -v add x y',
    'git remote -v set-url origin x',
    'git remote show origin',
    'git stash',
    'git reflog expire --all',
    'git worktree add x',
    'git submodule foreach ls',
    'git apply fix.patch',
    'git notes add',
  ])('%s', check('deny'));
});

describe('git starts no program, writes no file and works nowhere else', () => {
  test.each([
    'git -c core.pager=x log',
    'git -C .. log',
    'git --config-env=a=b log',
    'git log --output=x',
    'git log --outp=x',
    'git diff --ext-diff',
    'git show --textconv HEAD',
    'git diff --no-index a b',
    'git grep -Ox y',
    'git grep --untracked x',
    'git blame --contents=x a',
    'git cat-file --filters HEAD:a',
  ])('%s', check('deny'));
});

describe('git shows no file that holds secrets by its name', () => {
  test.each([
    'git show HEAD:.env',
    'git show HEAD:.ENV',
    'git show :0:deploy/server.pem',
    'git cat-file -p HEAD:ravel/project-root/session-log.yaml',
    'git log -p -- .env',
    'git log -L1,5:.env',
    'git diff /dev/null .env',
    'git blame id_rsa',
    'git diff HEAD /etc/passwd',
    'git show HEAD:.aws/config',
    'git diff HEAD -- .SSH/config',
    'git show HEAD:.docker/config.json',
    'git show 3f2a1b9',
    'git show 3F2A1B9',
    'git show --stat HEAD 3f2a1b9',
    'git show 3f2a1b9^{}',
    'git show v1.0-4-g3f2a1b9',
    'git diff 3f2a1b9 e4c5d6f',
    'git diff 3f2a1b9..e4c5d6f',
    'git diff 3f2a1b9 -- src/a.ts',
    'git archive HEAD',
  ])('%s', check('deny'));

  test.each([
    'git cat-file -p 3f2a1b9',
    'git grep -n . HEAD',
    'git grep -e . 3f2a1b9',
    'git grep . main -- src',
    "git grep . v1.0 -- '*'",
    "git grep . v1.0 -- ':!src'",
  ])('and asks about a command that may show one of an earlier time: %s', check('ask'));

  test('and asks about a search that would read one now', () => {
    const scene = { secrets: ['deploy/server.pem'] };
    expect(decisionOn('git grep -n foo', scene)).toBe('ask');
    expect(decisionOn('git grep -n foo -- deploy', scene)).toBe('ask');
    expect(decisionOn('git grep -n foo -- src', scene)).toBe('allow');
    expect(decisionOn('cd src && git grep -n foo', scene)).toBe('allow');
  });

  test('and asks about a pattern that reaches one', () => {
    expect(decisionOn("git diff -- '.e*'")).toBe('ask');
    expect(decisionOn("git ls-files '*.pem'")).toBe('allow');
  });
});

test('options of version and help are judged as those of any subcommand', () => {
  expect(decisionOn('git --version')).toBe('allow');
  expect(decisionOn('git --help log')).toBe('allow');
  expect(decisionOn('git --help -w log')).toBe('ask');
});
