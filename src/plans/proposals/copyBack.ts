import { join } from 'node:path';
import * as z from 'zod';
import { isRavelError } from '../../base/errors.ts';
import {
  exists,
  readTextIfExists,
  removeFile,
  removeFileIf,
  sha256,
  writeAtomic,
  writeAtomicIf,
} from '../../base/files.ts';
import { parseJsonFile } from '../../base/jsonFile.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Conflict } from '../../model/merge.ts';
import { type PlanFile, planFiles } from '../../model/plan.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import type { StagingPaths } from '../transaction.ts';
import { type FileMerge, mergePlanFile } from './merge.ts';

/** One file of a copy-back; `null` for "not there". */
export interface FileChange {
  readonly file: PlanFile;
  readonly before: string | null;
  readonly after: string | null;
}

const intentSchema = z.looseObject({
  changes: z.array(
    z.looseObject({ file: z.enum(planFiles), before: z.string().nullable(), after: z.string().nullable() }),
  ),
}) satisfies z.ZodType<{ readonly changes: readonly FileChange[] }>;

/**
 * The journal of a copy-back. Once it is on disk the change is decided: a crash afterwards finishes it. Only a person's
 * edit that cannot be merged with it undoes it.
 */
export async function recordIntent(
  ports: VaultPorts,
  paths: StagingPaths,
  changes: readonly FileChange[],
): Promise<void> {
  await writeAtomic(ports.disk, paths.copyBack, JSON.stringify({ changes }));
}

export async function loadIntent(ports: VaultPorts, paths: StagingPaths): Promise<readonly FileChange[] | undefined> {
  const text = await readTextIfExists(ports.disk, paths.copyBack);
  if (text === undefined) return undefined;
  return parseJsonFile(text, paths.copyBack, intentSchema).changes;
}

/** What was put back is never copied again: after a power cut the intent is gone, too, before a person is told or asked. */
export function dropIntent({ disk }: Pick<VaultPorts, 'disk'>, paths: StagingPaths): Promise<void> {
  return removeFile(disk, paths.copyBack);
}

export type CopyOutcome =
  | { readonly outcome: 'finished' }
  | { readonly outcome: 'undone'; readonly file: PlanFile; readonly conflicts: readonly Conflict[] };

/**
 * Carries an intent out, from the point where an earlier try stopped. A file that was saved in between is merged once
 * more; if that is not possible, everything is put back as it was and the conflicts are returned.
 */
export async function rollForward(
  ports: VaultPorts,
  plan: QualifiedId,
  changes: readonly FileChange[],
): Promise<CopyOutcome> {
  for (const change of changes) {
    const conflicts = await whileSaved(() => applyChange(ports, plan, change));
    if (conflicts === undefined) continue;
    await rollBack(ports, plan, changes);
    return { outcome: 'undone', file: change.file, conflicts };
  }
  return { outcome: 'finished' };
}

/** How often a change is tried if the file is saved at the same moment. */
const triesMax = 5;

async function whileSaved<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === triesMax || !isRavelError(error, 'yaml/changedMeanwhile')) throw error;
    }
  }
}

async function applyChange(
  ports: VaultPorts,
  plan: QualifiedId,
  change: FileChange,
): Promise<readonly Conflict[] | undefined> {
  const path = join(ports.layout.plan(plan), change.file);
  const current = (await readTextIfExists(ports.disk, path)) ?? null;
  if (current === change.after) return undefined;
  if (current === change.before) {
    await replace(ports, path, current, change.after);
    return undefined;
  }
  const merged = mergePlanFile(
    change.file,
    {
      ...(change.before !== null && { base: change.before }),
      ...(change.after !== null && { session: change.after }),
      ...(current !== null && { person: current }),
    },
    plan,
  );
  if ('conflicts' in merged) return merged.conflicts;
  await replace(ports, path, current, merged.text ?? null);
  return undefined;
}

/**
 * Puts back what was there. If a person's edit was merged with the change, the change is merged out again; what cannot
 * be, because a person wrote over it, stays theirs.
 */
export async function rollBack(ports: VaultPorts, plan: QualifiedId, changes: readonly FileChange[]): Promise<void> {
  for (const change of [...changes].reverse()) {
    const path = join(ports.layout.plan(plan), change.file);
    const current = (await readTextIfExists(ports.disk, path)) ?? null;
    if (current === change.before) continue;
    const restored = current === change.after ? { text: change.before ?? undefined } : mergeOut(change, current, plan);
    if ('conflicts' in restored) continue;
    const next = restored.text ?? null;
    if (next !== current) await replace(ports, path, current, next);
  }
}

function mergeOut({ file, before, after }: FileChange, current: string | null, plan: QualifiedId): FileMerge {
  return mergePlanFile(
    file,
    {
      ...(after !== null && { base: after }),
      ...(before !== null && { session: before }),
      ...(current !== null && { person: current }),
    },
    plan,
  );
}

async function replace(ports: VaultPorts, path: string, current: string | null, next: string | null): Promise<void> {
  const seen = current === null ? undefined : sha256(current);
  if (next !== null) await writeAtomicIf(ports.disk, path, seen, next);
  else if (seen !== undefined) await removeFileIf(ports.disk, path, seen);
}

/** A plan that was deleted or renamed while its phase ran is never made again by a copy-back. */
export async function assertPlanThere(ports: VaultPorts, plan: QualifiedId): Promise<void> {
  const marker = join(ports.layout.plan(plan), 'plan-state.md');
  if (await exists(ports.disk, marker)) return;
  throw failure('plan/gone', plan, `The plan ${plan} is gone: ${marker} is missing.`);
}
