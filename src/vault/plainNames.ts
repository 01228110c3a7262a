import { isUlid } from '../model/id.ts';
import type { NoteFile } from './entryFiles.ts';
import { foldName, namesOfEntry } from './entryIndex.ts';

/** Longest frontmatter that is looked through, in UTF-16 units. */
const frontmatterMax = 16_384;
/** A text that YAML takes as it stands, also not as a number, a date or a word of its own. */
const plainTitle = /^[A-Za-z][\w ,.;()/+-]*[\w.)]$/;
const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const plainId = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * The folded names of the entry that a file would be, without reading its frontmatter as YAML: in a vault of a hundred
 * thousand entries that takes most of the time. Undefined for one that is not written in the plain way, which has to be
 * read whole. The file may still turn out not to be an entry.
 */
export function plainNamesOf(text: string, note: NoteFile): readonly string[] | undefined {
  if (!text.startsWith('---\n')) return undefined;
  const end = text.indexOf('\n---\n', 3);
  if (end < 0 || end > frontmatterMax) return undefined;
  let title: string | undefined;
  let id: string | undefined;
  let isAfterValue = false;
  for (const line of text.slice(4, end).split('\n')) {
    const isOfValue = line.startsWith(' ') || line.startsWith('-') || line.startsWith('\t');
    // A value that goes on in the next line is another one.
    if (isOfValue && isAfterValue) return undefined;
    isAfterValue = false;
    if (isOfValue) continue;
    if (/^["'?{[&*!<]|^(?:aliases|schema)\s*:/.test(line) && !line.startsWith('schema: ravel.entry.v1'))
      return undefined;
    const isTitle = line.startsWith('title:');
    if (!isTitle && !line.startsWith('id:')) {
      if (/^(?:title|id)\b/.test(line)) return undefined;
      continue;
    }
    const value = line.slice(line.indexOf(':') + 1).trim();
    const isPlain = isTitle ? plainTitle.test(value) && !yamlWords.test(value) : plainId.test(value);
    if (!isPlain || (isTitle ? title : id) !== undefined) return undefined;
    if (isTitle) title = value;
    else id = value;
    isAfterValue = true;
  }
  if (title === undefined) return undefined;
  const { project, path, isArchived } = note;
  const fields = { title, aliases: [], ...(id !== undefined && isUlid(id) && { id }) };
  return [...new Set(namesOfEntry({ project, path, isArchived, fields }).map(foldName))];
}
