import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { connect } from '../../src/server/client.ts';
import {
  decide,
  decisions,
  doors,
  makeConflictWorld,
  onlyApproval,
  ravel,
  rewriteAndLearn,
  runIntoConflict,
} from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { approvals, expectUntouched, retryPhase, runPhase, scenarioText } from '../support/scenarioRuns.ts';
import { failingDisk } from '../support/tracingDisk.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

test('in a vault without an owner the command line decides and finishes the phase by itself', async () => {
  const world = await makeConflictWorld();
  const { core, server } = await startCore(world);
  await runIntoConflict(core, world);
  await server.stop();
  await core.stop();
  const ran = await ravel(world, ['approvals', 'accept', '--option', 'person', '--json']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const last = ran.stdout.trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(last)).toMatchObject({
    result: { decision: 'accept', report: { end: 'finished', next: 'triage' } },
  });
  expect(await ravel(world, ['approvals', 'reject'])).toMatchObject({ code: 3 });
});

describe('a decision', () => {
  test('made over two sockets at once counts once, and the other client is told what was decided', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const clients = await Promise.all([1, 2].map(() => connect({ socketPath: core.socketPath, clock: systemClock })));
    const outcomes = await Promise.allSettled(
      clients.map((client, at) => decide(client, page, 'accept', { option: at === 0 ? 'session' : 'person' })),
    );
    for (const client of clients) client.close();
    const [decision, ...others] = await decisions(world);
    expect(others).toEqual([]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const lost = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(lost?.reason).toMatchObject({
      diagnostic: {
        code: 'approval/decided',
        message: expect.stringContaining(`accepted ${page.approval} with "${decision?.option}"`),
      },
    });
    expect(await world.readPlan('memory.yaml')).toContain(
      decision?.option === 'session' ? 'three doors' : 'four doors',
    );
  });

  test('a decision that a full disk held up is carried out by the next owner', async () => {
    const world = await makeConflictWorld();
    const { core, server } = await startCore(world);
    const page = await runIntoConflict(core, world);
    await server.stop();
    await core.stop();
    const matches = (name: string, path: string) => name === 'file.write' && path.includes('resolution.json');
    const failing = await openCore(world, { disk: failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches }) });
    expect(await failureOf(() => decide(failing.api, page, 'accept', { option: 'session' }))).toMatchObject({
      code: 'disk/full',
    });
    const again = await failureOf(() => decide(failing.api, page, 'accept', { option: 'session' }));
    expect(again).toMatchObject({ code: 'approval/decided', help: expect.stringContaining('ravel shutdown') });
    await failing.stop();
    const next = await startCore(world);
    expect(await world.readPlan('memory.yaml')).toContain('three doors');
    const done = await failureOf(() => decide(next.core.api, page, 'accept', { option: 'session' }));
    expect(done?.help).toContain('it is final');
  });

  test('cannot be made twice, and the second try is told the first', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    await decide(core.api, page, 'reject', { reason: 'Four it is' });
    for (const word of ['accept', 'reject'] as const) {
      const problem = await failureOf(() => decide(core.api, page, word, { option: 'session' }));
      expect(problem).toMatchObject({
        code: 'approval/decided',
        message: expect.stringMatching(/rejected .*Four it is/),
      });
    }
    expect(await failureOf(() => core.api.request('approval', { approval: page.approval }))).toMatchObject({
      code: 'approval/decided',
    });
  });

  test.each(['', 'nothing', '01M7X4TZFWPVQT6PFG4SYTM4BP', '../../ravel'])(
    'on the unknown id "%s" is refused',
    async (id) => {
      const world = await makeConflictWorld();
      const { core } = await startCore(world);
      const approval = { approval: id, contentHash: 'x' };
      const expected = id === '' ? 'server/badParams' : 'approval/unknown';
      expect(await failureOf(() => decide(core.api, approval, 'reject'))).toMatchObject({ code: expected });
    },
  );

  test('is refused by a core that does not own the vault', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world, { role: 'local' });
    const approval = { approval: '01M7X4TZFWPVQT6PFG4SYTM4BP', contentHash: 'x' };
    expect(await failureOf(() => decide(core.api, approval, 'reject'))).toMatchObject({ code: 'vault/owned' });
    expect(await core.api.request('approvals', {})).toEqual({ approvals: [], diagnostics: [] });
  });

  test('is refused without what the approval needs, or with what it does not take', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const bad = [
      ['accept', {}],
      ['accept', { option: 'neither' }],
      ['edit', {}],
      ['edit', { text: ' ' }],
      ['reject', { option: 'session' }],
    ] as const;
    for (const [word, more] of bad) {
      expect(await failureOf(() => decide(core.api, page, word, more))).toMatchObject({ code: 'approval/badDecision' });
    }
    expect(await decisions(world)).toEqual([]);
  });
});

describe('a question from a session', () => {
  const asking = { reflect: [{ finish: { outcome: 'needs-input', summary: 'Which colour?' } }] };

  async function ask(): Promise<{ world: World; core: Core }> {
    const world = await makeWorld({
      plan: { 'phase.md': 'reflect\n', 'memory.yaml': doors },
      scenario: scenarioText(asking),
    });
    const { core } = await startCore(world);
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'waiting', approval: (await onlyApproval(core.api)).approval });
    return { world, core };
  }

  test('answered on the command line is given to the next session, with every earlier answer', async () => {
    const { world, core } = await ask();
    const shown = await ravel(world, ['approvals', 'show', world.plan]);
    const { approval } = await onlyApproval(core.api);
    expect(shown.stdout).toContain(`ravel approvals accept ${approval} --answer TEXT`);
    expect(shown.stdout).toContain('Which colour?');
    const ran = await ravel(world, ['approvals', 'accept', approval.slice(-6), '--answer', 'Blue,\nas the logo is']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(`ravel retry ${world.plan}`);
    const status = await core.api.request('status', { plan: world.plan });
    expect(status).toMatchObject({ answered: true, interrupted: { phase: 'reflect', answered: true } });
    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    await decide(core.api, await onlyApproval(core.api), 'accept', { text: 'Still blue' });
    await writeFile(world.scenario, scenarioText({ reflect: rewriteAndLearn }));
    const report = await retryPhase(core, world);
    expect(report).toMatchObject({ end: 'finished' });
    const session = join(world.vault, 'runtime/sessions', report.session);
    const prompt = readFileSync(join(session, 'prompt.md'), 'utf8');
    expect(prompt).toMatch(
      /```question\nWhich colour\?[\s\S]*```answer\nBlue,\nas the logo is[\s\S]*```answer\nStill blue/,
    );
    const { given } = JSON.parse(readFileSync(join(session, 'context.json'), 'utf8'));
    expect(given).toContainEqual(expect.objectContaining({ name: 'prompt/ANSWERS', reason: expect.any(String) }));
    const state = readFileSync(join(world.vault, 'runtime/plans/greeter%2Fproject-root.yaml'), 'utf8');
    expect(state).not.toContain('Blue');
  });

  test('cannot be accepted without an answer, and drops its phase when it is rejected', async () => {
    const { world, core } = await ask();
    const page = await onlyApproval(core.api);
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({
      code: 'approval/badDecision',
      message: 'To accept this, give the answer with --answer TEXT.',
      help: expect.stringContaining(`ravel approvals show ${page.approval}`),
    });
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: 'x' }))).toMatchObject({
      code: 'approval/badDecision',
    });
    await decide(core.api, page, 'reject');
    await expectUntouched(core, world, 'reflect');
  });

  test('is answered by a retry or a dismissal of its phase', async () => {
    const { world, core } = await ask();
    await retryPhase(core, world);
    await core.api.request('dismiss', { plan: world.plan });
    expect(await decisions(world)).toMatchObject([{ decision: 'retry' }, { decision: 'dismiss' }]);
    const { plan, vault } = world;
    const log = await world.git('-C', vault, 'log', '-2', '--format=%s|%b', '--', 'decisions');
    const title = 'Record a decision: needs-input';
    expect(log.split('\n').filter((line) => line !== '')).toEqual([
      `${title}|${plan}: dismiss`,
      `${title}|${plan}: retry`,
    ]);
    expect(await world.git('-C', vault, 'status', '--porcelain', '--', 'decisions')).toBe('');
  });

  test('accepted with --run continues the phase at once', async () => {
    const { world, core } = await ask();
    await writeFile(world.scenario, scenarioText({ reflect: rewriteAndLearn }));
    const ran = await ravel(world, ['approvals', 'accept', '--answer', 'Blue', '--run']);
    expect(ran).toMatchObject({ code: 0 });
    expect((await core.api.request('status', { plan: world.plan })).phase).toBe('triage');
  });
});

test('an approval that cannot be read is reported, and its phase can be retried', async () => {
  const world = await makeConflictWorld();
  const { core } = await startCore(world);
  const page = await runIntoConflict(core, world);
  await writeFile(page.file, 'kind: [\n');
  const listed = await core.api.request('approvals', {});
  expect(listed).toMatchObject({ approvals: [], diagnostics: [{ code: 'approval/unreadable' }] });
  await world.writePlan('memory.yaml', doors);
  expect(await retryPhase(core, world)).toMatchObject({ end: 'finished' });
  expect(await approvals(world)).toEqual([]);
  const memory = await world.readPlan('memory.yaml');
  expect([memory.includes('three doors'), memory.includes('four doors')]).toEqual([true, false]);
});
