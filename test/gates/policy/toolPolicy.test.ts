import { describe, expect, test } from 'vitest';
import { compileLayer, ToolPolicy } from '../../../src/gates/policy/toolPolicy.ts';
import { judgeTool } from '../../../src/gates/tools/toolGate.ts';
import type { PolicyFile } from '../../../src/model/policy.ts';
import type { ToolRequest } from '../../../src/model/verdict.ts';

const project = '/srv/demo';

interface Place extends Partial<Pick<ToolRequest, 'confinement' | 'network'>> {
  readonly links?: Readonly<Record<string, string>>;
  readonly actor?: string;
  readonly model?: string;
}

function judge(content: PolicyFile, tool_name: string, given: string, place: Place = {}) {
  const { links = {}, actor = 'shop/project-root', model, ...more } = place;
  const layer = compileLayer('vault', '/vault/policy.yaml', content);
  expect(layer.faults).toEqual([]);
  const input = tool_name === 'Bash' ? { command: given } : { file_path: given, content: '' };
  const asker = { actor, phase: 'work', harness: 'claude-code', ...(model !== undefined && { model }) };
  return judgeTool({
    ...{ purpose: 'work', confinement: 'unconfined', projectDirectory: project, ravelDirectory: `${project}/ravel` },
    ...{ request: { tool_name, input }, secretFilesBelow: () => [] },
    resolvePath: (path) => links[path] ?? path,
    policy: new ToolPolicy([layer], '/people/ann').for(asker, project),
    ...more,
  });
}

const denied = (...deny: string[]): PolicyFile => ({ permissions: { deny } });
const allowed = (...allow: string[]): PolicyFile => ({ permissions: { allow } });

describe('a rule that denies', () => {
  test.each([
    ['Bash(git log *)', 'git log', 'deny'],
    ['Bash(git log *)', 'git log -3', 'deny'],
    ['Bash(git log:*)', 'git log -3', 'deny'],
    ['Bash(git log)', 'git log -3', 'allow'],
    ['Bash(git lo*)', 'git log -3', 'deny'],
    ['Bash(ls *)', 'lsof', 'ask'],
    ['Bash(* --version)', 'node --version', 'deny'],
    ['Bash(git log *)', 'echo a && git log -3', 'deny'],
    ['Bash(git log *)', 'echo "$(git log -3)"', 'deny'],
    ['Bash(git log *)', 'timeout 5 git log -3', 'deny'],
    ['Bash(git log *)', "bash -c 'git log -3'", 'deny'],
    ['Bash(git log *)', 'if true; then git log; fi', 'deny'],
    ['Bash(git log *)', '/usr/bin/git log', 'deny'],
    ['Bash(echo secret)', 'echo secret', 'deny'],
    ['Bash(git log --all)', 'x=--all; git log $x', 'deny'],
    ['Bash(git log --all)', 'git log "$1"', 'deny'],
    ['Bash(cat *.md)', 'cat *', 'deny'],
    ['Bash(git log "a b")', "git log 'a b'", 'deny'],
    ['Bash(git log a b)', "git log 'a b'", 'allow'],
    ['Bash', 'ls', 'deny'],
    ['Bash(*)', 'ls', 'deny'],
    ['B*', 'ls', 'deny'],
  ])('%s: %s is %s', (rule, command, decision) => {
    expect(judge(denied(rule), 'Bash', command).decision).toBe(decision);
  });

  test.each([
    ['Edit(/docs/**)', 'docs/a/b.md', 'deny'],
    ['Edit(docs/)', 'docs/a.md', 'deny'],
    ['Edit(/docs/**)', 'src/docs/a.md', 'allow'],
    ['Edit(docs/**)', 'src/a.md', 'allow'],
    ['Edit(*.lock)', 'src/x/yarn.lock', 'deny'],
    ['Edit(**/gen/*.ts)', 'src/gen/a.ts', 'deny'],
    ['Edit(//srv/demo/docs/*)', 'docs/a.md', 'deny'],
    ['Edit(/docs/*)', '/srv/demo/docs/a.md', 'deny'],
    ['Edit(/docs/*)', 'src/../docs/a.md', 'deny'],
    ['Edit(/docs/*)', 'DOCS/A.md', 'deny'],
    ['Edit(/docs/*)', 'd\u200bocs/a.md', 'deny'],
    ['Edit(/docs/*)', '\uff44ocs/a.md', 'deny'],
    ['Read(/docs/*)', 'docs/a.md', 'allow'],
    ['Edit', 'a.md', 'deny'],
    ['Write', 'a.md', 'deny'],
  ])('%s: writing %s is %s', (rule, path, decision) => {
    expect(judge(denied(rule), 'Write', path).decision).toBe(decision);
  });

  test.each([
    ['Read(/docs/**)', 'cat docs/a.md', 'deny'],
    ['Read(/docs/**)', 'cd docs; cat a.md', 'deny'],
    ['Read(/docs/**)', 'grep -r x .', 'ask'],
    ['Read(/docs/**)', 'grep -r x src', 'allow'],
    ['Edit(/docs/**)', 'echo a > docs/a.md', 'deny'],
    ['Edit(/docs/**)', 'rm -r docs', 'ask'],
    ['Edit(/docs/**)', 'cat docs/a.md', 'allow'],
  ])('%s: the command %s is %s', (rule, command, decision) => {
    expect(judge(denied(rule), 'Bash', command).decision).toBe(decision);
  });

  test('holds for a link to a file and for the file itself', () => {
    const links = { [`${project}/here.md`]: `${project}/docs/a.md` };
    expect(judge(denied('Edit(/docs/**)'), 'Write', 'here.md', { links }).decision).toBe('deny');
    expect(judge(denied('Edit(/here.md)'), 'Write', 'here.md', { links }).decision).toBe('deny');
  });

  test('decides before one that asks, and that before one that allows, however precisely they are written', () => {
    const rules = (deny: string[], ask: string[]) => ({ permissions: { deny, ask, allow: ['Bash(frob --now)'] } });
    const decision = (deny: string[], ask: string[]) => judge(rules(deny, ask), 'Bash', 'frob --now').decision;
    expect(decision([], [])).toBe('allow');
    expect(decision([], ['Bash(frob *)'])).toBe('ask');
    expect(decision(['Bash'], ['Bash(frob *)'])).toBe('deny');
  });

  test('tells the session its reason and what to do instead, as a redirect', () => {
    const rule = {
      id: 'no-deploys',
      deny: ['Bash(terraform apply *)'],
      why: 'CI deploys.',
      instead: 'Leave the plan.',
    };
    expect(judge({ rules: [rule] }, 'Bash', 'terraform apply')).toMatchObject({
      ...{ decision: 'deny', gate: 'policy', instead: 'Leave the plan.' },
      reason:
        'The command terraform is denied by the rule no-deploys of the vault’s policy. CI deploys. Instead: Leave the plan.',
      rule: { id: 'no-deploys', layer: 'vault', path: ['rules', 0, 'deny', 0] },
    });
  });
});

describe('a rule that allows', () => {
  test.each([
    ['Bash(frob *)', 'frob x', 'allow'],
    ['Bash(frob *)', 'frob', 'allow'],
    ['Bash(frob *)', 'frob $x', 'ask'],
    ['Bash(frob a)', 'frob $x', 'ask'],
    ['Bash(frob *)', 'cd src && frob x | head -3', 'allow'],
    ['Bash(frob *)', 'frob x; grok y', 'ask'],
    ['Bash(frob *)', 'frob "$(grok y)"', 'ask'],
    ['Bash(frob *)', "bash -c 'frob x'", 'allow'],
    ['Bash(frob *)', 'frobnicate', 'ask'],
    ['Bash(frob *)', '"frob x"', 'ask'],
    ['Bash(frob *)', 'frоb x', 'ask'],
    ['Bash(frob -a * -b *)', 'frob -a 1 -b', 'ask'],
    ['Bash(frob *)', `frob ${'x'.repeat(10_000)}`, 'allow'],
    // Refusals of later gates stay, and questions about what is protected or other rules.
    ['Bash(sudo *)', 'sudo ls', 'deny'],
    ['Bash(cat *)', 'cat .env', 'deny'],
    ['Bash(frob *)', 'frob > .github/workflows/ci.yml', 'ask'],
    ['Bash(sed *)', 'sed -i s/a/b/ .github/workflows/ci.yml', 'ask'],
    ['Bash', 'git remote -v', 'ask'],
    ['Bash', 'git push', 'deny'],
    ['Bash(npm ci)', 'npm ci', 'allow'],
  ])('%s: %s is %s', (rule, command, decision) => {
    expect(judge(allowed(rule), 'Bash', command).decision).toBe(decision);
  });

  test('answers for a link only if its name and what it leads to match', () => {
    const rule = allowed('Edit(//tmp/ours/**)');
    const links = { '/tmp/ours/link': '/tmp/theirs/a' };
    expect(judge(rule, 'Write', '/tmp/ours/a').decision).toBe('allow');
    expect(judge(rule, 'Write', '/tmp/ours/link', { links }).decision).toBe('ask');
  });

  test('does not open the network of a sandbox', () => {
    const place = { confinement: 'confined', network: 'ask' } as const;
    expect(judge(allowed('Bash(npm ci)'), 'Bash', 'npm ci', place).decision).toBe('ask');
  });
});

test('a rule is for the plans, phases, harnesses and models that it names', () => {
  const rule = (more: object): PolicyFile => ({ rules: [{ id: 'a', deny: ['Bash(ls *)'], ...more }] });
  const decision = (more: object, place: Place = {}) => judge(rule(more), 'Bash', 'ls', place).decision;
  expect(decision({ actors: ['Shop/**'] })).toBe('deny');
  expect(decision({ actors: ['Shop/**'] }, { actor: 'bank/project-root' })).toBe('allow');
  expect(decision({ phases: ['reflect'] })).toBe('allow');
  expect(decision({ harnesses: ['claude-code'] })).toBe('deny');
  expect(decision({ harnesses: ['scripted'] })).toBe('allow');
  expect(decision({ models: ['haiku*'] }, { model: 'haiku-4' })).toBe('deny');
  expect(decision({ models: ['haiku*'] })).toBe('allow');
});

test('a project and a plan only narrow', () => {
  const layer = compileLayer('project', '/p/policy.yaml', { permissions: { allow: ['Bash'], deny: ['Bash(ls *)'] } });
  expect(layer.rules.map(({ action }) => action)).toEqual(['deny']);
  expect(layer.faults).toMatchObject([{ isWidening: true, path: ['permissions', 'allow'] }]);
});

test.each([
  ['Read(../x)', 'goes up'],
  ['Read(a\u0000b)', 'control character'],
  ['Write(/docs/**)', 'Edit(/docs/**)'],
  ['Glob(/docs/**)', 'Read(/docs/**)'],
  ['Bash(a && b)', 'several commands'],
  ['Bash(a', 'not closed'],
  ['WebFetch(example.com)', 'domain:'],
  ['Task(x)', 'no meaning'],
  ['Rm rf', 'not the name of a tool'],
  ['Read(!a)', 'gitignore'],
])('the rule %j cannot be used: %s', (text, message) => {
  const { faults } = compileLayer('vault', '/vault/policy.yaml', denied(text));
  expect(faults).toMatchObject([{ message: expect.stringContaining(message), path: ['permissions', 'deny', 0] }]);
});

describe('a rule that allows does not answer for what cannot be known', () => {
  const many = (command: string) => `${command} ${Array.from({ length: 320 }, (_none, n) => n).join(' ')}`;
  const starred = allowed('Bash(cat *)', 'Bash(rm *)', 'Bash(git *)', 'Bash(sudo *)', 'Bash(tee *)', 'Bash(bash *)');
  test.each([
    many('cat .env'),
    many('git push origin'),
    many('sudo rm -rf /'),
    many('rm -rf ravel/policy.yaml'),
    `bash -c '${many('cat .env')}'`,
    'cat "$X"',
    'cat $(echo docs/a)',
    'rm -rf "$X"',
    'tee "$(echo ravel/policy.yaml)"',
  ])('%s', (command) => {
    expect(judge(starred, 'Bash', command).decision).not.toBe('allow');
    // A rule changes nothing for a command in a sandbox either.
    const confined = { confinement: 'confined' } as const;
    expect(judge(starred, 'Bash', command, confined).decision).toBe(judge({}, 'Bash', command, confined).decision);
  });

  test('but for a command whose words are all there', () =>
    expect(judge(allowed('Bash(frobnicate *)'), 'Bash', 'frobnicate a b').decision).toBe('allow'));
});

test('a command with more arguments than can be judged is denied by the rule that names it', () => {
  const command = `docker run ${Array.from({ length: 320 }, (_none, n) => n).join(' ')}`;
  expect(judge(denied('Bash(docker run *)'), 'Bash', command).decision).toBe('deny');
});

test.each([
  ['cat d*/a', 'ask'],
  ['cat do[c]s/a', 'ask'],
  ['head */*', 'ask'],
  ['cat src/*.ts', 'allow'],
])('a pattern that can name a file which a rule denies is a question: %s', (command, decision) => {
  expect(judge(denied('Read(/docs/**)'), 'Bash', command).decision).toBe(decision);
});
