import { exists } from '../base/files.ts';
import { diffStatsSince } from '../git/diffStats.ts';
import { hashPaths } from '../git/status.ts';
import { isReasoningPhase } from '../model/phase.ts';
import type { ChangedFile } from '../model/requests/inspect.ts';
import { type StagingPaths, stagingPaths } from '../plans/transaction.ts';
import { projectPaths } from '../vault/layout.ts';
import { restOfCycle, type SessionSnapshot } from './sessionSnapshot.ts';

export interface MadeCommit {
  readonly commit: string;
  readonly title: string;
}

/** Commits that hold what the session made: of work those that followed its analysis, else its own. */
export function commitsOf(snapshot: SessionSnapshot): MadeCommit[] {
  const { session, phase } = snapshot.at;
  return restOfCycle(snapshot).rest.flatMap((record) => {
    const isOwn = record.session === session || (phase === 'work' && record.phase === 'git-commit-work');
    return isOwn ? (record.commits ?? []) : [];
  });
}

/** Where the staged files of a session lie: under way or waiting, else as they were set aside; undefined once merged. */
export async function stagingOf({ services, location, at }: SessionSnapshot): Promise<StagingPaths | undefined> {
  const { phase, session } = at;
  if (phase === undefined || !isReasoningPhase(phase)) return undefined;
  const { disk, layout } = services;
  for (const root of [
    layout.stagingOf(location.id, phase, session),
    layout.interruptedOf(location.id, phase, session),
  ]) {
    if (await exists(disk, root)) return stagingPaths(root);
  }
  return undefined;
}

/** Whether what is in the project's files now is the session's: it worked, or judges the work, and nothing is committed. */
export function seesSource(snapshot: SessionSnapshot): boolean {
  const { phase } = snapshot.at;
  if (phase !== 'work' && phase !== 'analyse-work') return false;
  if (snapshot.state.baselines.work === undefined) return false;
  const { rest, isNewest } = restOfCycle(snapshot);
  return isNewest && !rest.some((record) => record.phase === 'git-commit-work' && record.end === 'finished');
}

/** What the project's files are compared with; the plans' own files are not source. */
export function sourceScope({ location, state }: SessionSnapshot) {
  return {
    directory: location.projectDirectory,
    baseline: state.baselines.work?.commit,
    exclude: [projectPaths.ravel],
  };
}

export interface SourceChanges {
  readonly files: readonly ChangedFile[];
  /** Files that had changed before work began and have stayed the same since: no session changed them. */
  readonly earlierCount: number;
}

/**
 * What became of the project's files since work began. A file that was not as committed by then counts if it has
 * another content now, also the one that was committed.
 */
export async function sourceChanges(snapshot: SessionSnapshot): Promise<SourceChanges> {
  const { git } = snapshot.services;
  const scope = sourceScope(snapshot);
  const dirty = snapshot.state.baselines.work?.dirty ?? [];
  const since = await diffStatsSince(git, scope);
  if (dirty.length === 0) return { files: since, earlierCount: 0 };
  const paths = dirty.map(({ path }) => path);
  const now = await hashPaths(git, scope.directory, paths);
  const isTouched = new Map(dirty.map(({ path, hash }) => [path, now.get(path) !== hash]));
  const changed = new Set(since.map(({ path }) => path));
  const undone = paths.filter((path) => isTouched.get(path) === true && !changed.has(path));
  const files = [
    ...since.filter(({ path }) => isTouched.get(path) !== false),
    ...undone.map((path) => ({ path, status: 'changed' as const, added: 0, removed: 0 })),
  ].map((file) => (isTouched.has(file.path) ? { ...file, changedBefore: true as const } : file));
  return {
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    earlierCount: since.length + undone.length - files.length,
  };
}
