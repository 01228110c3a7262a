import { expect, test } from 'vitest';
import { localTime } from '../../../src/base/localTime.ts';
import { formatApproval, formatApprovals, formatDecided } from '../../../src/cli/render/approvals.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import { widthOf } from '../../../src/cli/render/text.ts';
import type { ApprovalPage } from '../../../src/model/requests/approvals.ts';
import { samplePlan, sampleReport, sampleSession } from '../samples.ts';

const page: ApprovalPage = {
  ...{ approval: sampleSession, kind: 'needs-input', plan: samplePlan, createdAt: '2026-01-02T03:04:05Z' },
  ...{ subject: 'reflect of demo: Which colour?\nAnd why?', options: [], decisions: ['accept', 'reject'] },
  ...{
    contentHash: 'h',
    asks: 'A session asks.',
    shown: 'Which\u001b[31m colour?',
    details: {},
    file: '/vault/a.yaml',
  },
  answers: [
    { decision: 'accept', text: 'the answer', does: 'Tells the next session of the phase, whoever that will be.' },
    { decision: 'reject', does: 'Drops it.' },
  ],
};

test('an approval is shown whole, with the command for each answer', () => {
  expect(formatApproval(page, plainStyle, 60).join('\n')).toBe(`needs-input  ${sampleSession}
${samplePlan}, asked at ${localTime('2026-01-02T03:04:05Z')}

A session asks.

  reflect of demo: Which colour?
  And why?

  │ Which\\u{1b}[31m colour?

Your answers
  ravel approvals accept ${sampleSession} --answer TEXT
      Tells the next session of the phase, whoever that will
      be.
  ravel approvals reject ${sampleSession}
      Drops it.

Add \`--reason TEXT\` to any of them; it is kept with the
decision.
The question itself is in /vault/a.yaml`);
});

test.each([
  ['a long line', 'x'.repeat(150), 3],
  ['blanks that would end a line of the terminal', `echo${' '.repeat(120)}Your answers`, 3],
  ['wide characters', '漢'.repeat(60), 3],
] as const)('what an approval shows stands behind its bar, and none of it is lost: %s', (_name, shown, count) => {
  const lines = formatApproval({ ...page, shown }, plainStyle, 60);
  const barred = lines.filter((line) => line.startsWith('  │'));
  expect(barred).toHaveLength(count);
  expect(barred.every((line) => widthOf(line) <= 60)).toBe(true);
  const letters = (text: string) => text.replaceAll(' ', '');
  expect(letters(barred.map((line) => line.slice(3)).join(''))).toBe(letters(shown));
});

test('several approvals are counted and shown in turn, none wider than the terminal', () => {
  const lines = formatApprovals([page, page], [], plainStyle, 50);
  expect(lines[0]).toBe('2 questions for you');
  expect(lines.slice(0, -1).every((line) => widthOf(line) <= 50)).toBe(true);
  expect(lines.at(-1)).toContain(`ravel approvals show ${sampleSession}`);
});

test.each([
  ['a phase that finished', { report: sampleReport() }, `Continue with \`ravel run ${samplePlan}\`.`],
  ['a phase that failed', { report: sampleReport({ end: 'failed' }) }, `Continue with \`ravel retry ${samplePlan}\`.`],
  [
    'a phase that asks again',
    { report: sampleReport({ end: 'waiting', approval: sampleSession }) },
    `show ${sampleSession}`,
  ],
  ['a decision that needs a new session', { next: 'retry' }, `Continue with \`ravel retry ${samplePlan}\`.`],
] as const)('the next step is named after %s', (_name, more, expected) => {
  const decided = {
    approval: sampleSession,
    plan: samplePlan,
    decision: 'accept',
    did: 'It is done.',
    ...more,
  } as const;
  const text = formatDecided(decided, plainStyle, 100).join('\n');
  expect(text).toContain('It is done.');
  expect(text).toContain(expected);
});
