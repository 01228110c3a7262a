import { describe, expect, test } from 'vitest';
import { readMemoryFile } from '../../src/vault/memoryFile.ts';

const place = { file: '/vault/memory.yaml', subject: 'shop' };
const sound = (id: string) => `- {id: ${id}, title: About ${id}, body: Sound.}\n`;

describe('a damaged entry', () => {
  test.each<[what: string, entry: string, told: RegExp, id: string | undefined]>([
    ['without a body', '- {id: bad, title: Bad}\n', /^body: /, 'bad'],
    ['with a number as its title', '- {id: bad, title: 7, body: x}\n', /^title: .*number/, 'bad'],
    ['without an id', '- {title: Bad, body: x}\n', /^id: /, undefined],
    ['with claims that are no list', '- {id: bad, title: Bad, body: x, claims: c1}\n', /^claims: /, 'bad'],
    ['that is a text', '- bad\n', /object/, undefined],
    ['that is nothing', '- null\n', /object/, undefined],
    ['that is a list', '- [bad]\n', /object/, undefined],
  ])('%s is left out and told with its place, and the others are read', (_what, entry, told, id) => {
    const read = readMemoryFile(`entries:\n${sound('a')}${entry}${sound('b')}`, place);
    expect(read.value?.entries?.map((one) => one.id)).toEqual(['a', 'b']);
    expect([read.places, read.count]).toEqual([[0, 2], 3]);
    expect(read.damaged).toEqual([{ at: 2, ...(id !== undefined && { id }), problem: expect.stringMatching(told) }]);
    expect(read.diagnostics).toMatchObject([
      {
        ...{ code: 'yaml/schema', severity: 'warning', file: place.file, range: { start: { line: 2 } } },
        message: expect.stringMatching(id === undefined ? /Entry 2 is left out/ : /Entry 2 \("bad"\) is left out/),
      },
    ]);
  });

  test('keeps the keys of the file that Ravel does not know', () => {
    const read = readMemoryFile(`kept: yes\nentries:\n${sound('a')}- {id: bad}\n`, place);
    expect(read.value).toMatchObject({ kept: 'yes', entries: [{ id: 'a' }] });
  });
});

test.each<[what: string, text: string]>([
  ['that is no YAML', 'entries: [\n'],
  ['whose entries are no list', 'entries: {a: 1}\n'],
  ['that is a list', '- a\n'],
  ['that has one id twice', `entries:\n${sound('a')}${sound('a')}`],
  ['that has one id twice beside a damaged entry', `entries:\n${sound('a')}${sound('a')}- bad\n`],
  ['of more than a thousand bad entries', `entries:\n${'- bad\n'.repeat(1001)}`],
])('a memory %s cannot be read at all, which is an error', (_what, text) => {
  const { value, diagnostics } = readMemoryFile(text, place);
  expect(value).toBeUndefined();
  expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
});

test('a sound memory is read without a word', () => {
  const read = readMemoryFile(`entries:\n${sound('a')}${sound('b')}`, place);
  expect(read).toMatchObject({ places: [0, 1], count: 2, damaged: [], diagnostics: [] });
});
