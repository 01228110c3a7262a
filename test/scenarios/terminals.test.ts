import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { connect } from '../../src/server/client.ts';
import { finishDone, formatScenario, type Steps, setScenario } from '../support/phaseWorld.ts';
import { startRavel } from '../support/runProgram.ts';
import { processesOfSession } from '../support/sessionProcesses.ts';
import { watchTerminal } from '../support/terminals.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const size = { columns: 90, rows: 20 };

const backlog = `tasks:
  - id: add-a-farewell
    title: Add a farewell
    category: core
    status: not_started
    dependencies: []
    description: |
      Say goodbye.
`;

const endOfTask: Steps = [
  { edit: { path: 'farewell.mjs', content: 'bye\n' } },
  { call: 'backlog_set_results', with: { id: 'add-a-farewell', body: 'It is there.' } },
  { call: 'backlog_set_status', with: { id: 'add-a-farewell', status: 'done' } },
  finishDone,
];

function makeWorkWorld(work: Steps, settings = ''): Promise<World> {
  return makeWorld({ plan: { 'backlog.yaml': backlog }, scenario: formatScenario({ work }), settings });
}

function openWork({ api }: Pick<Core, 'api'>, { plan, scenario }: World) {
  return api.request('open_terminal', { kind: 'work', plan, scenario, size });
}

function nextEnd({ api }: Pick<Core, 'api'>) {
  return new Promise<Extract<RavelEvent, { type: 'phase.ended' }>>((resolve) => {
    api.onEvent((event) => event.type === 'phase.ended' && resolve(event));
  });
}

test('a work phase in a terminal merges its state, reports its outputs and closes its terminal', async () => {
  const world = await makeWorkWorld([{ say: 'I begin.' }, ...endOfTask]);
  const { core, events } = await startCore(world);
  const ended = nextEnd(core);
  const info = await openWork(core, world);
  expect(info).toMatchObject({ kind: 'work', plan: world.plan, cwd: world.project });
  // It says of its commands what a session without a terminal says.
  const confinement = { state: 'unconfined', reason: 'This test has no sandbox.' };
  expect(events).toContainEqual(expect.objectContaining({ type: 'session.started', confinement }));
  const watched = await watchTerminal(info);
  expect(await watched.exit).toEqual({ code: 0 });
  expect(watched.text()).toContain('I begin.\r\n● Write');
  expect(await ended).toMatchObject({ end: 'finished', next: 'analyse-work', session: info.terminal });
  expect(await world.readPlan('backlog.yaml')).toContain('status: done');
  expect(await world.read('farewell.mjs')).toBe('bye\n');
  const outputs = events.flatMap((event) => (event.type === 'session.output' ? [event.output.kind] : []));
  expect(outputs.slice(0, 4)).toEqual(['ready', 'text', 'toolStarted', 'toolEnded']);
  expect(await core.api.request('terminals', {})).toEqual({ terminals: [] });
});

test('open_terminal returns the open work terminal when asked again, and refuses any other phase', async () => {
  const world = await makeWorkWorld([{ say: 'I wait.' }, { hang: true }]);
  const { core } = await startCore(world);
  const ended = nextEnd(core);
  const info = await openWork(core, world);
  expect(await openWork(core, world)).toEqual(info);
  expect(await core.api.request('close_terminal', { terminal: info.terminal })).toEqual({ closed: true });
  expect(await ended).toMatchObject({ end: 'interrupted', summary: 'it was stopped' });
  expect(await processesOfSession(info.terminal)).toEqual([]);
  await expect(core.api.request('close_terminal', { terminal: info.terminal })).rejects.toMatchObject({
    code: 'terminal/unknown',
  });
  await world.writePlan('phase.md', 'reflect\n');
  await core.api.request('dismiss', { plan: world.plan });
  await expect(openWork(core, world)).rejects.toMatchObject({ code: 'plan/wrongPhase' });
});

test('a killed terminal leaves its phase unfinished and no process behind, and a retry opens another one', async () => {
  const world = await makeWorkWorld([{ say: 'I wait.' }, { hang: true }]);
  const { core } = await startCore(world);
  const ended = nextEnd(core);
  const { terminal } = await openWork(core, world);
  const record = JSON.parse(await readFile(join(world.vault, 'runtime/terminals', `${terminal}.json`), 'utf8'));
  process.kill(record.host.pid, 'SIGKILL');
  expect((await ended).end).not.toBe('finished');
  // No event tells when the last process of another process is gone.
  await expect.poll(() => processesOfSession(terminal)).toEqual([]);

  await expect(openWork(core, world)).rejects.toMatchObject({ code: 'plan/waiting' });
  await setScenario(world, { work: endOfTask });
  const again = nextEnd(core);
  await core.api.request('open_terminal', { kind: 'work', plan: world.plan, size, retry: true });
  expect(await again).toMatchObject({ end: 'finished', next: 'analyse-work' });
});

test('a session in a terminal outlives its killed owner, and the next owner finishes its phase', async () => {
  const world = await makeWorkWorld([{ say: 'I begin.' }, { wait: '2s' }, { say: 'I go on.' }, ...endOfTask]);
  const daemon = startRavel(['--vault', world.vault, 'daemon'], { environment: world.environment });
  const socketPath = join(world.vault, 'runtime/daemon.sock');
  await daemon.printed('Serving ');
  const api = await connect({ socketPath, clock: systemClock });
  const info = await openWork({ api }, world);
  const watched = await watchTerminal(info);
  await watched.seen('I begin.');
  daemon.child.kill('SIGKILL');
  await daemon.ended;
  const { core } = await startCore(world);
  const ended = nextEnd(core);
  expect(await core.api.request('terminals', {})).toEqual({ terminals: [info] });
  await watched.exit;
  expect(watched.text()).toContain('I go on.');
  expect(await ended).toMatchObject({ end: 'finished', session: info.terminal });
  expect(await world.readPlan('backlog.yaml')).toContain('status: done');
});

test('a shell in the project of a plan runs no phase, and closes on request', async () => {
  const world = await makeWorkWorld(endOfTask);
  const { core } = await startCore({ ...world, environment: { ...world.environment, SHELL: '/bin/bash' } });
  const info = await core.api.request('open_terminal', { kind: 'shell', plan: world.plan, size });
  expect(await core.api.request('terminals', {})).toEqual({ terminals: [info] });
  const watched = await watchTerminal(info);
  watched.client.write('pwd; stty size\r');
  await watched.seen(`${world.project}\r\n20 90`);
  expect((await core.api.request('status', { plan: world.plan })).running).toBeUndefined();
  expect(await core.api.request('close_terminal', { terminal: info.terminal })).toEqual({ closed: true });
  await watched.exit;
});

test('a core that does not own the vault opens no terminal', async () => {
  const world = await makeWorkWorld(endOfTask);
  const { core } = await startCore(world, { role: 'local' });
  await expect(core.api.request('open_terminal', { kind: 'shell', plan: world.plan, size })).rejects.toMatchObject({
    code: 'vault/owned',
  });
});
