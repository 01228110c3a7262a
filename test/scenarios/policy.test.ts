import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, startCore } from '../support/world.ts';

const policy = `permissions:
  deny:
    - "Bash(docker run *)"
rules:
  - id: no-deploys
    deny: ["Bash(terraform apply *)"]
    why: CI deploys.
`;

test('a policy is shown, checked and explained with layer and line, and nothing is done', async () => {
  const world = await makeWorld({ plan: { 'phase.md': 'work\n' } });
  const { core, events } = await startCore(world);
  const file = join(world.vault, 'policy.yaml');
  await writeFile(file, policy);
  const { rules, diagnostics } = await core.api.request('policy', { plan: world.plan });
  expect(rules).toEqual([
    { layer: 'vault', file, line: 3, action: 'deny', text: 'Bash(docker run *)' },
    { layer: 'vault', file, line: 6, id: 'no-deploys', action: 'deny', text: 'Bash(terraform apply *)' },
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

test('lint names each program of the older setting, with the rule that says the same', async () => {
  const world = await makeWorld({ settings: '[gates]\nallowed-commands = ["bazel", "buck2"]\n' });
  const { core } = await startCore(world);
  const settings = join(world.vault, 'daemon.toml');
  const { diagnostics } = await core.api.request('policy', {});
  expect(diagnostics).toMatchObject(
    ['bazel', 'buck2'].map((program) => ({
      ...{ code: 'policy/olderSetting', severity: 'info', file: settings },
      message: expect.stringContaining(
        `write "Bash(${program} *)" below allow of permissions in ${world.vault}/policy.yaml`,
      ),
    })),
  );
});
