import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import { isInHistoryOf, readHead, resolveCommit } from '../git/repository.ts';
import { commitsWithTrailer, type HistoryCommit, showFiles } from '../git/snapshot.ts';
import type { QualifiedId } from '../model/id.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import { planPath } from '../vault/layout.ts';
import { loadRunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';
import type { PlanServices } from './services.ts';

type Services = Pick<PlanServices, 'disk' | 'git' | 'layout'>;

/**
 * The text that a file of the plan had as of a commit, wherever the plan lay by then: under the name that it had at that
 * commit, and while its present name was not committed yet, as it was last committed under the one before. A plan that
 * has, or had, one of these names as well is never taken for it. Undefined if there was no such file.
 */
export async function committedText(
  services: Services,
  location: PlanLocation,
  commit: string,
  file: PlanFile,
): Promise<string | undefined> {
  const { git } = services;
  const directory = location.projectDirectory;
  const show = (at: Era, revision: string, names: readonly PlanFile[]) =>
    showFiles(
      git,
      directory,
      revision,
      names.map((name) => `${planPath(at.plan)}/${name}`),
    );
  let revision = commit;
  for (const era of await erasOf(services, location)) {
    const { after } = era;
    if (after !== undefined && (await isInHistoryOf(git, directory, revision, after))) continue;
    const [text, marker] = await show(era, revision, [file, planFiles.marker]);
    if (text !== undefined || marker !== undefined) return text;
    revision = after ?? revision;
  }
  return undefined;
}

/** The newest commit that Ravel made for the plan, under whichever name it had then, and that is wanted. */
export async function lastCommitOf(
  services: Services,
  location: PlanLocation,
  isWanted: (commit: HistoryCommit) => boolean = () => true,
): Promise<HistoryCommit | undefined> {
  for (const { plan, ...range } of await erasOf(services, location)) {
    const commits = await commitsWithTrailer(services.git, location.projectDirectory, ['Ravel-Plan', plan], range);
    const found = commits.find(isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** HEAD of a project, for the names of its plans; undefined if there are no commits, or no repository to ask. */
export async function headOfProject({ git, layout }: Services, project: string): Promise<string | undefined> {
  try {
    return await readHead(git, layout.project(project));
  } catch (error) {
    // A plan moves all the same: without a repository it has no baseline that could lose it.
    if (isRavelError(error)) return undefined;
    throw error;
  }
}

/** For how long a plan had a name: after the one commit and up to the other. */
export interface Era {
  readonly plan: QualifiedId;
  readonly after?: string;
  readonly upTo?: string;
}

/** The names that a plan had, newest first. A bound that the history has lost since, as a rewrite of it may, is none. */
export async function erasOf({ disk, git, layout }: Services, { id, projectDirectory }: PlanLocation): Promise<Era[]> {
  const { earlierNames = [] } = await loadRunState({ disk, layout }, id);
  const eras: Era[] = [];
  let plan = id;
  let upTo: string | undefined;
  for (const { plan: earlier, head } of earlierNames.toReversed()) {
    const after = head === undefined ? undefined : await resolveCommit(git, projectDirectory, head);
    eras.push({ plan, ...defined({ after, upTo }) });
    plan = earlier;
    upTo = after;
  }
  return [...eras, { plan, ...defined({ upTo }) }];
}
