import { expect, test } from 'vitest';
import {
  formatPhaseSummary,
  formatPlanStatus,
  formatPlanTable,
  formatRunSummary,
} from '../../../src/cli/render/reports.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { expectGolden } from '../../support/golden.ts';
import { samplePlan, sampleReport, sampleRow, sampleSession, sampleStatus } from '../samples.ts';

function check(lines: readonly string[], name: string): Promise<void> {
  return expectGolden(`${lines.join('\n')}\n`, `cli/${name}.txt`);
}

const interrupted = {
  phase: 'work',
  session: sampleSession,
  directory: '/vault/runtime/interrupted/x',
  reason: 'The session crashed.\nIts end is in the transcript.',
} as const;

test('the summary of a cycle that ended lists its phases', () => {
  const phases = [
    sampleReport(),
    sampleReport({ phase: 'analyse-work', commits: [], next: 'reflect', summary: 'Two claims.' }),
  ];
  return check(formatRunSummary(samplePlan, { phases, stop: 'cycle-ended', reason: '' }, plainStyle, 100), 'run-ended');
});
test.each([
  ['triage', true],
  ['dream', false],
] as const)(
  'the summary of a cycle whose commit of reflect leads to %s says whether a dream was left out: %s',
  (next, isLeftOut) => {
    const phases = [sampleReport({ phase: 'git-commit-reflect', next })];
    const lines = formatRunSummary(samplePlan, { phases, stop: 'cycle-ended', reason: '' }, plainStyle, 100);
    expect(lines.includes('  · dream is not due')).toBe(isLeftOut);
  },
);
test('the summary of a run that failed says what to do', () => {
  const phases = [sampleReport({ end: 'failed', commits: [] })];
  const report = { phases, stop: 'failed' as const, reason: 'The harness ended with exit code 1.' };
  return check(formatRunSummary(samplePlan, report, plainStyle, 60), 'run-failed');
});
test('a backlog that cannot be read is not counted', () => {
  const fault = diagnostic('yaml/syntax', samplePlan, 'Line 3: A list is not closed.', {
    file: '/vault/projects/demo/project-root/backlog.yaml',
    range: { start: { line: 2, character: 0 }, end: { line: 2, character: 1 } },
  });
  const counts = { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
  const lines = formatPlanStatus(sampleStatus({ counts, faults: [fault] }), plainStyle, 100).join('\n');
  expect(lines).toContain('tasks        cannot be read: backlog.yaml, line 3: A list is not closed.');
  const [, row] = formatPlanTable([sampleRow({ counts, faults: [fault] })], plainStyle, 100);
  expect(row).toMatch(/work +\? +\? +\? +\? +1 fault/);
});
const why = 'The session crashed.';
const askedFor = { kind: 'needs-input', phase: 'work', reason: why, approval: sampleSession, file: '/a' } as const;
test.each([
  ['did not finish', { interrupted: { ...interrupted, reason: why } }],
  ['waits for an answer', { question: askedFor }],
])('the status of a plan whose phase %s says why once', (_name, more) => {
  const lastEnd = {
    phase: 'work',
    session: sampleSession,
    end: 'failed',
    summary: why,
    at: '2026-01-02T03:04:05Z',
  } as const;
  const lines = formatPlanStatus(sampleStatus({ ...more, waiting: why, lastEnd }), plainStyle, 100);
  expect(lines.filter((line) => line.includes(why))).toHaveLength(1);
  expect(lines.join('\n')).toContain('needs your attention');
});
test('the summary of a run without a ready task says so', () =>
  check(
    formatRunSummary(
      samplePlan,
      { phases: [], stop: 'nothing-ready', reason: 'Two tasks are blocked.' },
      plainStyle,
      100,
    ),
    'run-nothing',
  ));
test('the summary of a run that used up its budget says how to continue', () => {
  const report = { phases: [sampleReport()], stop: 'budget' as const, reason: 'The day is spent.' };
  expect(formatRunSummary(samplePlan, report, plainStyle, 100).at(-1)).toContain(`\`ravel run ${samplePlan}\``);
});
test('the summary of a phase shows its end, commits and usage', () =>
  check(formatPhaseSummary(samplePlan, sampleReport(), plainStyle, 100), 'phase'));
test('the summary of a phase that failed names no next one', () => {
  const report = { ...sampleReport(), end: 'failed' as const };
  expect(formatPhaseSummary(samplePlan, report, plainStyle, 100)[1]).toBe(
    '! work failed. The plan is unchanged; changes to the source stay.',
  );
});
test('a commit that needs an answer after a phase that finished has a row of its own', () => {
  const report = sampleReport({ phase: 'analyse-work', end: 'waiting', next: 'git-commit-work', commits: [] });
  const lines = formatRunSummary(samplePlan, { phases: [report], stop: 'waiting', reason: '' }, plainStyle, 100);
  expect(lines.filter((line) => /^ {2}[✓?]/.test(line))).toEqual([
    expect.stringMatching(/^ {2}✓ analyse-work {4}finished {4}\d/),
    '  ? git-commit-work waiting',
  ]);
  const sentence = '! git-commit-work needs your answer.';
  expect(formatPhaseSummary(samplePlan, report, plainStyle, 100)[1]).toBe(sentence);
});
test('a retry of the commit alone has one row', () => {
  const report = sampleReport({ phase: 'git-commit-work', end: 'waiting', next: 'git-commit-work', commits: [] });
  const lines = formatPhaseSummary(samplePlan, report, plainStyle, 100);
  expect(lines.filter((line) => line.includes('git-commit-work '))).toEqual([
    '! git-commit-work needs your answer.',
    expect.stringMatching(/^ {2}\? git-commit-work waiting {5}\d/),
  ]);
});
test('a table of plans shows which run and which wait', () =>
  check(
    formatPlanTable(
      [
        sampleRow(),
        sampleRow({
          plan: 'demo/project-root/parser' as typeof samplePlan,
          running: { session: sampleSession, phase: 'reflect' },
        }),
        sampleRow({ plan: 'shop/project-root' as typeof samplePlan, waiting: 'Which colour?' }),
      ],
      plainStyle,
      100,
    ),
    'plans',
  ));
test('an empty table of plans suggests ravel adopt', () =>
  expect(formatPlanTable([], plainStyle, 100).join()).toContain('ravel adopt'));
test('the status of an idle plan shows its tasks and memory', () =>
  check(formatPlanStatus(sampleStatus(), plainStyle, 100), 'plan'));
test('the status of a running plan names its phase and its session', () => {
  const running = { session: sampleSession, phase: 'reflect' } as const;
  const lines = formatPlanStatus(sampleStatus({ running }), plainStyle, 100);
  expect(lines).toContain(`  now          runs reflect, session ${sampleSession}`);
});
test.each([
  [{ phase: 'work', task: 'fix-it' }, `runs work, task fix-it, session ${sampleSession}`, 'runs work (fix-it)'],
  [
    { phase: 'reflect', unowned: true },
    `without an owner: reflect, session ${sampleSession}`,
    'without an owner: reflect',
  ],
  [{ phase: 'reflect', manual: true }, `reflect is open by hand, session ${sampleSession}`, 'reflect is open by hand'],
] as const)('status and table describe the running phase %j', (what, whole, short) => {
  const running = { session: sampleSession, ...what };
  expect(formatPlanStatus(sampleStatus({ running }), plainStyle, 100)).toContain(`  now          ${whole}`);
  expect(formatPlanTable([sampleRow({ running })], plainStyle, 100).at(-1)).toContain(short);
});
test('the status of a phase open by hand, or of a paused run, says how to continue', () => {
  const running = { session: sampleSession, phase: 'reflect', manual: true } as const;
  expect(formatPlanStatus(sampleStatus({ running }), plainStyle, 200).at(-1)).toContain('--by-hand`');
  const paused = { done: 1, cycles: 3 };
  const lines = formatPlanStatus(sampleStatus({ paused }), plainStyle, 200);
  expect(lines).toContain('  paused run   1 of 3 cycles done');
  expect(lines.at(-1)).toContain('`ravel stop demo/project-root`');
  expect(formatPlanTable([sampleRow({ paused })], plainStyle, 100).at(-1)).toContain('paused: 1 of 3 cycles done');
});
test('a command for a plan whose id has a blank can be copied', () => {
  const plan = toQualifiedId('my shop/project-root');
  const running = { session: sampleSession, phase: 'reflect', manual: true } as const;
  const hint = formatPlanStatus(sampleStatus({ plan, running }), plainStyle, 200).at(-1);
  expect(hint).toContain("`ravel run 'my shop/project-root' --by-hand`");
  const report = { phases: [sampleReport({ end: 'failed' })], stop: 'failed', reason: '' } as const;
  expect(formatRunSummary(plan, report, plainStyle, 200).at(-1)).toContain("`ravel retry 'my shop/project-root'`");
});
test('a queued run shows what it waits for', () => {
  const queued = 'demo/project-root/a works in the same tree';
  const words = `waits for its turn: ${queued}`;
  expect(formatPlanTable([sampleRow({ queued })], plainStyle, 120).at(-1)).toContain(words);
  expect(formatPlanStatus(sampleStatus({ queued }), plainStyle, 120)).toContain(`  now          ${words}`);
});
test('the next task of a plan is not the one that its session works on', () => {
  const running = { session: sampleSession, phase: 'work', task: 'fix-the-crash' } as const;
  expect(formatPlanStatus(sampleStatus({ running }), plainStyle, 100).join('\n')).not.toContain('next task');
});
test('on a narrow terminal a value of the status is wrapped below itself', () => {
  const lastEnd = {
    phase: 'work',
    session: sampleSession,
    end: 'finished',
    at: 'T',
    summary: 'one two three',
  } as const;
  const lines = formatPlanStatus(sampleStatus({ lastEnd }), plainStyle, 40);
  const at = lines.findIndex((line) => line.startsWith('  last '));
  expect(lines.slice(at, at + 2)).toEqual(['  last         work finished at T: one', '               two three']);
});
test('the status of an interrupted plan shows the reason and its files', () =>
  check(
    formatPlanStatus(
      sampleStatus({
        interrupted,
        memoryEntries: 3,
        counts: { ready: 0, blocked: 0, inProgress: 1, done: 0, received: 2, handoffs: 1 },
        lastEnd: {
          phase: 'work',
          session: sampleSession,
          end: 'interrupted',
          at: new Date(2026, 0, 2, 3, 4, 5).toISOString(),
          summary: 'Crash',
        },
      }),
      plainStyle,
      100,
    ),
    'plan-interrupted',
  ));

test('the status of a waiting plan shows the question, its file and the command to answer it', () => {
  const asked = { phase: 'reflect', kind: 'merge-conflict', reason: 'Two edits.' } as const;
  const question = { ...asked, approval: sampleSession, file: '/vault/a.yaml' };
  const text = formatPlanStatus(sampleStatus({ question }), plainStyle, 100).join('\n');
  expect(text).toMatch(/asks +reflect, merge-conflict: Two edits\./);
  expect(text).toMatch(/details in +\/vault\/a\.yaml/);
  expect(text).toContain(`ravel approvals show ${sampleSession}`);
});

test('the summary of a phase that was taken over does not say how much it was given', () => {
  const report = sampleReport({ givenBytes: 0 });
  const lines = formatRunSummary(
    samplePlan,
    { phases: [report], stop: 'cycle-ended', reason: 'done' },
    plainStyle,
    100,
  );
  expect(lines.join('\n')).not.toContain('given');
});
test('the status of a phase without an owner names the commands that take it over or end it', () => {
  const running = { session: sampleSession, phase: 'reflect', unowned: true } as const;
  const hint = formatPlanStatus(sampleStatus({ running }), plainStyle, 200).at(-1);
  expect(hint).toBe(
    `  Its owner is gone. \`ravel run ${samplePlan}\` takes over and continues, \`ravel stop ${samplePlan}\` ends it.`,
  );
});
test('the status of a plan that takes no messages names ravel revive', () => {
  const fault = { code: 'actor/faulted', severity: 'error', subject: samplePlan, message: 'It crashed.' } as const;
  const actor = { state: 'faulted', queued: 2, deadLetters: 1, fault } as const;
  const lines = formatPlanStatus(sampleStatus({ actor }), plainStyle, 200);
  expect(lines).toContain('  messages     takes no messages, 2 messages waiting, 1 dead letter');
  expect(lines.at(-1)).toBe(`  Fix the cause, then \`ravel revive ${samplePlan}\`.`);
});

test('the status of a plan whose phase failed calls it failed', () => {
  const lastEnd = { phase: 'work', session: sampleSession, end: 'failed', at: 'T', summary: 'Refused' } as const;
  const text = formatPlanStatus(sampleStatus({ interrupted, lastEnd }), plainStyle, 100).join('\n');
  expect(text).toMatch(/^ {2}failed +work: The session crashed\./m);
  expect(text).not.toContain('interrupted  ');
});
