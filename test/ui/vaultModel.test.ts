import { describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { FakeApi } from '../support/fakeApi.ts';
import { id, makeModel, outlineOf, rowOf, statusOf } from '../support/fakeModel.ts';

const at = '2026-01-02T03:04:05Z';
const session = '01HZY0000000000000000000S1' as Ulid;
const names = ['shop', 'shop/cart', 'shop/stock'];

function output(seq: number): RavelEvent {
  return { at, actor: id('shop/cart'), type: 'session.output', session, seq, output: { kind: 'text', text: 'a' } };
}

function began(plan: string): RavelEvent {
  return { at, actor: id(plan), type: 'phase.started', phase: 'work', session };
}

function requestsSince(api: FakeApi, count: number): readonly string[] {
  return api.requested.slice(count);
}

describe('opening a vault', () => {
  test('shows the tree before it reads backlogs', async () => {
    const { changes, api, model } = await makeModel(names);
    expect(api.requested.slice(0, 2)).toEqual(['outline', 'list']);
    const kinds = changes.values.filter(({ plans }) => plans === 'all').length;
    expect(kinds).toBe(2);
    expect(changes.values.at(-1)).toMatchObject({ approvals: true, deadLetters: true, experts: true, spending: true });
    expect(model.plan(id('shop'))?.children).toEqual([id('shop/cart'), id('shop/stock')]);
    expect(model.plan(id('shop'))?.row).toBeDefined();
  });

  test('reads long lists of plans in parts', async () => {
    const { model } = await makeModel(names, {
      list: ({ after }) =>
        after === undefined
          ? { plans: [rowOf('shop')], next: id('shop'), diagnostics: [] }
          : { plans: [rowOf('shop/cart'), rowOf('shop/stock')], diagnostics: [] },
    });
    expect([...model.outline.nodes.values()].every(({ row }) => row !== undefined)).toBe(true);
  });

  test('still shows the rest if one part cannot be read', async () => {
    const { model, errors } = await makeModel(names, {
      experts: () => Promise.reject(failure('disk/failed', 'experts', 'no')),
    });
    expect(model.stage).toBe('ready');
    expect(errors).toHaveLength(1);
  });

  test('again reads everything again', async () => {
    let outlines = 0;
    const { link, changes } = await makeModel(names, {
      outline: () => {
        outlines++;
        return { plans: outlineOf(...names), diagnostics: [] };
      },
    });
    const { length } = changes.values;
    await link.reopen();
    await changes.waitFor(length + 4);
    expect(outlines).toBe(2);
  });
});

describe('an event', () => {
  test('makes only the row of its plan be read again', async () => {
    const world = await makeModel(names, {
      status: () => statusOf('shop/cart', { running: { session, phase: 'work' } }),
    });
    const before = world.api.requested.length;
    world.api.emit(began('shop/cart'));
    const change = await world.tick();
    expect(requestsSince(world.api, before)).toEqual(['status']);
    expect(change).toMatchObject({ sessions: true, approvals: false, experts: false });
    expect([...change.plans]).toEqual([id('shop/cart')]);
    expect(world.model.plan(id('shop/cart'))?.row?.running?.session).toBe(session);
  });

  test('an event of session output causes no request and no change', async () => {
    const world = await makeModel(names);
    const before = [world.api.requested.length, world.changes.values.length];
    for (let n = 0; n < 1000; n++) world.api.emit(output(n));
    expect(world.clock.scheduled).toBe(0);
    expect([world.api.requested.length, world.changes.values.length]).toEqual(before);
  });

  test('twenty events for two plans cause one read per plan and one change a tick', async () => {
    const world = await makeModel(names);
    const before = world.api.requested.length;
    let changes = 0;
    for (let second = 0; second < 2; second++) {
      for (let n = 0; n < 20; n++) world.api.emit(began(n % 2 === 0 ? 'shop/cart' : 'shop/stock'));
      const change = await world.tick();
      expect([...change.plans]).toEqual([id('shop/cart'), id('shop/stock')]);
      changes++;
    }
    expect(changes).toBe(2);
    expect(requestsSince(world.api, before)).toEqual(['status', 'status', 'status', 'status']);
  });

  test('during a read causes another read afterwards', async () => {
    let reads = 0;
    let api: FakeApi | undefined;
    const world = await makeModel(names, {
      status: ({ plan }) => {
        reads++;
        if (reads === 1) api?.emit(began('shop/cart'));
        return statusOf('shop/cart', { plan: plan as never, memoryWords: reads });
      },
    });
    api = world.api;
    world.api.emit(began('shop/cart'));
    await world.tick();
    await world.tick();
    expect(reads).toBe(2);
  });

  test.each<[RavelEvent, readonly string[]]>([
    [
      { at, actor: id('shop'), type: 'approval.opened', approval: session, kind: 'needs-input', subject: 's' },
      ['approvals', 'status'],
    ],
    [
      {
        at,
        actor: id('shop'),
        type: 'message.dead',
        message: session,
        messageType: 'note',
        from: 'person',
        reason: 'r',
      },
      ['dead_letters', 'status'],
    ],
    [{ at, actor: id('shop'), type: 'plan.changed', change: 'edited', files: ['backlog.yaml'] }, ['status']],
    [{ at, actor: 'vault', type: 'vault.changed', files: ['experts/a.md'] }, ['outline', 'experts', 'actors']],
    [
      { at, actor: 'expert:rust' as never, type: 'actor.changed', state: 'faulted' },
      ['dead_letters', 'experts', 'actors'],
    ],
  ])('%j causes the requests %j', async (event, expected) => {
    const world = await makeModel(names);
    const before = world.api.requested.length;
    world.api.emit(event);
    await world.tick();
    expect(requestsSince(world.api, before)).toEqual(expected);
  });

  test('an event of a created plan adds it, and its row is read in the next tick', async () => {
    const all = [...names];
    const world = await makeModel(all, {
      outline: () => ({ plans: outlineOf(...all), diagnostics: [] }),
    });
    all.push('shop/till');
    world.api.emit({ at, actor: id('shop/till'), type: 'plan.changed', change: 'created' });
    expect((await world.tick()).plans).toBe('all');
    expect(world.model.plan(id('shop/till'))).toMatchObject({ parent: id('shop') });
    await world.tick();
    expect(world.model.plan(id('shop/till'))?.row).toBeDefined();
  });

  test('an event of a plan that is gone makes the tree be read again', async () => {
    let all = [...names];
    const world = await makeModel(all, {
      outline: () => ({ plans: outlineOf(...all), diagnostics: [] }),
      status: ({ plan }) => Promise.reject(failure('plan/unknown', plan, 'gone')),
    });
    all = ['shop'];
    world.api.emit(began('shop/cart'));
    await world.tick();
    expect((await world.tick()).plans).toBe('all');
    expect([...world.model.outline.nodes.keys()]).toEqual([id('shop')]);
    expect(world.errors).toEqual([]);
  });
});

test('a queued run is shown until its phase begins', async () => {
  const world = await makeModel(names);
  world.api.emit({ at, actor: id('shop/cart'), type: 'run.queued', reason: 'four are active' });
  await world.tick();
  expect(world.model.plan(id('shop/cart'))?.queued).toBe('four are active');
  world.api.emit(began('shop/cart'));
  await world.tick();
  expect(world.model.plan(id('shop/cart'))?.queued).toBeUndefined();
});

test('the progress of a verification is shown until it is complete', async () => {
  const world = await makeModel(names);
  world.api.emit({ at, actor: 'vault', type: 'vault.verifying', done: 1, total: 3 });
  expect((await world.tick()).progress).toBe(true);
  expect(world.model.verifying).toEqual({ done: 1, total: 3 });
  world.api.emit({ at, actor: 'vault', type: 'vault.verifying', done: 3, total: 3 });
  await world.tick();
  expect(world.model.verifying).toBeUndefined();
});

test('the progress of a verification that stopped is hidden after ten seconds', async () => {
  const world = await makeModel(names);
  world.api.emit({ at, actor: 'vault', type: 'vault.verifying', done: 1, total: 3 });
  await world.tick();
  world.clock.advance(10_000);
  await world.tick();
  expect(world.model.verifying).toBeUndefined();
});
