import { expect, test } from 'vitest';
import { prepareRecipients } from '../../../src/routing/facts/preparedRecipients.ts';
import { parseTerm } from '../../../src/routing/facts/terms.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { createPastRules } from '../../../src/routing/learning/historyMatcher.ts';
import { decision, rule } from '../../support/routingRecords.ts';

const rules = [
  rule('first', { all: ['Refund'] }),
  rule('off', { all: ['refund'], enabled: false }),
  rule('second', { any: ['late', 'access token'] }),
  rule('other', { on: 'query', all: ['refund'] }),
];

function check(body: string, matching: string, facts: string) {
  const index = new HistoryIndex();
  index.add(decision('m', { body }));
  const past = createPastRules({ rules, index, prepared: prepareRecipients([]), parse: parseTerm });
  const [only] = index.decisions;
  if (only === undefined) throw new Error('There is one.');
  expect(
    past
      .matching(only)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(matching);
  expect(past.facts(only).join(', ')).toBe(facts);
  const [first] = rules;
  expect(
    past
      .matching(only, first)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(matching.startsWith('first') ? matching : '');
}

test.each([
  ['Refunds are late', 'first second', 'refund, late'],
  ['the accessTokens', 'second', 'access token'],
  ['another matter', '', ''],
])('past rules read %j as matching “%s” with the facts “%s”', (body, matching, facts) => check(body, matching, facts));
