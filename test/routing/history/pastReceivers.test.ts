import { expect, test } from 'vitest';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { pastReceivers } from '../../../src/routing/history/pastReceivers.ts';
import { decision, result } from '../../support/routingRecords.ts';

/** Each message as who got it and what it said; one that was declined ends with a minus sign. */
function find(messages: readonly string[], stems: string) {
  const index = new HistoryIndex();
  for (const [n, message] of messages.entries()) {
    const [to = '', body = ''] = message.replace(/-$/, '').split(': ');
    index.add(decision(`m${n}`, { body, ...(to !== '' && { to }) }));
    if (message.endsWith('-')) index.add(result(`m${n}`, to, 'declined'));
  }
  return pastReceivers(index, stems.split(' '));
}

test.each<[string, string[], string, string]>([
  [
    'with more of the words come first',
    ['pay: red green blue', 'find: blue white black'],
    'red green blue',
    'pay find',
  ],
  ['with the rarer word come first', ['pay: red one', 'find: red two', 'docs: red three'], 'red two', 'find pay docs'],
  ['with more messages about it come first', ['pay: red one two', 'find: red', 'find: red'], 'red', 'find pay'],
  ['are not found without a common word', ['pay: red', 'find: green'], 'blue', ''],
  ['are not found in an empty history', [], 'red', ''],
  ['are not found by a message that waits', [': red'], 'red', ''],
  ['are not found by what they declined', ['pay: red-'], 'red', ''],
  [
    'count what they kept beside what they declined',
    ['pay: red', 'pay: red', 'pay: red-', 'find: green'],
    'red',
    'pay',
  ],
])('receivers of the past %s', (_name, messages, stems, expected) => {
  const found = [...find(messages, stems)].sort(([, a], [, b]) => b.share - a.share);
  expect(found.map(([receiver]) => receiver).join(' ')).toBe(expected);
  for (const [, { share, words }] of found) {
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThanOrEqual(1);
    expect(words).toBeGreaterThan(0);
  }
});

test('receivers of the past are told with how many of the words their messages had', () => {
  expect(find(['pay: red green', 'pay: blue'], 'red blue white').get('pay')?.words).toBe(2);
});
