import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { OpenQuestionRow } from '../../../src/model/requests/messages.ts';
import { questionChoices, questionOfRow, questionRow } from '../../../src/ui/messages/questionRows.ts';

const query = '01HZY0000000000000000000S1' as Ulid;
const asked: OpenQuestionRow = {
  ...{ query, to: toQualifiedId('expert:rust'), from: 'person', at: '2026-01-02T03:04:05Z' },
  question: 'When is it $(pinned)?',
};
const asksBack: OpenQuestionRow = { ...asked, askedBack: { by: asked.to, text: 'Which executor?', round: 1 } };

test('an open question says that a session is asked, or what is asked back, and a click leads on', () => {
  expect(questionRow(asked).row).toMatchObject({
    ...{ label: 'When is it $(pinned)?', description: 'a session is asked', contextValue: 'question' },
    command: { command: 'ravel.openAnswer', arguments: [query] },
  });
  expect(questionRow(asksBack).row).toMatchObject({
    ...{ label: 'Which executor?', ariaLabel: 'expert:rust asks back, Which executor?' },
    ...{ contextValue: 'question.asksBack', command: { command: 'ravel.replyToQuestion', arguments: [query] } },
  });
});

test('questions that wait for a reply are chosen from first', () => {
  expect(questionChoices([asked, asksBack]).map(({ label, detail }) => [label, detail])).toEqual([
    ['When is it \\$(pinned)?', 'Asks back: Which executor?'],
    ['When is it \\$(pinned)?', 'A session is asked'],
  ]);
});

test.each([
  ['its row', `question:${query}`, query],
  ['its id', query, query],
  ['nothing else', 'expert:rust', undefined],
  ['no other value', undefined, undefined],
])('a question is named by %s', (_name, key, expected) => expect(questionOfRow(key)).toBe(expected));
