import { dirname, join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { isAbsent, toDiskError } from '../base/diskErrors.ts';
import { ensureDirectory, exists, removeTree } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { loadCursor, saveCursor } from './cursor.ts';
import { deadLettersOf } from './deadLetters.ts';
import { type MailboxPaths, mailboxPaths } from './mailbox.ts';

/** All that an actor has on disk. */
export interface ActorFiles extends MailboxPaths {
  readonly letters: string;
}

export function actorFiles(mailboxes: string, deadLetters: string, actor: QualifiedId): ActorFiles {
  return { ...mailboxPaths(mailboxes, actor), letters: deadLettersOf(deadLetters, actor) };
}

/** The same, put away in a folder of their own. */
export function archivedFiles(directory: string): ActorFiles {
  return {
    mailbox: join(directory, 'mailbox.jsonl'),
    cursor: join(directory, 'mailbox.cursor'),
    letters: join(directory, 'dead-letters'),
  };
}

/**
 * Moves all that an actor has on disk; `owner` is whose it is from now on. The cursor is copied before the mailbox gets
 * its new name and removed after it, so that at each moment the mailbox has one. A crash in between is finished by
 * moving again. Throws `actor/exists` if something is there already.
 */
export async function moveMailbox(disk: Disk, from: ActorFiles, to: ActorFiles, owner: QualifiedId): Promise<void> {
  assert(from.mailbox !== to.mailbox, 'it goes to another place');
  await refuseWhereTaken(disk, from, to, owner);
  for (const path of [to.mailbox, to.letters]) await ensureDirectory(disk, dirname(path), 0o700);
  const isThere = await exists(disk, from.mailbox);
  const { kind, ...loaded } = await loadCursor(disk, from.cursor);
  if (isThere && 'cursor' in loaded) await saveCursor(disk, to.cursor, { ...loaded.cursor, actor: owner });
  await rename(disk, from.letters, to.letters);
  await rename(disk, from.mailbox, to.mailbox);
  await removeTree(disk, from.cursor);
  // If a power cut brought it back, the next actor of that name would begin with it.
  await syncIfThere(disk, dirname(from.cursor));
}

async function refuseWhereTaken(disk: Disk, from: ActorFiles, to: ActorFiles, owner: QualifiedId): Promise<void> {
  const pairs = [
    [from.mailbox, to.mailbox],
    [from.letters, to.letters],
  ] as const;
  for (const [source, target] of pairs) {
    if (!(await exists(disk, source)) || !(await exists(disk, target))) continue;
    throw failure('actor/exists', owner, `${owner} has messages of its own at ${target}.`, { file: target });
  }
}

async function syncIfThere(disk: Disk, folder: string): Promise<void> {
  try {
    await disk.syncDirectory(folder);
  } catch (error) {
    if (!isAbsent(error)) throw toDiskError(error, folder, 'write');
  }
}

async function rename(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.rename(from, to);
    await disk.syncDirectory(dirname(to));
    if (dirname(from) !== dirname(to)) await disk.syncDirectory(dirname(from));
  } catch (error) {
    // Nothing is there, or an earlier move that was cut short has done it.
    if (!isAbsent(error)) throw toDiskError(error, from, 'write');
  }
}
