import { expect, test } from 'vitest';
import type { RoutingRecord } from '../../../src/model/routing.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { type DecisionLabels, readDecisionLabels } from '../../../src/routing/learning/decisionLabels.ts';
import { decision, result } from '../../support/routingRecords.ts';

const pay = 'Shop/project-root/pay';
const docs = 'Docs/project-root';
const rust = 'expert:rust';

/** Reads the labels and counts the pauses, which keep a long history from blocking everything else. */
function read(records: readonly RoutingRecord[]): { readonly labels: DecisionLabels; readonly pauses: number } {
  const index = new HistoryIndex();
  for (const record of records) index.add(record);
  const reading = readDecisionLabels(index);
  for (let pauses = 0; ; pauses += 1) {
    const next = reading.next();
    if (next.done === true) return { labels: next.value, pauses };
  }
}

const records = [
  decision('m0', { to: pay }),
  decision('m1', { to: docs }),
  decision('m2'),
  decision('m3', { to: pay }),
  result('m3', pay, 'declined'),
  decision('m4', { to: docs }),
  result('m4', docs, 'declined'),
  decision('m5', { to: rust, on: 'query' }),
  decision('m6', { to: rust }),
];

test.each([
  ['agree with messages that went there and not with those that stayed elsewhere', pay, [0], [1, 3, 5, 6]],
  ['count what the recipient declined against it and ignore what another recipient declined', docs, [1], [0, 4, 5, 6]],
  ['of an expert count questions only', rust, [5], []],
  ['of a recipient that got no message have nothing that agrees', 'Gone/project-root', [], [0, 1, 5, 6]],
])('labels %s', (_name, recipient, agreeing, against) => {
  expect(read(records).labels.split([0, 1, 2, 3, 4, 5, 6], recipient)).toEqual({ agreeing, against });
});

test('labels ignore later decisions', () => {
  expect(read(records).labels.split([7, 100], pay)).toEqual({ agreeing: [], against: [] });
});

test('labels of 25,000 decisions are read with two pauses', () => {
  const many = Array.from({ length: 25_000 }, (_, at) => decision(`m${at}`, { to: pay }));
  expect(read(many).pauses).toBe(2);
});
