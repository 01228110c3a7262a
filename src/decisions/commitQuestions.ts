import * as z from 'zod';
import { plural } from '../base/text.ts';
import { readBranch } from '../git/repository.ts';
import { failure } from '../model/codes.ts';
import type { PersonsAnswer } from '../plans/approvals/decisions.ts';
import { commitQuestion, type DirtyPath } from '../plans/commits/commitQuestion.ts';
import { endUnfinished } from '../plans/phases/phaseEnd.ts';
import { retryPhase } from '../plans/phases/retry.ts';
import type { WorkBaseline } from '../vault/runState.ts';
import { loadRunState, updateRunState } from '../vault/runState.ts';
import { formatYaml, parseYaml } from '../yaml/yaml.ts';
import type { Asked, DecisionHandler, DecisionParts, DecisionResult } from './decisionHandler.ts';

/** Another branch is checked out than the one that work began on. */
export const branchChanged: DecisionHandler = {
  ask,
  async check() {},
  async carryOut(parts, asked, decision, stop) {
    if (decision.decision === 'reject') return leftInterrupted(parts, asked);
    const { now } = asked.approval.details as { readonly now: string | null };
    const move = (work: WorkBaseline): WorkBaseline => ({ ...work, ...(now !== null && { branch: now }) });
    return moveAndRetry(parts, asked, { move, did: `The commits are on ${now ?? 'what is checked out'} now.` }, stop);
  },
};

type Choice = 'include' | 'leave-out';

/** Paths that were dirty before the work and changed since: in its commits, or out of them. */
export const dirtySourceChanged: DecisionHandler = {
  ask,
  async check(_parts, asked, answer) {
    if (answer.decision !== 'reject') choicesOf(asked, answer);
  },
  async carryOut(parts, asked, decision, stop) {
    if (decision.decision === 'reject') return leftInterrupted(parts, asked);
    const choices = choicesOf(asked, decision);
    const move = (work: WorkBaseline) => withChoices(work, pathsOf(asked), choices);
    return moveAndRetry(parts, asked, { move, did: describeChoices([...choices.values()]) }, stop);
  },
};

function describeChoices(choices: readonly Choice[]): string {
  const included = choices.filter((choice) => choice === 'include').length;
  if (included === choices.length) return `${plural(included, 'file')} went in with this work.`;
  if (included === 0) return `${plural(choices.length, 'file')} stayed out of the commits, with your changes in place.`;
  return `${included} of ${plural(choices.length, 'file')} went in with this work; the rest stayed out, with your changes in place.`;
}

async function ask({ services }: DecisionParts, { location }: Asked) {
  const branch = await readBranch(services.git, location.projectDirectory);
  const { baselines } = await loadRunState(services, location.id);
  return commitQuestion(services.git, location, baselines.work, branch);
}

/** The person goes back to the branch, or tidies the files, and then retries. */
async function leftInterrupted({ services }: DecisionParts, { location, waiting }: Asked): Promise<DecisionResult> {
  const { phase, session, reason } = waiting;
  await endUnfinished(services, { plan: location.id, phase, session }, { end: 'interrupted', reason });
  return { did: `Nothing was committed; ${phase} is left interrupted.`, next: 'retry' };
}

async function moveAndRetry(
  { services, runner }: DecisionParts,
  { location }: Asked,
  { move, did }: { readonly move: (work: WorkBaseline) => WorkBaseline; readonly did: string },
  stop: AbortSignal,
): Promise<DecisionResult> {
  await updateRunState(services, location.id, (old) => {
    const { work } = old.baselines;
    return work === undefined ? old : { ...old, baselines: { ...old.baselines, work: move(work) } };
  });
  return { did, report: await retryPhase(services, runner, { location }, stop) };
}

function pathsOf({ approval }: Asked): readonly DirtyPath[] {
  return (approval.details as { readonly paths: readonly DirtyPath[] }).paths;
}

/** The list of paths as a text for an editor. */
export function formatPaths(paths: readonly DirtyPath[]): string {
  const heading = '# Which of these files go into the commits of this work: "include" or "leave-out" for each.\n';
  const choices = Object.fromEntries(paths.map(({ path }) => [path, 'leave-out']));
  return `${heading}${formatYaml({ paths: choices })}`;
}

const formSchema = z.object({ paths: z.record(z.string(), z.enum(['include', 'leave-out'])) });

function choicesOf(asked: Asked, { decision, option, text }: PersonsAnswer): ReadonlyMap<string, Choice> {
  const paths = pathsOf(asked).map(({ path }) => path);
  if (decision !== 'edit') return new Map(paths.map((path) => [path, option === 'include' ? 'include' : 'leave-out']));
  const { value } = parseYaml(text ?? '', { file: 'the edited text', subject: asked.approval.id });
  const form = formSchema.safeParse(value);
  const bad = (message: string) => failure('approval/badDecision', asked.approval.id, message);
  if (!form.success) throw bad('The edited text does not say "include" or "leave-out" for each file.');
  const missing = paths.filter((path) => !Object.hasOwn(form.data.paths, path));
  const foreign = Object.keys(form.data.paths).filter((path) => !paths.includes(path));
  if (missing.length > 0) throw bad(`The edited text does not name ${missing.join(', ')} any more.`);
  if (foreign.length > 0) throw bad(`The question is not about ${foreign.join(', ')}.`);
  return new Map(Object.entries(form.data.paths));
}

/** What goes in was the work's all along; what stays out is looked at as it is now from here on. */
function withChoices(
  work: WorkBaseline,
  paths: readonly DirtyPath[],
  choices: ReadonlyMap<string, Choice>,
): WorkBaseline {
  const now = new Map(paths.map((entry) => [entry.path, entry.now]));
  const included = [...choices].filter(([, choice]) => choice === 'include').map(([path]) => path);
  return {
    ...work,
    dirty: work.dirty
      .filter(({ path }) => choices.get(path) !== 'include')
      .map((entry) => (choices.has(entry.path) ? { ...entry, hash: now.get(entry.path) ?? null } : entry)),
    included: [...new Set([...(work.included ?? []), ...included])],
  };
}
