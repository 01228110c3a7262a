import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../src/base/nodeDisk.ts';
import { reportProgress } from '../src/requests/vault.ts';
import { failureOf } from './support/failureOf.ts';
import { ManualClock } from './support/manualClock.ts';
import { diskChanges, traceDisk } from './support/tracingDisk.ts';
import { makeWorld, startCore } from './support/world.ts';

test('parameters that do not fit are named by their path', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  const params = { plan: 'greeter', cycles: 'two' } as unknown as { plan: string };
  const problem = await failureOf(() => core.api.request('run_cycle', params));
  expect(problem.message).toMatch(/^The parameters of "run_cycle" do not fit\. cycles: /);
});

describe('a request that does not fit', () => {
  async function check(name: string, params: unknown, code: string): Promise<void> {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    const request = core.api.request as (name: string, params: unknown) => Promise<unknown>;
    expect(await failureOf(() => request(name, params))).toMatchObject({ code });
  }

  test.each<[string, unknown, string]>([
    ['fly', {}, 'server/unknownRequest'],
    ['toString', {}, 'server/unknownRequest'],
    ['status', {}, 'server/badParams'],
    ['status', { plan: 'nowhere' }, 'plan/unknown'],
    ['create', { plan: 'greeter', description: 'Is a child' }, 'plan/badId'],
    ['state', { plan: 'greeter', verb: 'fly/high', args: {} }, 'state/unknownVerb'],
    ['state', { plan: 'greeter', verb: 'source/revert', args: { path: 'a' } }, 'state/unknownVerb'],
    ['transcript', { session: 'no session' }, 'session/unknown'],
    ['transcript', { session: '01HZY0000000000000000000S1' }, 'session/unknown'],
  ])('%s with %j is refused as %s', (name, params, code) => check(name, params, code));
});

test('progress of a verification is emitted after 500 ms, then at most every 200 ms, and its end only after earlier progress', () => {
  const clock = new ManualClock();
  const told: unknown[] = [];
  const tell = reportProgress({ clock, emit: (event) => void told.push('done' in event ? event.done : event) });
  for (const [afterMs, done] of [
    [100, 1],
    [500, 2],
    [10, 3],
    [300, 4],
    [10, 5],
  ] as const) {
    clock.advance(afterMs);
    tell(done, 5);
  }
  expect(told).toEqual([2, 4, 5]);
  reportProgress({ clock, emit: () => told.push('a short one') })(5, 5);
  expect(told).toHaveLength(3);
});

test('a state verb that only reads changes nothing on the disk, not even for a moment', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': 'tasks: []\n', 'memory.yaml': 'entries: []\n' } });
  const changes: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name, path) => {
    if (diskChanges.has(name)) changes.push(`${name} ${path}`);
  });
  const { core } = await startCore(world, { role: 'local', disk });
  const { plan } = world;
  // The first request may create caches; this test is about the requests after it.
  await core.api.request('status', { plan });
  changes.length = 0;
  for (const verb of ['backlog/list', 'received/list', 'memory/list']) {
    await core.api.request('state', { plan, verb, args: {} });
  }
  expect(changes).toEqual([]);
});
