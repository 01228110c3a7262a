import { describe, expect, test } from 'vitest';
import { createDeferred, type Deferred } from '../../../src/base/async.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { failure } from '../../../src/model/codes.ts';
import { type Drafts, withDraft } from '../../../src/model/drafts.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { Api } from '../../../src/model/protocol.ts';
import { type EditorLine, type OpenTarget, type PageView, pageProtocol } from '../../../src/model/webview.ts';
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

/** A connection whose page, clock and vault are controlled by the test. */
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
  let drafts: Drafts = {};
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
    drafts: {
      get all() {
        return drafts;
      },
      set(key, text) {
        drafts = withDraft(drafts, key, text);
      },
    },
    onLateFailure: (error) => late.push(error),
    log: { warn: (message) => warnings.push(message) },
  });
  return {
    ...{ clock, connection, asked, sent, opened, late, warnings, arrivals },
    ready: () => connection.take({ type: 'ready', protocol: pageProtocol }),
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
  test('is sent its view once it is ready', () => {
    const world = makeWorld();
    world.connection.show({ plan, session });
    expect(world.sent).toEqual([]);
    world.ready();
    expect(world.sent).toEqual([{ type: 'show', view: { plan, session }, window: {}, drafts: {} }]);
  });

  test('with another protocol version is sent nothing', () => {
    const world = makeWorld();
    world.connection.take({ type: 'ready', protocol: pageProtocol + 1 });
    expect([world.sent, world.warnings.length]).toEqual([[], 1]);
  });

  test('receives answers and errors by request id', async () => {
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

  test('is sent what the page before it kept of its fields', () => {
    const world = makeWorld();
    world.ready();
    world.connection.take({ type: 'draft', key: 'note/a', text: 'Mind the' });
    world.connection.leave();
    world.ready();
    expect(world.sent.at(-1)).toMatchObject({ type: 'show', drafts: { 'note/a': 'Mind the' } });
    world.connection.take({ type: 'draft', key: 'note/a', text: '' });
    world.ready();
    expect(world.sent.at(-1)).toMatchObject({ type: 'show', drafts: {} });
  });

  test('cannot send forbidden requests or targets', () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'shutdown');
    world.connection.take({ type: 'open', target: { kind: 'command', command: 'x' } });
    expect([world.asked, world.opened, world.warnings.length]).toEqual([[], [], 2]);
  });

  test.each([
    ['run_phase', 'harness', { plan, harness: 'scripted' }],
    ['run_phase', 'scenario', { plan, phase: 'reflect', scenario: '/tmp/evil.yaml' }],
    ['run_cycle', 'harness', { plan, harness: 'scripted' }],
    ['retry', 'scenario', { plan, scenario: '/tmp/evil.yaml' }],
    ['send', 'from', { to: plan, type: 'note', text: 'x', from: 'other/project-root' }],
    ['status', '__proto__', JSON.parse('{"__proto__": 1}')],
  ])('cannot run %s with %s', async (name, parameter, params) => {
    const world = makeWorld();
    world.ready();
    world.ask(1, name, params);
    await turn();
    expect(world.asked).toEqual([]);
    const message = `A page cannot give "${parameter}" for "${name}".`;
    expect(world.sent.at(-1)).toEqual({
      ...{ type: 'error', id: 1 },
      error: expect.objectContaining({ code: 'server/badParams', message }),
    });
  });

  test('a page that changes its view stays with its plan', () => {
    const world = makeWorld();
    world.ready();
    world.connection.take({ type: 'view', view: { plan: 'other/project-root', session, tab: 'given' } });
    world.ready();
    expect(world.sent.at(-1)).toEqual({ type: 'show', view: { plan, session, tab: 'given' }, window: {}, drafts: {} });
  });

  test('in an untrusted window can read but not change the vault', async () => {
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

describe('the page after a reload', () => {
  test('receives no answers to earlier requests', async () => {
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

  test('finds earlier reads aborted, but earlier runs still going', () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'status');
    world.ask(2, 'run_phase', { plan });
    world.connection.leave();
    expect(world.asked.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  });

  test('is not needed for a failed run to be reported', async () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'run_phase', { plan });
    world.connection.leave();
    const error = failure('run/stopped', 'a', 'No.');
    world.asked[0]?.answer.reject(error);
    await turn();
    expect(world.late).toEqual([error]);
  });

  test('is told nothing about a run that another owner continues', async () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'run_phase', { plan });
    world.ask(2, 'send');
    world.connection.leave();
    const gone = failure('server/gone', 'a', 'Gone.');
    for (const { answer } of world.asked) answer.reject(gone);
    await turn();
    expect(world.late).toEqual([gone]);
  });
});

describe('events', () => {
  const events = [0, 1, 2].map((seq) => outputEvent(session, seq));

  test('are sent in batches', () => {
    const world = makeWorld();
    world.ready();
    world.emit(...events);
    expect(world.batches()).toEqual([]);
    world.clock.advance(batchMs);
    expect(world.sent.slice(1)).toEqual([{ type: 'events', events }]);
  });

  test('events of other plans are not sent', () => {
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

  test('are not kept if no page is ready', () => {
    const world = makeWorld();
    world.emit(...events);
    world.ready();
    world.emit(...events);
    world.connection.leave();
    world.clock.advance(batchMs);
    expect(world.batches()).toEqual([]);
  });

  test('wait for the batch before them and then go at once', async () => {
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

  test('beyond the limit are dropped for a slow page, which is told to read the transcript', async () => {
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

  test('are sent before an answer that came after them', async () => {
    const world = makeWorld();
    world.ready();
    world.ask(1, 'status');
    world.emit(...events);
    world.asked[0]?.answer.resolve({});
    await turn();
    expect(world.sent.map(({ type }) => type)).toEqual(['show', 'events', 'result']);
  });
});

describe('the routing page', () => {
  const shown: PageView = { page: 'routing' };

  test('receives events about messages and questions of any plan, and none about sessions', () => {
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

  test('stays the routing page, whatever view it reports', () => {
    const world = makeWorld({ view: shown });
    world.ready();
    world.connection.take({ type: 'view', view: { plan } });
    world.ready();
    expect(world.sent.at(-1)).toEqual({ type: 'show', view: shown, window: {}, drafts: {} });
    world.connection.take({ type: 'view', view: { page: 'routing', suggestion: '01' } });
    world.ready();
    expect(world.sent.at(-1)).toEqual({
      type: 'show',
      view: { page: 'routing', suggestion: '01' },
      window: {},
      drafts: {},
    });
  });
});
