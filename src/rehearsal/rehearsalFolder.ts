import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { attempt, ifThere, leadsNowhere, listIfThere } from '../base/diskErrors.ts';
import { isRavelError } from '../base/errors.ts';
import { exists, readTextIfExists, removeTree, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { ProcessIdentity, ProcessTable } from '../base/processes.ts';
import { createUlids } from '../base/ulid.ts';
import { sessionFiles } from '../harness/hostRecord.ts';
import { terminateSession } from '../harness/terminate.ts';
import { isUlid } from '../model/id.ts';
import { isOfHere } from '../vault/claim.ts';
import { VaultLayout } from '../vault/layout.ts';

/** What looks after the folders of rehearsals. */
export interface FolderPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
}

const prefix = 'ravel-rehearsal-';
/** Says that Ravel made the folder, and for which process. */
const markerName = 'rehearsal.json';
const markerBytesMax = 64 * 1024;

const markerSchema = z.object({
  'ravel-rehearsal': z.literal(1),
  /** Relative to the folder: the copy of the vault, whose sessions end with it. */
  vault: z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))/),
  kept: z.boolean(),
  owner: z.object({
    pid: z.int(),
    startTime: z.string(),
    bootId: z.string(),
    namespace: z.string().optional(),
  }),
});

type Marker = z.infer<typeof markerSchema>;

/** The folder of one rehearsal, with everything that is copied or made for it. */
export interface RehearsalFolder {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  /** From now on only a person removes it. */
  keep(): Promise<void>;
  /** Ends the sessions that are left, and removes everything. */
  remove(): Promise<void>;
}

/** Makes a folder that only this user can open, below `temporary`; `vault` says where in it the copied vault will be. */
export async function makeRehearsalFolder(
  ports: FolderPorts,
  temporary: string,
  vault: string,
): Promise<RehearsalFolder> {
  const { disk, clock, processes } = ports;
  const name = `${prefix}${createUlids(clock)().slice(-10).toLowerCase()}`;
  const parent = await attempt(temporary, 'read', () => disk.realPath(temporary));
  const path = join(parent, name);
  const { pid, startTime, bootId, namespace } = await processes.self();
  const owner = { pid, startTime, bootId, ...(namespace !== undefined && { namespace }) };
  const save = (kept: boolean) => saveMarker(disk, path, { 'ravel-rehearsal': 1, vault, kept, owner });
  await attempt(path, 'make', () => disk.makeDirectory(path, 0o700));
  await save(false);
  return { path, keep: () => save(true), remove: () => removeFolder(ports, path, vault) };
}

/** Where folders are looked for, and whose count; undefined if the system has no numbers for users. */
export interface StalePlace {
  readonly temporary: string;
  readonly user: number | undefined;
}

/** The folder of a rehearsal whose process has ended without removing it. */
export interface StaleRehearsal {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * The folders that rehearsals of this user left below `temporary`, such as after `kill -9`. A folder counts only by its
 * marker, and by being `user`'s and closed to all others, so that none of theirs is taken for one. One that was kept is
 * not among them, nor one of a process that lives or that another container has. A rehearsal that was killed before it
 * wrote its marker leaves an empty folder, which counts once it is old.
 */
export async function findStaleRehearsals(
  ports: FolderPorts,
  { temporary, user }: StalePlace,
): Promise<StaleRehearsal[]> {
  const { disk, processes } = ports;
  const self = await processes.self();
  const isGone = async (owner: ProcessIdentity) => isOfHere(self, owner) && !(await processes.isAlive(owner));
  const stale: StaleRehearsal[] = [];
  for (const { name, kind } of await listIfThere(disk, temporary, leadsNowhere)) {
    if (kind !== 'directory' || !name.startsWith(prefix)) continue;
    const path = join(temporary, name);
    if (!(await isOurs(disk, path, user))) continue;
    const marker = await loadMarker(disk, path);
    if (marker === undefined && (await wasNeverMarked(ports, path))) {
      stale.push({ path, remove: () => removeTree(disk, path) });
    }
    if (marker === undefined || marker.kept || !(await isGone(identityOf(marker)))) continue;
    stale.push({ path, remove: () => removeFolder(ports, path, marker.vault) });
  }
  return stale;
}

/** Removes these folders; one that cannot be removed is left to the next time. Returns the paths of those that are gone. */
export async function removeStaleRehearsals(ports: FolderPorts, place: StalePlace): Promise<string[]> {
  const removed: string[] = [];
  for (const { path, remove } of await findStaleRehearsals(ports, place)) {
    const isGone = await remove().then(
      () => true,
      (error: unknown) => {
        if (!isRavelError(error)) throw error;
        return false;
      },
    );
    if (isGone) removed.push(path);
  }
  return removed;
}

function identityOf({ owner: { pid, startTime, bootId, namespace } }: Marker): ProcessIdentity {
  return { pid, startTime, bootId, ...(namespace !== undefined && { namespace }) };
}

async function saveMarker(disk: Disk, path: string, marker: Marker): Promise<void> {
  await writeAtomic(disk, join(path, markerName), `${JSON.stringify(marker, undefined, 2)}\n`, { permissions: 0o600 });
}

/** Another user can make a folder of this name with any marker in it. */
async function isOurs(disk: Disk, path: string, user: number | undefined): Promise<boolean> {
  const stat = await ifThere(path, () => disk.lstat(path), leadsNowhere);
  if (stat?.kind !== 'directory' || (stat.mode & 0o077) !== 0) return false;
  return user === undefined || stat.owner === user;
}

/** The marker is written right after the folder is made; a rehearsal that has just begun may be between the two. */
const unmarkedMs = 60_000;

async function wasNeverMarked({ disk, clock }: FolderPorts, path: string): Promise<boolean> {
  const names = (await listIfThere(disk, path, leadsNowhere)).map(({ name }) => name);
  if (names.some((name) => name === markerName || !isPartOfMarker(name))) return false;
  const stat = await ifThere(path, () => disk.lstat(path), leadsNowhere);
  return stat !== undefined && clock.wallMs() - stat.mtimeMs > unmarkedMs;
}

/** A marker that was being written when its process was killed. */
function isPartOfMarker(name: string): boolean {
  return name.startsWith(`.${markerName}`) && name.endsWith('.tmp');
}

async function loadMarker(disk: Disk, path: string): Promise<Marker | undefined> {
  // Whatever is wrong with it, a folder that cannot be told to be ours stays.
  const text = await readTextIfExists(disk, join(path, markerName), { bytesMax: markerBytesMax }).catch(
    () => undefined,
  );
  return text === undefined ? undefined : markerSchema.safeParse(parseJson(text)).data;
}

async function removeFolder(ports: FolderPorts, path: string, vault: string): Promise<void> {
  await endSessions(ports, new VaultLayout(join(path, vault)));
  // The marker goes last: what is left after a failure is still known to be ours.
  for (const { name } of await listIfThere(ports.disk, path, leadsNowhere)) {
    if (name !== markerName) await removeTree(ports.disk, join(path, name));
  }
  await removeTree(ports.disk, path);
}

/** A session that outlived its owner would write into what is being removed. It is known by its mark alone, not by a file. */
async function endSessions(ports: FolderPorts, { sessions }: VaultLayout): Promise<void> {
  for (const { name } of await listIfThere(ports.disk, sessions, leadsNowhere)) {
    // Without a record of its process it was copied, and belongs to the real vault.
    if (!isUlid(name) || !(await exists(ports.disk, join(sessions, name, sessionFiles.host)))) continue;
    await terminateSession(ports, { pid: noGroup, session: name });
  }
}

/** No process group has this number. */
const noGroup = -1;
