import { exists } from '../../base/files.ts';
import { isReasoningPhase } from '../../model/phase.ts';
import { projectPaths } from '../../vault/layout.ts';
import { type StagingPaths, stagingPaths } from '../transaction.ts';
import { type Look, restOfCycle } from './lookedAt.ts';

export interface MadeCommit {
  readonly commit: string;
  readonly title: string;
}

/** Commits that hold what the session made: of work those that followed its analysis, else its own. */
export function commitsOf(look: Look): MadeCommit[] {
  const { session, phase } = look.at;
  return restOfCycle(look).rest.flatMap((record) => {
    const isOwn = record.session === session || (phase === 'work' && record.phase === 'git-commit-work');
    return isOwn ? (record.commits ?? []) : [];
  });
}

/** Where the staged files of a session lie: under way or waiting, else as they were set aside; undefined once merged. */
export async function stagingOf({ services, location, at }: Look): Promise<StagingPaths | undefined> {
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
export function seesSource(look: Look): boolean {
  const { phase } = look.at;
  if (phase !== 'work' && phase !== 'analyse-work') return false;
  if (look.state.baselines.work === undefined) return false;
  const { rest, isNewest } = restOfCycle(look);
  return isNewest && !rest.some((record) => record.phase === 'git-commit-work' && record.end === 'finished');
}

/** What the project's files are compared with; the plans' own files are not source. */
export function sourceScope({ location, state }: Look) {
  return {
    directory: location.projectDirectory,
    baseline: state.baselines.work?.commit,
    exclude: [projectPaths.ravel],
  };
}
