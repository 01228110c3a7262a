import { expect, test } from 'vitest';
import { entryIdOf, entryNameOf } from '../../../src/ui/knowledge/entryId.ts';

const id = '01JD0000000000000000000001';

test.each([
  ['of a plain entry', `---\ntitle: A\nid: ${id}\n---\nText`, id],
  ['in quotes, with a byte order mark and Windows line ends', `\ufeff---\r\nid: "${id}"\r\ntitle: A\r\n---\r\n`, id],
  ['not in the text', `---\ntitle: A\n---\nid: ${id}\n`, undefined],
  ['not without an end', `---\nid: ${id}\n`, undefined],
  ['not without a frontmatter', `id: ${id}\n`, undefined],
  ['not of another form', '---\nid: a\n---\n', undefined],
])('the id of an entry is found %s', (_name, text, found) => expect(entryIdOf(text)).toBe(found));

test.each([
  ['its id', `---\nid: ${id}\n---\n`, '/vault/knowledge/a.md', id],
  [
    'its path in the vault if it has none',
    '---\ntitle: A\n---\n',
    '/vault/knowledge/tools/a.md',
    'knowledge/tools/a.md',
  ],
  ['nothing if it lies elsewhere', '# A\n', '/other/knowledge/a.md', undefined],
])('the vault finds the entry that a file is by %s', (_name, text, file, found) =>
  expect(entryNameOf(text, file, '/vault')).toBe(found),
);
