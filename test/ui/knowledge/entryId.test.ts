import { expect, test } from 'vitest';
import { entryIdOf } from '../../../src/ui/knowledge/entryId.ts';

const id = '01JD0000000000000000000001';

test.each([
  ['of a plain entry', `---\ntitle: A\nid: ${id}\n---\nText`, id],
  ['in quotes, with a byte order mark and Windows line ends', `\ufeff---\r\nid: "${id}"\r\ntitle: A\r\n---\r\n`, id],
  ['not in the text', `---\ntitle: A\n---\nid: ${id}\n`, undefined],
  ['not without an end', `---\nid: ${id}\n`, undefined],
  ['not without a frontmatter', `id: ${id}\n`, undefined],
  ['not of another form', '---\nid: a\n---\n', undefined],
])('the id of an entry is found %s', (_name, text, found) => expect(entryIdOf(text)).toBe(found));
