import { join } from 'node:path';
import { ensureDirectory, readTextIfExists, removeFileIf, removeTree, sha256, writeAtomicIf } from '../base/files.ts';
import { openJournal, readJournal } from '../base/journal.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../model/plan.ts';
import { withLock } from '../vault/lock.ts';
import { loadPlanTexts } from '../vault/planStore.ts';
import { loadRunState } from '../vault/runState.ts';
import type { PlanServices } from './services.ts';

type WriterPorts = Pick<PlanServices, 'disk' | 'clock' | 'processes' | 'layout'>;

/** How long a verb waits for another process that changes the same plan. */
const lockTimeoutMs = 10_000;

/** Runs `change` while nobody else, in any process, changes the plan's state files (design 8, "State verbs and locks"). */
export async function withPlanLock<T>(ports: WriterPorts, plan: QualifiedId, change: () => Promise<T>): Promise<T> {
  const { disk, clock, processes, layout } = ports;
  await ensureDirectory(disk, layout.plans);
  return withLock({ disk, processes, clock, path: layout.planLock(plan), timeoutMs: lockTimeoutMs }, change);
}

/** One write to a plan's folder that code can account for. */
interface Attribution {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Changes a plan's files: under its lock, from fresh texts, each file atomically and only if nobody saved it meanwhile.
 * While a phase runs, the write is noted, so that it is not taken for one that nobody made.
 */
export async function changePlanFiles<T>(
  ports: WriterPorts,
  plan: QualifiedId,
  decide: (texts: PlanTexts) => { readonly edits: ReadonlyMap<PlanFile, string | undefined>; readonly result: T },
): Promise<T> {
  return withPlanLock(ports, plan, async () => {
    const directory = ports.layout.plan(plan);
    const texts = await loadPlanTexts(ports.disk, directory, Object.values(planFiles));
    if (!texts.has(planFiles.marker)) {
      throw failure('plan/unknown', plan, `there is no plan ${plan}: ${join(directory, planFiles.marker)} is missing`);
    }
    const { edits, result } = decide(texts);
    await writeEdits(ports, plan, texts, edits);
    return result;
  });
}

/** Each file atomically, and only where it is still as it was read; the caller holds the plan's lock. */
async function writeEdits(
  ports: WriterPorts,
  plan: QualifiedId,
  before: PlanTexts,
  edits: ReadonlyMap<PlanFile, string | undefined>,
): Promise<void> {
  const { disk, layout } = ports;
  const changes = [...edits].filter(([file, text]) => before.get(file) !== text);
  if (changes.length === 0) return;
  const running = (await loadRunState(disk, layout, plan)).running !== undefined;
  if (running) await attribute(ports, plan, before, changes);
  for (const [file, text] of changes) {
    const path = join(layout.plan(plan), file);
    const old = before.get(file);
    const seen = old === undefined ? undefined : sha256(old);
    if (text !== undefined) await writeAtomicIf(disk, path, seen, text);
    else if (seen !== undefined) await removeFileIf(disk, path, seen);
  }
}

async function attribute(
  ports: WriterPorts,
  plan: QualifiedId,
  before: PlanTexts,
  changes: readonly (readonly [PlanFile, string | undefined])[],
): Promise<void> {
  const journal = await openJournal(ports.disk, ports.layout.attributions(plan));
  try {
    for (const [file, text] of changes) {
      const old = before.get(file);
      const record: Attribution = {
        file,
        before: old === undefined ? null : sha256(old),
        after: text === undefined ? null : sha256(text),
      };
      await journal.append(record);
    }
  } finally {
    await journal.close();
  }
}

/** Forgets the attributions of an earlier phase. */
export async function clearAttributions(ports: WriterPorts, plan: QualifiedId): Promise<void> {
  await removeTree(ports.disk, ports.layout.attributions(plan));
}

/**
 * Whether verbs account for a file's way from one hash to another: an unbroken chain of attributed writes. A write that
 * nobody noted breaks it.
 */
export async function isAttributed(
  ports: WriterPorts,
  plan: QualifiedId,
  file: string,
  hashes: { readonly before: string | undefined; readonly after: string | undefined },
): Promise<boolean> {
  const path = ports.layout.attributions(plan);
  if ((await readTextIfExists(ports.disk, path)) === undefined) return false;
  const { records } = await readJournal(ports.disk, path);
  let at: string | null = hashes.before ?? null;
  for (const record of records as Attribution[]) {
    if (record.file === file && record.before === at) at = record.after;
  }
  return at === (hashes.after ?? null);
}
