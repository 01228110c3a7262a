import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Ulid } from '../../src/model/id.ts';
import type { RequestParams } from '../../src/model/protocol.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeWorld, startCore } from '../support/world.ts';

const policy = `permissions:
  deny:
    - "Bash(docker *run *)"
rules:
  - id: no-deploys
    deny: ["Bash(terraform *apply *)"]
    why: CI deploys.
`;

test('a policy is shown, checked and explained with layer and line, and nothing is done', async () => {
  const world = await makeWorld({ plan: { 'phase.md': 'work\n' } });
  const { core, events } = await startCore(world);
  const file = join(world.vault, 'policy.yaml');
  await writeFile(file, policy);
  const { rules, diagnostics } = await core.api.request('policy', { plan: world.plan });
  expect(rules).toEqual([
    { layer: 'vault', file, line: 3, action: 'deny', text: 'Bash(docker *run *)' },
    { layer: 'vault', file, line: 6, id: 'no-deploys', action: 'deny', text: 'Bash(terraform *apply *)' },
  ]);
  expect(diagnostics).toEqual([]);
  const uses = ['cd src && terraform apply', 'ls', 'sudo ls', 'frobnicate'].map((command) => ({
    ...{ tool: 'Bash', input: { command } },
  }));
  const { explained } = await core.api.request('explain_tools', { plan: world.plan, uses });
  expect(explained).toMatchObject([
    { decision: 'deny', gate: 'policy', rule: { id: 'no-deploys', layer: 'vault', file, line: 6 } },
    { decision: 'allow' },
    { decision: 'deny', gate: 'command', reason: expect.stringContaining('sudo') },
    { decision: 'ask', gate: 'command' },
  ]);
  expect(events.filter(({ type }) => type === 'gate.judged' || type === 'approval.opened')).toEqual([]);
  await writeFile(file, 'permissions:\n  deny: ["Bash(a && b)"]\n');
  const after = await core.api.request('policy', {});
  expect(after.diagnostics).toMatchObject([{ code: 'policy/fileBroken', file, range: { start: { line: 1 } } }]);
});

test('a policy that cannot be used is told by the list of plans, by the state of a plan, by verify and by doctor', async () => {
  const world = await makeWorld();
  const { core, events } = await startCore(world);
  const { api } = core;
  const project = join(world.project, 'ravel', 'policy.yaml');
  await writeFile(project, 'rules:\n  - id: a\n    deny: ["Bash"]\n    denny: []\n');
  const told = { code: 'policy/fileBroken', file: project, range: { start: { line: 3, character: 4 } } };
  expect((await api.request('list', {})).diagnostics).toMatchObject([told]);
  expect((await api.request('status', { plan: world.plan })).faults).toMatchObject([told]);
  expect((await api.request('verify', {})).diagnostics).toMatchObject([told]);
  expect((await api.request('policy', {})).diagnostics).toMatchObject([told]);
  await expect(core.api.request('run_phase', { plan: world.plan })).rejects.toMatchObject({
    diagnostic: { code: 'policy/fileBroken', message: expect.stringContaining('policy.yaml') },
  });
  expect(events.filter(({ type }) => type === 'phase.started')).toEqual([]);
  const { checks } = await api.request('doctor', {});
  const about = checks.filter(({ message }) => message.includes('denny'));
  expect(about).toMatchObject([
    { check: 'policy', severity: 'error', subject: `${project}:4`, fix: expect.anything() },
  ]);
});

test('rules for plans that the vault does not have are told by lint, verify and doctor', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  const { api } = core;
  const file = join(world.vault, 'policy.yaml');
  const rule = (id: string, actor: string) => `  - id: ${id}\n    deny: [Read, Edit]\n    actors: ["${actor}"]\n`;
  await writeFile(
    file,
    `rules:\n${rule('good', 'Greeter/**')}${rule('all', '*')}${rule('gone', 'other/**')}${rule('bare', 'greeter')}`,
  );
  const told = [
    { code: 'policy/doubtful', severity: 'warning', range: { start: { line: 9 } } },
    { message: expect.stringContaining('greeter/**.'), range: { start: { line: 12 } } },
  ];
  expect((await api.request('policy', {})).diagnostics).toMatchObject(told);
  expect((await api.request('policy', { plan: world.plan })).diagnostics).toMatchObject(told);
  expect((await api.request('verify', {})).diagnostics).toMatchObject(told);
  const { checks } = await api.request('doctor', {});
  const about = checks.filter(({ message }) => message.includes('no plan or expert'));
  expect(about).toMatchObject([{ check: 'policy', severity: 'warning', subject: `${file}:10` }, { check: 'policy' }]);
});

test('a policy of a plan that cannot be used is a fault of that plan', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  const { api } = core;
  const { directory } = await api.request('status', { plan: world.plan });
  const marker = join(directory, 'plan-state.md');
  const text = await readFile(marker, 'utf8');
  await writeFile(marker, text.replace(/^---\n/, '---\npolicy:\n  permissions:\n    deny: ["Bash(a && b)"]\n'));
  const told = { code: 'policy/fileBroken', file: marker, range: { start: { line: 3 } } };
  const { plans, diagnostics } = await api.request('list', {});
  expect(diagnostics).toEqual([]);
  expect(plans).toMatchObject([{ plan: world.plan, faults: [told] }]);
  expect((await api.request('verify', {})).diagnostics).toMatchObject([told]);
});

test('a rule for models and harnesses is explained by those of the plan, or by the model that is named', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  await writeFile(
    join(world.vault, 'policy.yaml'),
    'rules:\n  - {id: small, deny: ["Bash(ls *)"], models: ["*haiku*"]}\n  - {id: played, ask: ["Bash(pwd)"], harnesses: [claude-code]}\n',
  );
  const uses = ['ls', 'pwd'].map((command) => ({ tool: 'Bash', input: { command } }));
  const about = { plan: world.plan, uses };
  expect((await core.api.request('explain_tools', about)).explained).toMatchObject([
    { decision: 'allow' },
    { rule: { id: 'played' } },
  ]);
  const { explained } = await core.api.request('explain_tools', { ...about, model: 'claude-haiku-4' });
  expect(explained).toMatchObject([{ decision: 'deny', rule: { id: 'small' } }, { decision: 'ask' }]);
});

const claudeSettings = {
  permissions: {
    deny: ['Read(./.env)', 'Write(/docs/**)'],
    ask: ['Bash(npm publish:*)'],
    allow: ['Bash(bazel test *)', 'Bash', 'WebFetch(domain:example.com)', 'Bash(a && b)'],
    defaultMode: 'acceptEdits',
  },
};

const claudeDenied = ['Read(./.env)', 'Edit(/docs/**)'];

async function worldWithSettings(policy?: string) {
  const world = await makeWorld({ settings: '[gates]\nallowed-commands = ["buck2"]\n' });
  const folder = join(world.project, '.claude');
  await mkdir(folder);
  await writeFile(join(folder, 'settings.json'), JSON.stringify(claudeSettings));
  const file = join(world.vault, 'policy.yaml');
  if (policy !== undefined) await writeFile(file, policy);
  const { core } = await startCore(world);
  return { world, api: core.api, file, local: join(folder, 'settings.local.json') };
}

test('an import shows rules for the plans of the project, what it leaves out and why, and writes nothing', async () => {
  const { world, api, file } = await worldWithSettings();
  const result = await api.request('import_policy', { plan: world.plan });
  expect(parse(result.suggested)).toEqual({
    rules: [
      {
        ...{ id: 'claude-code-greeter', deny: ['Read(./.env)', 'Edit(/docs/**)'], ask: ['Bash(npm publish:*)'] },
        ...{ allow: ['Bash(bazel test *)'], actors: ['greeter/**'] },
      },
      { id: 'allowed-commands', allow: ['Bash(buck2 *)'] },
    ],
  });
  expect(result.left.map(({ text, why }) => [text, why])).toEqual([
    ['Bash', expect.stringContaining('every command')],
    ['WebFetch(domain:example.com)', expect.stringContaining('No session has')],
    ['Bash(a && b)', expect.stringContaining('several commands')],
    ['permissions.defaultMode', expect.stringContaining('no modes')],
  ]);
  expect(result).toMatchObject({ isWritten: false, diagnostics: [{ code: 'policy/doubtful' }] });
  await expect(readFile(file, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an import adds to a policy and changes nothing in it, so that what is denied stays denied; a second adds nothing', async () => {
  const before =
    '# Mine.\npermissions:\n  deny: ["Bash(bazel *)"]\nrules:\n  - id: allowed-commands\n    ask: ["Bash(make *)"]\n';
  const { world, api, file } = await worldWithSettings(before);
  const request = { plan: world.plan, write: true };
  expect(await api.request('import_policy', request)).toMatchObject({ isWritten: true });
  const after = await readFile(file, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  expect(parse(after).rules[0]).toEqual({ id: 'allowed-commands', ask: ['Bash(make *)'], allow: ['Bash(buck2 *)'] });
  const uses = ['bazel test x', 'buck2 build', 'npm publish'].map((command) => ({ tool: 'Bash', input: { command } }));
  const { explained } = await api.request('explain_tools', { plan: world.plan, uses });
  expect(explained.map(({ decision }) => decision)).toEqual(['deny', 'allow', 'deny']);
  expect(await api.request('import_policy', request)).toMatchObject({ isWritten: false, suggested: '' });
  expect(await readFile(file, 'utf8')).toBe(after);
});

test.each(['', '    phases: [dream]\n    actors: ["greeter/**"]\n', '    models: [small]\n'])(
  'an import does not go into a rule of its name that is for other requests (%j)',
  async (scope) => {
    const own = `rules:\n  - id: claude-code-greeter\n    deny: ["Bash(foo *)"]\n${scope}`;
    const { world, api, file } = await worldWithSettings(own);
    expect(await api.request('import_policy', { plan: world.plan, write: true })).toMatchObject({ isWritten: true });
    const { rules } = parse(await readFile(file, 'utf8'));
    expect(rules[0]).toEqual(parse(own).rules[0]);
    expect(rules[1]).toMatchObject({ id: 'claude-code-greeter-2', actors: ['greeter/**'], deny: claudeDenied });
    const again = await api.request('import_policy', { plan: world.plan, write: true });
    expect(again).toMatchObject({ isWritten: false, suggested: '' });
  },
);

test.each(['{}\n', '{ } # mine', '---\n{}\n', '# mine\n---\n# nothing yet\n', 'schema-version: 1\nrules: [] # mine\n'])(
  'an import into a policy that says nothing keeps it good: %j',
  async (before) => {
    const { world, api, file } = await worldWithSettings(before);
    const asked = { plan: world.plan, write: true };
    const { isWritten } = await api.request('import_policy', asked);
    expect(isWritten).toBe(true);
    expect(parse(await readFile(file, 'utf8')).rules).toMatchObject([
      { deny: claudeDenied },
      { id: 'allowed-commands' },
    ]);
    expect((await api.request('policy', {})).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  },
);

test.each([
  '~\n',
  'null # nothing\n',
  '# only\n---\n# nothing\n...\n',
  'rules:\n  - id: claude-code-greeter\n    deny: ["Bash(foo *)"]\n    actors: ["greeter/**"]\n    not-match: ["npm publish x"]\n',
])('an import that would break a policy says so and writes nothing: %j', async (before) => {
  const { world, api, file } = await worldWithSettings(before);
  const result = await api.request('import_policy', { plan: world.plan, write: true });
  expect(result).toMatchObject({ isWritten: false, diagnostics: [{ severity: 'error', file }] });
  expect(result.suggested).toContain('Bash(bazel test *)');
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('settings that are not JSON are told, and nothing is written while they are there', async () => {
  const { world, api, file, local } = await worldWithSettings('# Mine.\n');
  await writeFile(local, '{ "permissions": { "deny": [');
  const result = await api.request('import_policy', { plan: world.plan, write: true });
  expect(result).toMatchObject({ isWritten: false });
  expect(result.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'policy/badSource', severity: 'error', file: local }),
  );
  expect(result.suggested).toContain('Bash(bazel test *)');
  expect(await readFile(file, 'utf8')).toBe('# Mine.\n');
});

test('verdicts of a session and of a plan are listed from their transcripts, the newest session first', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  const sessions = ['01M0A9XQYJ6N8K3T5V7W9Y1Z2A', '01M0A9XQYJ6N8K3T5V7W9Y1Z2B'];
  for (const session of sessions) {
    const about = { at: '2026-11-20T08:30:00Z', actor: world.plan, session };
    const started = {
      ...about,
      type: 'session.started',
      phase: 'work',
      harness: 'scripted',
      reattached: false,
      givenBytes: 1,
      givenTokens: 1,
    };
    const judged = (gate: string, outcome: string) => ({
      ...about,
      type: 'gate.judged',
      gate,
      outcome,
      subject: 'Bash',
      call: 'Bash x',
      reason: 'No.',
    });
    const ofWork = { ...about, type: 'gate.judged', gate: 'secrets', outcome: 'reject' };
    const lines = [started, judged('tool', 'accept'), judged('policy', 'reject'), ofWork];
    const file = new VaultLayout(world.vault).transcript(session as Ulid);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  const list = async (about: RequestParams<'verdicts'>) =>
    (await core.api.request('verdicts', about)).verdicts.map(({ session, gate, outcome }) => [session, gate, outcome]);
  const [older, newer] = sessions;
  expect(await list({ session: older ?? '' })).toEqual([
    [older, 'tool', 'accept'],
    [older, 'policy', 'reject'],
  ]);
  expect(await list({ plan: world.plan, refused: true })).toEqual([
    [newer, 'policy', 'reject'],
    [older, 'policy', 'reject'],
  ]);
  const unknown = core.api.request('verdicts', { session: '01M0A9XQYJ6N8K3T5V7W9Y1Z2C' });
  await expect(unknown).rejects.toMatchObject({ code: 'session/unknown' });
});
