import { describe, expect, test } from 'vitest';
import { parseEntry } from '../../src/vault/entryFile.ts';
import type { NoteFile } from '../../src/vault/entryFiles.ts';
import { foldName, namesOfEntry } from '../../src/vault/entryIndex.ts';
import { plainNamesOf } from '../../src/vault/plainNames.ts';
import { createRandom } from '../support/seededRandom.ts';

const note: NoteFile = {
  ...{ file: '/v/knowledge/tools/a.md', readFrom: '/v/knowledge/tools/a.md' },
  ...{ project: '', path: 'tools/a.md', isArchived: false },
};
const id = '01JD0000000000000000000000';
const text = (keys: string, end = '\n---\nText.\n') => `---\n${keys}${end}`;

/** The names that reading the whole file gives; undefined for a file that is no entry. */
function wholeNames(source: string): readonly string[] | undefined {
  const parsed = parseEntry(source, note);
  return parsed.kind === 'entry' ? [...new Set(namesOfEntry(parsed.entry).map(foldName))] : undefined;
}

describe('names that are written in the plain way are those of the whole file', () => {
  test.each([
    `title: Retries need a limit`,
    `id: ${id}\ntitle: Retries need a limit\ntags: [a, b]\nkind: bug`,
    `schema: ravel.entry.v1\n# a remark\ntitle:   C, D (and E)  \nnotes: |\n  title: Not this\nrelated:\n- "[[B]]"`,
  ])('%j', (keys) => {
    expect(plainNamesOf(text(keys), note)).toEqual(wholeNames(text(keys)));
  });
});

describe('what is written in another way is read whole', () => {
  test.each([
    ...['title: "Quoted"', "title: 'Quoted'", 'title: >\n  Folded', 'title: Two\n  lines', 'title:\n  Below'],
    ...['"title": A', 'title : A title', '? title\n: A', '{title: A}', 'title: A\ntitle: B', 'title: yes'],
    ...[
      'title: 1e3',
      'title: 2026-01-02',
      'title: A # remark',
      'title: A: B',
      'title: &a Name',
      'title: *a',
      'title: Ünï',
    ],
    ...[
      `title: A name\naliases: [B]`,
      `title: A name\naliases\t: [B]`,
      `title: A name\nid: "${id}"`,
      'schema: reverie.chunk.v1\ntitle: A name',
      '<<: *x',
    ],
    'tags: [a]',
  ])('%j', (keys) => {
    expect(plainNamesOf(text(keys), note)).toBeUndefined();
  });

  test.each([
    ['a byte order mark', `\ufeff${text('title: A name')}`],
    ['Windows line ends', text('title: A name').replaceAll('\n', '\r\n')],
    ['no end of its frontmatter', '---\ntitle: A name\n'],
    ['a frontmatter that is long', text(`title: A name\nnotes: ${'x'.repeat(20_000)}`)],
    ['no frontmatter', 'title: A name\n---\n'],
  ])('a file with %s', (_what, source) => {
    expect(plainNamesOf(source, note)).toBeUndefined();
  });
});

test('no name of an entry is missed, whatever its lines are', () => {
  const seed = Number(process.env['RAVEL_SEED'] ?? Date.now() % 1_000_000);
  const random = createRandom(seed);
  const lines = [
    ...[
      'title: A name',
      'title: B',
      'title: "C"',
      ' D',
      '  title: E',
      '- F',
      'aliases: [G]',
      'aliases:',
      '- H',
      'id: 1',
    ],
    ...[
      `id: ${id}`,
      'tags: [x]',
      '# title: I',
      'notes: |',
      'notes: >',
      '---',
      '...',
      '',
      '\t',
      '"title": J',
      'title: >-',
    ],
    ...['schema: ravel.entry.v1', '? title', ': K', 'title: L # M', '&a title: N', '!!str title: O', 'kind: bug'],
  ];
  for (let round = 0; round < 3000; round += 1) {
    const keys = Array.from({ length: 1 + random(6) }, () => lines[random(lines.length)]).join('\n');
    const source = text(keys, ['\n---\nText.\n', '\n--- \nText.\n', '\n...\nText\n---\n'][random(3)]);
    const names = plainNamesOf(source, note);
    const whole = wholeNames(source);
    if (names === undefined || whole === undefined) continue;
    expect(names, `RAVEL_SEED=${seed}: ${JSON.stringify(source)}`).toEqual(expect.arrayContaining([...whole]));
  }
});
