import { describe, expect, test } from 'vitest';
import { planFiles } from '../../../src/model/plan.ts';
import { appendMessages, editOutcomes, markSent } from '../../../src/plans/messages/messageRecords.ts';

const record = { id: 'B', reason: 'Why' };
const one =
  '# mine\nreceived:\n  - id: A\n    from: person\n    at: "2026-01-02"\n    reason: Why\n    body: What\n    state: new\n';

function check(text: string | undefined, expected: unknown): void {
  const texts = new Map(text === undefined ? [] : [['backlog.yaml' as const, text]]);
  expect(appendMessages(texts, 'Demo', 'received', [record])).toEqual(expected);
}

test('a message record is appended, and the rest of the text stays', () => {
  check(one, `${one}  - id: B\n    reason: Why\n`);
});

test('a missing list or file is made for the record', () => {
  check('tasks: []\n', 'tasks: []\nreceived:\n- id: B\n  reason: Why\n');
  check(undefined, 'tasks: []\nreceived:\n- id: B\n  reason: Why\n');
});

test('a record that exists is not added again', () => {
  check(one.replace('id: A', 'id: B'), undefined);
});

describe('a task that another plan is handed', () => {
  const task = (status: string, more = '') =>
    `tasks:\n- id: feed\n  title: Feed\n  category: cats\n  status: ${status}\n${more}`;
  const sentTo = (to: string) => task('blocked', `  blocked_reason: sent to ${to}\n  sent: M\n`);
  const mark = (text: string) => markSent(text, 'Demo', [{ id: 'M', to: 'auto', task: 'feed' }]);

  test('is blocked, and names the message', () => {
    expect(mark(task('not_started'))).toBe(sentTo('auto'));
    expect(mark(task('in_progress'))).toBe(sentTo('auto'));
  });

  test('keeps its earlier block, and a done task stays done', () => {
    const waits = task('blocked', '  blocked_reason: no food\n');
    expect(mark(waits)).toBe(`${waits}  sent: M\n`);
    expect(mark(task('done'))).toBe(task('done'));
    expect(markSent(task('not_started'), 'Demo', [{ id: 'M', to: 'auto', task: 'food' }])).toBe(task('not_started'));
  });

  /** The tasks once the outcome of the message is known. */
  function check(tasks: string, outcome: string, expected: string): void {
    const record = (now: string) =>
      `dispatched:\n- id: M\n  to: auto\n  at: a\n  reason: r\n  body: b\n  outcome: ${JSON.stringify(now)}\n`;
    const texts = new Map([[planFiles.backlog, tasks + record('on its way')]]);
    const text = editOutcomes(texts, 'Demo', new Map([['M', outcome]]));
    expect(text?.slice(0, text.indexOf('dispatched:'))).toBe(expected);
  }

  test.each([
    ['accepted by Cats/project-root (rules r1)', sentTo('Cats/project-root')],
    ['promoted as feed-it of Cats/project-root', sentTo('Cats/project-root')],
    ['waits for a person: nobody fits', sentTo('auto')],
    ['declined: no cat', task('not_started')],
    ['refused: no such plan', task('not_started')],
  ])('of which is told “%s” says so', (outcome, expected) => check(sentTo('auto'), outcome, expected));

  test('is left alone if it was changed since', () => {
    const done = task('done', '  sent: M\n');
    check(done, 'accepted by Cats/project-root', done);
    check(done, 'declined: no cat', task('done'));
    const waits = task('blocked', '  blocked_reason: no food\n');
    check(`${waits}  sent: M\n`, 'declined: no cat', waits);
    check(task('not_started'), 'declined: no cat', task('not_started'));
  });
});
