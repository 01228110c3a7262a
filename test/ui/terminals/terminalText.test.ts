import { expect, test } from 'vitest';
import { exitLines, outcomeLines, terminalName } from '../../../src/ui/terminals/terminalText.ts';

const ended = {
  at: '2026-11-21T00:00:00Z',
  actor: 'Shop/project-root',
  type: 'phase.ended',
  phase: 'work',
  session: 'S',
} as never as Parameters<typeof outcomeLines>[0];

function plain(text: string | undefined): string[] {
  return (text ?? '')
    .replace(/\p{Cc}\[\d+m/gu, '')
    .split('\r\n')
    .filter((line) => line !== '');
}

test('a terminal is named after its plan, without control characters', () => {
  expect(terminalName({ kind: 'work', plan: 'Shop/project-root' as never })).toBe('Work: Shop/project-root');
  expect(terminalName({ kind: 'shell', plan: 'a\u001b[2Jb' as never })).toBe('Shell: a [2Jb');
});

test.each([
  ['finished', 'A farewell was added.', 'Ravel: The phase work finished: A farewell was added. Next is analyse-work.'],
  ['failed', 'no end', 'Ravel: The phase work failed: no end. See the Inbox for your options.'],
  ['waiting', 'which?', 'Ravel: The phase work needs your answer: which? See the Inbox for your options.'],
  ['interrupted', '\u001b]0;x\u0007', 'Ravel: The phase work was interrupted: ]0;x. See the Inbox for your options.'],
] as const)('a phase that ended as %s prints one line about its outcome', (end, summary, line) => {
  expect(plain(outcomeLines({ ...ended, end, summary, next: 'analyse-work' }))).toEqual([
    line,
    'Ravel: Press any key to close this terminal.',
  ]);
});

test('a shell that ended well prints nothing, otherwise its exit code or signal', () => {
  expect(exitLines({ code: 0 })).toBeUndefined();
  expect(plain(exitLines({ code: 3 }))[0]).toBe('Ravel: The shell ended with code 3.');
  expect(plain(exitLines({ code: 0, signal: 9 }))[0]).toBe('Ravel: The shell ended by signal 9.');
});
