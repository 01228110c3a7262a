import { join, sep } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { diagnostic } from '../model/codes.ts';
import { entryBytesMax } from '../model/entry.ts';
import { type EntryPlace, entrySubject, type ParsedEntry, parseEntry } from './entryFile.ts';
import { projectPaths, type VaultLayout } from './layout.ts';

/** A file in a `knowledge/`, with the shortest way to it: through the link of its project each look costs twice as much. */
export interface NoteFile extends EntryPlace {
  readonly readFrom: string;
}

export interface FoundNotes {
  /** In the order of their names, folder by folder. */
  readonly notes: readonly NoteFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A project whose knowledge is looked into, by one of its plans. */
export interface ProjectPlace {
  readonly project: string;
  /** Real path of its `ravel/`. */
  readonly ravelDirectory: string;
}

/** A `knowledge/` of the vault or of a project, or the archive of one. */
export interface KnowledgeFolder {
  /** Empty for the vault's own. */
  readonly project: string;
  readonly isArchived: boolean;
  /** Absolute path, through the vault. */
  readonly folder: string;
  /** The shortest way to it. */
  readonly readFrom: string;
}

/** Deeper folders are not looked into, nor more notes than this taken; a vault of notes has far fewer. */
const depthMax = 20;
const notesMax = 200_000;

/** The `knowledge/` of the vault, then those of its projects in the order of their plans; behind each its archive. */
export function knowledgeFolders(layout: VaultLayout, plans: readonly ProjectPlace[]): readonly KnowledgeFolder[] {
  const projects = new Map(plans.map(({ project, ravelDirectory }) => [project, ravelDirectory]));
  return [
    { project: '', isArchived: false, folder: layout.knowledge, readFrom: layout.knowledge },
    { project: '', isArchived: true, folder: layout.archivedKnowledge, readFrom: layout.archivedKnowledge },
    ...[...projects].flatMap(([project, ravelDirectory]) =>
      [projectPaths.knowledge, projectPaths.archivedKnowledge].map(
        (path, n): KnowledgeFolder => ({
          ...{ project, isArchived: n === 1 },
          ...{ folder: join(layout.project(project), path), readFrom: join(ravelDirectory, path) },
        }),
      ),
    ),
  ];
}

/** Whether a path stays below its `knowledge/`, where `listNotes` finds it. Files that hold paths can say anything. */
export function isNotePath(path: string): boolean {
  const parts = path.split('/');
  const isPart = (part: string) => part !== '' && !part.startsWith('.') && !/[\\\0]/.test(part);
  return path.endsWith('.md') && parts.length <= depthMax + 1 && parts.every(isPart);
}

/** The place of a path in the `knowledge/` of the vault or of a project, or in its archive. */
export function placeInFolder(
  layout: VaultLayout,
  { project, isArchived }: Pick<EntryPlace, 'project' | 'isArchived'>,
  path: string,
): EntryPlace {
  const inProject = isArchived ? projectPaths.archivedKnowledge : projectPaths.knowledge;
  const inVault = isArchived ? layout.archivedKnowledge : layout.knowledge;
  const folder = project === '' ? inVault : join(layout.project(project), inProject);
  return { project, isArchived, path, file: join(folder, path) };
}

/**
 * The Markdown files below a `knowledge/`. Symlinks are not followed: they could lead out of it. What cannot be listed
 * has no notes, and is reported.
 */
export async function listNotes(disk: ReadingDisk, knowledge: KnowledgeFolder): Promise<FoundNotes> {
  const { project, isArchived, folder, readFrom } = knowledge;
  const notes: NoteFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const pending = [{ path: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, depth } = next;
    const deeper: typeof pending = [];
    // Once for all files of the folder: for a hundred thousand, joining each takes longer than listing them.
    const [through, from] = [join(folder, path), join(readFrom, path)];
    for (const { name, kind } of await entriesIn(from)) {
      if (name.startsWith('.')) continue;
      const below = path === '' ? name : `${path}/${name}`;
      if (kind === 'directory' && depth < depthMax) deeper.push({ path: below, depth: depth + 1 });
      // The walk over the projects reports theirs.
      if (kind === 'symlink' && project === '') diagnostics.push(linkProblem(below));
      if (kind !== 'file' || !name.endsWith('.md') || notes.length >= notesMax) continue;
      notes.push({ project, isArchived, path: below, file: through + sep + name, readFrom: from + sep + name });
    }
    pending.push(...deeper.reverse());
  }
  return { notes, diagnostics };

  async function entriesIn(directory: string) {
    try {
      const entries = await listIfThere(disk, directory);
      return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if (!isRavelError(error)) throw error;
      diagnostics.push(error.diagnostic);
      return [];
    }
  }

  function linkProblem(path: string): Diagnostic {
    const file = join(folder, path);
    const message = `${file} is a symlink. Ravel does not follow it, because it could lead out of knowledge/.`;
    return diagnostic('vault/linkOut', entrySubject({ project, isArchived, path }), message, {
      severity: 'warning',
      file,
    });
  }
}

/** One file as an entry; undefined if it is gone by now. What cannot be read is broken. */
export async function readEntry(disk: ReadingDisk, note: NoteFile): Promise<ParsedEntry | undefined> {
  try {
    const text = await readTextIfExists(disk, note.readFrom, { bytesMax: entryBytesMax });
    return text === undefined ? undefined : parseEntry(text, note);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return { kind: 'broken', diagnostics: [{ ...error.diagnostic, subject: entrySubject(note), file: note.file }] };
  }
}
