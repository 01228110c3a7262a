import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PhaseApproval } from '../../../src/model/approval.ts';
import { listApprovals, loadApproval, removeApproval } from '../../../src/plans/approvals/approvals.ts';
import { emitDecision, recordDecision } from '../../../src/plans/approvals/decisions.ts';
import { type AskedUse, saveToolAnswer } from '../../../src/plans/approvals/toolGrants.ts';
import { ToolPermissions } from '../../../src/plans/sessions/toolPermissions.ts';
import { makePlanWorld } from '../../support/planServices.ts';

async function make(waitSeconds = 0) {
  const world = await makePlanWorld({ settings: { gates: { 'approval-wait-seconds': waitSeconds } } });
  const { transaction, paths } = await world.begin('work');
  const { services, location } = world;
  const permissions = await ToolPermissions.open({ services, transaction, paths, location });
  let calls = 0;
  const use = async (tool_name: string, input: Record<string, unknown>) => {
    calls += 1;
    const request = { tool_name, input, tool_use_id: `call-${calls}` };
    const { text } = await permissions.permit(request, false, new AbortController().signal);
    return JSON.parse(text) as { behavior: string; message?: string };
  };
  const run = (command: string) => use('Bash', { command });
  const accept = async () => {
    const [id] = await listApprovals(services);
    const approval = id && (await loadApproval(services, id));
    const made = approval && (await recordDecision(services, approval, { decision: 'accept' }));
    if (!made) throw new Error('nothing waits');
    await saveToolAnswer(services, made as typeof made & PhaseApproval, made.details as AskedUse);
    await removeApproval(services, made.id);
    emitDecision(services, made);
  };
  const vaultPolicy = (text: string) => writeFile(services.layout.policy, text);
  const inProject = (path: string, text: string) => writeFile(join(location.projectDirectory, path), text);
  return { world, services, location, run, use, accept, vaultPolicy, inProject, permissions };
}

describe('the policy of a vault', () => {
  test('decides for a session from the moment that it is saved, and the event names gate and rule', async () => {
    const { run, vaultPolicy, world, services } = await make();
    expect(await run('ls')).toMatchObject({ behavior: 'allow' });
    expect(await run('frob')).toMatchObject({ behavior: 'deny' });
    await vaultPolicy('rules:\n  - id: no-list\n    deny: ["Bash(ls *)"]\n    why: Lists are long.\n');
    expect(await run('ls src')).toEqual({
      behavior: 'deny',
      message: 'The command ls is denied by the rule no-list of the vault’s policy. Lists are long.',
    });
    expect(world.events.at(-1)).toMatchObject({
      ...{ type: 'gate.judged', gate: 'policy', outcome: 'reject', subject: 'Bash' },
      rule: { id: 'no-list', layer: 'vault', file: services.layout.policy, path: ['rules', 0, 'deny', 0], line: 3 },
    });
    await vaultPolicy('permissions:\n  allow: ["Bash(frob *)"]\n');
    expect(await run('frob x')).toMatchObject({ behavior: 'allow' });
  });

  test('that breaks leaves the last good one in force, and is told once', async () => {
    const { run, vaultPolicy } = await make();
    await vaultPolicy('permissions:\n  deny: ["Bash(ls *)"]\n');
    expect(await run('ls')).toMatchObject({ behavior: 'deny' });
    await vaultPolicy('permissions:\n  denny: ["Bash(cat *)"]\n');
    expect(await run('ls')).toMatchObject({ behavior: 'deny' });
    expect(await run('cat a')).toMatchObject({ behavior: 'allow' });
    await vaultPolicy('');
    expect(await run('ls')).toMatchObject({ behavior: 'allow' });
  });

  test.each([
    ['is no YAML', 'permissions: [', 'cannot be used'],
    ['has a key that is not known', 'permission: {}\n', 'cannot be used'],
    ['has a rule that cannot be read', 'permissions:\n  allow: ["Bash(a && b)"]\n', 'several commands'],
    ['has an example that fails', 'rules: [{id: a, deny: ["Bash(ls *)"], match: ["cat x"]}]\n', 'example "cat x"'],
    [
      'has a counter-example that matches',
      'rules: [{id: a, deny: ["Bash(ls *)"], not-match: ["ls x"]}]\n',
      'matches its example',
    ],
  ])('that %s before there was a good one refuses every tool', async (_name, text, message) => {
    const { run, use, vaultPolicy } = await make();
    await vaultPolicy(text);
    const refusal = { behavior: 'deny', message: expect.stringContaining(message) };
    expect(await run('ls')).toEqual(refusal);
    expect(await use('Read', { file_path: 'a.txt' })).toEqual(refusal);
  });
});

test('a project only narrows what the vault allows', async () => {
  const { run, vaultPolicy, inProject } = await make();
  await vaultPolicy('permissions:\n  allow: ["Bash(frob *)"]\n');
  await inProject('ravel/policy.yaml', 'permissions:\n  allow: ["Bash(grok *)"]\n  deny: ["Bash(frob --now)"]\n');
  expect(await run('frob')).toMatchObject({ behavior: 'allow' });
  expect(await run('frob --now')).toMatchObject({ behavior: 'deny', message: expect.stringContaining('project') });
  expect(await run('grok')).toMatchObject({ behavior: 'deny', message: expect.stringContaining('not on the list') });
});

test('a session that is sent another way again and again is told in the end that it cannot', async () => {
  const { run, vaultPolicy } = await make();
  await vaultPolicy('rules: [{id: a, deny: ["Bash(ls *)"], instead: Use Glob.}]\n');
  for (let count = 1; count <= 3; count++) expect((await run('ls')).message).not.toContain('in a row');
  expect((await run('ls')).message).toContain('3 times in a row');
  await run('cat a');
  expect((await run('ls')).message).not.toContain('in a row');
});

describe('a yes of a person', () => {
  test('is for what would run as they saw it: a script that changed since is asked about again', async () => {
    const { run, accept, inProject, services } = await make();
    await inProject('tool.rc', 'print 1\n');
    expect(await run('frob ./tool.rc')).toMatchObject({ behavior: 'deny' });
    await accept();
    await inProject('tool.rc', 'delete everything\n');
    expect(await run('frob ./tool.rc')).toMatchObject({ behavior: 'deny' });
    expect(await listApprovals(services)).toHaveLength(1);
    await inProject('tool.rc', 'print 1\n');
    expect(await run('frob ./tool.rc')).toMatchObject({ behavior: 'allow' });
  });

  test('is for the file that they saw: a link in its place is asked about again', async () => {
    const { use, accept, inProject, location } = await make();
    const plain = { file_path: join(location.projectDirectory, 'Jenkinsfile'), content: 'x' };
    await inProject('Jenkinsfile', 'a\n');
    await inProject('other.txt', 'a\n');
    expect(await use('Write', plain)).toMatchObject({ behavior: 'deny' });
    await accept();
    await rm(plain.file_path);
    await symlink(join(location.projectDirectory, 'other.txt'), plain.file_path);
    expect(await use('Write', plain)).toMatchObject({ behavior: 'deny' });
  });

  test('does not hold if a rule forbids it by the time that it is used', async () => {
    const { run, accept, vaultPolicy, world } = await make(3600);
    const opened = new Promise<void>((resolve) => {
      world.services.onEvent(({ type }) => type === 'approval.opened' && resolve());
    });
    const running = run('frob');
    await opened;
    await vaultPolicy('permissions:\n  deny: ["Bash(frob *)"]\n');
    await accept();
    expect(await running).toMatchObject({ behavior: 'deny', message: expect.stringContaining('denied by the rule') });
  });

  test('does not hold if what it would use changes while the person thinks', async () => {
    const { run, accept, inProject, world } = await make(3600);
    await inProject('tool.rc', 'print 1\n');
    const opened = new Promise<void>((resolve) => {
      world.services.onEvent(({ type }) => type === 'approval.opened' && resolve());
    });
    const running = run('frob ./tool.rc');
    await opened;
    await inProject('tool.rc', 'delete everything\n');
    await accept();
    expect(await running).toMatchObject({ behavior: 'deny', message: expect.stringContaining('has changed') });
    expect(await readdir(world.services.layout.grants)).not.toEqual([]);
  });
});
