import { join, resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { type Diagnostic, RavelError } from '../../base/errors.ts';
import { shellWord } from '../../base/text.ts';
import { assertReady, inspectForCommits, type Repository } from '../../git/repository.ts';
import { hashPaths } from '../../git/status.ts';
import { diagnostic, failure } from '../../model/codes.ts';
import { faultFor } from '../../model/fileFaults.ts';
import { type HarnessName, harnessNames, scenarioHarness } from '../../model/harnesses.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Phase, ReasoningPhase } from '../../model/phase.ts';
import { filesRead } from '../../model/phaseFiles.ts';
import { planFiles } from '../../model/plan.ts';
import type { ExecutorName } from '../../model/settings.ts';
import { projectPaths } from '../../vault/layout.ts';
import { type LoadedPlan, loadPlan, loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState, type RunState, type WorkBaseline } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { parseYaml } from '../../yaml/yaml.ts';
import { dirtyPaths } from '../commits/dirtyPaths.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { lastCommitOf } from '../planHistory.ts';
import { settingsOfPlan } from '../planSettings.ts';
import { emitFor, type PlanServices } from '../services.ts';

/** Everything that a phase needs, collected first, so that a missing part is named before anything runs. */
export interface Preflight {
  readonly plan: LoadedPlan;
  readonly phase: Phase;
  readonly state: RunState;
}

/**
 * Loads the plan and checks that its phase may run. Throws the first thing that stands in the way; an unfinished phase
 * does not stand in the way of its own retry.
 */
export async function checkPlan(
  services: Pick<PlanServices, 'disk' | 'layout' | 'refreshSettings'>,
  location: PlanLocation,
  options: { readonly phase?: ReasoningPhase; readonly retryOf?: string; readonly asksAgain?: boolean },
): Promise<Preflight> {
  const { phase: asked, retryOf, asksAgain } = options;
  await services.refreshSettings?.();
  const state = await loadRunState(services, location.id);
  if (retryOf === undefined && asksAgain !== true) assertNothingUnfinished(location, state);
  const plan = await loadPlan(services.disk, location);
  if (plan.phase === undefined || plan.state === undefined) throw firstProblem(location, plan);
  if (asked !== undefined && asked !== plan.phase) {
    throw failure('plan/wrongPhase', location.id, `The next phase of ${location.id} is ${plan.phase}, not ${asked}.`);
  }
  return { plan, phase: plan.phase, state };
}

function assertNothingUnfinished(location: PlanLocation, state: RunState): void {
  if (state.waiting !== undefined) {
    const { reason, approval } = state.waiting;
    throw failure('plan/waiting', location.id, `${location.id} needs your answer: ${reason}`, {
      help: `See \`ravel approvals show ${approval}\`.`,
    });
  }
  if (state.interrupted !== undefined) {
    const { phase, reason } = state.interrupted;
    throw failure('plan/waiting', location.id, `${phase} of ${location.id} did not finish: ${reason}`, {
      help: 'Run `ravel retry PLAN` to try it again, `ravel run PLAN --by-hand --take-over` to continue by hand, or `ravel dismiss PLAN` to drop its proposal.',
    });
  }
}

/** Files that a phase is given must be valid, since its session builds on them. */
export async function assertReadable(
  services: Pick<PlanServices, 'disk'>,
  location: PlanLocation,
  plan: LoadedPlan,
  phase: ReasoningPhase,
): Promise<void> {
  const record = filesRead(phase).includes(planFiles.latestSession) ? await recordProblems(services, location) : [];
  const problem = faultFor(phase, [...plan.diagnostics, ...record]);
  if (problem !== undefined) throw new RavelError({ ...problem, subject: location.id });
}

/** The record may be missing, or have a form of its own if it was imported; but it must be YAML. */
async function recordProblems(
  services: Pick<PlanServices, 'disk'>,
  location: PlanLocation,
): Promise<readonly Diagnostic[]> {
  const name = planFiles.latestSession;
  const text = (await loadPlanTexts(services.disk, location.directory, [name])).get(name);
  if (text === undefined) return [];
  return parseYaml(text, { file: join(location.directory, name), subject: location.id }).diagnostics;
}

function firstProblem(location: PlanLocation, plan: LoadedPlan): RavelError {
  const problem = plan.diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) return new RavelError(problem);
  return failure('plan/badState', location.id, `The plan ${location.id} cannot be read.`);
}

/** The repository, ready for commits: a session whose outcome cannot be committed is not started. */
export async function checkRepository(
  services: Pick<PlanServices, 'git'>,
  location: PlanLocation,
): Promise<Repository> {
  const repository = await inspectForCommits(services.git, location.projectDirectory);
  assertReady(repository, location.id);
  return repository;
}

/** The state of the tree when work begins: HEAD, branch, and every path that is already dirty. */
export async function takeWorkBaseline(
  services: Pick<PlanServices, 'git'>,
  location: PlanLocation,
  repository: Repository,
): Promise<WorkBaseline> {
  const dirty = await dirtyPaths(services.git, location.projectDirectory, repository.prefix);
  const paths = [...dirty].filter((path) => path !== projectPaths.ravel && !path.startsWith(`${projectPaths.ravel}/`));
  const hashes = await hashPaths(services.git, location.projectDirectory, paths);
  return {
    ...defined({ commit: repository.head, branch: repository.branch }),
    dirty: paths.map((path) => ({ path, hash: hashes.get(path) ?? null })),
  };
}

/**
 * The baseline of work that no run state tells of (a moved vault, a person who wrote `analyse-work` into `phase.md`):
 * the plan's last commit, by its trailer and the names that the plan had, else HEAD.
 */
export async function recoverWorkBaseline(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
  repository: Repository,
): Promise<WorkBaseline> {
  const commit = (await lastCommitOf(services, location))?.hash ?? repository.head;
  return {
    ...defined({ commit, branch: repository.branch }),
    dirty: [],
  };
}

/** Flag before plan before settings. */
export function chooseHarness(
  services: Pick<PlanServices, 'settings'>,
  plan: LoadedPlan,
  asked: HarnessName | undefined,
): HarnessName {
  if (asked !== undefined) return asked;
  const own = plan.state?.harness;
  const { harness } = settingsOfPlan(services.settings, plan.state).run;
  if (own === undefined || own === harness) return harness;
  throw failure('harness/missing', own, `The harness "${own}" in plan-state.md is not known.`, {
    help: `The harnesses are: ${harnessNames.join(', ')}.`,
  });
}

/** The scenario of a scripted session: the requested file, else the one in `daemon.toml`, relative to the vault. */
export function chooseScenario(
  { settings, layout }: Pick<PlanServices, 'settings' | 'layout'>,
  harness: ExecutorName,
  asked: string | undefined,
): string | undefined {
  const usual = settings.harnesses[scenarioHarness].scenario;
  if (asked !== undefined || usual === undefined || harness !== scenarioHarness) return asked;
  return resolve(layout.root, usual);
}

/** By the phase's own name or by `default`; a harness without models in its settings takes those of the plan alone. */
export function chooseModel(
  services: Pick<PlanServices, 'settings'>,
  plan: LoadedPlan,
  harness: HarnessName,
  phase: ReasoningPhase,
) {
  const own = settingsOfPlan(services.settings, plan.state).harnesses[harness];
  const models = 'models' in own ? own.models : plan.state?.models;
  return models?.[phase] ?? models?.['default'];
}

/** Words of a plan whose work is in the tree and not yet in a commit. */
const uncommitted: ReadonlySet<string> = new Set<Phase>(['analyse-work', 'git-commit-work']);

/**
 * Warns that the same tree has work of another plan that is not analysed or committed yet. This does not refuse the
 * phase: the other plan can be left alone for days, and this plan's commits leave out its paths, which were dirty
 * before.
 */
export async function warnOfSharedTree(
  services: Pick<PlanServices, 'disk' | 'clock' | 'emit'>,
  directory: PlanDirectory,
  location: PlanLocation,
  phase: Phase,
): Promise<void> {
  if (phase !== 'work' && phase !== 'analyse-work') return;
  const others = await plansWithWork(services, directory, location);
  if (others.length === 0) return;
  const names = others.join(', ');
  const message = `Work of ${names} is in the same tree and is not committed yet; an analysis can mistake one for the other.`;
  const help = `To keep them apart, finish that first: ${others.map((plan) => `\`ravel run ${shellWord(plan)}\``).join(', ')}.`;
  const warning = diagnostic('run/treeShared', location.id, message, { severity: 'warning', help });
  emitFor(services, location.id, { type: 'diagnostic', diagnostic: warning });
}

async function plansWithWork(
  services: Pick<PlanServices, 'disk'>,
  directory: PlanDirectory,
  { id, projectDirectory }: PlanLocation,
): Promise<QualifiedId[]> {
  const found: QualifiedId[] = [];
  for (const other of (await directory.all()).plans) {
    if (other.id === id || other.projectDirectory !== projectDirectory) continue;
    const texts = await loadPlanTexts(services.disk, other.directory, [planFiles.phase]);
    if (uncommitted.has(texts.get(planFiles.phase)?.trim() ?? '')) found.push(other.id);
  }
  return found;
}

/** A session whose tools are all refused would end without its work, and cost as much. */
export async function assertPolicy(
  { policies }: Pick<PlanServices, 'policies'>,
  location: PlanLocation,
): Promise<void> {
  const { problem } = await policies.of(location);
  if (problem !== undefined) throw failure('policy/fileBroken', location.id, problem);
}
