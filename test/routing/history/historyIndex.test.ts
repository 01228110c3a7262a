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

describe('a decision', () => {
  test('is what was asked and where it went', () => {
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

  test('that waits or was refused went nowhere', () => {
    const refused = { kind: 'refused', code: 'message/noTarget', reason: '' } as never;
    const index = indexOf(decision('m1'), decision('m2', { outcome: refused }));
    expect(index.decisions.map(({ to }) => to)).toEqual([undefined, undefined]);
  });

  test('is found by the words of its reason and its body', () => {
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

describe('the newest record of a message holds', () => {
  const second = decision('m1', { body: 'invoice', to: docs, step: 'person' });
  const index = indexOf(decision('m1', { body: 'refund', to: pay }), decision('m2', { body: 'invoice' }), second);

  test('in its old place', () => {
    expect(index.decisions.map(({ message, to, step }) => [message, to, step])).toEqual([
      ['m1', docs, 'person'],
      ['m2', undefined, 'level-2'],
    ]);
  });

  test('and its new words stand in order with those of others, once', () => {
    index.add(second);
    expect(withWord(index, 'invoic')).toBe('m1 m2');
  });
});

describe('what became of a message', () => {
  test.each<[string, Parameters<HistoryIndex['add']>[0][], boolean]>([
    ['declined where it went', [decision('m1', { to: pay }), result('m1', pay, 'declined')], true],
    ['promoted where it went', [decision('m1', { to: pay }), result('m1', pay, 'promoted')], false],
    ['declined where it is no longer', [decision('m1', { to: pay }), result('m1', docs, 'declined')], false],
    [
      'declined, then promoted',
      [decision('m1', { to: pay }), result('m1', pay, 'declined'), result('m1', pay, 'promoted')],
      false,
    ],
    ['declined before its decision was read', [result('m1', pay, 'declined'), decision('m1', { to: pay })], true],
    [
      'declined, then sent on',
      [decision('m1', { to: pay }), result('m1', pay, 'declined'), decision('m1', { to: docs })],
      false,
    ],
  ])('%s', (_name, records, declined) => {
    expect(indexOf(...records).find('m1')?.declined).toBe(declined);
  });
});

test('no model decided what a rule or a score decided, or what named its receiver', () => {
  const free = (['direct', 'rules', 'scores', 'level-2', 'level-3', 'person'] as const).filter((step) =>
    isModelFree({ step }),
  );
  expect(free).toEqual(['direct', 'rules', 'scores']);
});

test('a body leaves memory once it is read', () => {
  const index = new HistoryIndex();
  globalThis.gc?.();
  for (let n = 0; n < 200; n++)
    index.add(decision(`m${n}` as Ulid, { body: `refundsAndMoreOfThem${n} `.padEnd(500_000, 'x y ') }));
  globalThis.gc?.();
  const kept = index.decisions.reduce((bytes, { words, excerpt }) => bytes + words.byteLength + 2 * excerpt.length, 0);
  expect(kept).toBeLessThan(200 * 64 * 1024);
});
