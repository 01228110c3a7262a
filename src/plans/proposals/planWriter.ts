import { join } from 'node:path';
import * as z from 'zod';
import { isRavelError } from '../../base/errors.ts';
import { readTextIfExists, removeFileIf, removeTree, sha256, writeAtomicIf } from '../../base/files.ts';
import { openJournal, readJournal } from '../../base/journal.ts';
import {
  carryOut,
  prepareReplacement,
  type Replacement,
  replacementOf,
  settleReplacement,
  wasCarriedOut,
} from '../../base/replacement.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { openLockFolder } from '../../vault/lockFolder.ts';
import { withLock } from '../../vault/planLock.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { recordOrigins, type TextChange } from '../origins.ts';
import type { PlanServices, PlanWriterPorts } from '../services.ts';

/** How long a verb waits while no other change to the same plan makes progress. */
const lockTimeoutMs = 10_000;

/**
 * Runs `change` while nothing else, in any process, changes the plan's state files. Throws `vault/locked` if another
 * change keeps the lock for too long, and the reason of `signal` if it aborts before the change.
 */
export async function withPlanLock<T>(
  ports: PlanWriterPorts,
  plan: QualifiedId,
  change: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { disk, clock, processes, layout, lockQueues: queues } = ports;
  await openLockFolder(ports);
  const lock = { disk, processes, clock, queues, path: layout.planLock(plan), timeoutMs: lockTimeoutMs };
  return withLock(lock, change, signal);
}

/** One write to a plan's folder that code can account for. */
const attributionSchema = z.looseObject({
  file: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

type Attribution = Readonly<z.infer<typeof attributionSchema>>;

/** As `changePlanFiles`, for a state verb that a person used: which records it added is noted as theirs. */
export async function changeForPerson<T>(
  ports: PlanWriterPorts & Pick<PlanServices, 'log'>,
  plan: QualifiedId,
  decide: Decide<T>,
  signal?: AbortSignal,
): Promise<T> {
  const options: ChangeOptions = {
    note: (changes) => recordOrigins(ports, plan, { by: 'person' }, changes),
    triesMax: verbTriesMax,
  };
  return change(ports, plan, decide, options, signal);
}

/**
 * Changes a plan's files: under its lock, from fresh texts, each file atomically and only if it was not saved
 * meanwhile. While a phase runs, the write is noted, so that it does not count as unattributed.
 */
export async function changePlanFiles<T>(ports: PlanWriterPorts, plan: QualifiedId, decide: Decide<T>): Promise<T> {
  return change(ports, plan, decide, { note: async () => undefined, triesMax: 1 });
}

/** As `changePlanFiles`, for one file: `decide` gives the text that it shall have, or undefined if it shall be gone. */
export async function editPlanFile(
  ports: PlanWriterPorts,
  plan: QualifiedId,
  file: PlanFile,
  decide: (text: string | undefined, texts: PlanTexts) => string | undefined,
): Promise<void> {
  await changePlanFiles(ports, plan, (texts) => {
    const before = texts.get(file);
    const after = decide(before, texts);
    return { edits: new Map(after === before ? [] : [[file, after]]), result: undefined };
  });
}

/** Computes the edits from a plan's present files. */
type Decide<T> = (texts: PlanTexts) => {
  readonly edits: ReadonlyMap<PlanFile, string | undefined>;
  readonly result: T;
};

async function change<T>(
  ports: PlanWriterPorts,
  plan: QualifiedId,
  decide: Decide<T>,
  { note, triesMax }: ChangeOptions,
  signal?: AbortSignal,
): Promise<T> {
  const work = async (tries: number): Promise<T> => {
    const texts = await loadPlanFiles(ports, plan);
    const { edits, result } = decide(texts);
    const written: PlanFile[] = [];
    try {
      await writeEdits(ports, plan, { before: texts, edits, onWritten: (file) => written.push(file) });
    } catch (error) {
      const isMet = isRavelError(error, 'yaml/changedMeanwhile') && written.length === 0;
      if (!isMet || tries === triesMax) throw error;
      // The file was saved at the same moment: the change is made again from the saved text.
      return work(tries + 1);
    }
    await note([...edits].map(([file, text]) => ({ file, before: texts.get(file) ?? null, after: text ?? null })));
    return result;
  };
  return withPlanLock(ports, plan, () => work(1), signal);
}

/** A verb works on any texts, so it can be applied again to a file that was saved meanwhile. */
const verbTriesMax = 3;

interface ChangeOptions {
  readonly note: (changes: readonly TextChange[]) => Promise<void>;
  /** How often the change is tried if a file is saved while it is being replaced. */
  readonly triesMax: number;
}

/** A plan's files as they are just now, for who changes none of them. */
export async function loadPlanFiles(
  { disk, layout }: Pick<PlanWriterPorts, 'disk' | 'layout'>,
  plan: QualifiedId,
): Promise<PlanTexts> {
  const directory = layout.plan(plan);
  const texts = await loadPlanTexts(disk, directory, Object.values(planFiles));
  if (texts.has(planFiles.marker)) return texts;
  throw failure('plan/unknown', plan, `There is no plan ${plan}: ${join(directory, planFiles.marker)} is missing.`);
}

/** A change that is made once, however often it is tried. */
export interface OnceChange {
  readonly file: PlanFile;
  /** Tells the change from every other one; a message's id. */
  readonly id: string;
  /** Whether an earlier try had noted that its text waits beside the file. */
  readonly wasPrepared: boolean;
  /** Keeps that until the change is done with; durable once it resolves. */
  recordPrepared(): Promise<void>;
}

/** Tries while an editor saves the file in the very moment of the change. */
const onceTriesMax = 5;

/**
 * Changes one file of a plan exactly once, even if the process dies in between and whatever is done to the file since.
 * The file itself proves nothing, because a person may have taken the change out again. So the new text is written
 * beside the file and noted, and the rename that puts it in place removes that name: if a name was noted and is gone,
 * the change was made. `decide` gives the new text; undefined changes nothing.
 */
export async function changePlanFileOnce(
  ports: PlanWriterPorts,
  plan: QualifiedId,
  change: OnceChange,
  decide: (texts: PlanTexts) => string | undefined,
): Promise<void> {
  await withPlanLock(ports, plan, async () => {
    const replacement = replacementOf(ports.layout.plan(plan), change.file, change.id);
    if (change.wasPrepared && (await wasCarriedOut(ports.disk, replacement))) {
      await settleReplacement(ports.disk, replacement);
      ports.planWritten?.(plan);
      return;
    }
    for (let tries = 1; ; tries++) {
      try {
        await replaceOnce(
          ports,
          plan,
          { ...change, replacement, wasPrepared: change.wasPrepared || tries > 1 },
          decide,
        );
        return;
      } catch (error) {
        if (tries === onceTriesMax || !isRavelError(error, 'yaml/changedMeanwhile')) throw error;
      }
    }
  });
}

async function replaceOnce(
  ports: PlanWriterPorts,
  plan: QualifiedId,
  change: OnceChange & { readonly replacement: Replacement },
  decide: (texts: PlanTexts) => string | undefined,
): Promise<void> {
  const { file, replacement, wasPrepared } = change;
  const texts = await loadPlanFiles(ports, plan);
  const text = decide(texts);
  if (text === undefined || text === texts.get(file)) return;
  await prepareReplacement(ports.disk, replacement, text);
  if (!wasPrepared) await change.recordPrepared();
  await attributeIfRunning(ports, plan, texts, [[file, text]]);
  await carryOut(ports.disk, replacement, texts.get(file));
  ports.planWritten?.(plan);
}

/** Each file atomically, and only if it is still as it was read; the caller holds the plan's lock. */
async function writeEdits(
  ports: PlanWriterPorts,
  plan: QualifiedId,
  {
    before,
    edits,
    onWritten,
  }: {
    readonly before: PlanTexts;
    readonly edits: ReadonlyMap<PlanFile, string | undefined>;
    readonly onWritten: (file: PlanFile) => void;
  },
): Promise<void> {
  const { disk, layout } = ports;
  const changes = [...edits].filter(([file, text]) => before.get(file) !== text);
  if (changes.length === 0) return;
  await attributeIfRunning(ports, plan, before, changes);
  for (const [file, text] of changes) {
    const path = join(layout.plan(plan), file);
    const old = before.get(file);
    const seen = old === undefined ? undefined : sha256(old);
    if (text !== undefined) await writeAtomicIf(disk, path, seen, text);
    else if (seen !== undefined) await removeFileIf(disk, path, seen);
    onWritten(file);
    ports.planWritten?.(plan);
  }
}

async function attributeIfRunning(
  ports: PlanWriterPorts,
  plan: QualifiedId,
  before: PlanTexts,
  changes: readonly (readonly [PlanFile, string | undefined])[],
): Promise<void> {
  const { running, waiting, interrupted } = await loadRunState(ports, plan);
  // A proposal that waits may be applied yet, and what a verb did until then is accounted for as well.
  if (running === undefined && waiting === undefined && interrupted === undefined) return;
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
export async function clearAttributions(ports: VaultPorts, plan: QualifiedId): Promise<void> {
  await removeTree(ports.disk, ports.layout.attributions(plan));
}

/**
 * Whether an unbroken chain of attributed writes leads from one hash of a file to another. A write that was not noted
 * breaks the chain; one that was noted but, because of a crash, did not happen does not.
 */
export async function isAttributed(
  ports: VaultPorts,
  plan: QualifiedId,
  file: string,
  hashes: { readonly before: string | undefined; readonly after: string | undefined },
): Promise<boolean> {
  return (await attributedHashes(ports, plan, file, hashes.before)).includes(hashes.after ?? null);
}

/** The hash that a file would have if nothing but attributed writes had changed it; undefined for no file. */
export async function attributedHash(
  ports: VaultPorts,
  plan: QualifiedId,
  file: string,
  before: string | undefined,
): Promise<string | undefined> {
  return (await attributedHashes(ports, plan, file, before)).at(-1) ?? undefined;
}

/** Every hash that attributed writes account for, in their order. */
async function attributedHashes(
  ports: VaultPorts,
  plan: QualifiedId,
  file: string,
  before: string | undefined,
): Promise<readonly (string | null)[]> {
  const reached: (string | null)[] = [before ?? null];
  const path = ports.layout.attributions(plan);
  if ((await readTextIfExists(ports.disk, path)) === undefined) return reached;
  const { records } = await readJournal(ports.disk, path, attributionSchema);
  for (const record of records) {
    if (record.file === file && reached.includes(record.before)) reached.push(record.after);
  }
  return reached;
}

/** Notes that a person takes responsibility for an unattributed change. Doing it again changes nothing. */
export async function attributeToPerson(
  ports: VaultPorts,
  plan: QualifiedId,
  file: string,
  hashes: { readonly before: string | undefined; readonly after: string | undefined },
): Promise<void> {
  const before = await attributedHash(ports, plan, file, hashes.before);
  if (before === hashes.after) return;
  const journal = await openJournal(ports.disk, ports.layout.attributions(plan));
  try {
    const record: Attribution = { file, before: before ?? null, after: hashes.after ?? null };
    await journal.append(record);
  } finally {
    await journal.close();
  }
}
