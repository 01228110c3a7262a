import { dirname, join } from 'node:path';
import type { Disk, ReadingDisk } from '../base/disk.ts';
import { ensureDirectory, exists, readText, writeAtomicIf } from '../base/files.ts';
import { refuseLinks } from '../knowledge/entries/entryWriter.ts';
import { failure } from '../model/codes.ts';
import type { AddedExperts } from '../model/requests/experts.ts';
import { entrySubject } from '../vault/entryFile.ts';
import { knowledgeFolders, listNotes, type NoteFile, placeInFolder, readEntry } from '../vault/entryFiles.ts';
import type { EntryIndex } from '../vault/entryIndex.ts';
import { type DeclaredExpert, foldersOfScope, loadExperts } from '../vault/expertStore.ts';
import { VaultLayout } from '../vault/layout.ts';

/** An expert that comes with Ravel. */
export interface ShippedExpert {
  readonly id: string;
  readonly description: string;
  /** Path of its declaration. */
  readonly file: string;
  /** The files of the entries that it knows. */
  readonly notes: readonly NoteFile[];
}

/** The experts in a folder with `experts/` and `knowledge/`, as a vault has them; none where there is no such folder. */
export async function readShippedExperts(disk: ReadingDisk, folder: string): Promise<readonly ShippedExpert[]> {
  const layout = new VaultLayout(folder);
  const { experts } = await loadExperts(disk, layout);
  const [knowledge] = knowledgeFolders(layout, []);
  const { notes } = knowledge === undefined ? { notes: [] } : await listNotes(disk, knowledge);
  return experts.map((declared) => ({
    id: declared.expert['expert-id'],
    description: declared.expert.description,
    file: declared.file,
    notes: notes.filter(({ path }) => knows(declared, path)),
  }));
}

export interface AddExperts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly shipped: readonly ShippedExpert[];
  /** Ids; all of them if it is absent. */
  readonly wanted: readonly string[] | undefined;
  /** The entries that the vault has, archived ones as well. */
  readonly index: EntryIndex;
}

/**
 * Copies experts and the entries that they know into a vault. A file that is there stays as it is, and an entry is not
 * added where the vault has one of its id, wherever a person moved it. Throws `expert/unknown`.
 */
export async function addShippedExperts({
  disk,
  layout,
  shipped,
  wanted,
  index,
}: AddExperts): Promise<Omit<AddedExperts, 'diagnostics'>> {
  const chosen = wanted === undefined ? shipped : wanted.map((id) => findShipped(shipped, id));
  const experts: string[] = [];
  const files: string[] = [];
  const kept: string[] = [];
  const copy = async (from: string, to: string, name: string): Promise<boolean> => {
    if (await exists(disk, to)) {
      kept.push(name);
      return false;
    }
    await ensureDirectory(disk, dirname(to));
    await writeAtomicIf(disk, to, undefined, await readText(disk, from));
    files.push(name);
    return true;
  };
  const notes = new Map(chosen.flatMap((one) => one.notes.map((note) => [note.path, note])));
  // The entries first: an expert that is there has what it knows.
  for (const note of notes.values()) {
    const place = placeInFolder(layout, { project: '', isArchived: false }, note.path);
    await refuseLinks(disk, layout, place);
    if (await hasEntry(disk, note, index)) kept.push(entrySubject(place));
    else await copy(note.readFrom, place.file, entrySubject(place));
  }
  for (const { id, file } of chosen) {
    const isNew = await copy(file, join(layout.experts, `${id}.md`), `experts/${id}.md`);
    if (isNew) experts.push(id);
  }
  return { experts, files, kept };
}

/** The expert of an id, with or without `expert:` before it. Throws `expert/unknown`. */
export function findShipped(shipped: readonly ShippedExpert[], id: string): ShippedExpert {
  const found = shipped.find((one) => one.id === id.replace(/^expert:/, ''));
  if (found !== undefined) return found;
  const help = `These do: ${shipped.map((one) => one.id).join(', ')}.`;
  throw failure('expert/unknown', id, `No expert "${id}" comes with Ravel.`, { help });
}

async function hasEntry(disk: ReadingDisk, note: NoteFile, index: EntryIndex): Promise<boolean> {
  const parsed = await readEntry(disk, note);
  const id = parsed?.kind === 'entry' ? parsed.entry.fields.id : undefined;
  return id !== undefined && index.find(id).length > 0;
}

/** Whether a path below `knowledge/` is in a folder that the expert names. */
function knows({ expert }: DeclaredExpert, path: string): boolean {
  return expert['knowledge-scope'].some((scope) => {
    const folder = foldersOfScope(scope).join('/');
    return folder === '' || path.startsWith(`${folder}/`);
  });
}
