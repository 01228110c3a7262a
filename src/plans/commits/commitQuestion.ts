import type { Git } from '../../git/git.ts';
import { hashPaths } from '../../git/status.ts';
import type { WorkBaseline } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { ApprovalQuestion } from '../approvals/phaseQuestion.ts';
import { pathsChangedTwice } from './dirtyPaths.ts';

/** A path that had changes before work began, by the hashes of its content then and now; null if it was not there. */
export interface DirtyPath {
  readonly path: string;
  readonly before: string | null;
  readonly now: string | null;
}

/** A path that was dirty before work and has changed since, or another branch: only a person knows what is meant. */
export async function commitQuestion(
  git: Git,
  location: PlanLocation,
  baseline: WorkBaseline | undefined,
  branch: string | undefined,
): Promise<ApprovalQuestion | undefined> {
  if (baseline === undefined) return undefined;
  if (baseline.branch !== undefined && branch !== baseline.branch) {
    const reason = `Work began on branch ${baseline.branch}, but ${branch ?? 'no branch'} is checked out now.`;
    return { kind: 'branch-changed', reason, details: { before: baseline.branch, now: branch ?? null } };
  }
  const changed = await pathsChangedTwice(git, location.projectDirectory, baseline);
  if (changed.length === 0) return undefined;
  const now = await hashPaths(git, location.projectDirectory, changed);
  const before = new Map(baseline.dirty.map((entry) => [entry.path, entry.hash]));
  const paths = changed.map(
    (path): DirtyPath => ({
      ...{ path, before: before.get(path) ?? null, now: now.get(path) ?? null },
    }),
  );
  const reason = `These paths had changes before work began and were changed again by the session: ${changed.join(', ')}.`;
  return { kind: 'dirty-source-changed', reason, details: { paths } };
}
