import { dirname, join, relative, sep } from 'node:path';
import * as z from 'zod';
import { defined } from '../../base/defined.ts';
import type { Disk } from '../../base/disk.ts';
import { attempt, ifThere, listIfThere } from '../../base/diskErrors.ts';
import { type Diagnostic, isRavelError, type RavelError } from '../../base/errors.ts';
import {
  copyFileAtomic,
  ensureDirectory,
  hashFile,
  readTextIfExists,
  removeFile,
  removeFileIf,
  sha256,
  writeAtomic,
  writeAtomicIf,
} from '../../base/files.ts';
import { parseJsonFile } from '../../base/jsonFile.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { type Code, diagnostic, failure } from '../../model/codes.ts';
import { projectNameProblem } from '../../model/id.ts';
import { type EntryPlace, entrySubject } from '../../vault/entryFile.ts';
import { isNotePath, placeInFolder } from '../../vault/entryFiles.ts';
import { projectPaths, type VaultLayout } from '../../vault/layout.ts';
import type { EntryChange, EntryFileChange } from './entryChange.ts';

export interface EntryWriterPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  /** Commits these paths: of the vault for an empty project, else of that project, each relative to its folder. */
  readonly commit: (project: string, paths: readonly string[], message: string) => Promise<void>;
}

/** What became of a change. */
export interface Written {
  readonly title: string;
  readonly places: readonly EntryPlace[];
  /**
   * Warnings: what a person changed meanwhile and therefore stayed, a commit that could not be made, and a damaged record
   * of an earlier change.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes changes of entries, one after the other. A file that a person changed since it was read is never written: the
 * whole change is then taken back and refused with `yaml/changedMeanwhile`. What is to be done is on disk before it
 * begins, so that after a crash `finish` does the rest. Every change is committed. A record of a change that cannot be
 * read is set aside and told, since it would hold up every later change.
 */
export class EntryWriter {
  readonly #ports: EntryWriterPorts;
  readonly #queue = new SerialQueue();
  /** Warnings about an earlier change. A change that is refused tells nothing, so they wait for one that is made. */
  #untold: readonly Diagnostic[] = [];

  constructor(ports: EntryWriterPorts) {
    this.#ports = ports;
  }

  /** Plans a change and makes it; nothing else of this process changes an entry meanwhile. */
  write(plan: () => Promise<EntryChange>): Promise<Written> {
    return this.#queue.run(async () => {
      this.#untold = [...this.#untold, ...((await this.#finish())?.diagnostics ?? [])];
      const change = await plan();
      const { disk, layout } = this.#ports;
      for (const { place } of change.files) await refuseLinks(disk, layout, place);
      await ensureDirectory(disk, dirname(layout.entryChange), 0o700);
      await writeAtomic(disk, layout.entryChange, formatIntent(change));
      try {
        await makeChange(disk, change.files);
      } catch (error) {
        // What could not be taken back is finished later.
        if (!(error instanceof HalfMade)) await removeFile(disk, layout.entryChange);
        throw error instanceof HalfMade ? error.cause : error;
      }
      const written = await this.#conclude(change, this.#untold);
      this.#untold = [];
      return written;
    });
  }

  /** Does the rest of a change that a crash cut short; undefined if there was none. */
  finish(): Promise<Written | undefined> {
    return this.#queue.run(() => this.#finish());
  }

  async #finish(): Promise<Written | undefined> {
    const { disk, layout } = this.#ports;
    const inTheWay = await this.#moveFolderAside();
    if (inTheWay !== undefined) return inTheWay;
    const intent = await this.#loadIntent();
    if (intent === undefined) return undefined;
    if (isRavelError(intent)) return this.#setAside(intent);
    const { title, reason, files } = intent;
    const diagnostics: Diagnostic[] = [];
    const changes = files.map(({ project, isArchived, path, before, after }) => ({
      place: placeInFolder(layout, { project, isArchived }, path),
      ...defined({ before, after }),
    }));
    let count = 0;
    for (const { place, before, after } of changes) {
      try {
        await refuseGone(disk, layout, place, title);
        await refuseLinks(disk, layout, place);
        await changeFile(disk, { place, seen: before, after });
      } catch (error) {
        // What a person made of a file since then stays, and they are told. The files behind it are left alone: one of
        // them may only be removed because this one took its text.
        if (!isRavelError(error) || !personsDoing.some((code) => code === error.code)) throw error;
        diagnostics.push({ ...error.diagnostic, severity: 'warning' });
        if (error.diagnostic.code !== 'project/unknown') break;
        // Its text is nowhere else.
        const file = await this.#keepRecord();
        const kept = diagnostics.map((one) => ({ ...one, file, help: `${asideHelp} The record is now ${file}.` }));
        return this.#conclude({ title, ...defined({ reason }), files: changes.slice(0, count) }, kept);
      }
      count += 1;
    }
    return this.#conclude({ title, ...defined({ reason }), files: changes }, diagnostics);
  }

  /** What stands in the place of the record, but cannot be a record, such as a folder. It is kept whole. */
  async #moveFolderAside(): Promise<Written | undefined> {
    const { disk, layout } = this.#ports;
    const from = layout.entryChange;
    const stat = await ifThere(from, () => disk.lstat(from));
    if (stat === undefined || stat.kind === 'file' || stat.kind === 'symlink') return undefined;
    const names = new Set((await listIfThere(disk, dirname(from))).map(({ name }) => name));
    let count = 1;
    while (names.has(`${asidePrefix}${count}`)) count += 1;
    const to = join(dirname(from), `${asidePrefix}${count}`);
    await attempt(from, 'write', () => disk.rename(from, to));
    return setAside(`${from} was no file; it is now ${to}.`, to);
  }

  /** What is under way; the error where that cannot be read. */
  async #loadIntent(): Promise<Intent | RavelError | undefined> {
    const { disk, layout } = this.#ports;
    try {
      const text = await readTextIfExists(disk, layout.entryChange);
      return text === undefined ? undefined : parseJsonFile(text, layout.entryChange, intentSchema);
    } catch (error) {
      if (isRavelError(error) && damages.some((code) => code === error.code)) return error;
      throw error;
    }
  }

  /** Named by its content, so that a crash in between leaves one copy, and a second damaged record does not replace it. */
  async #setAside({ message }: RavelError): Promise<Written> {
    const to = await this.#keepRecord();
    await removeFile(this.#ports.disk, this.#ports.layout.entryChange);
    return setAside(
      `${message} A change of entries that was under way may be made in part; the record is now ${to}.`,
      to,
    );
  }

  /** Copies the record beside itself; returns the copy. */
  async #keepRecord(): Promise<string> {
    const { disk, layout } = this.#ports;
    const from = layout.entryChange;
    const to = join(dirname(from), `${asidePrefix}${(await hashFile(disk, from)).slice(0, 12)}.json`);
    await copyFileAtomic(disk, from, to);
    return to;
  }

  async #conclude(change: EntryChange, before: readonly Diagnostic[]): Promise<Written> {
    const { disk, layout, commit } = this.#ports;
    const diagnostics = [...before];
    for (const [project, paths] of pathsByProject(layout, change.files)) {
      try {
        await commit(project, paths, commitMessage(change));
      } catch (error) {
        // The change is made and stays; the next commit of these files has it.
        if (!isRavelError(error)) throw error;
        diagnostics.push({ ...error.diagnostic, severity: 'warning' });
      }
    }
    await removeFile(disk, layout.entryChange);
    return { title: change.title, places: change.files.map(({ place }) => place), diagnostics };
  }
}

function setAside(said: string, file: string): Written {
  const told = diagnostic('disk/damaged', 'knowledge', said, { severity: 'warning', help: asideHelp, file });
  return { title: 'Set aside the damaged record of a change of entries', places: [], diagnostics: [told] };
}

const asidePrefix = 'change-damaged-';
const asideHelp = 'Compare the entries with their last commit, and make the rest of the change by hand.';

/** The damaged records of changes that were set aside and are still there, as warnings. */
export async function changesSetAside(disk: Disk, { knowledgeState }: VaultLayout): Promise<Diagnostic[]> {
  const names = (await listIfThere(disk, knowledgeState)).map(({ name }) => name);
  return names
    .filter((name) => name.startsWith(asidePrefix))
    .sort()
    .map((name) => {
      const file = join(knowledgeState, name);
      const said = `A change of entries may be made in part; its record could not be read and is now ${file}.`;
      const help = `${asideHelp} Then remove the file.`;
      return diagnostic('disk/damaged', 'knowledge', said, { severity: 'warning', help, file });
    });
}

/** What a person can have made of a file since a change of it began. */
const personsDoing: readonly Code[] = ['yaml/changedMeanwhile', 'vault/linkOut', 'project/unknown'];

/** A change that was neither made nor taken back; `cause` is what stopped it. */
class HalfMade extends Error {}

/** How a file reads that is not what Ravel wrote: as no JSON of that form, or as no text at all. */
const damages: readonly Code[] = ['disk/damaged', 'yaml/encoding'];

const intentSchema = z.looseObject({
  title: z.string(),
  reason: z.string().optional(),
  files: z.array(
    z.looseObject({
      project: z.string().refine((name) => name === '' || projectNameProblem(name) === undefined, 'not a project'),
      isArchived: z.boolean(),
      path: z.string().refine(isNotePath, 'not a path of an entry'),
      /** SHA-256 of the text that was seen; absent for a file that was not there. */
      before: z.string().optional(),
      after: z.string().optional(),
    }),
  ),
});

type Intent = z.infer<typeof intentSchema>;

function formatIntent({ title, reason, files }: EntryChange): string {
  const intent: Intent = {
    ...{ title, ...defined({ reason }) },
    files: files.map(({ place: { project, isArchived, path }, before, after }) => ({
      ...{ project, isArchived, path },
      ...defined({ before: before === undefined ? undefined : sha256(before), after }),
    })),
  };
  return `${JSON.stringify(intent)}\n`;
}

/** All of it, or nothing: what was changed before a refusal is put back, unless a person changed that as well. */
async function makeChange(disk: Disk, files: readonly EntryFileChange[]): Promise<void> {
  const made: EntryFileChange[] = [];
  try {
    for (const change of files) {
      const { place, before, after } = change;
      await changeFile(disk, { place, after, seen: before === undefined ? undefined : sha256(before) });
      made.push(change);
    }
  } catch (error) {
    let isHalfMade = false;
    for (const { place, before, after } of made.reverse()) {
      const undo = { place, after: before, seen: after === undefined ? undefined : sha256(after) };
      await changeFile(disk, undo).catch((failed: unknown) => {
        // A file that differs again belongs to a person.
        if (!isRavelError(failed, 'yaml/changedMeanwhile')) isHalfMade = true;
      });
    }
    throw isHalfMade ? new HalfMade('half made', { cause: error }) : error;
  }
}

interface OneChange {
  readonly place: EntryPlace;
  /** SHA-256 of what the file has to hold; undefined if it must not be there. */
  readonly seen: string | undefined;
  readonly after: string | undefined;
}

/** Does nothing if it is done already. */
async function changeFile(disk: Disk, { place: { file }, seen, after }: OneChange): Promise<void> {
  if (after === undefined) {
    if (seen !== undefined) await removeFileIf(disk, file, seen);
    return;
  }
  const now = await readTextIfExists(disk, file);
  if (now === after) return;
  await ensureDirectory(disk, dirname(file));
  await writeAtomicIf(disk, file, seen, after);
}

/** Throws `project/unknown` if the project was removed since: nothing may make its folder again. */
async function refuseGone(disk: Disk, layout: VaultLayout, { project }: EntryPlace, title: string): Promise<void> {
  if (project === '') return;
  const folder = layout.project(project);
  if ((await ifThere(folder, () => disk.stat(folder))) !== undefined) return;
  const said = `The vault has no project "${project}" any more, so the change “${title}” was not finished there.`;
  throw failure('project/unknown', project, said);
}

/** Throws `vault/linkOut` if the file, or a folder between it and `knowledge/`, is a symlink. */
export async function refuseLinks(disk: Disk, layout: VaultLayout, place: EntryPlace): Promise<void> {
  const top = placeInFolder(layout, place, '').file;
  for (let path = place.file; path.length >= top.length; path = dirname(path)) {
    const stat = await ifThere(path, () => disk.lstat(path));
    if (stat?.kind !== 'symlink') continue;
    const message = `${path} is a symlink, which could lead out of knowledge/. Nothing is written there.`;
    throw failure('vault/linkOut', entrySubject(place), message, { file: path });
  }
}

function pathsByProject(
  layout: VaultLayout,
  files: readonly EntryFileChange[],
): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const { place } of files) {
    const own = paths.get(place.project) ?? [];
    own.push(committedPath(layout, place));
    paths.set(place.project, own);
  }
  return paths;
}

/** Relative to the folder of the vault or of the project, with `/`. */
function committedPath(layout: VaultLayout, { project, file }: EntryPlace): string {
  const [base, folder] = project === '' ? [layout.root, ''] : [layout.project(project), projectPaths.ravel];
  return join(folder, relative(base, file)).split(sep).join('/');
}

function commitMessage({ title, reason }: EntryChange): string {
  return reason === undefined || reason.trim() === '' ? title : `${title}\n\n${reason.trim()}`;
}
