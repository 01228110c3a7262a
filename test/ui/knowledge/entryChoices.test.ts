import { expect, test } from 'vitest';
import type { EntryRow } from '../../../src/model/requests/knowledge.ts';
import { entryChoices, statementChoices } from '../../../src/ui/knowledge/entryChoices.ts';

function row(entry: string, fields: Partial<EntryRow>): EntryRow {
  return {
    ...{ entry, title: 'A', kind: 'heuristic', status: 'consolidated', confidence: 'high', tags: [], axis: 'tools' },
    ...{ project: '', version: 1, file: `/vault/${entry}`, bytes: 10 },
    ...fields,
  };
}

test('entries are chosen by title, with axis or project, kind and state beside it, and none that cannot be meant', () => {
  const entries = [
    row('knowledge/tools/git.md', { title: 'git $(trash)' }),
    row('shop/knowledge/till.md', { title: 'Till', axis: '', project: 'shop', status: 'staged', confidence: 'low' }),
    row('knowledge/note.md', { title: 'a note', axis: '' }),
    row('knowledge/tools/self.md', { title: 'Self' }),
  ];
  const choices = entryChoices(entries, ['knowledge/tools/self.md']);
  expect(choices.map(({ label, description, detail }) => [label, description, detail])).toEqual([
    ['a note', 'knowledge · heuristic · high confidence', 'knowledge/note.md'],
    ['git \\$(trash)', 'tools · heuristic · high confidence', 'knowledge/tools/git.md'],
    ['Till', 'project shop · heuristic · staged · low confidence', 'shop/knowledge/till.md'],
  ]);
  expect(choices[2]?.value).toBe(entries[1]);
});

test('a statement is chosen by its heading, that before the first heading as well', () => {
  expect(statementChoices(['', 'Limits']).map(({ label, value }) => [label, value])).toEqual([
    ['The text before the first heading', ''],
    ['Limits', 'Limits'],
  ]);
});
