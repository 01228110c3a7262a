import { join } from 'node:path';
import { isRavelError } from '../../base/errors.ts';
import { readTextIfExists, sha256 } from '../../base/files.ts';
import { showFile } from '../../git/snapshot.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { ApprovalQuestion } from '../approvals/phaseQuestion.ts';
import type { PlanServices, PlanWriterPorts } from '../services.ts';
import { changedHashes, hashFolder, type StagingPaths, type Transaction } from '../transaction.ts';
import { assertPlanThere } from './copyBack.ts';
import { attributedHash, isAttributed } from './planWriter.ts';

/**
 * Names in the plan's folder that changed since the session started without a verb that accounts for it. The change
 * could come from a person's editor or from the session's own shell. The program cannot tell, so it asks a person.
 * Throws `plan/gone` if the plan no longer exists.
 */
export async function unattributedChanges(
  services: PlanWriterPorts,
  plan: QualifiedId,
  directory: string,
  before: Readonly<Record<string, string>>,
): Promise<string[]> {
  await assertPlanThere(services, plan);
  const after = await hashFolder(services.disk, directory);
  const unattributed: string[] = [];
  for (const name of changedHashes(before, after)) {
    const hashes = { before: before[name], after: after[name] };
    if (!(await isAttributed(services, plan, name, hashes))) unattributed.push(name);
  }
  return unattributed;
}

/** A file that changed by no verb: its hashes (null for no file), and its texts as far as they are known and short. */
export interface UnattributedFile {
  readonly file: string;
  readonly before: string | null;
  readonly now: string | null;
  readonly was?: string;
  readonly is?: string;
}

/** The question to a person about such files; undefined if there are none. */
export function unattributedQuestion(files: readonly UnattributedFile[]): ApprovalQuestion | undefined {
  if (files.length === 0) return undefined;
  const names = files.map(({ file }) => file).join(', ');
  const reason = `These files of the plan changed during the session, and no state verb explains it: ${names}.`;
  return { kind: 'unattributed-change', reason, details: { files } };
}

/** What is left to ask where all files are as they were again: their phase still waits for a word. */
export const nothingLeft: ApprovalQuestion = {
  kind: 'unattributed-change',
  reason: 'Files of the plan changed during the session, and have been restored since.',
  details: { files: [] },
};

/** Longest text of a file that a question shows. */
const shownCharactersMax = 20_000;

/** The changes that no verb accounts for, with what a person needs to say whether they are theirs. */
export async function describeUnattributed(
  services: PlanWriterPorts & Pick<PlanServices, 'git'>,
  transaction: Transaction,
  paths: StagingPaths,
): Promise<UnattributedFile[]> {
  const { plan, folder } = transaction;
  const directory = services.layout.plan(plan);
  const names = await unattributedChanges(services, plan, directory, folder);
  const after = await hashFolder(services.disk, directory);
  const files: UnattributedFile[] = [];
  for (const file of names) {
    const before = await attributedHash(services, plan, file, folder[file]);
    const was = await textWithHash(services, paths, directory, { file, hash: before });
    const isFile = after[file] !== undefined && !isLink(after[file]);
    const is = isFile ? await readTextIfExists(services.disk, join(directory, file)) : undefined;
    files.push({
      ...{ file, before: before ?? null, now: after[file] ?? null },
      ...(was !== undefined && was.length <= shownCharactersMax && { was }),
      ...(is !== undefined && is.length <= shownCharactersMax && { is }),
    });
  }
  return files;
}

/** The hash of a symlink is its target. */
export function isLink(hash: string): boolean {
  return hash.startsWith('link:');
}

/** A text that a file of the plan is known to have had, by its hash: as the session was given it, or as last committed. */
export async function textWithHash(
  { disk, git }: Pick<PlanServices, 'disk' | 'git'>,
  paths: StagingPaths,
  directory: string,
  { file, hash }: { readonly file: string; readonly hash: string | undefined },
): Promise<string | undefined> {
  if (hash === undefined || isLink(hash)) return undefined;
  const staged = await readTextIfExists(disk, join(paths.base, file));
  if (staged !== undefined && sha256(staged) === hash) return staged;
  try {
    const committed = await showFile(git, directory, 'HEAD', `./${file}`);
    return committed !== undefined && sha256(committed) === hash ? committed : undefined;
  } catch (error) {
    // Without a repository, or without a commit in it, the text was not kept; the question says so.
    if (isRavelError(error)) return undefined;
    throw error;
  }
}
