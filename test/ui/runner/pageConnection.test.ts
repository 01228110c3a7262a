import { describe, expect, test } from 'vitest';
import { createDeferred, type Deferred } from '../../../src/base/async.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { failure } from '../../../src/model/codes.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { Api } from '../../../src/model/protocol.ts';
import type { EditorLine, OpenTarget, PageView } from '../../../src/model/webview.ts';
import { batchMs, PageConnection, waitingMax } from '../../../src/ui/runner/pageConnection.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { outputEvent, stamp } from '../../webview/events.ts';

const plan = stamp.actor;
const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;

interface Asked {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  readonly answer: Deferred<unknown>;
}

/** A connection whose page, clock and vault are the test's. */
function makeWorld({ isTrusted = true, view = { plan } as PageView } = {}) {
  const clock = new ManualClock();
  const events = new Emitter<RavelEvent>((error) => {
    throw error;
  });
  const asked: Asked[] = [];
  const sent: EditorLine[] = [];
  const arrivals: Deferred<boolean>[] = [];
  const opened: OpenTarget[] = [];
  const late: unknown[] = [];
  const warnings: string[] = [];
  let isSlow = false;
  const api = {
    onEvent: events.event,
    request: (name: string, _params: unknown, signal?: AbortSignal) => {
      const answer = createDeferred<unknown>();
      asked.push({ name, signal, answer });
      return answer.promise;
    },
  } as unknown as Api;
  const connection = new PageConnection(view, {
    ...{ api, clock },
    send(line) {
      sent.push(line);
      const arrival = createDeferred<boolean>();
      if (isSlow) arrivals.push(arrival);
      else arrival.resolve(true);
      return arrival.promise;
    },
    open: (target) => opened.push(target),
    requireTrust() {
      if (!isTrusted) throw failure('ui/untrusted', 'window', 'This workspace is not trusted.');
    },
    windowState: () => ({}),
    onLateFailure: (error) => late.push(error),
    log: { warn: (message) => warnings.push(message) },
  });
  return {
    ...{ clock, connection, asked, sent, opened, late, warnings, arrivals },
    ready: () => connection.take({ type: 'ready', protocol: 1 }),
    ask: (id: number, name: string, params: unknown = {}) => connection.take({ type: 'request', id, name, params }),
    emit: (...list: readonly RavelEvent[]) => {
      for (const event of list) events.emit(event);
    },
    slow(slow: boolean) {
      isSlow = slow;
    },
    batches: () => sent.flatMap((line) => (line.type === 'events' ? [line.events.length] : [])),
  };
}

async function turn(): Promise<void> {
  for (let n = 0; n < 10; n++) await Promise.resolve();
}

describe('a page', () => {
  test('is shown what it is for once it is there', () => {
    const world = makeWorld();
    world.connection.show({ plan, session });
    expect(world.sent).toEqual([]);
    world.ready();
    expect(world.sent).toEqual([{ type: 'show', view: { plan, session }, window: {} }]);
  });

  test('of another version is shown nothing', () => {
    const world = makeWorld();
    world.connection.take({ type: 'ready', protocol: 2 });
    expect([world.sent, world.warnings.length]).toEqual([[], 1]);
  });

  test('is answered', async () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'status');
    world.ask(2, 'list');
    world.asked[1]?.answer.resolve('rows');
    await turn();
    world.asked[0]?.answer.reject(failure('plan/unknown', 'a', 'There is no plan a.'));
    await turn();
    expect(world.sent.slice(1)).toEqual([
      { type: 'result', id: 2, result: 'rows' },
      { type: 'error', id: 1, error: expect.objectContaining({ code: 'plan/unknown' }) },
    ]);
  });

  test('says things that nobody acts on', () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'shutdown');
    world.connection.take({ type: 'open', target: { kind: 'command', command: 'x' } });
    expect([world.asked, world.opened, world.warnings.length]).toEqual([[], [], 2]);
  });

  test('that goes elsewhere stays with its plan', () => {
    const world = makeWorld();
    world.ready();
    world.connection.take({ type: 'view', view: { plan: 'other/project-root', session, tab: 'given' } });
    world.ready();
    expect(world.sent.at(-1)).toEqual({ type: 'show', view: { plan, session, tab: 'given' }, window: {} });
  });

  test('changes nothing in a window that may not', async () => {
    const world = makeWorld({ isTrusted: false });
    world.ready();
    world.ask(1, 'run_phase', { plan });
    world.ask(2, 'state', { plan, verb: 'backlog/delete', args: {} });
    world.ask(3, 'status');
    world.ask(4, 'state', { plan, verb: 'backlog/show', args: { id: 'a' } });
    world.ask(5, 'state', { plan, verb: 'received/list', args: {} });
    await turn();
    expect(world.asked.map(({ name }) => name)).toEqual(['status', 'state', 'state']);
    expect(world.sent.slice(1)).toMatchObject([
      { type: 'error', id: 1, error: { code: 'ui/untrusted' } },
      { type: 'error', id: 2, error: { code: 'ui/untrusted' } },
    ]);
  });
});

describe('the page after a page', () => {
  test('hears nothing of what that one asked', async () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'status');
    world.connection.leave();
    world.ready();
    world.ask(1, 'status');
    world.asked[0]?.answer.resolve('old');
    world.asked[1]?.answer.resolve('new');
    await turn();
    expect(world.sent.filter(({ type }) => type === 'result')).toEqual([{ type: 'result', id: 1, result: 'new' }]);
  });

  test('finds no reading under way, but what that one began', () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'status');
    world.ask(2, 'run_phase', { plan });
    world.connection.leave();
    expect(world.asked.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  });

  test('is not needed for a person to hear that a run failed', async () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'run_phase', { plan });
    world.connection.leave();
    const error = failure('run/stopped', 'a', 'No.');
    world.asked[0]?.answer.reject(error);
    await turn();
    expect(world.late).toEqual([error]);
  });
});

describe('events', () => {
  const events = [0, 1, 2].map((seq) => outputEvent(session, seq));

  test('go together', () => {
    const world = makeWorld();
    world.ready();
    world.emit(...events);
    expect(world.batches()).toEqual([]);
    world.clock.advance(batchMs);
    expect(world.sent.slice(1)).toEqual([{ type: 'events', events }]);
  });

  test('of other plans stay away', () => {
    const world = makeWorld();
    world.ready();
    const actor = toQualifiedId('Other/project-root');
    world.emit(
      { ...stamp, actor, type: 'run.ended', reason: '' },
      { ...stamp, actor: 'vault', type: 'vault.changed', files: [] },
    );
    world.clock.advance(batchMs);
    expect(world.batches()).toEqual([1]);
  });

  test('that nobody sees are not kept', () => {
    const world = makeWorld();
    world.emit(...events);
    world.ready();
    world.emit(...events);
    world.connection.leave();
    world.clock.advance(batchMs);
    expect(world.batches()).toEqual([]);
  });

  test('wait for the batch before them, and then go at once', async () => {
    const world = makeWorld();
    world.ready();
    world.slow(true);
    world.emit(...events);
    world.clock.advance(batchMs);
    world.emit(...events, ...events);
    world.clock.advance(batchMs);
    expect(world.batches()).toEqual([3]);
    world.arrivals[0]?.resolve(true);
    await turn();
    expect(world.batches()).toEqual([3, 6]);
  });

  test('that are too many for a slow page are read by it from the transcript', async () => {
    const world = makeWorld();
    world.ready();
    world.slow(true);
    world.emit(...events);
    world.clock.advance(batchMs);
    for (let seq = 0; seq <= waitingMax; seq++) world.emit(outputEvent(session, seq));
    world.arrivals[0]?.resolve(true);
    world.clock.advance(batchMs);
    await turn();
    expect(world.sent.slice(2)).toEqual([{ type: 'opened', window: {} }]);
  });

  test('come before an answer that was given after them', async () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'status');
    world.emit(...events);
    world.asked[0]?.answer.resolve({});
    await turn();
    expect(world.sent.map(({ type }) => type)).toEqual(['show', 'events', 'result']);
  });
});

describe('the page of routing', () => {
  const shown: PageView = { page: 'routing' };

  test('hears what any plan has to do with messages and questions, and nothing of sessions', () => {
    const world = makeWorld({ view: shown });
    world.ready();
    world.emit(
      { ...stamp, type: 'approval.decided', approval: session, decision: 'accept', by: 'Robin' } as RavelEvent,
      outputEvent(session, 0, { kind: 'text', text: 'a' }),
      { ...stamp, actor: 'vault', type: 'vault.changed' } as RavelEvent,
    );
    world.clock.advance(batchMs);
    expect(world.batches()).toEqual([2]);
  });

  test('stays what it is, whatever it says that it shows', () => {
    const world = makeWorld({ view: shown });
    world.ready();
    world.connection.take({ type: 'view', view: { plan } });
    world.ready();
    expect(world.sent.at(-1)).toEqual({ type: 'show', view: shown, window: {} });
    world.connection.take({ type: 'view', view: { page: 'routing', suggestion: '01' } });
    world.ready();
    expect(world.sent.at(-1)).toEqual({ type: 'show', view: { page: 'routing', suggestion: '01' }, window: {} });
  });
});
