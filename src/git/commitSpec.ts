import { defined } from '../base/defined.ts';
import { commitTitleLengthMax } from '../model/commitTitle.ts';
import type { Phase } from '../model/phase.ts';
import type { CommitEntry } from '../model/session.ts';
import { type CommitOutcome, type CommittedOutcome, commitPaths, refreshIndex } from './commit.ts';
import type { Git } from './git.ts';
import { commitsSince, type HistoryCommit, lastTrailer } from './snapshot.ts';
import type { Review } from './stagedDiff.ts';

/** Keys of the trailers that every commit of a code phase carries: a rerun finds by them what is committed already. */
const trailerKeys = {
  plan: 'Ravel-Plan',
  phase: 'Ravel-Phase',
  session: 'Ravel-Session',
  entry: 'Ravel-Entry',
} as const;

export interface CommitSpecRequest {
  readonly directory: string;
  readonly entries: readonly CommitEntry[];
  /** Literal paths that stay out of every commit: other plans' folders, paths that were dirty before. */
  readonly exclude: readonly string[];
  readonly session: string;
  readonly plan: string;
  readonly phase: Phase;
  /** Entries that are committed already are looked for after this commit; without it, in the whole history. */
  readonly baseline?: string;
  /** As in `CommitRequest`. */
  readonly review?: Review;
  /** Told of each entry as soon as it is done with. */
  readonly onEntry: (result: AppliedEntry) => void;
}

export type AppliedEntry = {
  /** From 1, as in the trailer. */
  readonly number: number;
  readonly title: string;
} & (
  | CommittedOutcome
  /** A run before this one made the commit, and only the index was refreshed; or there is nothing to commit. */
  | { readonly outcome: 'present' | 'nothing' | 'unmatched'; readonly reason: string }
);

/**
 * Carries out the entries in order, each in a commit of its own. Run again after a crash or a refusal, it continues with
 * the first entry that is not in the history. Rejects as `commitPaths` does, at the first entry that fails: those
 * before it are committed, and those after it wait, so that the order stands.
 */
export async function applyCommitSpec(git: Git, request: CommitSpecRequest): Promise<AppliedEntry[]> {
  const { directory, session } = request;
  const history = await commitsSince(git, directory, request.baseline);
  const results: AppliedEntry[] = [];
  for (const [at, entry] of request.entries.entries()) {
    const mark = `${session}/${at + 1}`;
    const made = history.find((commit) => lastTrailer(commit, trailerKeys.entry) === mark);
    const outcome =
      made === undefined
        ? explain(await commitEntry(git, request, entry, mark))
        : await recoverEntry(git, directory, made);
    const result = { number: at + 1, title: titleOf(entry), ...outcome };
    results.push(result);
    request.onEntry(result);
  }
  return results;
}

/** One entry for everything, if the session left no specification. */
export function catchAllEntry(planName: string): CommitEntry {
  const title = `Record the work of ${planName}`;
  return {
    paths: ['.'],
    message: title.length <= commitTitleLengthMax ? title : `${title.slice(0, commitTitleLengthMax - 3)}...`,
  };
}

function commitEntry(git: Git, request: CommitSpecRequest, entry: CommitEntry, mark: string): Promise<CommitOutcome> {
  return commitPaths(git, {
    directory: request.directory,
    paths: entry.paths,
    exclude: request.exclude,
    ...defined({ review: request.review }),
    message: entry.message,
    trailers: [
      [trailerKeys.plan, request.plan],
      [trailerKeys.phase, request.phase],
      [trailerKeys.session, request.session],
      [trailerKeys.entry, mark],
    ],
  });
}

function explain(outcome: CommitOutcome) {
  switch (outcome.outcome) {
    case 'committed':
      return outcome;
    case 'nothing':
      return { outcome: 'nothing', reason: 'nothing that it names has changed' } as const;
    case 'unmatched':
      return { outcome: 'unmatched', reason: `nothing matches ${outcome.paths.join(', ')}` } as const;
  }
}

async function recoverEntry(git: Git, directory: string, commit: HistoryCommit) {
  await refreshIndex(git, directory, commit.hash);
  return { outcome: 'present', reason: `committed already as ${commit.hash.slice(0, 12)}` } as const;
}

function titleOf(entry: CommitEntry): string {
  return entry.message.trim().split('\n')[0] ?? '';
}
