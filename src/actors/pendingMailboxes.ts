import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { forEachOfSome } from '../base/async.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError, systemCode } from '../base/errors.ts';
import { isTemporaryName, removeTree } from '../base/files.ts';
import { diagnostic } from '../model/codes.ts';
import { idFromSegment, isQualifiedId, type QualifiedId } from '../model/id.ts';
import { type Cursor, loadCursor } from './cursor.ts';

export interface PendingMailboxes {
  /** Actors with something that waits, and those where only opening the mailbox can tell. */
  readonly pending: QualifiedId[];
  /** Mailboxes of which nothing says whose they are. */
  readonly diagnostics: Diagnostic[];
}

/** Mailboxes that are read in parallel: all at once would keep all other work from the disk. */
const mailboxesAtATime = 16;

/** Compares each cursor with the length of its mailbox; opens none. In the order of the mailboxes' names. An abort rejects. */
export async function findPending(disk: Disk, directory: string, signal?: AbortSignal): Promise<PendingMailboxes> {
  const segments = (await names(disk, directory))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));
  const found: MailboxState[] = [];
  await forEachOfSome([...segments.entries()], mailboxesAtATime, async ([at, segment]) => {
    signal?.throwIfAborted();
    found[at] = await readState(disk, join(directory, `${segment}${ending}`), join(directory, `${segment}.cursor`));
  });
  const pending: QualifiedId[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [at, segment] of segments.entries()) {
    const state = found[at];
    if (state?.kind !== 'open') continue;
    const { cursor } = state;
    const actor = cursor !== undefined && isQualifiedId(cursor.actor) ? cursor.actor : idFromSegment(segment);
    const path = join(directory, `${segment}${ending}`);
    if (actor !== undefined) pending.push(actor);
    else
      diagnostics.push(diagnostic('mailbox/corrupt', path, `Nothing says whose mailbox ${path} is.`, { file: path }));
  }
  return { pending, diagnostics };
}

type MailboxState = { readonly kind: 'empty' } | { readonly kind: 'open'; readonly cursor?: Cursor };

async function readState(disk: Disk, path: string, cursorPath: string): Promise<MailboxState> {
  try {
    const loaded = await loadCursor(disk, cursorPath);
    const { size } = await disk.stat(path);
    const cursor = loaded.kind === 'loaded' ? loaded.cursor : undefined;
    if (size === (cursor?.offset ?? 0) && loaded.kind !== 'garbage') return { kind: 'empty' };
    return { kind: 'open', ...defined({ cursor }) };
  } catch (error) {
    if (!isRavelError(error) && systemCode(error) === undefined) throw error;
    // Opening it fails with the same error, which then belongs to one actor and does not keep the others from starting.
    return { kind: 'open' };
  }
}

/** Removes what writes left behind that a crash cut short. */
export async function cleanMailboxes(disk: Disk, directory: string): Promise<void> {
  for (const name of await names(disk, directory)) {
    if (!isTemporaryName(name)) continue;
    assert(name.startsWith('.'), 'no mailbox has such a name');
    await removeTree(disk, join(directory, name));
  }
}

const ending = '.jsonl';

async function names(disk: Disk, directory: string): Promise<string[]> {
  try {
    return (await disk.readDirectory(directory)).map(({ name }) => name).sort();
  } catch (error) {
    throw toDiskError(error, directory, 'read');
  }
}
