import { expect, test } from 'vitest';
import { boundedOrigins } from '../../../src/knowledge/entries/entryChange.ts';
import { validateEntry } from '../../../src/knowledge/entries/validate.ts';
import { entryOfText, makeEntry } from '../../support/entries.ts';

const newUlid = () => '01JD0000000000000000000000' as never;

test('an entry that is validated every day keeps the first origin of a project, its newest ones, and all of others', () => {
  const other = { project: 'Tools', date: '2025-01-01', 'x-own': 1 };
  let entry = makeEntry('a.md', { title: 'A', origins: [other] });
  for (let day = 10; day < 30; day++) {
    const context = { today: `2026-01-${day}`, newUlid };
    const [file] = validateEntry(entry, { project: 'Shop', context: `Seen ${day}` }, context).files;
    entry = entryOfText('a.md', file?.after ?? '');
  }
  const days = [10, 21, 22, 23, 24, 25, 26, 27, 28, 29];
  expect(entry.fields.origins).toEqual([
    other,
    ...days.map((day) => ({ project: 'Shop', date: `2026-01-${day}`, context: `Seen ${day}` })),
  ]);
  expect(boundedOrigins([...entry.fields.origins, ...entry.fields.origins])).toHaveLength(12);
  expect(entry.fields).toMatchObject({ confidence: 'medium', last_validated: '2026-01-29' });
});
