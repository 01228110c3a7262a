import { join } from 'node:path';
import { delay } from '../base/clock.ts';
import { ifThere, listIfThere } from '../base/diskErrors.ts';
import { ensureDirectory, exists } from '../base/files.ts';
import { isHeld, locked, parseClaim, readClaimFile, removeClaimFile } from './claim.ts';
import type { VaultLayout } from './layout.ts';
import { type PlanLockPorts, planLockHolder, removeIfDead, wantedSuffix } from './planLock.ts';

interface FolderPorts extends PlanLockPorts {
  readonly layout: Pick<VaultLayout, 'locks' | 'plans'>;
}

/**
 * Makes the folder of the locks if there is none. An earlier Ravel had its locks of plans beside their run states, so
 * this first waits for processes that still hold one of those. Throws `vault/locked` if such a process does not end.
 */
export async function openLockFolder(ports: FolderPorts): Promise<void> {
  const { disk, layout } = ports;
  if (await exists(disk, layout.locks)) return;
  await removeEarlierLocks(ports);
  await ensureDirectory(disk, layout.locks, 0o700);
}

/**
 * The owner of a vault calls this at its start. Removes the locks of processes that are gone, whether their plans are
 * still there or not, what crashes left of making one, and the locks of an earlier Ravel. Locks that are held stay.
 */
export async function tidyLockFolder(ports: FolderPorts): Promise<void> {
  const { disk, layout } = ports;
  await removeEarlierLocks(ports);
  await ensureDirectory(disk, layout.locks, 0o700);
  for (const name of await namesIn(ports, layout.locks)) {
    const path = join(layout.locks, name);
    if (name.endsWith('.lock')) await removeIfDead(ports, path);
    // A process that still waits makes it again.
    else if (name.endsWith(wantedSuffix)) await removeClaimFile(disk, path);
    else if (isTemporary(name)) await removeUnlessMaking(ports, path);
  }
}

/** How many plans are being changed, and how many locks were left by processes that are gone. */
export async function countLocks(ports: FolderPorts): Promise<{ readonly held: number; readonly left: number }> {
  const { layout } = ports;
  const locks = (await namesIn(ports, layout.locks)).filter((name) => name.endsWith('.lock'));
  let held = 0;
  for (const name of locks) if ((await planLockHolder(ports, join(layout.locks, name))) !== undefined) held++;
  const earlier = (await namesIn(ports, layout.plans)).filter((name) => earlierLock.test(name));
  return { held, left: locks.length - held + earlier.length };
}

/** `<plan>.lock.<N>`, the highest number of which says who holds the lock. */
const earlierLock = /^[^.].*\.lock\.[1-9][0-9]{0,14}$/;
/** As long as an earlier Ravel waits for such a lock itself. */
const earlierTimeoutMs = 10_000;
/** Milliseconds between two attempts: the change that holds the lock takes moments, and an attempt starts no program. */
const pollMs = 50;

/**
 * An earlier Ravel takes such a lock only if the vault has no owner, or if it is the owner itself; this version becomes
 * the owner only once that one is gone. So at most one command of the earlier Ravel is making a change here, which
 * takes moments.
 */
async function removeEarlierLocks(ports: FolderPorts): Promise<void> {
  const { disk, layout, clock } = ports;
  const names = await namesIn(ports, layout.plans);
  const deadlineMs = clock.monotonicMs() + earlierTimeoutMs;
  for (const name of names.filter((name) => earlierLock.test(name))) {
    const path = join(layout.plans, name);
    for (;;) {
      const holder = await planLockHolder(ports, path);
      if (holder === undefined) break;
      if (clock.monotonicMs() >= deadlineMs) {
        throw locked(path, `${path} is held by process ${holder.pid}, an earlier Ravel.`);
      }
      await delay(clock, pollMs);
    }
    await removeClaimFile(disk, path);
  }
  for (const name of names) if (isLeftOfEarlier(name)) await removeClaimFile(disk, join(layout.plans, name));
}

/** What a crash left of making such a lock. */
function isLeftOfEarlier(name: string): boolean {
  return name.includes('.lock.') && isTemporary(name);
}

/** A claim that is written before its name exists. */
function isTemporary(name: string): boolean {
  return name.startsWith('.') && name.endsWith('.tmp');
}

/** Far longer than a claim takes to be written. */
const makingMs = 60_000;

/** Removes what a process that is gone began to make; if nothing in it names the process, its age decides. */
async function removeUnlessMaking(ports: FolderPorts, path: string): Promise<void> {
  const { disk, clock } = ports;
  const bytes = await readClaimFile(disk, path);
  const found = await ifThere(path, () => disk.lstat(path));
  if (bytes === undefined || found === undefined) return;
  const claim = parseClaim(bytes);
  const isYoung = Math.abs(clock.wallMs() - found.mtimeMs) <= makingMs;
  if (claim === undefined ? isYoung : await isHeld(ports, path, claim)) return;
  await removeClaimFile(disk, path);
}

async function namesIn({ disk }: Pick<FolderPorts, 'disk'>, folder: string): Promise<string[]> {
  return (await listIfThere(disk, folder)).map(({ name }) => name);
}
