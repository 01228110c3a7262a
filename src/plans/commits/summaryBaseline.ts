import { resolveCommit } from '../../git/repository.ts';
import { type HistoryCommit, lastTrailer } from '../../git/snapshot.ts';
import { failure } from '../../model/codes.ts';
import type { CodePhase } from '../../model/phase.ts';
import type { SummarisedPhase } from '../../model/phaseSummary.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { committedText, lastCommitOf } from '../planHistory.ts';
import type { PlanServices } from '../services.ts';

/** What a summary of a phase compares, and the commits after which that phase begins. */
const compared: Readonly<Record<SummarisedPhase, { readonly file: PlanFile; readonly after: readonly CodePhase[] }>> = {
  triage: { file: planFiles.backlog, after: ['git-commit-reflect', 'git-commit-dream'] },
  reflect: { file: planFiles.memory, after: ['git-commit-work'] },
  dream: { file: planFiles.memory, after: ['git-commit-reflect'] },
};

/**
 * The plan's file as it was committed before a phase: at the commit that was asked for, else at the phase's own baseline.
 * Nothing if that is empty, or if the plan has never come so far.
 */
export async function loadSummaryBaseline(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
  asked: { readonly phase: SummarisedPhase; readonly baseline?: string | undefined },
): Promise<PlanTexts> {
  const { phase, baseline } = asked;
  const { file } = compared[phase];
  const revision = baseline ?? (await ownBaseline(services, location, phase));
  if (revision === undefined || revision === '') return new Map();
  const commit = await resolveCommit(services.git, location.projectDirectory, revision);
  if (commit === undefined) {
    throw failure(
      'git/unknownCommit',
      location.id,
      `There is no commit "${revision}" in ${location.projectDirectory}.`,
    );
  }
  const text = await committedText(services, location, commit, file);
  return text === undefined ? new Map() : new Map([[file, text]]);
}

/** From the run state, else from the trailers of the history. */
async function ownBaseline(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
  phase: SummarisedPhase,
): Promise<string | undefined> {
  const kept = (await loadRunState(services, location.id)).baselines[phase];
  if (kept !== undefined) return kept;
  const { after } = compared[phase];
  const isBefore = (commit: HistoryCommit) => after.some((code) => code === lastTrailer(commit, 'Ravel-Phase'));
  return (await lastCommitOf(services, location, isBefore))?.hash;
}
