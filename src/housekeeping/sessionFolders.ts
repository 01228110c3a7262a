import { basename, dirname, join, relative } from 'node:path';
import { formatTimestamp } from '../base/clock.ts';
import type { Disk, EntryKind } from '../base/disk.ts';
import { ifThere, toDiskError } from '../base/diskErrors.ts';
import { isRavelError, messageOf, systemCode } from '../base/errors.ts';
import { exists, removeTree, walkFiles } from '../base/files.ts';
import { dayMs, mebibyte } from '../base/units.ts';
import { livingLeader, loadHostRecord, sessionFiles } from '../harness/hostRecord.ts';
import { isUlid, type Ulid } from '../model/id.ts';
import type { SessionFolder, Unremoved } from '../model/requests/doctor.ts';
import type { PlanServices } from '../plans/services.ts';

type RetentionPorts = Pick<PlanServices, 'disk' | 'layout' | 'clock' | 'processes' | 'settings'>;

/** Younger files stay, however large: a person can still read them, and a record can be about to name them. */
const youngestMs = 60 * 60 * 1000;

/**
 * What sessions and phases left, the oldest first, each with whether it may go. Whatever a run state, an open question,
 * a grant or a message on its way names is needed, and so is a session with a process that lives. What Ravel does not
 * recognise is not its to remove.
 */
export async function findSessionFolders(ports: RetentionPorts): Promise<SessionFolder[]> {
  // Taken first: anything begun from now on is young.
  const named = await namedSessions(ports);
  const found = [
    ...(await measureAll(ports, 'session', await childrenOf(ports.disk, ports.layout.sessions))),
    ...(await measureAll(ports, 'staging', await grandchildrenOf(ports.disk, ports.layout.staging))),
    ...(await measureAll(ports, 'interrupted', await grandchildrenOf(ports.disk, ports.layout.interrupted))),
  ].sort((a, b) => a.changedMs - b.changedMs || (a.path < b.path ? -1 : 1));
  return judge(ports, found, named);
}

export function isRemovable({ fate }: SessionFolder): boolean {
  return fate === 'old' || fate === 'surplus';
}

/** Goes on behind what cannot be removed, and returns that with the reason. */
export async function removeSessionFolders(
  { disk, layout }: Pick<PlanServices, 'disk' | 'layout'>,
  sessionFolders: readonly SessionFolder[],
): Promise<Unremoved[]> {
  const unremoved: Unremoved[] = [];
  for (const { path } of sessionFolders) {
    try {
      await removeTree(disk, join(layout.runtime, path));
    } catch (error) {
      // A person can look at it; the others are not affected.
      unremoved.push({ path, reason: messageOf(error) });
    }
  }
  return unremoved;
}

interface Measured extends Omit<SessionFolder, 'fate' | 'changedAt'> {
  readonly changedMs: number;
  readonly isAlive: boolean;
  readonly isRecognised: boolean;
}

/** If all together are too large, the oldest go first. Files that are needed count and stay. */
function judge(
  { clock, settings }: RetentionPorts,
  found: readonly Measured[],
  named: ReadonlySet<string>,
): SessionFolder[] {
  const { days, mib } = settings.retention;
  const nowMs = clock.wallMs();
  let surplusBytes = found.reduce((sum, { bytes }) => sum + bytes, 0) - mib * mebibyte;
  return found.map(({ changedMs, isAlive, isRecognised, ...left }): SessionFolder => {
    const changedAt = formatTimestamp(changedMs);
    const ageMs = nowMs - changedMs;
    if (!isRecognised) return { ...left, changedAt, fate: 'unrecognised' };
    if (isAlive || (left.session !== undefined && named.has(left.session))) {
      return { ...left, changedAt, fate: 'needed' };
    }
    const isOld = ageMs > Math.max(days * dayMs, youngestMs);
    const isSurplus = surplusBytes > 0 && ageMs > youngestMs;
    if (isOld || isSurplus) surplusBytes -= left.bytes;
    return { ...left, changedAt, fate: isOld ? 'old' : isSurplus ? 'surplus' : 'young' };
  });
}

/**
 * Every ULID that stands anywhere in the run states, the open questions, the grants and the messages on their way. They
 * are searched as texts: one that is damaged, or of another version, still keeps what it names. Who once added a task is
 * told without that session's folder, so the notes beside the run states keep none.
 */
async function namedSessions({ disk, layout }: RetentionPorts): Promise<Set<string>> {
  const named = new Set<string>();
  const { plans, approvals, grants, questions, sending, pendingRoutes } = layout;
  for (const folder of [plans, approvals, grants, questions, sending, pendingRoutes]) {
    for (const path of await filesIn(disk, folder)) {
      if (folder === plans && !path.endsWith('.yaml')) continue;
      const file = join(folder, path);
      const bytes = await ifThere(file, () => disk.readFile(file));
      for (const [ulid] of (bytes?.toString('latin1') ?? '').matchAll(ulids)) named.add(ulid);
    }
  }
  return named;
}

const ulids = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

async function filesIn(disk: Disk, folder: string): Promise<string[]> {
  return (await kindOf(disk, folder)) === 'directory' ? walkFiles(disk, folder) : [];
}

async function measureAll(
  ports: RetentionPorts,
  kind: SessionFolder['kind'],
  paths: readonly string[],
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const path of paths) {
    const size = await measure(ports.disk, path);
    if (size === undefined) continue;
    const session = basename(path).slice(-26);
    const isAlive = kind === 'session' && (await livingLeader(ports, path)) !== undefined;
    const isRecognised = await isOurs(ports.disk, kind, path);
    const place = relative(ports.layout.runtime, path);
    const of = isUlid(session) ? { session: session as Ulid } : {};
    measured.push({ path: place, kind, ...of, ...size, isAlive, isRecognised });
  }
  return measured;
}

/** By its name; a session whose record cannot be understood may be one of a later version, which still runs. */
async function isOurs(disk: Disk, kind: SessionFolder['kind'], path: string): Promise<boolean> {
  const name = basename(path);
  if (kind !== 'session') return isUlid(name.slice(-26)) && name.at(-27) === '-';
  if (!isUlid(name)) return false;
  if ((await exists(disk, join(path, sessionFiles.exit))) || !(await exists(disk, join(path, sessionFiles.host)))) {
    return true;
  }
  try {
    await loadHostRecord(disk, path);
    return true;
  } catch (error) {
    if (isRavelError(error)) return false;
    throw error;
  }
}

interface Size {
  readonly bytes: number;
  readonly changedMs: number;
}

/** Of a whole tree, links not followed; undefined for what is gone meanwhile. */
function measure(disk: Disk, path: string): Promise<Size | undefined> {
  return ifThere(path, async () => {
    const { kind, size, mtimeMs } = await disk.lstat(path);
    if (kind !== 'directory') return { bytes: size, changedMs: mtimeMs };
    const names = await namesIn(disk, path);
    const parts = await Promise.all(names.map((name) => measure(disk, join(path, name))));
    return parts
      .filter((part) => part !== undefined)
      .reduce(
        (sum, part) => ({
          bytes: sum.bytes + part.bytes,
          changedMs: Math.max(sum.changedMs, part.changedMs),
        }),
        { bytes: 0, changedMs: mtimeMs },
      );
  });
}

/** Of a folder that its owner may not look into nothing is known but itself; to remove it opens it. */
async function namesIn(disk: Disk, folder: string): Promise<string[]> {
  try {
    return (await disk.readDirectory(folder)).map(({ name }) => name);
  } catch (error) {
    if (systemCode(error) === 'EACCES') return [];
    throw error;
  }
}

async function grandchildrenOf(disk: Disk, folder: string): Promise<string[]> {
  const children = await childrenOf(disk, folder);
  return (await Promise.all(children.map((child) => childrenOf(disk, child)))).flat();
}

async function childrenOf(disk: Disk, folder: string): Promise<string[]> {
  if ((await kindOf(disk, folder)) !== 'directory') return [];
  try {
    return (await disk.readDirectory(folder)).map(({ name }) => join(folder, name));
  } catch (error) {
    throw toDiskError(error, folder, 'read');
  }
}

async function kindOf(disk: Disk, path: string): Promise<EntryKind | undefined> {
  return (await ifThere(dirname(path), () => disk.lstat(path)))?.kind;
}
