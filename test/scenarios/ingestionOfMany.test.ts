import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import {
  absorbing,
  absorbSessions,
  candidatesOf,
  futures,
  makeIngestionWorld,
  reflect,
  rejecting,
} from '../support/ingestionWorld.ts';
import { nextEvent, runOptionsOf } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

test('ten plans that prove the same at once teach one statement, which nine of them confirm', async () => {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: absorbing }] });
  const { core, events } = await startCore(world);
  const files = await Promise.all(
    ['latest-session.yaml', 'memory.yaml', 'phase.md'].map(async (name) => [name, await world.readPlan(name)] as const),
  );
  const plans = [world.plan];
  for (let n = 2; n <= 10; n += 1) {
    const plan = toQualifiedId(`${world.plan}/plan-${n}`);
    const { directory } = await core.api.request('create', { plan, description: `Number ${n}` });
    for (const [name, text] of files) writeFileSync(join(directory, name), text);
    plans.push(plan);
  }
  const isEnd = (event: RavelEvent) => event.type === 'knowledge.candidate';
  const settled = new Promise<void>((resolve) => {
    core.api.onEvent(() => {
      if (events.filter(isEnd).length === plans.length) resolve();
    });
  });
  await Promise.all(
    plans.map(async (plan) => {
      expect(await core.api.request('run_phase', { ...runOptionsOf(world), plan })).toMatchObject({ end: 'finished' });
    }),
  );
  await settled;
  const states = candidatesOf(world).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['added', ...Array<string>(9).fill('confirmed')]);
  const { entries, total } = await core.api.request('entries', {});
  expect([total, entries[0]?.title]).toEqual([1, futures.title]);
  const { fields, uses } = await core.api.request('entry', { entry: entries[0]?.entry ?? '' });
  const proven = (fields['origins'] as { context: string }[]).map(({ context }) => context.replace(/: .*/s, ''));
  expect(proven.toSorted()).toEqual(plans.map((plan) => `Proven by ${plan}`).toSorted());
  expect(uses).toMatchObject({ confirmed: 9 });
  // A copy needs no session, so the expert was asked by the first plan alone.
  expect(await absorbSessions(core)).toBe(1);
});

test('a question about a statement that is left open waits through restarts, and its answer then takes effect once', async () => {
  const world = await makeIngestionWorld({
    learned: [futures],
    experts: { rust: {}, tests: { tags: ['tests'], 'knowledge-scope': ['techniques'] } },
    absorb: [
      { when: 'expert `tests`', steps: rejecting },
      { when: 'expert `rust`', steps: absorbing },
    ],
  });
  const { core: first } = await startCore(world);
  expect(await reflect(first, world)).toMatchObject({ state: 'waiting' });
  const [asked] = (await first.api.request('approvals', {})).approvals;
  const page = await first.api.request('approval', { approval: asked?.approval ?? '' });
  const sessions = await absorbSessions(first);
  await first.stop();
  for (let restart = 0; restart < 2; restart += 1) {
    const { core } = await startCore(world);
    expect(await core.api.request('ingest', { plan: world.plan })).toMatchObject({
      ingestion: { candidates: [{ state: 'waiting', title: futures.title }] },
    });
    expect((await core.api.request('approvals', {})).approvals).toMatchObject([{ approval: asked?.approval }]);
    await core.stop();
  }
  const { core } = await startCore(world);
  const { contentHash, shown } = await core.api.request('approval', { approval: asked?.approval ?? '' });
  expect([contentHash, shown]).toEqual([page.contentHash, page.shown]);
  const added = nextEvent(core, 'knowledge.candidate');
  await core.api.request('decide', { approval: asked?.approval ?? '', contentHash, decision: 'accept' });
  expect(await added).toMatchObject({ state: 'added' });
  expect((await core.api.request('entries', { statuses: ['staged'] })).total).toBe(1);
  expect(await absorbSessions(core)).toBe(sessions);
  expect((await core.api.request('approvals', {})).approvals).toEqual([]);
});
