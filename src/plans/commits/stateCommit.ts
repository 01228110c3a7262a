import { isRavelError } from '../../base/errors.ts';
import { type CommitOutcome, commitPaths, refreshIndex } from '../../git/commit.ts';
import type { Git } from '../../git/git.ts';
import { findByTrailer, type HistoryCommit } from '../../git/snapshot.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { rootPlanName } from '../../model/id.ts';
import type { CodePhase } from '../../model/phase.ts';
import { scratchFiles } from '../../model/plan.ts';
import { planPath, projectPaths } from '../../vault/layout.ts';
import type { PlanLocation } from '../../vault/walk.ts';

export interface StateCommit {
  readonly location: PlanLocation;
  readonly phase: CodePhase;
  readonly session: Ulid;
  readonly message: string;
  /** Child plans, whose folders lie inside this one's and are theirs to commit. */
  readonly children: readonly QualifiedId[];
  /** The commit at which the work of this cycle began: its state commits stand behind it, so no more is searched. */
  readonly since?: string | undefined;
}

/**
 * Commits the plan's own files: the last commit of every code phase, apart from the source, so that the history of the
 * source stays free of bookkeeping. Run again after a crash it finds its trailer, and only refreshes the index.
 */
export async function commitPlanState(git: Git, commit: StateCommit): Promise<CommitOutcome> {
  const { location, phase, session } = commit;
  const { projectDirectory } = location;
  const entry = `${session}/${phase}`;
  const folder = planPath(location.id);
  const made = await findMade(git, commit, entry);
  if (made !== undefined) {
    await refreshIndex(git, projectDirectory, made.hash);
    return { outcome: 'nothing' };
  }
  return commitPaths(git, {
    directory: projectDirectory,
    paths: location.id.endsWith(`/${rootPlanName}`) ? [folder, ...projectOwnPaths] : [folder],
    exclude: [...commit.children.map((child) => planPath(child)), ...scratchFiles.map((file) => `${folder}/${file}`)],
    message: commit.message,
    isOwn: true,
    trailers: [
      ['Ravel-Plan', location.id],
      ['Ravel-Phase', phase],
      ['Ravel-Session', session],
      ['Ravel-Entry', entry],
    ],
  });
}

/** Without a process of its own to see whether the commit that bounds the search is still there. */
async function findMade(git: Git, { location, since }: StateCommit, entry: string): Promise<HistoryCommit | undefined> {
  const search = (after?: string) => findByTrailer(git, location.projectDirectory, ['Ravel-Entry', entry], { after });
  try {
    return await search(since);
  } catch (error) {
    // A rewrite of the history may have taken it away; what else git refuses, it refuses again.
    if (since === undefined || !isRavelError(error, 'git/failed')) throw error;
    return search();
  }
}

/** What adopting a project put beside its plans; it goes in with the root plan. */
const projectOwnPaths = [
  `${projectPaths.ravel}/.gitignore`,
  `${projectPaths.ravel}/${projectPaths.knowledge}/.gitkeep`,
];
