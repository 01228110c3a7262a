import type { Json } from '../../src/model/json.ts';
import { type EntryHead, type KnowledgeEntry, parseEntry } from '../../src/vault/entryFile.ts';
import { placeInFolder } from '../../src/vault/entryFiles.ts';
import { formatEntryText } from '../../src/vault/entryText.ts';
import { VaultLayout } from '../../src/vault/layout.ts';

export const entriesLayout = new VaultLayout('/v');

interface Options {
  readonly project?: string;
  readonly isArchived?: boolean;
  readonly body?: string;
}

/** An entry of the vault, or of a project, with these fields. */
export function makeEntry(path: string, fields: Readonly<Record<string, Json>>, options: Options = {}): KnowledgeEntry {
  return entryOfText(path, formatEntryText(fields, options.body ?? 'Text.'), options);
}

export function entryOfText(
  path: string,
  text: string,
  { project = '', isArchived = false }: Options = {},
): KnowledgeEntry {
  const parsed = parseEntry(text, placeInFolder(entriesLayout, { project, isArchived }, path));
  if (parsed.kind !== 'entry') throw new Error(parsed.diagnostics.map(({ message }) => message).join(' '));
  return parsed.entry;
}

/** The same without its text, as a survey has it. */
export function entryHead(path: string, fields: Readonly<Record<string, Json>>, options?: Options): EntryHead {
  const { text: _text, body: _body, sections: _sections, ...head } = makeEntry(path, fields, options);
  return head;
}
