import { describe, expect, test } from 'vitest';
import { alikePairs } from '../../../src/knowledge/explore/alikePairs.ts';
import { tagConnections } from '../../../src/knowledge/explore/connections.ts';
import { openQuestions } from '../../../src/knowledge/explore/openQuestions.ts';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { Json } from '../../../src/model/json.ts';
import { EntryIndex } from '../../../src/vault/entryIndex.ts';
import { makeEntry } from '../../support/entries.ts';
import { workUntil } from '../../support/workOf.ts';

const never = new AbortController().signal;
const limit = 'A client that retries without a limit keeps a server down.';
const pool = 'Without a limit, clients that retry keep the server down for long.';

type Given = readonly [path: string, fields: Readonly<Record<string, Json>>, body: string];

async function connections(given: readonly Given[], about: (tag: string) => boolean = () => true) {
  const entries = given.map(([path, fields, body]) => makeEntry(path, fields, { body }));
  const texts = entries.map(({ fields, body }) => ({ title: fields.title, text: body }));
  const found = await tagConnections(entries, new EntryIndex(entries), alikePairs(texts, never), (_head, tag) =>
    about(tag),
  );
  return found.map(({ tags, isCited, pairs, entries: two }) => [
    tags.join(),
    two.map(({ title }) => title).join(),
    isCited,
    pairs,
  ]);
}

const retries: Given = ['techniques/retries.md', { title: 'Retries', tags: ['retry'] }, limit];
const servers: Given = ['domains/servers.md', { title: 'Servers', tags: ['outage'] }, pool];
const roses: Given = ['tools/roses.md', { title: 'Roses', tags: ['garden'] }, 'Roses need water twice a week.'];

describe('two tags are connected', () => {
  test('by the entries of both that are most alike, in different folders', async () => {
    const near: Given = [
      'domains/other.md',
      { title: 'Other', tags: ['outage'] },
      'Without a limit, clients that retry keep the server down, while onions and beans grow behind the house.',
    ];
    expect(await connections([retries, servers, near, roses])).toEqual([['outage,retry', 'Retries,Servers', false, 2]]);
  });

  test('by a citation in a text, also if they are not alike, and it counts more than likeness', async () => {
    const citing: Given = [
      'tools/roses.md',
      { title: 'Roses', tags: ['garden'] },
      'They need water, as [[Retries]] do.',
    ];
    expect(await connections([retries, servers, citing])).toEqual([
      ['garden,retry', 'Retries,Roses', true, 1],
      ['outage,retry', 'Retries,Servers', false, 1],
    ]);
  });

  test.each<[string, readonly Given[]]>([
    ['if an entry has both', [retries, servers, ['tools/b.md', { title: 'B', tags: ['retry', 'outage'] }, 'Text.']]],
    [
      'if a link joins two entries of them',
      [retries, ['domains/servers.md', { title: 'S', tags: ['outage'], related: ['[[Retries]]'] }, pool]],
    ],
    ['in one folder', [retries, ['techniques/b.md', { title: 'B', tags: ['outage'] }, pool]]],
    ['if they are about different things', [retries, roses]],
    ['if they are one tag', [retries, ['domains/b.md', { title: 'B', tags: ['retry'] }, pool]]],
    ['without a tag', [retries, ['domains/b.md', { title: 'B' }, pool]]],
  ])('and not %s', async (_name, given) => expect(await connections(given)).toEqual([]));

  test('only if what is asked for concerns one of them', async () => {
    expect(await connections([retries, servers], (tag) => tag === 'garden')).toEqual([]);
    expect(await connections([retries, servers], (tag) => tag === 'outage')).toHaveLength(1);
  });
});

test('two thousand texts are compared in a few seconds, and an abort ends it', async () => {
  const texts = Array.from({ length: 2000 }, (_, n) => ({
    title: `Entry ${n}`,
    text: Array.from({ length: 60 }, (_word, at) => `word${(n * 7 + at * 13) % 3000}`).join(' '),
  }));
  let pairs = 0;
  const work = await workUntil(async () => {
    for await (const { one, other } of alikePairs(texts, never)) pairs += Number(one < other);
  });
  expect(pairs).toBeGreaterThan(0);
  expect(work).toBeLessThan(20_000);
  const stopped = AbortSignal.abort(new Error('enough'));
  await expect(alikePairs(texts, stopped).next()).rejects.toThrow('enough');
});

test('a question that experts could not answer is listed once, with how often it was asked', () => {
  const ask = (n: number, question: string, expert = 'expert:rust', missing?: string) => ({
    ...{ id: `01JD000000000000000000000${n}` as Ulid, at: `2026-01-0${n}T00:00:00Z`, question },
    ...{ expert: expert as QualifiedId, entries: [], ...(missing !== undefined && { missing }) },
  });
  const gaps = [ask(3, 'what is a PIN', 'expert:c'), ask(1, 'What is a pin?', 'expert:rust', 'pins'), ask(2, 'Why?')];
  expect(openQuestions(gaps)).toEqual([
    {
      question: 'what is a PIN',
      times: 2,
      last: '2026-01-03T00:00:00Z',
      experts: ['expert:c', 'expert:rust'],
      missing: 'pins',
    },
    { question: 'Why?', times: 1, last: '2026-01-02T00:00:00Z', experts: ['expert:rust'] },
  ]);
});
