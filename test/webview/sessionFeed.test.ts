import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { PageApi } from '../../src/model/webview.ts';
import { SessionFeed } from '../../webview/session/sessionFeed.ts';
import { outputEvent, verbEvent } from './events.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;

/** A session with output, and an editor that passes it on late, in parts, or not at all. */
function makeWorld(partSize = 3) {
  const live = new Emitter<RavelEvent>((error) => {
    throw error;
  });
  const transcript: RavelEvent[] = [];
  const queued: RavelEvent[] = [];
  const asked: (() => void)[] = [];
  const taken: RavelEvent[] = [];
  const errors: unknown[] = [];
  const api: PageApi = {
    onEvent: live.event,
    request: (async (_name: string, { from }: { from: number }) => {
      await new Promise<void>((resolve) => asked.push(resolve));
      const events = transcript.slice(from, from + partSize);
      return { events, next: from + events.length };
    }) as unknown as PageApi['request'],
  };
  const feed = () =>
    new SessionFeed({
      api,
      session,
      take: (events) => taken.push(...events),
      onError: (error) => errors.push(error),
    });
  return {
    feed,
    transcript,
    taken,
    errors,
    say(event: RavelEvent) {
      transcript.push(event);
      queued.push(event);
    },
    deliver(count = queued.length) {
      for (const event of queued.splice(0, count)) live.emit(event);
    },
    drop: (count: number) => queued.splice(0, count),
    async answer() {
      asked.shift()?.();
      await turn();
    },
    async settle() {
      while (asked.length > 0) await this.answer();
    },
  };
}

async function turn(): Promise<void> {
  for (let n = 0; n < 8; n++) await Promise.resolve();
}

test('a feed joins the transcript and live events into one session', async () => {
  const world = makeWorld();
  for (let seq = 0; seq < 5; seq++) world.say(outputEvent(session, seq));
  world.drop(5);
  world.feed();
  world.say(outputEvent(session, 5));
  await world.settle();
  world.say(verbEvent(session));
  world.say(verbEvent(session));
  world.deliver();
  expect(world.taken).toEqual(world.transcript);
});

test('a feed fills a gap in the live events from the transcript', async () => {
  const world = makeWorld();
  world.say(outputEvent(session, 0));
  world.feed();
  world.deliver();
  await world.settle();
  for (let seq = 1; seq < 9; seq++) world.say(outputEvent(session, seq));
  world.drop(6);
  world.deliver();
  await world.settle();
  expect(world.taken).toEqual(world.transcript);
});

test('a feed leaves out events of other sessions', async () => {
  const world = makeWorld();
  world.feed();
  await world.settle();
  world.say(outputEvent('01M7X4TZFWPVQT6PFG4SYTM4BQ' as Ulid, 0));
  world.deliver();
  expect(world.taken).toEqual([]);
});

test('a feed whose read failed continues at the same place after refresh', async () => {
  const world = makeWorld(1);
  for (let seq = 0; seq < 3; seq++) world.say(outputEvent(session, seq));
  const feed = world.feed();
  await world.answer();
  const second = world.transcript[1];
  Object.defineProperty(world.transcript, 'slice', {
    configurable: true,
    value: () => {
      throw new Error('gone');
    },
  });
  await world.answer();
  expect(world.errors.map(String)).toEqual(['Error: gone']);
  Reflect.deleteProperty(world.transcript, 'slice');
  feed.refresh();
  await world.settle();
  expect(world.taken[1]).toBe(second);
  expect(world.taken).toEqual(world.transcript);
});

test('a feed loses, repeats and reorders nothing, however late events arrive', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'output' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'verb' as const }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('deliver' as const), count: fc.nat(6) }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'answer' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'refresh' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), count: fc.nat(6) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(10), async (steps, before) => {
      const world = makeWorld();
      let seq = 0;
      while (seq < before) world.say(outputEvent(session, seq++));
      world.drop(before);
      const feed = world.feed();
      for (const one of steps) {
        if (one.kind === 'output') world.say(outputEvent(session, seq++));
        if (one.kind === 'verb') world.say(verbEvent(session, `verb-${world.transcript.length}`));
        if (one.kind === 'deliver') world.deliver(one.count);
        if (one.kind === 'answer') await world.answer();
        if (one.kind === 'refresh') feed.refresh();
        if (one.kind === 'drop') {
          // The editor reports the gap after the events before it and before those after it.
          world.drop(one.count);
          feed.refresh();
        }
      }
      world.deliver();
      feed.refresh();
      await world.settle();
      world.deliver();
      expect(world.taken).toEqual(world.transcript);
    }),
    { numRuns: 300 },
  );
});

test('a feed reads on behind lines that hold no event', async () => {
  const live = new Emitter<RavelEvent>(() => undefined);
  const taken: RavelEvent[] = [];
  const asked: number[] = [];
  // One event stands for the first three lines.
  const lines = [verbEvent(session), undefined, undefined, outputEvent(session, 3)];
  const request = async (_name: string, { from }: { from: number }) => {
    asked.push(from);
    const next = Math.min(from === 0 ? 3 : 4, lines.length);
    return { events: lines.slice(from, next).filter((line) => line !== undefined), next };
  };
  const api: PageApi = { onEvent: live.event, request: request as unknown as PageApi['request'] };
  new SessionFeed({ api, session, take: (events) => taken.push(...events), onError: () => undefined });
  await turn();
  await turn();
  expect(asked.slice(0, 2)).toEqual([0, 3]);
  expect(taken).toEqual([verbEvent(session), outputEvent(session, 3)]);
});
