import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ifThere, listIfThere } from '../../base/diskErrors.ts';
import { decodeName, isNoUtf8, toSystemPath } from '../../base/fileNames.ts';
import { ensureDirectory, readTextIfExists, removeTree, writeAtomic } from '../../base/files.ts';
import { parseJsonFile } from '../../base/jsonFile.ts';
import type { TreeEntry } from '../../base/treeEntries.ts';
import { mebibyte } from '../../base/units.ts';
import { type ChangedEntry, changedEntries, filteredPaths } from '../../git/changedEntries.ts';
import { hashOfEntry, hashPaths } from '../../git/status.ts';
import { projectOf, type QualifiedId, type Ulid } from '../../model/id.ts';
import type { LeftFileRow } from '../../model/requests/inspect.ts';
import { projectPaths } from '../../vault/layout.ts';
import { loadRunState, type WorkBaseline } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { PlanServices } from '../services.ts';

type LeftPorts = Pick<PlanServices, 'disk' | 'layout' | 'git'>;

/** Where the content that a path had before a session can be found. `unknown` says why it cannot. */
const beforeSchema = z.discriminatedUnion('in', [
  z.object({ in: z.literal('nothing') }),
  z.object({ in: z.literal('commit'), kind: z.enum(['file', 'executable', 'symlink']), id: z.string() }),
  /** A copy of a file that was not as committed when work began. */
  z.object({ in: z.literal('copy'), hash: z.string() }),
  z.object({ in: z.literal('unknown'), why: z.string() }),
]);

const leftFileSchema = z.object({
  /** Relative to the project, as `decodeName` has it. */
  path: z.string(),
  /** As `hashPaths` has it, when the session had ended; null if nothing was there. */
  left: z.string().nullable(),
  /** Permission bits of a file then. */
  mode: z.number().int().optional(),
  before: beforeSchema,
});

const leftSchema = z.looseObject({ copies: z.string().optional(), files: z.array(leftFileSchema), more: z.number() });

export type LeftFile = z.infer<typeof leftFileSchema>;

/** What a session that did not finish had changed in the source when it ended. */
export interface LeftSource {
  /** In the order of their paths. */
  readonly files: readonly LeftFile[];
  /** Files that are not in the list, since it is long. */
  readonly more: number;
  /** The folder of the copies, if there are any. */
  readonly copies?: string | undefined;
}

/** Files of one session whose state is recorded. */
const filesMax = 10_000;

const names = { left: 'left.json', copies: 'before', kept: 'kept' } as const;

/** Records how a work session left the source that it changed. What a person changes from then on has another hash. */
export async function recordLeft(services: LeftPorts, plan: QualifiedId, session: Ulid): Promise<void> {
  const { disk, layout, git } = services;
  const { baselines } = await loadRunState(services, plan);
  const { work } = baselines;
  if (work === undefined) return;
  const directory = dirname(await disk.realPath(layout.project(projectOf(plan))));
  const all = await changedSinceWorkBegan(services, directory, work);
  const changed = all.slice(0, filesMax);
  const hashes = await hashPaths(
    git,
    directory,
    changed.map(({ path }) => path),
  );
  const files: LeftFile[] = [];
  for (const { path, before } of changed) {
    const stat = await ifThere(join(directory, path), () => disk.lstat(join(directory, path)));
    const mode = stat?.kind === 'file' ? { mode: stat.mode & 0o777 } : {};
    files.push({ path, left: hashes.get(path) ?? null, ...mode, before });
  }
  const folder = layout.sourceOf(plan, session);
  await ensureDirectory(disk, folder, 0o700);
  const left = { ...(work.copies !== undefined && { copies: work.copies }), files, more: all.length - changed.length };
  await writeAtomic(disk, join(folder, names.left), JSON.stringify(left), { permissions: 0o600 });
}

interface Changed {
  readonly path: string;
  readonly before: LeftFile['before'];
}

/** Without the files that had been changed already and have stayed the same since. */
async function changedSinceWorkBegan({ git }: LeftPorts, directory: string, work: WorkBaseline): Promise<Changed[]> {
  const scope = { directory, baseline: work.commit, exclude: [projectPaths.ravel] };
  const entries = await changedEntries(git, scope);
  const dirty = new Map(work.dirty.map(({ path, hash }) => [path, hash]));
  const now = await hashPaths(git, directory, [...dirty.keys()]);
  const clean = entries.filter(({ path }) => !dirty.has(path)).map((entry) => ({ ...entry, before: committed(entry) }));
  const wasDirty = [...dirty]
    .filter(([path, hash]) => now.get(path) !== hash && !path.endsWith('/'))
    .map(([path, hash]) => ({ path, before: copied(hash, work) }));
  const unclear = new Set([...dirty.keys()].filter((path) => path.includes('\u{fffd}')));
  return [...clean, ...wasDirty]
    .map(({ path, before }) => {
      // The baseline spells such a name as text, so which file it means is not certain.
      const isUnclear = isNoUtf8(path) && unclear.has(Buffer.from(toSystemPath(path)).toString('utf8'));
      return { path, before: isUnclear ? unknown('it may have been changed before work began') : before };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function committed({ before }: ChangedEntry): LeftFile['before'] {
  return before === undefined ? { in: 'nothing' } : { in: 'commit', ...before };
}

function copied(hash: string | null, work: WorkBaseline): LeftFile['before'] {
  if (hash === null) return { in: 'nothing' };
  if (!/^(?:file|program|symlink):/.test(hash)) return unknown('it was neither a file nor a link');
  if (work.copies === undefined) return unknown('it was not as committed when work began, and no copy was kept');
  return { in: 'copy', hash };
}

function unknown(why: string): LeftFile['before'] {
  return { in: 'unknown', why };
}

/** What a session left, if that was recorded. */
export async function loadLeft(
  { disk, layout }: Pick<LeftPorts, 'disk' | 'layout'>,
  plan: QualifiedId,
  session: Ulid,
): Promise<LeftSource | undefined> {
  const file = join(layout.sourceOf(plan, session), names.left);
  const text = await readTextIfExists(disk, file);
  if (text === undefined) return undefined;
  const { copies, files, more } = parseJsonFile(text, file, leftSchema);
  return {
    ...{ files, more },
    ...(copies !== undefined && { copies: copiesFolder({ layout }, plan, copies as Ulid) }),
  };
}

/** How each of these files is now. */
export async function describeLeft(
  services: LeftPorts,
  { id, projectDirectory: directory }: PlanLocation,
  session: Ulid,
  work: WorkBaseline | undefined,
): Promise<readonly LeftFileRow[] | undefined> {
  const left = await loadLeft(services, id, session);
  if (left === undefined) return undefined;
  const { git } = services;
  const paths = left.files.map(({ path }) => path);
  const now = await hashPaths(git, directory, paths);
  const scope = { directory, baseline: work?.commit, exclude: [projectPaths.ravel] };
  const changed = new Set((await changedEntries(git, scope)).map(({ path }) => path));
  const filtered = await filteredPaths(git, directory, paths);
  const kept = await listKept(services, keptFolder(services, id, session));
  const isBefore = ({ path, before }: LeftFile) => {
    if (before.in === 'copy') return now.get(path) === before.hash;
    if (before.in === 'nothing') return now.get(path) === null || now.get(path) === 'directory';
    return before.in === 'commit' && !changed.has(path);
  };
  return left.files.map((file) => {
    const { path, before } = file;
    const isLeft = isAsLeft(file, now.get(path) ?? null);
    const isKept = file.left === null || file.left === 'directory' || kept.has(file.left);
    const why = before.in === 'unknown' ? before.why : filtered.has(path) ? throughFilter : undefined;
    return {
      path,
      now: isLeft ? 'left' : isBefore(file) ? 'before' : 'changed',
      isKept,
      ...(isLeft && why !== undefined && { why }),
    };
  });
}

/** Whether a path is as the session left it. A folder is there for the paths in it, and may be gone with them. */
export function isAsLeft({ left }: LeftFile, now: string | null): boolean {
  return now === left || (left === 'directory' && now === null);
}

export const throughFilter = 'git stores it through a filter; put it back with git';

/** Once work is finished, what it changed is analysed and committed, or undone by hand. */
export async function forgetLeft(services: LeftPorts, plan: QualifiedId, session: Ulid): Promise<void> {
  const { disk, layout } = services;
  const { work } = (await loadRunState(services, plan)).baselines;
  for (const one of new Set([session, work?.copies])) {
    if (one !== undefined) await removeTree(disk, layout.sourceOf(plan, one));
  }
}

/** Copies of files that are not as committed: of one file, of all together, and how many. */
const copyBytesMax = 16 * mebibyte;
const copiesBytesMax = 128 * mebibyte;
const copiesMax = 2000;

/**
 * Keeps copies of the files that are not as committed when work begins, since no commit has them. Whether there are any. Very
 * large ones are left out.
 */
export async function copyDirty(
  { disk, layout }: Pick<LeftPorts, 'disk' | 'layout'>,
  { id, projectDirectory }: PlanLocation,
  session: Ulid,
  dirty: WorkBaseline['dirty'],
): Promise<boolean> {
  const folder = copiesFolder({ layout }, id, session);
  let left = copiesBytesMax;
  let count = 0;
  for (const { path, hash } of dirty) {
    if (hash === null || count === copiesMax) continue;
    const from = join(projectDirectory, path);
    const stat = await ifThere(from, () => disk.lstat(from));
    if (stat === undefined || stat.size > Math.min(left, copyBytesMax)) continue;
    if (count === 0) await ensureDirectory(disk, folder, 0o700);
    const to = join(folder, copyName(hash));
    if (stat.kind === 'symlink') await writeAtomic(disk, to, bytesOf(await disk.readLink(from)));
    // A copy that is not what was hashed is noticed when it is read.
    else if (stat.kind === 'file' && (await ifThere(to, () => disk.lstat(to))) === undefined)
      await ifThere(from, () => disk.cloneFile(from, to));
    left -= stat.size;
    count++;
  }
  return count > 0;
}

/** A copy; undefined if there is none, or if it is not what the hash says. */
export async function readCopy(
  { disk }: Pick<LeftPorts, 'disk'>,
  folder: string,
  hash: string,
): Promise<{ readonly entry: TreeEntry; readonly mode: number } | undefined> {
  const file = join(folder, copyName(hash));
  const stat = await ifThere(file, () => disk.lstat(file));
  if (stat?.kind !== 'file') return undefined;
  const content = await disk.readFile(file);
  const entry: TreeEntry = hash.startsWith('symlink:')
    ? { kind: 'symlink', target: decodeName(content) }
    : { kind: 'file', content, isExecutable: hash.startsWith('program:') };
  return hashOfEntry(entry) === hash ? { entry, mode: stat.mode & 0o777 } : undefined;
}

/** The folder of the copies that were made when work began with this session. */
export function copiesFolder({ layout }: Pick<LeftPorts, 'layout'>, plan: QualifiedId, session: Ulid): string {
  return join(layout.sourceOf(plan, session), names.copies);
}

/** The folder in which what is replaced in the source is kept. */
export function keptFolder({ layout }: Pick<LeftPorts, 'layout'>, plan: QualifiedId, session: Ulid): string {
  return join(layout.sourceOf(plan, session), names.kept);
}

/** Keeps an entry durably, under the hash that `hashPaths` gives it. */
export async function keepEntry(
  { disk }: Pick<LeftPorts, 'disk'>,
  folder: string,
  entry: TreeEntry,
  mode: number,
): Promise<void> {
  await ensureDirectory(disk, folder, 0o700);
  const content = entry.kind === 'symlink' ? bytesOf(entry.target) : entry.content;
  const permissions = entry.kind === 'symlink' ? 0o600 : mode | 0o400;
  await writeAtomic(disk, join(folder, copyName(hashOfEntry(entry))), content, { permissions });
}

/** The hashes of what is kept. */
async function listKept({ disk }: Pick<LeftPorts, 'disk'>, folder: string): Promise<ReadonlySet<string>> {
  const entries = await listIfThere(disk, folder);
  return new Set(entries.map(({ name }) => name.replace('-', ':')));
}

function copyName(hash: string): string {
  return hash.replace(':', '-');
}

/** Of a path as `decodeName` has it. */
function bytesOf(path: string): Buffer {
  return Buffer.from(toSystemPath(path));
}
