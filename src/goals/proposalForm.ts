import { defined } from '../base/defined.ts';
import { oneLine, plural } from '../base/text.ts';
import {
  countTasks,
  type PlanDraft,
  type PlanProposal,
  type ProposedPlan,
  planProposalSchema,
  samePlan,
} from '../model/planProposal.ts';
import { formatYaml, readYaml } from '../yaml/yaml.ts';
import { foldTitle } from './draftProposal.ts';

const heading = `# Change, add or leave out what you like, then save and close. The slug "${samePlan}" stands for the plan itself;
# dependencies are titles of tasks of the same plan.
`;

/** The whole proposal as a person edits it. */
export function formatProposal({ description, questions, plans, suggestions }: PlanProposal): string {
  const value = { description, ...defined({ questions, suggestions }), plans: plans.map(formOf) };
  return `${heading}${formatYaml(value)}`;
}

function formOf({ slug, title, description, tasks = [], memory = [] }: ProposedPlan): object {
  return {
    ...{ slug },
    ...defined({ title, description }),
    tasks: tasks.map((task) => defined({ ...task })),
    ...(memory.length > 0 && { memory }),
  };
}

/** As the proposal, and tells at its line what the checks of a proposal can only tell by its words. */
const formSchema = planProposalSchema.superRefine(({ plans }, context) => {
  for (const [at, { tasks = [] }] of plans.entries()) {
    const first = new Map<string, number>();
    for (const [n, { title }] of tasks.entries()) {
      const key = foldTitle(title);
      const before = first.get(key);
      if (before === undefined) first.set(key, n);
      else if (key !== '') {
        const message = `task ${before + 1} of this plan has the same title; change or remove one`;
        context.addIssue({ code: 'custom', path: ['plans', at, 'tasks', n, 'title'], message });
      }
    }
  }
});

/** A proposal from its form, or what is wrong with the text as sentences. */
export function readProposal(text: string, file: string): { value: PlanProposal } | { problems: readonly string[] } {
  const { value, diagnostics } = readYaml(formSchema, text, { file, subject: file });
  if (value !== undefined) return { value };
  const problems = diagnostics.map(({ message, range }) => {
    return range === undefined ? message : `Line ${range.start.line + 1}: ${message}`;
  });
  return { problems: problems.length === 0 ? ['The text is empty.'] : problems };
}

/** The tree of plans and tasks for a reader, in Markdown. */
export function describeProposal(
  proposal: PlanProposal,
  drafts: readonly PlanDraft[],
  {
    under,
    goal,
    notes,
  }: { readonly under: string; readonly goal?: string | undefined; readonly notes: readonly string[] },
): string {
  const { description, questions = [], suggestions = {} } = proposal;
  const fresh = drafts.filter(({ isThere }) => !isThere).length;
  const counts = `${plural(fresh, 'new plan')} and ${plural(countTasks(proposal), 'task')} under ${under}.`;
  const asides = [
    ...list('To decide', questions),
    ...list('Suggestions', [suggestions.expert, suggestions.rule]),
    ...list('Look at this', notes),
  ];
  return [
    `# ${oneLine(description)}`,
    '',
    ...(goal === undefined ? [] : [`Goal: ${oneLine(goal)}`, '']),
    counts,
    ...drafts.flatMap((draft) => ['', ...describePlan(draft)]),
    ...asides,
  ].join('\n');
}

function describePlan({ id, isThere, slug, description, tasks, memory }: PlanDraft): string[] {
  return [
    isThere ? `## For ${id} itself` : `## ${slug}`,
    ...(isThere ? [] : ['', oneLine(description)]),
    ...(tasks.length === 0 ? [] : ['']),
    ...tasks.flatMap(({ id: task, title, category, dependencies, description: work }, at) => [
      `${at + 1}. ${title} [${category}] (${task})`,
      ...(dependencies?.length ? [`   after ${dependencies.join(', ')}`] : []),
      ...(work ?? '')
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `   ${line}`),
    ]),
    ...(memory.length === 0 ? [] : ['', 'Memory:']),
    ...memory.map(({ title, body }) => `- ${title}: ${oneLine(body)}`),
  ];
}

function list(title: string, texts: readonly (string | undefined)[]): string[] {
  const lines = texts
    .filter((text) => text !== undefined && text.trim() !== '')
    .map((text) => `- ${oneLine(text ?? '')}`);
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}
