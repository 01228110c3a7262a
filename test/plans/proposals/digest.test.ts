import { describe, expect, test } from 'vitest';
import type { RavelEvent } from '../../../src/model/event.ts';
import type { HarnessOutput } from '../../../src/model/harnessOutput.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { commandsOf, formatDigest } from '../../../src/plans/proposals/digest.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const stamp = { at: '2026-01-02T03:04:05Z', actor: toQualifiedId('Demo/project-root') };

function said(...outputs: readonly HarnessOutput[]): RavelEvent[] {
  return outputs.map((output, seq) => ({ ...stamp, type: 'session.output', session, seq, output }));
}

const started = (callId: string, input: unknown, tool = 'Bash'): HarnessOutput => ({
  kind: 'toolStarted',
  ...{ callId, tool, input },
});
const ended = (callId: string, output: string, exitCode?: number): HarnessOutput => ({
  kind: 'toolEnded',
  ...{ callId, output, isError: exitCode !== undefined && exitCode !== 0 },
  ...(exitCode !== undefined && { exitCode }),
});

describe('commands of a session', () => {
  async function check(outputs: readonly HarnessOutput[], expected: (readonly [string, number])[]): Promise<void> {
    expect((await commandsOf(said(...outputs))).map(({ command, exitCode }) => [command, exitCode])).toEqual(expected);
  }

  test('are those with a known exit code', async () => {
    await check([started('1', { command: 'npm test' }), ended('1', 'ok', 0)], [['npm test', 0]]);
    await check([started('1', { command: 'npm test' }), ended('1', 'no idea')], []);
    await check([started('1', { command: 'npm test' })], []);
  });

  test('get the exit code of their own call', async () => {
    const outputs = [
      started('1', { command: 'a' }),
      started('2', { command: 'b' }),
      ended('1', '', 3),
      ended('2', '', 0),
    ];
    await check(outputs, [
      ['a', 3],
      ['b', 0],
    ]);
    await check([ended('9', '', 0)], []);
  });

  test('are not read from any other shape of input', async () => {
    for (const input of [undefined, null, 'npm test', { command: 3 }, { file_path: 'a' }]) {
      await check([started('1', input), ended('1', '', 0)], []);
    }
  });
});

describe('the digest of a session', () => {
  async function check(transcript: readonly RavelEvent[], expected: string[]): Promise<void> {
    expect((await formatDigest(transcript)).split('\n')).toEqual(expected);
  }
  const verb = (applied: boolean): RavelEvent => ({
    ...stamp,
    ...{ type: 'session.verb', session, verb: 'backlog/set-status', applied, summary: 'set a to done' },
  });

  test('has one line for each text, tool call and verb', async () => {
    await check(said({ kind: 'text', text: ' I begin.\n' }), ['said: I begin.']);
    await check(said(started('1', { command: 'npm test' }), ended('1', '2 passed\n  0 failed', 0)), [
      'tool Bash: {"command":"npm test"}',
      '  ok (exit 0): 2 passed 0 failed',
    ]);
    await check(said(ended('1', 'broken', 2)), ['  failed (exit 2): broken']);
    await check([verb(true)], ['state: backlog/set-status – set a to done']);
    await check([verb(false)], ['state: backlog/set-status – refused: set a to done']);
  });

  test('skips other events and says when nothing is left', async () => {
    const other: RavelEvent = { ...stamp, type: 'run.ended', reason: 'the cycle is complete' };
    await check([other], ['(no work session is on record)']);
    await check([other, verb(true)], ['state: backlog/set-status – set a to done']);
  });

  test('shortens a long output', async () => {
    const text = await formatDigest(said(ended('1', `begin${'x'.repeat(5000)}`)));
    const [line = ''] = text.split('\n');
    expect(line).toMatch(/^ {2}ok: beginx+ \.\.\.$/);
    expect(line.length).toBeLessThan(500);
  });

  test('drops the beginning when it is too long', async () => {
    const long = said(
      ...Array.from({ length: 400 }, (_, n) => ({ kind: 'text' as const, text: `${n} ${'x'.repeat(90)}` })),
    );
    const text = await formatDigest(long);
    expect(text.length).toBeLessThan(17_000);
    expect(text).toMatch(/^\(\.\.\. the beginning is left out \.\.\.\)\n/);
    expect(text).toContain('said: 399 x');
    expect(text).not.toContain('said: 0 x');
  });
});
