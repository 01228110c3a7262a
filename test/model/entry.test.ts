import { describe, expect, test } from 'vitest';
import { entrySchema, isAtLeast, isEntryFrontmatter } from '../../src/model/entry.ts';

const whole = {
  schema: 'ravel.entry.v1',
  id: '01JD0000000000000000000000',
  title: 'Retries need a limit',
  aliases: ['Bounded retries'],
  kind: 'heuristic',
  tags: ['rust', 'retry'],
  topic: 'decision/retry-policy',
  layer: 'base',
  confidence: 'medium',
  status: 'staged',
  depth: 2,
  version: 3,
  created: '2026-11-20',
  last_validated: '2026-11-20T08:30:00Z',
  related: ['[[Timeouts]]'],
  supersedes: ['[[Old retries|before]]'],
  'superseded-by': [],
  contradicts: ['[[techniques/endless-retries#Why]]'],
  origins: [{ project: 'Shop', date: '2026-11-20', context: 'An outage', ticket: 7 }],
  source: 'llm',
  'source-session': '01JD0000000000000000000001',
  'absorbed-by': 'expert:rust',
  'absorbed-at': '2026-11-21',
  'ingestion-event-id': '01JD0000000000000000000002',
  colour: 'red',
};

test('an entry keeps every key that it has, also those that Ravel does not know', () => {
  expect(entrySchema.parse(whole)).toEqual(whole);
});

test('a title alone makes an entry, and everything else has a default', () => {
  expect(entrySchema.parse({ title: 'Retries' })).toEqual({
    ...{ schema: 'ravel.entry.v1', title: 'Retries', aliases: [], kind: 'reference', tags: [] },
    ...{ confidence: 'low', status: 'consolidated', depth: 1, version: 1 },
    ...{ related: [], supersedes: [], 'superseded-by': [], contradicts: [], origins: [] },
  });
});

test('keys without a value count as absent, and one value counts as a list of one', () => {
  const entry = entrySchema.parse({ title: 404, tags: '#http', aliases: null, created: null, related: '[[A]]' });
  expect(entry).toMatchObject({ title: '404', tags: ['http'], aliases: [], related: ['[[A]]'] });
  const unquoted = entrySchema.parse({ title: 'A', related: [['b|B']], supersedes: [[['c']], '[[D]]'] });
  expect(unquoted).toMatchObject({ related: ['[[b|B]]'], supersedes: ['[[c]]', '[[D]]'] });
  expect(entry).not.toHaveProperty('created');
});

test('a chunk of Reverie is read by its own keys', () => {
  const chunk = {
    ...{ schema_id: 'reverie.chunk.v1', id: 'c-17', title: 'Retries', kind: 'Decision', created: '2026-01-02' },
    ...{ topic_key: 'decision/retries', consolidation_status: 'Staged', depth_score: 2, version: 4 },
    ...{ related_to: ['decision/timeouts'], superseded_by: null, source_session: 's-1', source_project: 'shop' },
    strength: 0.9,
  };
  expect(entrySchema.parse(chunk)).toMatchObject({
    ...{ schema: 'reverie.chunk.v1', title: 'Retries', kind: 'decision', topic: 'decision/retries', status: 'staged' },
    ...{ depth: 2, version: 4, related: ['decision/timeouts'], 'superseded-by': [], 'source-session': 's-1' },
    origins: [{ project: 'shop', date: '2026-01-02' }],
    strength: 0.9,
  });
});

describe('a faulty entry is refused, with the key and the reason:', () => {
  test.each<[string, object, string, RegExp]>([
    ['no title', { title: undefined }, 'title', /expected a text/],
    ['a blank title', { title: ' ' }, 'title', /empty/],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'title', /201 characters; at most 200/],
    ['a title that turns the direction of the text', { title: 'a\u202eb' }, 'title', /cannot be seen/],
    ['half of a character in the title', { title: 'a\ud800' }, 'title', /cannot be seen/],
    ['a newer form', { schema: 'ravel.entry.v2' }, 'schema', /not a form that this version of Ravel reads/],
    ['an id that is not a ULID', { id: 'retry' }, 'id', /not a ULID/],
    ['a tag of two words', { tags: ['two words'] }, 'tags.0', /"two words" is not a tag/],
    ['a confidence that is not one of the four', { confidence: 'sure' }, 'confidence', /high/],
    ['depth 4', { depth: 4 }, 'depth', /1, 2 or 3/],
    ['version 0', { version: 0 }, 'version', />=1/],
    ['a day that the calendar does not have', { created: '2026-02-30' }, 'created', /not a date/],
    ['a date as people write it', { last_validated: '20.11.2026' }, 'last_validated', /not a date/],
    ['a list in the place of a link', { related: [[['A', 'B']]] }, 'related.0', /in quotes/],
    ['a link to nothing', { contradicts: ['[[]]'] }, 'contradicts.0', /in quotes/],
    ['a topic of one part', { topic: 'retries' }, 'topic', /family\/slug/],
    ['an unknown layer', { layer: 'cloud' }, 'layer', /instructions/],
    ['an origin without a project', { origins: [{ date: '2026-11-20' }] }, 'origins.0.project', /expected a text/],
  ])('%s', (_name, change, path, message) => {
    const { error } = entrySchema.safeParse({ ...whole, ...change });
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
      [path, expect.stringMatching(message)],
    ]);
  });
});

test.each<[unknown, boolean]>([
  [{ title: 'A' }, true],
  [{ schema: 'ravel.entry.v1' }, true],
  [{ schema_id: 'reverie.chunk.v1' }, true],
  [{ tags: ['a'] }, false],
  [{ title: null }, false],
  [{}, false],
  [null, false],
])('the frontmatter %j is that of an entry: %s', (data, expected) => {
  expect(isEntryFrontmatter(data)).toBe(expected);
});

test('a confidence is at least as good as itself and as all that are worse', () => {
  expect(isAtLeast('medium', 'medium')).toBe(true);
  expect(isAtLeast('high', 'low')).toBe(true);
  expect(isAtLeast('prospective', 'low')).toBe(false);
});
