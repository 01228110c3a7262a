import { expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import type { ApprovalRow } from '../../../src/model/requests/approvals.ts';
import type { EntryRow } from '../../../src/model/requests/knowledge.ts';
import { entryOfRow, type KnowledgePicture, knowledgeRows } from '../../../src/ui/knowledge/knowledgeRows.ts';
import type { Rows } from '../../../src/ui/trees/renderedRows.ts';

function entryRow(fields: Partial<EntryRow>): EntryRow {
  const entry = `knowledge/${fields.axis ?? 'tools'}/${fields.title ?? 'a'}.md`;
  return {
    ...{ entry, title: 'A', kind: 'heuristic', status: 'consolidated', confidence: 'high', tags: [], axis: 'tools' },
    ...{ project: '', version: 1, file: `/vault/${entry}`, bytes: 10 },
    ...fields,
  };
}

function picture(fields: Partial<KnowledgePicture>): KnowledgePicture {
  return { entries: [], total: fields.entries?.length ?? 0, gaps: [], approvals: [], ...fields };
}

/** The rows as a person hears them, those below another one further in. */
function spoken(rows: Rows, keys = rows.roots(), indent = ''): string[] {
  return keys.flatMap((key) => [
    `${indent}${rows.rowOf(key)?.ariaLabel}`,
    ...spoken(rows, rows.childrenOf(key), `${indent}  `),
  ]);
}

const question: ApprovalRow = {
  approval: '01HZY0000000000000000000S1' as Ulid,
  ...{ kind: 'learned-statement', subject: 'Review: Retries need a limit', createdAt: '', contentHash: '' },
  ...{ options: [], decisions: ['accept', 'reject'] },
};

test('what waits for a person comes first, then axes, projects and gaps', () => {
  const entries = [
    entryRow({ title: 'Locks', axis: 'techniques', status: 'staged', confidence: 'medium' }),
    entryRow({ title: 'git', axis: 'tools' }),
    entryRow({ title: 'Backups', axis: 'tools' }),
    entryRow({ title: 'Till', axis: '', project: 'shop' }),
  ];
  const gaps = [{ kind: 'question', text: 'Nobody knows when to pin.', entries: [] }] as const;
  const other = { ...question, kind: 'needs-input' } as const;
  expect(spoken(knowledgeRows(picture({ entries, gaps, approvals: [other, question] })))).toEqual([
    'Waiting for You, 1',
    '  Question, Retries need a limit, Review',
    'techniques, 1',
    '  Entry Locks, staged, medium confidence, heuristic',
    'tools, 2',
    '  Entry Backups, high confidence, heuristic',
    '  Entry git, high confidence, heuristic',
    'shop, 1',
    '  Entry Till, high confidence, heuristic',
    'Gaps, 1',
    '  Gap, Nobody knows when to pin.',
  ]);
});

test('a row of an entry opens it, and names it for commands', () => {
  const rows = knowledgeRows(picture({ entries: [entryRow({ title: 'git' })] }));
  const [key = ''] = rows.childrenOf('group:axis:tools');
  expect(entryOfRow(key)).toBe('knowledge/tools/git.md');
  expect(rows.rowOf(key)?.command).toMatchObject({
    ...{ command: 'ravel.openEntry', arguments: ['/vault/knowledge/tools/git.md', 'knowledge/tools/git.md'] },
  });
  expect(entryOfRow('group:axis:tools')).toBeUndefined();
});

test('a title that would hide or turn what stands beside it is shown plainly', () => {
  const rows = knowledgeRows(picture({ entries: [entryRow({ title: 'a\u202eb\nc' })] }));
  const [key = ''] = rows.childrenOf('group:axis:tools');
  expect(rows.rowOf(key)?.label).toBe('a b c');
});

test('of more entries than a person reads, the search finds the others', () => {
  const entries = Array.from({ length: 700 }, (_, at) => entryRow({ title: `entry ${at}` }));
  const rows = knowledgeRows(picture({ entries, total: 9000 }));
  const below = rows.childrenOf('group:axis:tools');
  expect(below).toHaveLength(501);
  expect(rows.rowOf(below.at(-1) ?? '')?.label).toBe('200 more entries: search for them');
  expect(rows.rowOf(rows.roots().at(-1) ?? '')?.label).toBe('8,300 more entries: search for them');
  expect(rows.rowOf('group:axis:tools')?.description).toBe('700+');
});
