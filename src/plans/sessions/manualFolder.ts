import { join } from 'node:path';
import { settleAll } from '../../base/async.ts';
import type { Disk } from '../../base/disk.ts';
import { ensureDirectory, exists, writeAtomic } from '../../base/files.ts';
import { deriveDreamMap } from '../../gates/dream/deriveDreamMap.ts';
import type { DreamMap } from '../../model/memory.ts';
import { filesRead, filesWritten } from '../../model/phaseFiles.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { readMemoryFile } from '../../vault/memoryFile.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { formatYaml } from '../../yaml/yaml.ts';
import type { StagedEdits } from '../proposals/callJournal.ts';
import { loadBase, loadStaged, type StagingPaths, type Transaction } from '../transaction.ts';

/** What a person who carries a phase out has before them; absolute paths. */
export interface ManualFolder {
  readonly directory: string;
  /** To edit: copies of the files that the phase may write. */
  readonly files: readonly string[];
  /** To read beside them; what is changed there changes nothing. */
  readonly reading: readonly string[];
  readonly prompt: string;
}

const promptName = 'phase-prompt.readonly.md';
const readOnly = 0o444;

export async function loadManualFolder(
  disk: Disk,
  paths: StagingPaths,
  transaction: Transaction,
): Promise<ManualFolder> {
  const base = await loadBase(disk, paths, transaction.phase);
  const inFolder = (file: string) => join(paths.manual, file);
  return {
    directory: paths.manual,
    files: filesWritten(transaction.phase).map(inFolder),
    reading: readingOf(transaction, base).map(inFolder),
    prompt: inFolder(promptName),
  };
}

/** The prompt is written last, so that a folder without it is known as unfinished. */
export function isManualFolderReady(disk: Disk, paths: StagingPaths): Promise<boolean> {
  return exists(disk, join(paths.manual, promptName));
}

/** Lays out what a person edits: the staged copies, or what they had made of them in an earlier try. */
export async function writeManualFolder(
  disk: Disk,
  paths: StagingPaths,
  {
    transaction,
    prompt,
    kept,
  }: { readonly transaction: Transaction; readonly prompt: string; readonly kept: PlanTexts },
): Promise<void> {
  const { phase } = transaction;
  const base = await loadBase(disk, paths, phase);
  const staged = await loadStaged(disk, paths, phase);
  await ensureDirectory(disk, paths.manual);
  const copies = filesWritten(phase).map((file) => {
    const proposed = staged.get(file) === base.get(file) ? undefined : staged.get(file);
    return [file, kept.get(file) ?? proposed ?? blankOf(file, transaction) ?? staged.get(file)] as const;
  });
  const reading = readingOf(transaction, base).map((file) => [file, base.get(file)] as const);
  await settleAll([
    ...copies.map(([file, text]) => writeAtomic(disk, join(paths.manual, file), text ?? '')),
    ...reading.map(([file, text]) =>
      writeAtomic(disk, join(paths.manual, file), text ?? '', { permissions: readOnly }),
    ),
  ]);
  await writeAtomic(disk, join(paths.manual, promptName), prompt, { permissions: readOnly });
}

/** What a person had in the folder of an earlier try; empty if that was no phase by hand. */
export function loadKept(disk: Disk, paths: StagingPaths, transaction: Transaction): Promise<PlanTexts> {
  return loadPlanTexts(disk, paths.manual, filesWritten(transaction.phase));
}

/** What a person's files come to: edits of the staged copies, and the names of all that differ from what was given. */
export async function readManualFolder(
  disk: Disk,
  paths: StagingPaths,
  transaction: Transaction,
): Promise<{ readonly edits: StagedEdits; readonly changed: readonly PlanFile[] }> {
  const { phase } = transaction;
  const files = filesWritten(phase);
  const base = await loadBase(disk, paths, phase);
  const staged = await loadStaged(disk, paths, phase);
  const edited = await loadPlanTexts(disk, paths.manual, files);
  const proposed = files.map((file) => {
    const blank = blankOf(file, transaction);
    const text = edited.get(file);
    // A form that is still blank, or was deleted, counts as absent.
    const isUnused = blank !== undefined && (text === undefined || text === blank);
    return [file, isUnused ? base.get(file) : text] as const;
  });
  return {
    edits: new Map(proposed.filter(([file, text]) => text !== staged.get(file))),
    changed: proposed.filter(([file, text]) => text !== base.get(file)).map(([file]) => file),
  };
}

/** The map of the entries that a person merged: an editor records none, so it is derived from the two texts. */
export function manualDreamMap(base: PlanTexts, proposed: PlanTexts): DreamMap {
  const file = planFiles.memory;
  const entriesIn = (texts: PlanTexts) =>
    readMemoryFile(texts.get(file) ?? '', { file, subject: '' }).value?.entries ?? [];
  return deriveDreamMap(entriesIn(base), entriesIn(proposed));
}

function readingOf({ phase }: Transaction, base: PlanTexts): PlanFile[] {
  return filesRead(phase).filter((file) => base.has(file) && !filesWritten(phase).includes(file));
}

/** The form that a person fills in, for files that each phase writes again: with what code knows, and what it may not leave out. */
function blankOf(file: PlanFile, { session, startedAt }: Transaction): string | undefined {
  switch (file) {
    case planFiles.latestSession: {
      const id = `${startedAt.slice(0, 10)}-by-hand`;
      const body = 'What was done, what was found, and how it was checked.\n';
      return formatYaml({ id, timestamp: startedAt, phase: 'work', session, body, claims: [] });
    }
    case planFiles.commits:
      return formatYaml({ commits: [] });
    case planFiles.dispatches:
      return formatYaml({ dispatches: [] });
    case planFiles.queries:
      return formatYaml({ queries: [] });
    default:
      return undefined;
  }
}
