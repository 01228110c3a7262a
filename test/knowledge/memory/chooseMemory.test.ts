import { expect, test } from 'vitest';
import { chooseMemory } from '../../../src/knowledge/memory/chooseMemory.ts';

type Entry = { readonly id: string; readonly title: string; readonly body: string };
const sizes = {
  whole: ({ title, body }: Entry) => Buffer.byteLength(title) + Buffer.byteLength(body),
  title: ({ title }: Entry) => Buffer.byteLength(title),
};
const lock: Entry = { id: 'lock', title: 'The lock', body: 'Only `takeLock` takes the lock.' };
const other: Entry = { id: 'other', title: 'Cheese', body: 'It is kept cold.' };
const huge: Entry = { id: 'huge', title: 'All about the lock', body: '`takeLock` '.repeat(2000) };
const chinese: Entry = { id: 'chinese', title: '锁只有一个', body: '只有一个进程可以持有锁。' };
const arabic: Entry = { id: 'arabic', title: 'القفل واحد', body: 'عملية واحدة فقط تملك القفل.' };
const empty: Entry = { id: 'empty', title: '', body: '' };

function check(title: string, entries: readonly Entry[], bytesMax: number) {
  const { full, titles, left } = chooseMemory({ title }, entries, { bytesMax, ...sizes });
  const ids = (chosen: typeof full) => chosen.map(({ entry }) => entry.id).join(' ');
  return { full: ids(full), titles: ids(titles), left: ids(left) };
}

test.each<[string, string, readonly Entry[], number, ReturnType<typeof check>]>([
  [
    'fits the task comes first, then the newest',
    'takeLock',
    [other, lock, chinese],
    1000,
    { full: 'lock chinese other', titles: '', left: '' },
  ],
  [
    'is too large makes room for smaller ones, and keeps its title',
    'takeLock lock',
    [huge, lock, other],
    100,
    { full: 'lock other', titles: 'huge', left: '' },
  ],
  [
    'has the same text is given once',
    'takeLock',
    [lock, { ...lock, id: 'twin' }],
    1000,
    { full: 'lock', titles: '', left: 'twin' },
  ],
  [
    'does not fit a budget of nothing is counted',
    'takeLock',
    [lock, other],
    0,
    { full: '', titles: '', left: 'lock other' },
  ],
  [
    'is in Chinese is found by a task in Chinese',
    '持有锁',
    [other, lock, chinese],
    60,
    { full: 'chinese', titles: 'lock', left: 'other' },
  ],
  [
    'is in Arabic is found by a task in Arabic',
    'القفل',
    [other, lock, arabic],
    73,
    { full: 'arabic', titles: '', left: 'lock other' },
  ],
  ['is empty costs nothing', 'takeLock', [empty, lock], 1000, { full: 'lock empty', titles: '', left: '' }],
  [
    'shares no word with the task is given the newest first',
    'zebra',
    [lock, other],
    1000,
    { full: 'other lock', titles: '', left: '' },
  ],
  ['there is none', 'takeLock', [], 1000, { full: '', titles: '', left: '' }],
])('of a memory, what %s', (_what, title, entries, bytesMax, expected) =>
  expect(check(title, entries, bytesMax)).toEqual(expected),
);

test('a task of 50 kB is read, and finds what it names', () => {
  const title = `${'Nothing of this matters here. '.repeat(1700)} \`takeLock\``;
  expect(Buffer.byteLength(title)).toBeGreaterThan(50_000);
  expect(check(title, [other, lock], 45).full).toBe('lock');
});

test('each entry that was found says by which words, and how it ranked', () => {
  const { full } = chooseMemory({ title: 'takeLock' }, [other, lock], { bytesMax: 1000, ...sizes });
  expect(full[0]).toMatchObject({ rank: 1, words: expect.arrayContaining(['takelock']) });
  expect(full[1]).toEqual({ entry: other, words: [] });
});
