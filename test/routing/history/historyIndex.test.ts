import { describe, expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import { excerptLengthMax, HistoryIndex, isModelFree } from '../../../src/routing/history/historyIndex.ts';
import { decision, result } from '../../support/routingRecords.ts';

const pay = 'Shop/project-root/pay';
const docs = 'Docs/project-root';

function indexOf(...records: Parameters<HistoryIndex['add']>[0][]): HistoryIndex {
  const index = new HistoryIndex();
  for (const record of records) index.add(record);
  return index;
}

function withWord(index: HistoryIndex, stem: string): string {
  return index
    .decisionsWith(index.lexicon.find(stem))
    .map((number) => index.decisions[number]?.message)
    .join(' ');
}

describe('a decision in the history index', () => {
  test('has its question and its destination', () => {
    const named = { 'target-project': 'Shop' };
    const index = indexOf(
      decision('m1', { to: pay, on: 'query', from: docs as QualifiedId, named, rules: ['r'], step: 'rules' }),
    );
    expect(index.find('m1')).toMatchObject({
      ...{
        message: 'm1',
        on: 'query',
        from: docs,
        within: 'Shop',
        rules: ['r'],
        step: 'rules',
        to: pay,
        declined: false,
      },
    });
    expect(index.find('m2')).toBeUndefined();
  });

  test('has no destination when it waits or was refused', () => {
    const refused = { kind: 'refused', code: 'message/noTarget', reason: '' } as never;
    const index = indexOf(decision('m1'), decision('m2', { outcome: refused }));
    expect(index.decisions.map(({ to }) => to)).toEqual([undefined, undefined]);
  });

  test('is found by the stems of its reason and body', () => {
    const index = indexOf(
      decision('m1', { reason: 'Refunds fail', body: 'the accessToken' }),
      decision('m2', { reason: 'x1', body: 'refunding refunds' }),
    );
    expect(['refund', 'accesstoken', 'fail', 'the', 'gone'].map((stem) => withWord(index, stem))).toEqual([
      ...['m1 m2', 'm1', 'm1', '', ''],
    ]);
  });

  test('keeps the beginning of its body on one line', () => {
    const index = indexOf(decision('m1', { body: 'one\n\ttwo' }), decision('m2', { body: 'word '.repeat(1000) }));
    expect(index.decisions[0]?.excerpt).toBe('one two');
    expect(index.decisions[1]?.excerpt).toHaveLength(excerptLengthMax);
    expect(index.decisions[1]?.excerpt).toMatch(/…$/);
  });
});

describe('a newer record of a message', () => {
  const second = decision('m1', { body: 'invoice', to: docs, step: 'person' });
  const index = indexOf(decision('m1', { body: 'refund', to: pay }), decision('m2', { body: 'invoice' }), second);

  test('replaces the older one in its place', () => {
    expect(index.decisions.map(({ message, to, step }) => [message, to, step])).toEqual([
      ['m1', docs, 'person'],
      ['m2', undefined, 'level-2'],
    ]);
  });

  test('adds its words in order and once', () => {
    index.add(second);
    expect(withWord(index, 'invoic')).toBe('m1 m2');
  });
});

describe('the index', () => {
  test.each<[string, Parameters<HistoryIndex['add']>[0][], boolean]>([
    [
      'counts a message as declined when its receiver declined it',
      [decision('m1', { to: pay }), result('m1', pay, 'declined')],
      true,
    ],
    [
      'does not count a promoted message as declined',
      [decision('m1', { to: pay }), result('m1', pay, 'promoted')],
      false,
    ],
    [
      'ignores a plan that declined but is not the receiver',
      [decision('m1', { to: pay }), result('m1', docs, 'declined')],
      false,
    ],
    [
      'takes the latest result of a message',
      [decision('m1', { to: pay }), result('m1', pay, 'declined'), result('m1', pay, 'promoted')],
      false,
    ],
    [
      'takes a result that was read before its decision',
      [result('m1', pay, 'declined'), decision('m1', { to: pay })],
      true,
    ],
    [
      'forgets a decline when the message is sent on',
      [decision('m1', { to: pay }), result('m1', pay, 'declined'), decision('m1', { to: docs })],
      false,
    ],
  ])('%s', (_name, records, declined) => {
    expect(indexOf(...records).find('m1')?.declined).toBe(declined);
  });
});

test('direct, rules and scores are the steps without a model', () => {
  const free = (['direct', 'rules', 'scores', 'level-2', 'level-3', 'person'] as const).filter((step) =>
    isModelFree({ step }),
  );
  expect(free).toEqual(['direct', 'rules', 'scores']);
});

test('the index does not keep bodies in memory', () => {
  const index = new HistoryIndex();
  globalThis.gc?.();
  for (let n = 0; n < 200; n++)
    index.add(decision(`m${n}` as Ulid, { body: `refundsAndMoreOfThem${n} `.padEnd(500_000, 'x y ') }));
  globalThis.gc?.();
  const kept = index.decisions.reduce((bytes, { words, excerpt }) => bytes + words.byteLength + 2 * excerpt.length, 0);
  expect(kept).toBeLessThan(200 * 64 * 1024);
});
