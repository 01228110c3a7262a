import { describe, expect, test } from 'vitest';
import { supersedeEntry, supersedeStatement } from '../../../src/knowledge/entries/supersede.ts';
import type { Json } from '../../../src/model/json.ts';
import type { KnowledgeEntry } from '../../../src/vault/entryFile.ts';
import { EntryIndex } from '../../../src/vault/entryIndex.ts';
import { entryOfText, makeEntry } from '../../support/entries.ts';

const id = '01JD0000000000000000000000';
const context = { today: '2026-11-26', newUlid: () => id as never };

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'no failure';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a statement that is superseded', () => {
  const text =
    '---\r\ntitle: Retry policy\r\ncreated: 2026-01-02 # by hand\r\nconfidence: medium\r\n---\r\n# Retry policy\r\n\r\n## Limit\r\n\r\nTen attempts.\r\nNo more.\r\n\r\n## Pause\r\n\r\nOne second.\r\n';
  const entry = entryOfText('a.md', text);
  const statement = { section: 'limit', text: 'Five attempts.', reason: 'Measured in June' };

  test('moves under Superseded with its time and the reason, and all other bytes stay', () => {
    const [file] = supersedeStatement(entry, statement, context).files;
    expect(file?.after).toBe(
      '---\r\ntitle: Retry policy\r\ncreated: 2026-01-02 # by hand\r\nconfidence: medium\r\n' +
        `id: ${id}\r\nlast_validated: 2026-11-26\r\nversion: 2\r\n---\r\n` +
        '# Retry policy\r\n\r\n## Limit\r\n\r\nFive attempts.\r\n\r\n## Pause\r\n\r\nOne second.\r\n' +
        '\r\n## Superseded\r\n\r\n### Limit (2026-01-02 → 2026-11-26)\r\n\r\n> Ten attempts.\r\n> No more.\r\n\r\nReason: Measured in June\r\n',
    );
  });

  test('joins those that were superseded before, which come last', () => {
    const once = entryOfText('a.md', supersedeStatement(entry, statement, context).files[0]?.after ?? '');
    const twice =
      supersedeStatement(once, { ...statement, section: 'Pause', text: 'Two.' }, context).files[0]?.after ?? '';
    expect(twice.match(/^##.*$/gm)?.map((line) => line.trim())).toEqual([
      ...['## Limit', '## Pause', '## Superseded'],
      ...['### Limit (2026-01-02 → 2026-11-26)', '### Pause (2026-11-26 → 2026-11-26)'],
    ]);
  });

  test('can be the only one of an entry, whose title stays above it', () => {
    const plain = makeEntry('b.md', { title: 'B' }, { body: '# B\n\nOld.' });
    const after = supersedeStatement(plain, { text: 'New.', reason: 'Why' }, context).files[0]?.after ?? '';
    expect(after.slice(after.indexOf('# B'))).toBe(
      '# B\n\nNew.\n\n## Superseded\n\n### B (unknown → 2026-11-26)\n\n> Old.\n\nReason: Why\n',
    );
  });

  test('ends code that it or the text before it leaves open, so that no section becomes part of it', () => {
    const open = makeEntry('b.md', { title: 'B' }, { body: '## One\n\nOld.\n\n## Two\n\n```\nls' });
    const change = { section: 'One', text: '~~~\ncd', reason: 'Why' };
    const after = supersedeStatement(open, change, context).files[0]?.after ?? '';
    expect(entryOfText('b.md', after).sections.map(({ heading, text }) => [heading, text.trim()])).toEqual([
      ['', ''],
      ['One', '~~~\ncd\n~~~'],
      ['Two', '```\nls\n```'],
      ['Superseded', '### One (unknown → 2026-11-26)\n\n> Old.\n\nReason: Why'],
    ]);
  });

  test.each<[string, object, string]>([
    ['of which the entry has none of that name', { section: 'Colour' }, 'entry/unknownSection'],
    ['of which the entry has several, if none is named', { section: undefined }, 'entry/unknownSection'],
    ['by a less certain one', { confidence: 'low' }, 'entry/weakerEvidence'],
  ])('is refused %s', (_name, change, code) => {
    expect(codeOf(() => supersedeStatement(entry, { ...statement, ...change }, context))).toBe(code);
  });
});

describe('an entry that is superseded by another one', () => {
  const origins = (...projects: readonly string[]) => projects.map((project) => ({ project, date: '2026-01-02' }));
  const pair = (older: Record<string, Json>, newer: Record<string, Json>) => ({
    older: makeEntry('older.md', { title: 'Old', confidence: 'medium', ...older }),
    newer: makeEntry('newer.md', { title: 'New', confidence: 'medium', ...newer }),
  });
  const run = (both: { older: KnowledgeEntry; newer: KnowledgeEntry }, others: readonly KnowledgeEntry[] = []) =>
    supersedeEntry(new EntryIndex([both.older, both.newer, ...others]), both, 'Why', context);

  test('is linked at both ends, and each version goes up', () => {
    const both = pair({ version: 7 }, {});
    const change = run(both);
    expect(change.title).toBe('Supersede Old by New');
    expect(change.files.map(({ after = '' }) => after.match(/^(?:supersede|version|- ).*$/gm))).toEqual([
      ['supersedes:', "- '[[Old]]'", 'version: 2'],
      ['version: 8', 'superseded-by:', "- '[[New]]'"],
    ]);
  });

  test('is refused in a circle of a vault and a project that have files of one name', () => {
    const newer = makeEntry('n.md', { title: 'New', confidence: 'medium' }, { project: 'Shop' });
    const twin = makeEntry('a.md', { title: 'Twin' }, { project: 'Shop' });
    const older = makeEntry('a.md', { title: 'Old', confidence: 'medium', supersedes: ['[[New]]'] });
    expect(codeOf(() => run({ older, newer }, [twin]))).toBe('entry/supersessionCycle');
  });

  test('is linked by the id that it gets if no link can hold its title or its path', () => {
    const older = entryOfText('tools/C#.md', '---\ntitle: C#\nconfidence: medium\n---\nText.\n');
    const { newer } = pair({}, {});
    const [linked, superseded] = run({ older, newer }).files;
    const after = entryOfText('tools/C#.md', superseded?.after ?? '');
    const [link] = entryOfText('newer.md', linked?.after ?? '').links;
    expect(new EntryIndex([after]).find(link?.target ?? '')).toEqual([after]);
  });

  test('is linked by its path where its title is not its own', () => {
    const twin = makeEntry('twin.md', { title: 'Old' });
    expect(run(pair({}, {}), [twin]).files[0]?.after).toContain("'[[older]]'");
  });

  test('contradicts the other no longer, while what else contradicts it stays', () => {
    const other = makeEntry('other.md', { title: 'Other' });
    const both = pair({ contradicts: ['[[New]]'] }, { contradicts: ['[[Other]]', '[[Old]]'] });
    const [newer, older] = run(both, [other]).files.map(({ after = '' }) => entryOfText('a.md', after));
    expect(newer?.fields.contradicts).toEqual(['[[Other]]']);
    expect(older?.fields.contradicts).toEqual([]);
  });

  test('gets only the end that is missing', () => {
    const change = run(pair({}, { supersedes: ['[[Old]]'] }));
    expect(change.files.map(({ place }) => place.path)).toEqual(['older.md']);
  });

  test.each<[string, Record<string, Json>, Record<string, Json>, string]>([
    ['by itself', {}, {}, 'entry/supersessionCycle'],
    ['twice', { 'superseded-by': ['[[New]]'] }, { supersedes: ['[[Old]]'] }, 'entry/alreadyLinked'],
    ['by a less certain one', { confidence: 'high' }, {}, 'entry/weakerEvidence'],
    ['by one of fewer projects', { origins: origins('A', 'B') }, { origins: origins('A') }, 'entry/weakerEvidence'],
    ['by the one that it supersedes', { supersedes: ['[[New]]'] }, {}, 'entry/supersessionCycle'],
  ])('is refused %s', (name, older, newer, code) => {
    const both = pair(older, newer);
    expect(codeOf(() => run(name === 'by itself' ? { older: both.older, newer: both.older } : both))).toBe(code);
  });

  test('is refused if others close the circle', () => {
    const middle = makeEntry('middle.md', { title: 'Middle', supersedes: ['[[New]]'] });
    expect(codeOf(() => run(pair({ supersedes: ['[[Middle]]'] }, {}), [middle]))).toBe('entry/supersessionCycle');
  });

  test('can be superseded by one of fewer projects that is a quarter of a year younger', () => {
    const young = { origins: [{ project: 'A', date: '2026-05-01' }] };
    expect(run(pair({ origins: origins('A', 'B') }, young)).files).toHaveLength(2);
  });
});
