import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeReflectWorld, runOptionsOf } from '../support/phaseWorld.ts';
import { approvals, backlogOf, done, runPhase, scenarioText, titles } from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

test('an old commits.yaml is not used after an analysis that wrote none', async () => {
  const record = { call: 'session_set_latest', with: { title: 'Greetings', body: 'greet.mjs changed.' } };
  const world = await makeWorld({
    plan: { 'backlog.yaml': backlogOf('one'), 'commits.yaml': 'commits: [{ paths: [gone.mjs], message: Old }]\n' },
    scenario: scenarioText({
      work: [{ edit: { path: 'greet.mjs', content: 'export const greet = 1;\n' } }, done],
      'analyse-work': [record, done],
    }),
  });
  const { core } = await startCore(world);
  expect((await runPhase(core, world)).end).toBe('finished');
  expect((await runPhase(core, world)).end).toBe('finished');
  expect(await world.git('status', '--porcelain', '--', 'greet.mjs')).toBe('');
  expect(await titles(world)).not.toContain('Old');
});

test('a session that repeats a tool request opens one approval, which goes when the session ends', async () => {
  const world = await makeWorld({
    plan: { 'backlog.yaml': backlogOf('one') },
    scenario: scenarioText({
      work: [{ run: { command: 'frobnicate --all' } }, { run: { command: 'frobnicate --all' } }, done],
    }),
  });
  const { core, events } = await startCore(world);
  const opened: number[] = [];
  core.api.onEvent((event) => {
    if (event.type === 'approval.opened') opened.push(1);
  });
  expect((await runPhase(core, world)).end).toBe('finished');
  expect(opened).toHaveLength(1);
  expect(events.filter((event) => event.type === 'gate.judged' && event.outcome === 'needs-approval')).toHaveLength(2);
  expect(await approvals(world)).toEqual([]);
});

test('a scenario without steps for the phase is refused before the phase starts', async () => {
  const world = await makeReflectWorld([{ exit: 0 }], { plan: { 'phase.md': 'triage\n' } });
  const { core, events } = await startCore(world);
  const run = core.api.request('run_phase', runOptionsOf(world));
  await expect(run).rejects.toMatchObject({ code: 'harness/badScenario' });
  expect(events.filter(({ type }) => type !== 'actor.changed')).toEqual([]);
});

test('the record of an earlier session is removed before work only if the session log holds it', async () => {
  const record = 'id: a-session\ntimestamp: "2026-01-02T03:04:05Z"\nphase: work\nbody: x\n';
  const log = `sessions:\n  - ${record.replaceAll('\n', '\n    ').trimEnd()}\n`;
  const world = await makeWorld({
    plan: { 'backlog.yaml': backlogOf('first'), 'latest-session.yaml': record, 'session-log.yaml': 'sessions: []\n' },
    scenario: scenarioText({ work: [done] }),
  });
  const { core } = await startCore(world);
  await runPhase(core, world);
  expect(await world.readPlan('latest-session.yaml')).toBe(record);
  await world.writePlan('phase.md', 'work\n');
  await world.writePlan('session-log.yaml', log);
  await runPhase(core, world);
  expect(existsSync(join(world.planDirectory, 'latest-session.yaml'))).toBe(false);
});
