import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { isAbsent, toDiskError } from '../base/diskErrors.ts';
import { isRavelError } from '../base/errors.ts';
import { idFromSegment, isQualifiedId, type QualifiedId, segmentFromId } from '../model/id.ts';
import type { ActorState } from './actorState.ts';
import { stoppedByCrashes } from './crashRecord.ts';
import { type Cursor, loadCursor } from './cursor.ts';
import { DeadLetters } from './deadLetters.ts';
import { peekMailboxFile } from './mailboxFile.ts';
import type { ActorStatus, CrashTimes, SupervisorLimits, SupervisorOptions } from './supervision.ts';

export interface DormantParts extends Pick<SupervisorOptions, 'disk' | 'mailboxes' | 'deadLetters'> {
  readonly limits: Pick<SupervisorLimits, 'crashes' | 'crashWindowMs'>;
  readonly crashTimes: Pick<CrashTimes, 'load'>;
}

/**
 * The status of the actors in a vault without an owner: those with waiting messages or with dead letters. It is read
 * from their files alone; nothing is opened for writing, cut or repaired.
 */
export async function listDormant(parts: DormantParts): Promise<ActorStatus[]> {
  const { disk, mailboxes, deadLetters } = parts;
  const found = new Map<QualifiedId, ActorStatus>();
  for (const name of await names(disk, mailboxes)) {
    const status = name.endsWith(ending) ? await readStatus(parts, name.slice(0, -ending.length)) : undefined;
    if (status !== undefined) found.set(status.actor, status);
  }
  const letters = await new DeadLetters(disk, deadLetters).ids();
  const known = new Map([...found.keys()].map((actor) => [segmentFromId(actor), actor]));
  for (const [segment, { size }] of letters) {
    const actor = known.get(segment) ?? idFromSegment(segment);
    if (actor === undefined) continue;
    const status = found.get(actor) ?? { actor, state: { kind: 'dormant' }, waiting: 0, deadLetters: 0 };
    found.set(actor, { ...status, deadLetters: size });
  }
  const statuses = [...found.values()].sort((a, b) => (a.actor < b.actor ? -1 : 1));
  assert(new Set(statuses.map(({ actor }) => actor)).size === statuses.length, 'each actor stands there once');
  return statuses;
}

/** Undefined if nothing waits, or if nothing says whose the mailbox is. */
async function readStatus(parts: DormantParts, segment: string): Promise<ActorStatus | undefined> {
  const { disk, mailboxes } = parts;
  const path = join(mailboxes, `${segment}${ending}`);
  let cursor: Cursor | undefined;
  let state: ActorState = { kind: 'dormant' };
  let waiting = 0;
  try {
    const loaded = await loadCursor(disk, join(mailboxes, `${segment}.cursor`));
    cursor = loaded.kind === 'loaded' ? loaded.cursor : undefined;
    const { size } = await disk.stat(path);
    if (cursor !== undefined && size === cursor.offset) return undefined;
    const { compacted, lastSeq } = await peekMailboxFile(disk, path);
    waiting = Math.max(0, lastSeq - Math.max(compacted, (cursor?.seq ?? 1) - 1));
    if (waiting === 0) return undefined;
  } catch (error) {
    const known = isRavelError(error) ? error : toDiskError(error, path, 'read');
    if (!isRavelError(known)) throw known;
    state = { kind: 'faulted', fault: known.diagnostic };
  }
  const actor = cursor !== undefined && isQualifiedId(cursor.actor) ? cursor.actor : idFromSegment(segment);
  if (actor === undefined) return undefined;
  const stopped = state.kind === 'faulted' ? undefined : await stoppedByCrashes(actor, parts);
  return {
    actor,
    state: stopped === undefined ? state : { kind: 'faulted', fault: stopped.diagnostic },
    waiting,
    deadLetters: 0,
  };
}

const ending = '.jsonl';

async function names(disk: Disk, directory: string): Promise<string[]> {
  try {
    return (await disk.readDirectory(directory)).map(({ name }) => name).sort();
  } catch (error) {
    // Nothing was ever sent in this vault.
    if (isAbsent(error)) return [];
    throw toDiskError(error, directory, 'read');
  }
}
