import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openCore } from '../support/openCore.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { makeWorld, startCore } from '../support/world.ts';

const parser = 'lang/project-root/parser';
const printer = 'lang/project-root/printer';

const tasksOf: Readonly<Record<string, readonly string[]>> = {
  [parser]: ['Report the column where an unclosed string starts', 'Recover from a missing bracket in a long line'],
  [printer]: ['Break a long line at the last comma', 'Keep comments beside the bracket that they follow'],
};

/** Two plans of one project whose words overlap, and a third project that sends; every session rejects. */
async function makeLanguages() {
  const reject = { call: 'reject_dispatch', with: { reason: 'It is not ours.' } };
  const world = await makeWorld({
    name: 'shop',
    settings:
      '[run]\nharness = "scripted"\n\n[routing]\nauto-score = true\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario: JSON.stringify({ version: 1, consultations: { route: [{ steps: [reject] }] } }),
  });
  const core = await openCore(world, { role: 'local' });
  const project = join(world.root, 'lang');
  await mkdir(project);
  await core.api.request('adopt', { project, description: 'A small language' });
  for (const [plan, titles] of Object.entries(tasksOf)) {
    const { directory } = await core.api.request('create', { plan, description: 'Part of the language' });
    const tasks = titles.map((title, at) => ({ id: `t${at}`, title, category: 'work', status: 'not_started' }));
    await writeFile(join(directory, 'backlog.yaml'), stringify({ 'schema-version': 1, tasks }));
  }
  await core.stop();
  return world;
}

const clear = 'The parser forgets the column where an unclosed string of a long line starts, and does not recover.';

test('a dispatch without a rule goes to the plan whose tasks it is about, without a session', async () => {
  const world = await makeLanguages();
  const { core, events } = await startCore(world);
  const message = { from: world.plan, target: 'auto', reason: 'Seen today', body: clear } as const;
  const explained = await core.api.request('explain_route', { on: 'dispatch', ...message });
  expect(explained.outcome).toEqual({ kind: 'routed', to: parser });
  expect(explained.candidates[0]?.lines?.[0]).toEqual({ in: 'task t0', line: tasksOf[parser]?.[0] });
  const received = nextEvent(core, 'message.handled', (event) => event.messageType === 'dispatch');
  const sent = await core.api.request('dispatch', message);
  expect(await received).toMatchObject({ actor: parser });
  const { routes } = await core.api.request('routes', { message: sent.message });
  expect(routes[0]?.step).toBe('scores');
  expect(routes[0]?.candidates[0]?.lines?.[0]).toEqual({ in: 'task t0', line: tasksOf[parser]?.[0] });
  expect(events.filter(({ type }) => type === 'session.started')).toEqual([]);
});

test('a dispatch that two plans could take is asked about, and waits for a person', async () => {
  const world = await makeLanguages();
  const { core, events } = await startCore(world);
  const waits = nextEvent(core, 'message.routed');
  await core.api.request('dispatch', {
    from: world.plan,
    target: 'auto',
    reason: 'Seen',
    body: 'A long line, a bracket.',
  });
  expect(await waits).toMatchObject({ outcome: { kind: 'waiting' } });
  expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
});
