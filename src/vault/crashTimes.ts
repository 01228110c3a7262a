import * as z from 'zod';
import { readTextIfExists, removeFile, writeAtomic } from '../base/files.ts';
import { readJson } from '../base/jsonFile.ts';
import type { QualifiedId } from '../model/id.ts';
import type { ReadingPorts, VaultPorts } from './vaultPorts.ts';

const crashTimesSchema = z.array(z.number());

/**
 * When an actor crashed of late, in milliseconds since 1970, oldest first. They stand apart from the run state, which a
 * phase of the plan may be writing at the same moment. A file that cannot be read forgives: it is worth no stop.
 */
export async function loadCrashTimes({ disk, layout }: ReadingPorts, actor: QualifiedId): Promise<readonly number[]> {
  try {
    const text = await readTextIfExists(disk, layout.crashTimes(actor));
    const read = readJson(text ?? '[]', crashTimesSchema);
    return 'value' in read ? read.value : [];
  } catch {
    // The disk refuses, which the actor's mailbox reports as well.
    return [];
  }
}

export async function saveCrashTimes(
  { disk, layout }: VaultPorts,
  actor: QualifiedId,
  wallMs: readonly number[],
): Promise<void> {
  const path = layout.crashTimes(actor);
  if (wallMs.length === 0) await removeFile(disk, path);
  else await writeAtomic(disk, path, `${JSON.stringify(wallMs)}\n`);
}
