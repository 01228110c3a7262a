import { basename, dirname, join } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import type { Diagnostic, Range } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import { diagnostic } from '../model/codes.ts';
import type { DocumentReference } from '../model/document.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { PlanLocation } from '../vault/walk.ts';
import type { DocumentPlace } from './documentPlace.ts';

export interface NoteLinks {
  readonly references: readonly DocumentReference[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A text with more of them is not written by hand, and each costs a look at the disk. */
const linksMax = 500;

/**
 * The `[[links]]` of a text. One with a path is looked up in the vault, one without beside the document; what leads out of
 * the vault leads nowhere.
 */
export async function noteLinks(
  disk: ReadingDisk,
  layout: VaultLayout,
  text: string,
  {
    place,
    plans,
    named = () => undefined,
  }: {
    readonly place: DocumentPlace;
    readonly plans: readonly PlanLocation[];
    /** The entry that a link names, if it names one. */
    readonly named?: (id: string) => { readonly file: string; readonly title: string } | undefined;
  },
): Promise<NoteLinks> {
  const references: DocumentReference[] = [];
  const diagnostics: Diagnostic[] = [];
  const known = new Map<string, string | undefined>();
  for (const { id, range } of linksIn(text)) {
    const entry = named(id);
    if (entry !== undefined) {
      references.push({ kind: 'note', id, range, title: entry.title, target: { file: entry.file } });
      continue;
    }
    if (!known.has(id)) known.set(id, await find(id));
    const file = known.get(id);
    references.push({ kind: 'note', id, range, ...(file !== undefined && { target: { file } }) });
    if (file !== undefined || !id.includes('/')) continue;
    const message = `The link leads to "${id}", which this vault does not have.`;
    const where = { severity: 'warning', file: place.file, range } as const;
    diagnostics.push(diagnostic('vault/brokenLink', place.subject, message, where));
  }
  return { references, diagnostics };

  async function find(id: string): Promise<string | undefined> {
    const name = /\.\w+$/.test(id) ? id : `${id}.md`;
    const file = id.includes('/') ? join(layout.root, name) : join(dirname(place.file), name);
    if (id.includes('\0') || !isWithin(layout.root, file)) return undefined;
    if (plans.some(({ directory }) => join(directory, basename(file)) === file)) {
      return (await exists(disk, file)) ? file : undefined;
    }
    // A link of the file system could lead anywhere.
    const real = await disk.realPath(file).catch(() => undefined);
    const folders = [await disk.realPath(layout.root), ...new Set(plans.map(({ ravelDirectory }) => ravelDirectory))];
    return real !== undefined && folders.some((folder) => isWithin(folder, real)) ? file : undefined;
  }
}

function* linksIn(text: string): Generator<{ id: string; range: Range }> {
  let count = 0;
  for (const [line, source] of text.split('\n').entries()) {
    if (!source.includes('[[')) continue;
    for (const match of source.matchAll(/\[\[([^[\]|#^]{1,400})(?:[#^][^[\]|]{0,400})?(?:\|[^[\]]{0,400})?\]\]/g)) {
      if (++count > linksMax) return;
      const start = match.index + 2;
      const id = match[1] ?? '';
      yield {
        id: id.trim(),
        range: { start: { line, character: start }, end: { line, character: start + id.length } },
      };
    }
  }
}
