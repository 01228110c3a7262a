import { join } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import { attempt, ifThere } from '../../base/diskErrors.ts';
import { readTextIfExists, removeFileIf, sha256, writeAtomicIf } from '../../base/files.ts';
import { yamlBytesMax } from '../../base/yamlBounds.ts';
import type { QualifiedId } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';
import { type SessionRecord, sessionLogSchema } from '../../model/session.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { readYaml } from '../../yaml/yaml.ts';
import { withoutItems } from '../../yaml/yamlItems.ts';
import { changePlanFiles, withPlanLock } from '../proposals/planWriter.ts';
import type { PlanWriterPorts } from '../services.ts';
import { partOf } from '../sessionArchive.ts';

/** A larger log is divided: to append to it costs a parse of the whole. */
export const sessionLogBytesMax = 256 * 1024;
/** The newest records stay, as many as have this many bytes together, and one at least. */
const keptBytes = 64 * 1024;
const file = planFiles.sessionLog;

/**
 * Puts the older records of a session log that has become large into a file of their own beside it, byte for byte, so
 * that the next one is appended in the same time as the first. The state's commit takes that file along. A crash in
 * between leaves the records in both, and doing it again makes the same part of the same log. A log that is too large to
 * be edited, or that cannot be divided, is put aside as a whole.
 */
export async function rotateSessionLog(services: PlanWriterPorts, plan: QualifiedId): Promise<void> {
  const { disk, layout } = services;
  const path = join(layout.plan(plan), file);
  const size = (await ifThere(path, () => disk.lstat(path)))?.size ?? 0;
  if (size <= sessionLogBytesMax) return;
  if (size > yamlBytesMax) return putAside(services, plan);
  const text = (await readTextIfExists(disk, path)) ?? '';
  const sessions = readYaml(sessionLogSchema, text, { file, subject: plan }).value?.sessions ?? [];
  // The next append to an unreadable log reports what is wrong with it.
  if (sessions.length === 0) return;
  const divided = divide(text, sessions);
  if (divided === undefined) return putAside(services, plan);
  const part = await writePart(services, plan, divided);
  const isDivided = await changePlanFiles(services, plan, (texts) => {
    const result = texts.get(file) === text;
    return { edits: new Map(result ? [[file, divided.newer] as const] : []), result };
  });
  // The log was saved meanwhile: the next commit splits that version.
  if (!isDivided && part.isNew) await removeFileIf(disk, part.path, sha256(divided.older));
}

interface Divided {
  readonly older: string;
  readonly newer: string;
  /** Of the last older record. */
  readonly day: string;
}

function divide(text: string, sessions: readonly SessionRecord[]): Divided | undefined {
  const first = firstKept(sessions);
  const older = withoutItems(text, 'sessions', (index) => index >= first);
  const newer = withoutItems(text, 'sessions', (index) => index < first);
  const last = sessions[first - 1];
  if (older === undefined || newer === undefined || last === undefined) return undefined;
  return { older, newer, day: dayIn(last.timestamp) };
}

function firstKept(sessions: readonly SessionRecord[]): number {
  let bytes = 0;
  let first = sessions.length;
  while (first > 0) {
    bytes += Buffer.byteLength(JSON.stringify(sessions[first - 1]));
    if (bytes > keptBytes && first < sessions.length) break;
    first -= 1;
  }
  return first;
}

function dayIn(timestamp: string): string {
  return /^\d{4}-\d{2}-\d{2}/.exec(timestamp)?.[0] ?? '0000-00-00';
}

/** Archives of one day, so that the search for a free name ends. */
const partsOfDayMax = 100_000;

/** Under the first name of its day that is free, or has this very text already. */
async function writePart(
  { disk, layout }: VaultPorts,
  plan: QualifiedId,
  { older, day }: Divided,
): Promise<{ readonly path: string; readonly isNew: boolean }> {
  for (let number = 1; number < partsOfDayMax; number++) {
    const path = join(layout.plan(plan), partOf(day, number));
    const there = await readTextIfExists(disk, path);
    if (there === older) return { path, isNew: false };
    if (there !== undefined) continue;
    await writeAtomicIf(disk, path, undefined, older);
    return { path, isNew: true };
  }
  throw new Error(`${plan} has too many parts of its session log of ${day}`);
}

/** A rename, so that there is one of it at any moment, and no text of any size is read. */
async function putAside(services: PlanWriterPorts, plan: QualifiedId): Promise<void> {
  const { disk, layout, clock } = services;
  const folder = layout.plan(plan);
  const day = formatTimestamp(clock.wallMs()).slice(0, 10);
  await withPlanLock(services, plan, async () => {
    for (let number = 1; number < partsOfDayMax; number++) {
      const path = join(folder, partOf(day, number));
      const isMoved = await attempt(path, 'write', () =>
        disk.renameIf(join(folder, file), path, (now) => now === undefined),
      );
      if (isMoved) return attempt(folder, 'write', () => disk.syncDirectory(folder));
    }
  });
}
