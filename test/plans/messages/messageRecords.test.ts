import { expect, test } from 'vitest';
import { appendMessages } from '../../../src/plans/messages/messageRecords.ts';

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
