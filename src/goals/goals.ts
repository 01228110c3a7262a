import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import { formatCount, headline, oneLine } from '../base/text.ts';
import { gitText } from '../git/git.ts';
import { failure } from '../model/codes.ts';
import { goalProblem } from '../model/goal.ts';
import { type HarnessName, harnessNames } from '../model/harnesses.ts';
import { isUlid, type Ulid } from '../model/id.ts';
import {
  countTasks,
  type GoalQuestion,
  goalQuestionSchema,
  handedInBytesMax,
  type NewPlans,
  newPlansSchema,
  type PlanProposal,
  samePlan,
} from '../model/planProposal.ts';
import type { ProposedResult } from '../model/requests/goals.ts';
import { loadUndamaged } from '../plans/approvals/approvals.ts';
import { loadDecision } from '../plans/approvals/decisions.ts';
import type { VaultApprovals } from '../plans/approvals/vaultApprovals.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadPlan } from '../vault/planStore.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { askForPlans } from './askForPlans.ts';
import { judgePlanProposal } from './judgePlanProposal.ts';
import { ProjectFiles } from './projectFiles.ts';
import { loadProposalFacts } from './proposalFacts.ts';
import { readHandedIn } from './readHandedIn.ts';
import { type SurveyFacts, surveyProject } from './survey.ts';

export interface GoalParts {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly questions: Pick<VaultApprovals, 'open'>;
  /** The experts of the vault, one line each. */
  readonly experts: () => Promise<readonly string[]>;
}

interface Goal {
  readonly location: PlanLocation;
  readonly goal: string;
  readonly harness?: HarnessName;
  readonly scenario?: string;
  /** What the person was asked before, and said. */
  readonly answers?: string;
  /** The id of the proposal that is asked for; a new one without it. */
  readonly next?: Ulid;
}

/** A project's files and a model take longer than a question to a plan; in parts of `limits.answer-minutes`. */
const timeShare = 2;
const commitsMax = 15;
/** Plans of the project that a survey describes. */
const surveyedPlansMax = 40;

/**
 * Has a fresh session propose plans for a goal, and asks a person whether they are to be made. Throws `goal/badGoal`,
 * `plan/unknown`, `goal/noProposal`, or what keeps a session from being asked.
 */
export async function planGoal(
  parts: GoalParts,
  asked: Pick<Goal, 'goal' | 'harness' | 'scenario'> & { readonly under: string },
  signal: AbortSignal,
): Promise<ProposedResult> {
  const location = await parts.directory.find(asked.under);
  const goal = asked.goal.trim();
  const problem = goalProblem(goal);
  if (problem !== undefined) throw failure('goal/badGoal', location.id, problem);
  const { harness, scenario } = asked;
  return propose(parts, { location, goal, ...defined({ harness, scenario }) }, signal);
}

/** Continues with the answers to a question of kind `goal-question`; what was proposed by then already is named again. */
export async function planAnswered(parts: GoalParts, answered: string, signal: AbortSignal): Promise<ProposedResult> {
  const decision = isUlid(answered) ? await loadDecision(parts.services, answered) : undefined;
  const { data } = goalQuestionSchema.safeParse(decision?.details);
  if (decision?.kind !== 'goal-question' || decision.decision !== 'accept' || data === undefined) {
    const message = `There is no answered question of a goal with the id "${answered}".`;
    throw failure('approval/unknown', answered, message);
  }
  const before = await known(parts, data.next);
  if (before !== undefined) return before;
  const location = await parts.directory.find(data.under);
  const asked = data.questions.map((question) => `Asked: ${question}`).join('\n');
  const harness = harnessNames.find((name) => name === data.harness);
  const answers = `${asked}\nAnswered: ${decision.text ?? ''}`;
  const { goal, next, scenario } = data;
  return propose(parts, { location, goal, answers, next, ...defined({ harness, scenario }) }, signal);
}

/** Turns a list, a YAML document or an export into a proposal, without a model. Throws `goal/badText` or `gate/refused`. */
export async function proposeText(
  { services, directory, questions }: GoalParts,
  {
    under,
    text,
    source = 'the text',
  }: { readonly under: string; readonly text: string; readonly source?: string | undefined },
): Promise<ProposedResult> {
  const location = await directory.find(under);
  if (Buffer.byteLength(text) > handedInBytesMax) {
    const message = `${source} has more than ${formatCount(handedInBytesMax)} bytes.`;
    throw failure('goal/badText', location.id, message, { help: 'Hand in a part of it.' });
  }
  const read = readHandedIn(text, source);
  if ('problems' in read) throw failure('goal/badText', location.id, read.problems.slice(0, 5).join(' '));
  const facts = await loadProposalFacts(services, location.id, 'person');
  const { findings, notes } = judgePlanProposal(read.value, facts);
  if (findings.length > 0) {
    throw failure('gate/refused', location.id, `Nothing is proposed. ${findings.join(' ')}`, {
      help: 'Correct the text, then hand it in again.',
    });
  }
  const details: NewPlans = { under: location.id, proposal: read.value, notes: [...read.notes, ...notes] };
  return open({ questions }, details, 0);
}

/** An empty proposal, which a person fills in where they review one. As it stands, the checks refuse it. */
export async function proposeNothing(
  { directory, questions }: Pick<GoalParts, 'directory' | 'questions'>,
  named: string,
): Promise<ProposedResult> {
  const { id: under } = await directory.find(named);
  const proposal: PlanProposal = {
    description: 'Plans and tasks that you write',
    plans: [{ slug: samePlan, tasks: [{ title: '' }] }],
  };
  return open({ questions }, { under, proposal, notes: [] }, 0);
}

async function propose(
  parts: GoalParts,
  { location, goal, harness, scenario, answers, next }: Goal,
  signal: AbortSignal,
): Promise<ProposedResult> {
  const { services, questions } = parts;
  const { id: under } = location;
  const session = services.newUlid();
  const files = await ProjectFiles.open(services, location.projectDirectory);
  const survey = await surveyProject(files, await surveyFacts(parts, location));
  const judge = async (proposal: PlanProposal) =>
    judgePlanProposal(proposal, await loadProposalFacts(services, under, 'session'));
  const { tasks } = await loadProposalFacts(services, under, 'session');
  const timeMs = services.settings.limits['answer-minutes'] * timeShare * 60_000;
  const answer = await askForPlans(
    services.consult,
    judge,
    {
      ...{ session, under, goal, name: freshName(goal, tasks), timeMs, survey, files },
      ...defined({ harness, scenario, answers }),
    },
    signal,
  );
  if (answer.kind === 'proposal') {
    const { proposal, notes, refused } = answer;
    return open({ questions }, { under, proposal, goal, session, notes: [...notes] }, refused, next);
  }
  const details: GoalQuestion = {
    ...{ under, goal, questions: [...answer.questions], session, next: services.newUlid() },
    ...defined({ harness, scenario }),
  };
  const subject = `Before it proposes plans for ${under}: ${answer.questions.join(' ')}`;
  const approval = await questions.open({ kind: 'goal-question', subject, details });
  return { approval, kind: 'goal-question', under, subject, plans: 0, tasks: 0, notes: [], refused: answer.refused };
}

/** A goal in a few words, with a number if titles of these tasks have them already. */
function freshName(goal: string, tasks: readonly { readonly title: string }[]): string {
  const words = headline(oneLine(goal), 60);
  const isTaken = (name: string) => tasks.some(({ title }) => title.toLowerCase().endsWith(name.toLowerCase()));
  let name = words;
  for (let at = 2; isTaken(name); at++) name = `${words} (${at})`;
  return name;
}

async function open(
  { questions }: Pick<GoalParts, 'questions'>,
  details: NewPlans,
  refused: number,
  id?: Ulid,
): Promise<ProposedResult> {
  const subject = subjectOf(details);
  const approval = await questions.open({ kind: 'new-plans', subject, details, ...defined({ id }) });
  return resultOf(approval, details, refused);
}

function subjectOf({ under, proposal }: NewPlans): string {
  return `${headline(proposal.description, 120)} (under ${under})`;
}

function resultOf(approval: Ulid, details: NewPlans, refused: number): ProposedResult {
  const { under, proposal, notes } = details;
  const counts = { plans: proposal.plans.length, tasks: countTasks(proposal) };
  return { approval, kind: 'new-plans', under, subject: subjectOf(details), ...counts, notes, refused };
}

/** The proposal of this id, if there was one already. */
async function known({ services }: GoalParts, id: Ulid): Promise<ProposedResult | undefined> {
  const before = (await loadUndamaged(services, id)) ?? (await loadDecision(services, id));
  const { data } = newPlansSchema.safeParse(before?.details);
  return data === undefined ? undefined : resultOf(id, data, 0);
}

async function surveyFacts(parts: GoalParts, location: PlanLocation): Promise<SurveyFacts> {
  const { services, directory, experts } = parts;
  const { plans } = await directory.all();
  const mine = plans.filter(({ project }) => project === location.project).slice(0, surveyedPlansMax);
  const described = mine.map(async (plan) => {
    const { state, backlog } = await loadPlan(services.disk, plan);
    return { plan: plan.id, description: state?.description ?? '', tasks: backlog?.tasks ?? [] };
  });
  return {
    project: location.project,
    under: location.id,
    plans: await Promise.all(described),
    experts: await experts(),
    commits: await commitTitles(services, location),
  };
}

async function commitTitles({ git }: Pick<PlanServices, 'git'>, { projectDirectory }: PlanLocation): Promise<string[]> {
  try {
    const args = ['log', `--max-count=${commitsMax}`, '--no-show-signature', '--no-color', '--format=%s', '--', '.'];
    return (await gitText(git, projectDirectory, args)).split('\n').filter((title) => title !== '');
  } catch (error) {
    // A project without git, or without a commit.
    if (isRavelError(error)) return [];
    throw error;
  }
}
