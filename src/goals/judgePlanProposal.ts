import { headline, oneLine } from '../base/text.ts';
import { secretFindings } from '../gates/secrets/secretFindings.ts';
import { dependencyCycle, type Task } from '../model/backlog.ts';
import { saysMoreThan } from '../model/goal.ts';
import { hiddenCharacters, type QualifiedId } from '../model/id.ts';
import { descriptionProblem } from '../model/plan.ts';
import {
  countTasks,
  type PlanDraft,
  type PlanProposal,
  type ProposedPlan,
  proposedPlansMax,
  proposedTasksMax,
  samePlan,
} from '../model/planProposal.ts';
import type { StoredValues } from '../model/storedValues.ts';
import { childIdProblem } from '../vault/planCreation.ts';
import { foldFileName } from '../vault/walk.ts';
import { draftProposal, foldTitle } from './draftProposal.ts';

/** What a verdict depends on besides the proposal. */
export interface PlanProposalFacts {
  readonly under: QualifiedId;
  /** Names that are taken right below that plan: of plans, files and folders that are not empty. */
  readonly taken: readonly string[];
  /** The tasks that the plan itself has. */
  readonly tasks: readonly Task[];
  /** A person knows what they write: some of what a session is told to correct is only noted for them. */
  readonly by: 'session' | 'person';
  /** Ids of what looks like a secret and is none, as a person said. */
  readonly allowedSecrets: readonly string[];
  /** Finds the values of the person's secrets. */
  readonly storedSecrets?: StoredValues | undefined;
}

export interface ProposalVerdict {
  /** A whole sentence for each thing that is wrong; empty accepts. */
  readonly findings: readonly string[];
  /** What a person should look at. */
  readonly notes: readonly string[];
}

const titleLengthMax = 200;
const bodyLengthMax = 8000;
/** Characters of all texts together: what fits on a page that a person can still edit. */
const charactersMax = 400_000;
/** Findings that are told at once. */
const findingsMax = 20;

/**
 * What is wrong with a proposal: pure, so that the same proposal is always judged the same. A session, an edit and a list
 * that a person hands in are judged alike.
 */
export function judgePlanProposal(proposal: PlanProposal, facts: PlanProposalFacts): ProposalVerdict {
  // What is too much is not looked at any closer.
  const size = sizeProblem(proposal);
  if (size !== undefined) return { findings: [size], notes: [] };
  const drafts = draftProposal(facts.under, proposal, facts.tasks);
  const soft = softFindings(proposal, drafts, facts);
  const findings = [
    ...summaryFindings(proposal),
    ...proposal.plans.flatMap((plan) => planFindings(plan, facts)),
    ...repeated(proposal.plans.map(({ slug }) => foldFileName(slug))).map(
      (slug) => `The plan "${slug}" stands more than once.`,
    ),
    ...drafts.flatMap((draft) => dependencyFindings(draft, facts)),
    ...secretsIn(proposal, facts),
    ...(facts.by === 'session' ? soft : []),
  ];
  const more = findings.length - findingsMax;
  return {
    findings: more > 0 ? [...findings.slice(0, findingsMax), `There are ${more} more.`] : findings,
    notes: facts.by === 'person' ? soft.slice(0, findingsMax) : [],
  };
}

function sizeProblem(proposal: PlanProposal): string | undefined {
  const { plans } = proposal;
  if (plans.length === 0) return 'The proposal has no plan.';
  if (plans.length > proposedPlansMax)
    return `It has ${plans.length} plans; a person reviews ${proposedPlansMax} at most.`;
  const tasks = countTasks(proposal);
  if (tasks > proposedTasksMax) {
    return `It has ${tasks} tasks; a person reviews ${proposedTasksMax} at most. Propose the first of them, or larger ones.`;
  }
  const characters = JSON.stringify(proposal).length;
  if (characters <= charactersMax) return undefined;
  return `Its texts have ${characters} characters together; there can be ${charactersMax}.`;
}

function summaryFindings({ description }: PlanProposal): string[] {
  const problem = descriptionProblem(description);
  return problem === undefined ? [] : [`The proposal: ${problem}.`];
}

function planFindings(plan: ProposedPlan, facts: PlanProposalFacts): string[] {
  const { slug, title, tasks = [], memory = [] } = plan;
  const isThere = slug === samePlan;
  const name = isThere ? facts.under : slug;
  const titles = tasks.map((task) => foldTitle(task.title));
  const told = (problem: string) => `${name}: ${problem}`;
  return [
    ...(isThere ? [] : newPlanFindings(plan, facts)),
    ...(title === undefined ? [] : lineProblems(title, 'its title')),
    ...tasks.flatMap((task) => [
      ...lineProblems(task.title, `the title of the task "${headline(task.title, 60)}"`),
      ...lineProblems(task.category ?? 'task', `the category of the task "${headline(task.title, 60)}"`),
      ...bodyProblems(task.description ?? '', `the description of "${headline(task.title, 60)}"`),
      ...bodyProblems(task.done_when ?? '', `what "${headline(task.title, 60)}" is done by`),
    ]),
    ...repeated(titles).map((one) => `two tasks have the title "${headline(one, 60)}".`),
    ...memory.flatMap((entry) => [
      ...lineProblems(entry.title, 'the title of a memory entry'),
      ...(entry.body.trim() === '' ? [`the memory entry "${headline(entry.title, 60)}" says nothing.`] : []),
      ...bodyProblems(entry.body, `the memory entry "${headline(entry.title, 60)}"`),
    ]),
    ...repeated(memory.map((entry) => foldTitle(entry.title))).map(
      (one) => `two memory entries have the title "${headline(one, 60)}".`,
    ),
    ...(isThere && tasks.length + memory.length === 0 ? ['there is nothing to add.'] : []),
  ].map(told);
}

function newPlanFindings({ slug, title = '', description = '' }: ProposedPlan, facts: PlanProposalFacts): string[] {
  const problem = slug.includes('/')
    ? 'it holds a slash; a proposal makes plans right below the one that it is for'
    : childIdProblem(`${facts.under}/${slug}`);
  const isTaken = facts.taken.some((name) => foldFileName(name) === foldFileName(slug));
  const described = descriptionProblem(description);
  const isName = described === undefined && !saysMoreThan(description, [slug, title]);
  return [
    ...(problem === undefined ? [] : [`"${headline(slug, 60)}" cannot name a new plan: ${problem}.`]),
    ...(isTaken ? [`there is a plan or a folder of this name below ${facts.under}; choose another name.`] : []),
    ...(described === undefined ? [] : [`${described}.`]),
    ...(isName ? ['its description only repeats a name; say in a sentence what the plan is for.'] : []),
  ];
}

function lineProblems(text: string, what: string): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [`${what} is empty.`];
  if (/[\r\n\u0085\u2028\u2029]/.test(trimmed)) return [`${what} runs over more than one line.`];
  if (hiddenCharacters.test(trimmed.replaceAll('\t', ' '))) return [`${what} holds a control character.`];
  if (trimmed.length <= titleLengthMax) return [];
  return [`${what} has ${trimmed.length} characters; there can be ${titleLengthMax}.`];
}

function bodyProblems(text: string, what: string): string[] {
  if (hiddenCharacters.test(text.replace(/[\t\r\n]/g, ' '))) return [`${what} holds a control character.`];
  if (text.length <= bodyLengthMax) return [];
  return [`${what} has ${text.length} characters; there can be ${bodyLengthMax}.`];
}

function dependencyFindings({ id, slug, isThere, tasks }: PlanDraft, facts: PlanProposalFacts): string[] {
  const name = isThere ? id : slug;
  const all = isThere ? [...facts.tasks, ...tasks] : tasks;
  const known = new Set(all.map((task) => task.id));
  const unknown = tasks.flatMap(({ title, id: own, dependencies }) =>
    (dependencies ?? []).flatMap((dependency) => {
      if (dependency === own) return [`${name}: the task "${headline(title, 60)}" depends on itself.`];
      if (known.has(dependency)) return [];
      return [
        `${name}: the task "${headline(title, 60)}" depends on "${headline(dependency, 60)}", which is not there.`,
      ];
    }),
  );
  const cycle = dependencyCycle(tasks.map((task) => ({ ...task, dependencies: without(task) })));
  return cycle === undefined ? unknown : [...unknown, `${name}: the dependencies form a cycle: ${cycle.join(' → ')}.`];
}

function without({ id, dependencies }: Task): string[] {
  return (dependencies ?? []).filter((other) => other !== id);
}

/** Texts that address a session and not a reader of tasks, on one line and in small letters. */
const instruction =
  /(?:ignore|disregard|forget|override) (?:all |any )?(?:the |your |these )?(?:previous|earlier|prior|above|system) (?:instruction|prompt|rule|message)/;
const addresses = ['you are now ', '<system>', '</system>', '<assistant>'];

function isInstruction(text: string): boolean {
  const said = oneLine(text).toLowerCase();
  return instruction.test(said) || addresses.some((words) => said.includes(words));
}

/** What only a person can mean: texts that address a session, tasks that are there already, and plans without a task. */
function softFindings(proposal: PlanProposal, drafts: readonly PlanDraft[], facts: PlanProposalFacts): string[] {
  const soft: string[] = [];
  for (const [name, text] of textsOf(proposal)) {
    if (isInstruction(text)) soft.push(`${name} reads like an instruction to a session: describe the work instead.`);
  }
  const there = new Set(facts.tasks.map(({ title }) => foldTitle(title)));
  for (const { slug, tasks = [] } of proposal.plans) {
    if (slug !== samePlan) continue;
    for (const { title } of tasks) {
      if (there.has(foldTitle(title))) {
        soft.push(`The task "${headline(title, 60)}" is in the backlog already, and stays as it is there.`);
      }
    }
  }
  for (const { slug, isThere, tasks } of drafts) {
    if (!isThere && tasks.length === 0) soft.push(`${slug}: the plan has no task.`);
  }
  return soft;
}

function secretsIn(proposal: PlanProposal, { allowedSecrets, storedSecrets: stored }: PlanProposalFacts): string[] {
  const texts = [...textsOf(proposal)].map(([name, text]) => ({ name, text }));
  const found = secretFindings(texts, { before: new Set(), allowed: new Set(allowedSecrets), stored });
  return found.length === 0 ? [] : [...found, 'Take it out, and say where it is kept instead.'];
}

/** Every text of a proposal with the name of its place. */
function* textsOf({ description, questions = [], plans, suggestions = {} }: PlanProposal): Generator<[string, string]> {
  yield ['The description', description];
  for (const question of questions) yield ['A question', question];
  for (const text of Object.values(suggestions)) yield ['A suggestion', text ?? ''];
  for (const plan of plans) {
    const { slug, title = '', description: purpose = '', tasks = [], memory = [] } = plan;
    yield [`${slug}, its description,`, [slug, title, purpose].join('\n')];
    for (const task of tasks) {
      const { category = '', description: work = '', done_when: doneWhen = '' } = task;
      yield [`${slug}, task "${headline(task.title, 60)}",`, [task.title, category, work, doneWhen].join('\n')];
    }
    for (const entry of memory) yield [`${slug}, memory,`, [entry.title, entry.body].join('\n')];
  }
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}
