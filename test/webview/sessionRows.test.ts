import { describe, expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import type { Ulid } from '../../src/model/id.ts';
import { isVerdict, type Row, searchTextOf, statusSentence } from '../../webview/session/rows.ts';
import { placeOfRule, ruleFacts } from '../../webview/session/ruleFacts.ts';
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

describe('text rows', () => {
  test('join consecutive texts', () =>
    expect(fold(...outputs(text('one'), text('two\n'), text('three')))).toMatchObject([
      { kind: 'text', text: 'one\n\ntwo\n\nthree' },
    ]));
  test('are separated by the events between them', () =>
    expect(fold(...outputs(text('one'), started('1'), text('two'))).map(({ kind }) => kind)).toEqual([
      'text',
      'tool',
      'text',
    ]));
  test('are not made of blank texts', () => expect(fold(...outputs(text(' \n')))).toEqual([]));
  test('are split if they grow too long', () =>
    expect(fold(...outputs(...Array.from({ length: 10 }, () => text('x'.repeat(1_000))))).length).toBe(4));
});

test.each([
  [{ state: 'confined' }, 'plain', []],
  [{ state: 'unconfined', reason: 'None.' }, 'notice', ['Its commands have your rights. None.']],
] as const)('a session that is %j says so once, and why only if it must', (confinement, tone, details) => {
  const given = { harness: 'scripted', givenBytes: 1, givenTokens: 1, reattached: false } as const;
  const rows = fold({ ...stamp, type: 'session.started', session, phase: 'work', ...given, confinement });
  expect(rows).toMatchObject([{ kind: 'mark', tone, text: expect.stringMatching(`, ${confinement.state}$`) }]);
  expect(rows.flatMap((row) => (row.kind === 'mark' ? (row.details ?? []) : []))).toEqual(details);
});

test.each([
  ['reject', 'bad', 'Not allowed: Bash git push: It leaves the machine.'],
  ['needs-approval', 'notice', 'Not allowed without you: Bash git push: It leaves the machine.'],
] as const)('the verdict %s on a tool names the call and the reason', (outcome, tone, text) => {
  const about = { session, gate: 'tool', subject: 'Bash', call: 'Bash git push', reason: 'It leaves the machine.' };
  expect(fold({ ...stamp, type: 'gate.judged', ...about, outcome })).toMatchObject([{ kind: 'mark', tone, text }]);
});

test('a refused row says which gate and rule decided, is found by them, and is kept by the filter for refusals', () => {
  const rule = {
    ...{ layer: 'vault', file: '/v/policy.yaml', path: ['permissions', 'deny', 0], line: 3 },
    ...{ action: 'deny', text: 'Bash(git *push *)' },
  } as const;
  const about = { session, gate: 'policy', subject: 'Bash', call: 'Bash git push', reason: 'No.', rule };
  const rows = fold({ ...stamp, type: 'gate.judged', ...about, outcome: 'reject' }, ...outputs(text('done')));
  expect(rows).toMatchObject([{ kind: 'mark', verdict: { gate: 'policy', rule } }, { kind: 'text' }]);
  expect(rows.map(isVerdict)).toEqual([true, false]);
  expect(rows[0] && searchTextOf(rows[0])).toContain('bash(git *push *)');
  expect(placeOfRule(rule)).toEqual({ root: 'vault', path: 'policy.yaml', line: 3 });
  expect(ruleFacts(rule)).toEqual(['Rule: deny Bash(git *push *)', 'In the policy of the vault: /v/policy.yaml:3']);
});

describe('tool rows', () => {
  test('are running until they end', () =>
    expect(fold(...outputs(started('1')))).toMatchObject([{ state: 'running' }]));
  test('show how the call ended', () =>
    expect(fold(...outputs(started('1'), ended('1', { exitCode: 0 })))).toMatchObject([
      { state: 'done', output: 'a', exitCode: 0 },
    ]));
  test.each([{ isError: true }, { exitCode: 2 }])('that end with %j are failed', (end) =>
    expect(fold(...outputs(started('1'), ended('1', end)))).toMatchObject([{ state: 'failed' }]),
  );
  test('end independently if calls overlap', () =>
    expect(fold(...outputs(started('1'), started('2'), ended('1'), ended('2', { isError: true })))).toMatchObject([
      { state: 'done' },
      { state: 'failed' },
    ]));
  test('are not made for an end without a start', () => expect(fold(...outputs(ended('1')))).toEqual([]));
  test('are open if the session ended first', () => {
    const end: RavelEvent = { ...stamp, type: 'session.ended', session, end: 'crashed', durationMs: 5 };
    expect(fold(...outputs(started('1')), end)).toMatchObject([
      { state: 'open' },
      { text: 'The session crashed', tone: 'bad' },
    ]);
  });
  test('show what the call did to the plan', () => {
    const asked: HarnessOutput = { kind: 'toolStarted', tool: 'mcp__ravel__backlog_add', callId: '1', input: {} };
    expect(fold(...outputs(asked), verbEvent(session), ...outputs(ended('1')))).toMatchObject([
      { did: ['added one'], state: 'done' },
    ]);
    expect(fold(...outputs(started('1')), verbEvent(session))).toMatchObject([{ kind: 'tool' }, { text: 'added one' }]);
  });
  test('have what a call did once and in one order, whether that is told before the call, in it or between others', () => {
    const adds = (callId: string): HarnessOutput => ({
      ...({ kind: 'toolStarted', tool: 'mcp__ravel__backlog_add', input: {} } as const),
      callId,
    });
    const [one, two] = [verbEvent(session, 'added one', '1'), verbEvent(session, 'added two', '2')];
    const orders = [
      [one, ...outputs(adds('1'), ended('1')), two, ...outputs(adds('2'), ended('2'))],
      [...outputs(adds('1')), one, ...outputs(ended('1'), adds('2')), two, ...outputs(ended('2'))],
      [...outputs(adds('1'), adds('2')), one, two, ...outputs(ended('1'), ended('2'))],
      [one, two, ...outputs(adds('1'), adds('2'), ended('1'), ended('2'))],
    ];
    const shown = orders.map((events) => fold(...events).map((row) => row.kind === 'tool' && row.did));
    expect(shown).toEqual(orders.map(() => [['added one'], ['added two']]));
  });
  test('are followed by why they were refused, also if that is told first', () => {
    const refused: RavelEvent = {
      ...{ ...stamp, type: 'session.verb', session, verb: 'backlog add', applied: false, callId: '1' },
      summary: 'no such task',
    };
    const end = ended('1', { isError: true, output: 'Refused: no such task' });
    const rows = [
      { kind: 'tool', state: 'failed', isRepeat: true },
      { tone: 'bad', text: 'backlog add refused: no such task' },
    ];
    expect(fold(refused, ...outputs(started('1'), end))).toMatchObject(rows);
    expect(fold(...outputs(started('1')), refused, ...outputs(end))).toMatchObject(rows);
  });
  test('that never come leave what they did as a row of its own', () => {
    const end: RavelEvent = { ...stamp, type: 'session.ended', session, end: 'crashed', durationMs: 5 };
    expect(fold(verbEvent(session, 'added one', '1'), end)).toMatchObject([
      { kind: 'mark', text: 'added one' },
      { text: 'The session crashed' },
    ]);
  });
  test('are followed by a row of their own if a verb is refused', () => {
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

describe('a refusal', () => {
  const judged = {
    ...stamp,
    type: 'gate.judged',
    session,
    gate: 'tool',
    reason: 'It leaves the machine.\nAsk.',
  } as const;
  const told = (...events: RavelEvent[]) =>
    fold(...events).map((row) => (row.kind === 'tool' ? [row.state, row.isRepeat ?? false] : row.kind));
  const answer = (callId: string, output: string) => ended(callId, { isError: true, output });

  test('that a gate tells is not told again by its call', () => {
    const after = outputs(answer('1', 'Refused: It leaves the machine.\nAsk.'));
    expect(told(...outputs(started('1')), { ...judged, outcome: 'reject' }, ...after)).toEqual([
      ['failed', true],
      'mark',
    ]);
  });
  test('that a verb tells is not told again by its call', () => {
    const verb: RavelEvent = {
      ...stamp,
      type: 'session.verb',
      session,
      verb: 'backlog add',
      applied: false,
      summary: 'No.',
    };
    expect(told(...outputs(started('1')), verb, ...outputs(answer('1', 'No.')))).toEqual([['failed', true], 'mark']);
  });
  test('is told of one call, and other calls tell why they failed', () => {
    const after = outputs(
      answer('2', 'exit 1'),
      answer('1', 'It leaves the machine.'),
      answer('3', 'It leaves the machine.'),
    );
    const rows = told(...outputs(started('1'), started('2'), started('3')), { ...judged, outcome: 'reject' }, ...after);
    expect(rows).toEqual([['failed', true], ['failed', false], ['failed', false], 'mark']);
  });
});

describe('gate rows', () => {
  test('show why a gate refused', () => {
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
  test('are not made if a gate accepts', () =>
    expect(fold({ ...stamp, type: 'gate.judged', session, gate: 'claims', outcome: 'accept' })).toEqual([]));
});

test('rows keep keys and places whether events come together or one by one', () => {
  const whole = fold(...cycleEvents);
  const folded = new SessionRows();
  for (const event of cycleEvents) folded.add([event]);
  expect(folded.rows).toEqual(whole);
  expect(new Set(whole.map(({ key }) => key)).size).toBe(whole.length);
});

test('each changed place is reported once', () => {
  const folded = new SessionRows();
  expect(folded.add(outputs(started('1'), text('a'), ended('1')))).toEqual([0, 1]);
  expect(folded.add(outputs(text('b')))).toEqual([1]);
});

test('the facts of a session come from its latest events', () => {
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
  test('is a sentence about ended calls, and no text of the model', () =>
    expect(rows.map(statusSentence)).toEqual([undefined, 'Bash finished, exit 0.', 'Bash failed.', undefined]));
});

test('the search text of a row holds input and output in lower case', () =>
  expect(fold(...outputs(started('1'), ended('1', { output: 'FOUND' }))).map(searchTextOf)).toEqual([
    'bash\n{"command":"ls"}\nfound',
  ]));

test('what came of the memory is a row that names the entries', () => {
  const event = { ...stamp, type: 'session.recalled' as const, session, tool: 'Read', entries: ['A', 'B'], bytes: 9 };
  expect(fold(event)).toMatchObject([{ text: 'Given 2 entries of the memory after Read', details: ['A', 'B'] }]);
});
