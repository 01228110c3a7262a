import { join } from 'node:path';
import * as z from 'zod';
import { settleAll } from '../base/async.ts';
import type { DirectoryEntry, Disk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { ensureDirectory, hashFile, readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJsonFile } from '../base/jsonFile.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { ulidSchema } from '../model/idSchemas.ts';
import { type ReasoningPhase, reasoningPhases } from '../model/phase.ts';
import { filesStaged } from '../model/phaseFiles.ts';
import { logPartName, messageArchiveName, type PlanTexts, viewFiles } from '../model/plan.ts';
import { type ExecutorName, executorNames } from '../model/settings.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { loadPlanTexts } from '../vault/planStore.ts';

/** The facts of one phase, fixed when it starts and never rewritten. */
export interface Transaction {
  readonly plan: QualifiedId;
  readonly phase: ReasoningPhase;
  readonly session: Ulid;
  /** Who carries it out. */
  readonly harness: ExecutorName;
  readonly task?: string;
  readonly startedAt: string;
  /** Hashes of the files right in the plan's folder when the session started, views apart. */
  readonly folder: Readonly<Record<string, string>>;
}

const transactionSchema = z.looseObject({
  phase: z.enum(reasoningPhases),
  session: ulidSchema,
  harness: z.enum(executorNames),
  task: z.string().exactOptional(),
  startedAt: z.string(),
  folder: z.record(z.string(), z.string()),
});

/** Paths of one transaction's staging. */
export interface StagingPaths {
  readonly root: string;
  /** Copies that the session's verbs change; working directory of all phases but work. */
  readonly plan: string;
  /** What the session was given; the base of the merge. */
  readonly base: string;
  readonly transaction: string;
  /** Texts that a verb is about to write; makes a repeated call harmless after a crash. */
  readonly redo: string;
  /** The copies that a person edits, if the phase is carried out by hand. */
  readonly manual: string;
  /** The intent to copy back, with the texts before and after; its existence is the point of no return. */
  readonly copyBack: string;
}

export function stagingPaths(root: string): StagingPaths {
  return {
    root,
    plan: join(root, 'plan'),
    base: join(root, 'base'),
    transaction: join(root, 'transaction.json'),
    redo: join(root, 'redo.json'),
    manual: join(root, 'manual'),
    copyBack: join(root, 'copy-back.json'),
  };
}

/** The files that an earlier try of the phase was given, and its changes to them. */
export interface StagedTexts {
  readonly base: PlanTexts;
  readonly plan: PlanTexts;
}

/**
 * Renders staging: the files that the phase may read or write, twice, or as an earlier try left them. The transaction's
 * file is written last.
 */
export async function stage(
  disk: Disk,
  layout: VaultLayout,
  transaction: Omit<Transaction, 'folder'>,
  earlier?: StagedTexts,
): Promise<{ readonly transaction: Transaction; readonly paths: StagingPaths; readonly base: PlanTexts }> {
  const directory = layout.plan(transaction.plan);
  const paths = stagingPaths(layout.stagingOf(transaction.plan, transaction.phase, transaction.session));
  await ensureDirectory(disk, paths.plan);
  await ensureDirectory(disk, paths.base);
  const folder = await hashFolder(disk, directory);
  const base = earlier?.base ?? (await loadPlanTexts(disk, directory, filesStaged(transaction.phase)));
  await settleAll([
    ...[...base].map(([file, text]) => writeAtomic(disk, join(paths.base, file), text)),
    ...[...(earlier?.plan ?? base)].map(([file, text]) => writeAtomic(disk, join(paths.plan, file), text)),
  ]);
  const whole: Transaction = { ...transaction, folder };
  await writeAtomic(disk, paths.transaction, `${JSON.stringify(whole, undefined, 2)}\n`);
  return { transaction: whole, paths, base };
}

export async function loadTransaction(disk: Disk, paths: StagingPaths, plan: QualifiedId): Promise<Transaction> {
  const text = await readTextIfExists(disk, paths.transaction);
  if (text === undefined) {
    throw failure('plan/gone', plan, `The staging of the phase is gone: ${paths.root}.`);
  }
  const transaction = parseJsonFile(text, paths.transaction, transactionSchema);
  // The plan may have been renamed since the phase began.
  return { ...transaction, plan };
}

export function loadBase(disk: Disk, paths: StagingPaths, phase: ReasoningPhase): Promise<PlanTexts> {
  return loadPlanTexts(disk, paths.base, filesStaged(phase));
}

export function loadStaged(disk: Disk, paths: StagingPaths, phase: ReasoningPhase): Promise<PlanTexts> {
  return loadPlanTexts(disk, paths.plan, filesStaged(phase));
}

const generatedFiles: ReadonlySet<string> = new Set(viewFiles);

/**
 * Hash of each regular file right in the plan's folder: how a change that no verb made is noticed. Child plans are
 * their own; generated views are rebuilt anyway; archives grow without a verb, and no phase is given what they hold. A
 * symlink counts by its target.
 */
export async function hashFolder(disk: Disk, directory: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const entry of await disk.readDirectory(directory)) {
    if (generatedFiles.has(entry.name) || entry.name.endsWith('.tmp') || isArchive(entry)) continue;
    // A file that is gone by now counts as never there: editors create files only to test whether they can.
    const hash = await ifThere(join(directory, entry.name), () => hashEntry(disk, directory, entry));
    if (hash !== undefined) hashes[entry.name] = hash;
  }
  return hashes;
}

function isArchive({ name, kind }: DirectoryEntry): boolean {
  return kind === 'file' && (messageArchiveName.test(name) || logPartName.test(name));
}

async function hashEntry(disk: Disk, directory: string, { name, kind }: DirectoryEntry): Promise<string | undefined> {
  const path = join(directory, name);
  if (kind === 'symlink') return `link:${await disk.readLink(path)}`;
  return kind === 'file' ? hashFile(disk, path) : undefined;
}

/** Names in the plan's folder whose hash differs between two snapshots. */
export function changedHashes(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}
