import { describe, expect, test } from 'vitest';
import type { HarnessOutput, RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import { type Row, searchTextOf, statusSentence } from '../../webview/session/rows.ts';
import { SessionRows } from '../../webview/session/sessionRows.ts';
import { cycleEvents } from '../cli/render/cycleEvents.ts';
import { outputEvent, stamp, verbEvent } from './events.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const outputs = (...list: HarnessOutput[]) => list.map((output, seq) => outputEvent(session, seq, output));
const started = (callId: string): HarnessOutput => ({
  kind: 'toolStarted',
  tool: 'Bash',
  callId,
  input: { command: 'ls' },
});
const ended = (callId: string, changes: object = {}): HarnessOutput => ({
  kind: 'toolEnded',
  callId,
  isError: false,
  output: 'a',
  ...changes,
});
const text = (said: string): HarnessOutput => ({ kind: 'text', text: said });

function fold(...events: RavelEvent[]): readonly Row[] {
  const folded = new SessionRows();
  folded.add(events);
  return folded.rows;
}

describe('texts', () => {
  test('that follow one another are one row', () =>
    expect(fold(...outputs(text('one'), text('two\n'), text('three')))).toMatchObject([
      { kind: 'text', text: 'one\n\ntwo\n\nthree' },
    ]));
  test('are parted by what happens between them', () =>
    expect(fold(...outputs(text('one'), started('1'), text('two'))).map(({ kind }) => kind)).toEqual([
      'text',
      'tool',
      'text',
    ]));
  test('of nothing make no row', () => expect(fold(...outputs(text(' \n')))).toEqual([]));
  test('never make a row without end', () =>
    expect(fold(...outputs(...Array.from({ length: 10 }, () => text('x'.repeat(1_000))))).length).toBe(4));
});

describe('calls', () => {
  test('run until they end', () => expect(fold(...outputs(started('1')))).toMatchObject([{ state: 'running' }]));
  test('that end say how', () =>
    expect(fold(...outputs(started('1'), ended('1', { exitCode: 0 })))).toMatchObject([
      { state: 'done', output: 'a', exitCode: 0 },
    ]));
  test.each([{ isError: true }, { exitCode: 2 }])('that end with %j failed', (end) =>
    expect(fold(...outputs(started('1'), ended('1', end)))).toMatchObject([{ state: 'failed' }]),
  );
  test('that overlap end each for itself', () =>
    expect(fold(...outputs(started('1'), started('2'), ended('1'), ended('2', { isError: true })))).toMatchObject([
      { state: 'done' },
      { state: 'failed' },
    ]));
  test('that nobody began are left out', () => expect(fold(...outputs(ended('1')))).toEqual([]));
  test('that the end of their session cut short are open', () => {
    const end: RavelEvent = { ...stamp, type: 'session.ended', session, end: 'crashed', durationMs: 5 };
    expect(fold(...outputs(started('1')), end)).toMatchObject([
      { state: 'open' },
      { text: 'The session crashed', tone: 'bad' },
    ]);
  });
  test('say what they did to the plan', () => {
    const asked: HarnessOutput = { kind: 'toolStarted', tool: 'mcp__ravel__backlog_add', callId: '1', input: {} };
    expect(fold(...outputs(asked), verbEvent(session), ...outputs(ended('1')))).toMatchObject([
      { did: ['added one'], state: 'done' },
    ]);
    expect(fold(...outputs(started('1')), verbEvent(session))).toMatchObject([{ kind: 'tool' }, { text: 'added one' }]);
  });
  test('of verbs that are refused say so in a row of its own', () => {
    const refused: RavelEvent = {
      ...stamp,
      type: 'session.verb',
      session,
      verb: 'backlog add',
      applied: false,
      summary: 'no such task',
    };
    expect(fold(...outputs(started('1')), refused)).toMatchObject([
      { kind: 'tool' },
      { tone: 'bad', text: 'backlog add refused: no such task' },
    ]);
  });
});

describe('what else happens', () => {
  test('a gate that refuses says why', () => {
    const judged: RavelEvent = {
      ...stamp,
      type: 'gate.judged',
      session,
      gate: 'claims',
      outcome: 'reject',
      reason: 'no proof',
      findings: ['c1'],
    };
    expect(fold(judged)).toMatchObject([{ tone: 'bad', text: 'Gate claims refused: no proof', details: ['c1'] }]);
  });
  test('a gate that is content says nothing', () =>
    expect(fold({ ...stamp, type: 'gate.judged', session, gate: 'claims', outcome: 'accept' })).toEqual([]));
});

test('rows keep their keys and places, however the events come', () => {
  const whole = fold(...cycleEvents);
  const folded = new SessionRows();
  for (const event of cycleEvents) folded.add([event]);
  expect(folded.rows).toEqual(whole);
  expect(new Set(whole.map(({ key }) => key)).size).toBe(whole.length);
});

test('places that changed are told once', () => {
  const folded = new SessionRows();
  expect(folded.add(outputs(started('1'), text('a'), ended('1')))).toEqual([0, 1]);
  expect(folded.add(outputs(text('b')))).toEqual([1]);
});

test('the facts of a session are those of its last words', () => {
  const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const folded = new SessionRows();
  folded.add([
    { ...stamp, type: 'phase.started', phase: 'work', session, harness: 'scripted', task: 'one' },
    ...outputs({ kind: 'ready', model: 'm', version: '1', tools: [] }, started('1'), { kind: 'usage', usage }),
    { ...stamp, type: 'session.ended', session, end: 'exited', durationMs: 70 },
    { ...stamp, type: 'phase.started', phase: 'git-commit-work', session },
  ]);
  expect(folded.facts).toEqual({
    ...{ phase: 'work', harness: 'scripted', task: 'one', model: 'm', usage, calls: 1, refusals: 0 },
    ...{ startedAt: stamp.at, ended: { at: stamp.at, durationMs: 70 } },
  });
});

describe('what a screen reader is told', () => {
  const rows = fold(
    ...outputs(
      text('a'),
      started('1'),
      ended('1', { exitCode: 0 }),
      started('2'),
      ended('2', { isError: true }),
      started('3'),
    ),
  );
  test('is sentences, and no text of the model', () =>
    expect(rows.map(statusSentence)).toEqual([undefined, 'Bash finished, exit 0.', 'Bash failed.', undefined]));
});

test('a filter looks at what was asked and answered', () =>
  expect(fold(...outputs(started('1'), ended('1', { output: 'FOUND' }))).map(searchTextOf)).toEqual([
    'bash\n{"command":"ls"}\nfound',
  ]));
