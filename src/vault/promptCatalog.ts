import { defined } from '../base/defined.ts';
import type { ReadingDisk } from '../base/disk.ts';
import { projectOf, type QualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { type CatalogExpert, type CatalogRow, describe, formatSection } from './catalog.ts';
import { loadExperts } from './expertStore.ts';
import { parsePlan, readPlanFiles } from './planStore.ts';
import type { ReadingPorts } from './vaultPorts.ts';
import type { PlanLocation } from './walk.ts';

/** Whom a session of one plan can send messages to, cut to what a prompt can hold. */
export interface PromptCatalog {
  readonly current: QualifiedId;
  /** Those that are shown, in the order of their ids. */
  readonly plans: readonly CatalogRow[];
  /** How many plans each project has, by its name; those that are not shown are said to be there. */
  readonly sizes: ReadonlyMap<string, number>;
  /** All of them, in the order of their ids. */
  readonly experts: readonly CatalogExpert[];
}

/** Lines of plans: some 20 KB at most. What is left of them by the plan's own project is for the others. */
const plansMax = 100;
const ownPlansMax = 50;
const expertsMax = 20;
/** Names of projects of which no plan is shown. */
const projectNamesMax = 100;

/**
 * Reads the plans that a prompt shows and no others, so that a phase begins as fast in a vault of 10,000 plans as
 * in a small one. `plans` are all of the vault; never more than their descriptions is read.
 */
export async function loadPromptCatalog(
  { disk, layout }: ReadingPorts,
  plans: readonly PlanLocation[],
  current: QualifiedId,
): Promise<PromptCatalog> {
  const reads = choosePlans(plans, current).map((plan) => readRow(disk, plan));
  const [read, { experts }] = await Promise.all([Promise.all(reads), loadExperts(disk, layout)]);
  const gone = new Set(read.filter(({ row }) => row === undefined).map(({ id }) => id));
  const sizes = new Map<string, number>();
  for (const { id, project } of plans) if (!gone.has(id)) sizes.set(project, (sizes.get(project) ?? 0) + 1);
  const rows = read.flatMap(({ row }) => row ?? []);
  return {
    ...{ current, sizes },
    plans: rows.sort((a, b) => (a.plan < b.plan ? -1 : 1)),
    experts: experts.map(({ actor, expert }) => ({ actor, description: expert.description })),
  };
}

/** Plain lines with what others wrote: the plan's own project first, the plan itself marked. */
export function formatRecipients(catalog: PromptCatalog): string {
  const { current, plans, sizes, experts } = catalog;
  const own = projectOf(current);
  const shown = [...new Set(plans.map(({ plan }) => projectOf(plan)))];
  const ordered = [...shown.filter((name) => name === own), ...shown.filter((name) => name !== own)];
  const hidden = [...sizes.keys()].filter((name) => !shown.includes(name)).sort();
  return [
    ...ordered.map((project) => projectSection(project, catalog)),
    ...(hidden.length === 0 ? [] : [formatSection('Further projects', [namesLine(hidden)])]),
    ...(experts.length === 0 ? [] : [formatSection('Experts', expertLines(experts))]),
  ].join('\n');
}

/** How a message names one of them, in words of this program's. */
export function formatTargets(catalog: PromptCatalog): string {
  return formatSection('Whom a message names', targetLines(catalog));
}

/**
 * From the plan's own project, the plans nearest to it in the tree; from the others, the topmost ones. A plan that is
 * not shown is deep in a project whose upper plans are shown, and is found when the message is routed.
 */
function choosePlans(plans: readonly PlanLocation[], current: QualifiedId): PlanLocation[] {
  const project = projectOf(current);
  const own = plans.filter((plan) => plan.project === project);
  const others = plans.filter((plan) => plan.project !== project);
  const near = lowest(own, (id) => distance(id, current)).slice(0, ownPlansMax);
  return [...near, ...lowest(others, depth).slice(0, plansMax - near.length)];
}

function lowest(plans: readonly PlanLocation[], measure: (id: QualifiedId) => number): PlanLocation[] {
  return plans
    .map((plan) => ({ plan, measured: measure(plan.id) }))
    .sort((a, b) => a.measured - b.measured || (a.plan.id < b.plan.id ? -1 : 1))
    .map(({ plan }) => plan);
}

function depth(id: QualifiedId): number {
  return id.split('/').length;
}

/** Steps from one plan up to what both have in common, and down to the other. */
function distance(id: QualifiedId, other: QualifiedId): number {
  const [a, b] = [id.split('/'), other.split('/')];
  const parting = a.findIndex((step, at) => step !== b[at]);
  const common = parting < 0 ? a.length : parting;
  return a.length + b.length - 2 * common;
}

/** Without a row if the plan went away since the vault was walked. */
async function readRow(
  disk: ReadingDisk,
  plan: PlanLocation,
): Promise<{ readonly id: QualifiedId; readonly row?: CatalogRow }> {
  const { id } = plan;
  const files = [planFiles.marker];
  const read = await readPlanFiles(disk, plan, files);
  if (read.texts.size + read.faults.size === 0) return { id };
  const { state } = parsePlan(read, plan, files);
  return { id, row: { plan: id, ...defined({ description: state?.description }) } };
}

function projectSection(project: string, { current, plans, sizes }: PromptCatalog): string {
  const own = plans.filter(({ plan }) => projectOf(plan) === project);
  const lines = own.map((row) => `- ${row.plan}${row.plan === current ? ' (this plan)' : ''}: ${describe(row)}`);
  const left = (sizes.get(project) ?? own.length) - own.length;
  return formatSection(project, left <= 0 ? lines : [...lines, `- and ${left} more`]);
}

function expertLines(experts: readonly CatalogExpert[]): string[] {
  const lines = experts.slice(0, expertsMax).map((row) => `- ${row.actor}: ${describe(row)}`);
  const left = experts.length - lines.length;
  return left === 0 ? lines : [...lines, `- and ${left} more`];
}

function namesLine(names: readonly string[]): string {
  const shown = names.slice(0, projectNamesMax);
  const left = names.length - shown.length;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${left} more`;
}

/** The kinds of target that a message can name, except those of which there is none. */
function targetLines({ current, plans, sizes, experts }: PromptCatalog): string[] {
  const own = projectOf(current);
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const hasSiblings = (sizes.get(own) ?? 0) > 1;
  const hasProjects = [...sizes.keys()].some((name) => name !== own);
  return [
    ...(all > plans.length ? [...cutLines(plans.length, all), ''] : []),
    'Exactly one target:',
    '',
    ...(hasSiblings ? [`- \`target-plan\`: another plan of ${own}, by its id. It gets the message at once.`] : []),
    ...(hasProjects ? projectTarget : []),
    autoTarget(hasSiblings || hasProjects),
    ...(experts.length > 0 ? expertTarget : []),
  ];
}

function cutLines(shown: number, all: number): string[] {
  return [`${shown} of ${all} plans are listed here: the nearest ones, and the topmost of other projects.`];
}

const projectTarget: readonly string[] = [
  '- `target-project`: another project, by its name. Ravel finds the receiver there; if one of its plans is likely to take the message, name that as `suggested-target-plan` beside it. A plan of another project is never a `target-plan`.',
];

/** As `experts/expertActor.ts` does; its test compares. */
const expertTarget: readonly string[] = [
  '- `target-expert`: an expert, by its id. It answers questions from its part of the vault’s knowledge and says where each answer stands; it takes no tasks.',
];

function autoTarget(hasOthers: boolean): string {
  const what = hasOthers
    ? 'if you cannot tell whose it is. Ravel finds the receiver among all plans, including those that are not listed here.'
    : 'which a person then decides about, since there is no other plan.';
  return `- \`target\`: \`auto\`, ${what}`;
}
