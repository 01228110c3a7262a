import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftPlan, isReadOnImport } from '../../src/imports/draftPlan.ts';
import { type GroupWeights, groupWeights } from '../../src/knowledge/retrieval/groupedIndex.ts';
import { entryId } from '../../src/knowledge/search/entryDocument.ts';
import { planSource } from '../../src/knowledge/search/searchSource.ts';
import { backlogSchema } from '../../src/model/backlog.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import { memorySchema } from '../../src/model/memory.ts';
import { planFiles } from '../../src/model/plan.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { ContentScore } from '../../src/routing/content/contentIndex.ts';
import { prepareRecipients } from '../../src/routing/facts/preparedRecipients.ts';
import { createVocabulary, factsOf } from '../../src/routing/facts/vocabulary.ts';
import { leadOf } from '../../src/routing/lead.ts';
import { calibrate } from '../../src/routing/scores/calibration.ts';
import { type ScoreWeights, scoreCandidates, scoreWeights } from '../../src/routing/scores/scoring.ts';
import { parseFrontmatter } from '../../src/vault/frontmatter.ts';
import { readYaml } from '../../src/yaml/yaml.ts';
import { ContentVault, type PlanContent } from '../support/contentVault.ts';
import { createRandom } from '../support/seededRandom.ts';
import { findTestData } from '../support/testData.ts';
import { type Bench, type BenchRow, round, sized } from './bench.ts';

interface PlanTexts extends PlanContent {
  readonly id: QualifiedId;
  readonly tasks: NonNullable<PlanContent['tasks']>;
}

/** What was found for the message that a task became. */
interface Found {
  readonly isRight: boolean;
  readonly lead: number;
  /** The right one. */
  readonly plan: string;
}

const goals = { right: 0.93, sure: 0.97, sureShare: 0.8 };
const plansOfData = [
  ...['mnemosyne-orchestrator', 'sub-A-global-store', 'sub-E-ingestion', 'sub-M-observability'].map(
    (name) => [name, `mnemosyne/${name}`] as const,
  ),
  ['sub-B-phase-cycle', 'markdown-plan'] as const,
];

async function loadPlans(folder: string): Promise<PlanTexts[]> {
  return Promise.all(plansOfData.map(([name, path]) => loadPlan(name, join(folder, path))));
}

/** As an import makes them of the Markdown form. */
async function loadPlan(name: string, directory: string): Promise<PlanTexts> {
  const files = await readdir(directory);
  const texts = new Map<string, string>();
  for (const file of files.filter(isReadOnImport)) texts.set(file, await readFile(join(directory, file), 'utf8'));
  const id = toQualifiedId(`mnemosyne/project-root/${name}`);
  const target = { id, description: describe(name), planPath: `ravel/project-root/${name}` };
  const { draft } = draftPlan({ directory, files, leftOut: [], texts }, target);
  const textOf = (file: string) => {
    const content = draft.files.get(file);
    return content !== undefined && 'text' in content ? content.text : '';
  };
  const place = { file: name, subject: name };
  const { tasks } = readYaml(backlogSchema, textOf(planFiles.backlog), place).value ?? {};
  const { entries } = readYaml(memorySchema, textOf(planFiles.memory), place).value ?? {};
  return {
    id,
    readme: parseFrontmatter(textOf(planFiles.marker), place).body,
    tasks: (tasks ?? []).map(({ title, description, results }) => ({
      title,
      description: description ?? undefined,
      results: results ?? undefined,
    })),
    memory: (entries ?? []).map(({ title, body }) => ({ title, body })),
  };
}

/** Its name alone: the plans of the data have none, and one that is written now could help. */
function describe(name: string): string {
  return name.replaceAll('-', ' ');
}

/** Plans whose vocabularies overlap: half of the words of each task come from those that all plans have. */
function makePlans(): PlanTexts[] {
  const random = createRandom(5);
  const word = (plan: number) => (random(2) === 0 ? `shared${random(40)}` : `plan${plan}word${random(30)}`);
  const text = (plan: number) => Array.from({ length: 12 }, () => word(plan)).join(' ');
  return Array.from({ length: 4 }, (_, plan) => ({
    id: toQualifiedId(`made/project-root/plan-${plan}`),
    tasks: Array.from({ length: 8 }, () => ({ title: text(plan) })),
    memory: Array.from({ length: 4 }, () => ({ title: text(plan) })),
  }));
}

interface Weights {
  readonly group: GroupWeights;
  readonly score: ScoreWeights;
}

/** Weights that are compared; that of the content is 0.6. */
const compared: readonly Weights[] = [1, 2, 3, 5, 8].flatMap((saturation) =>
  [0.5, 0.75, 1].flatMap((length) =>
    [0, 0.5, 1].flatMap((repetition) =>
      [0, 0.02, 0.1, 0.2].map((description) => ({
        group: { saturation, length, repetition },
        score: { ...scoreWeights, description },
      })),
    ),
  ),
);

const inUse: Weights = { group: groupWeights, score: scoreWeights };

/** Each task is left out of its plan in turn and comes as a message, as the owner of a vault would see it. */
async function prepareTasks(plans: readonly PlanTexts[], root: string): Promise<(weights: Weights) => Found[]> {
  const recipients = plans.map(({ id }) => ({ id, description: describe(id.split('/').at(-1) ?? ''), tags: [] }));
  const vault = new ContentVault(root, recipients);
  const prepared = prepareRecipients(recipients);
  const vocabulary = createVocabulary({ rules: [], recipients, prepared });
  for (const plan of plans) await vault.write(plan.id, plan);
  const index = await vault.refresh();
  const tasks = plans.flatMap((plan) =>
    plan.tasks.map(({ title, description = '' }, at) => {
      const text = `${title}\n${description}`;
      const leftOut = entryId(planSource(vault.layout, 'backlog', plan.id, planFiles.backlog), { id: `t${at}` });
      return { plan: plan.id, text, leftOut, facts: factsOf(vocabulary, text).map(({ fact }) => fact) };
    }),
  );
  const ranked = new Map<string, readonly ReadonlyMap<string, ContentScore>[]>();
  return ({ group, score }) => {
    const key = JSON.stringify(group);
    const contents =
      ranked.get(key) ?? tasks.map((task) => index.score(task.text, { ...task, weights: group, quoted: 0 }));
    ranked.set(key, contents);
    return tasks.map(({ plan, text, facts }, at) => {
      const content = contents[at] ?? new Map();
      const candidates = scoreCandidates(
        { on: 'dispatch', from: 'person', facts, text },
        { prepared, content, weights: score },
      );
      return { isRight: candidates[0]?.recipient === plan, lead: leadOf(candidates), plan };
    });
  };
}

/** The weights that fit one half of the tasks best; among nearly equal ones those with the largest leads of right plans. */
function chooseFor(half: number, find: (weights: Weights) => Found[]): Weights {
  let best = { weights: inUse, fit: Number.NEGATIVE_INFINITY };
  for (const weights of compared) {
    const found = find(weights).filter((_, at) => at % 2 === half);
    const { right, sure } = figuresOf(found);
    const lead = found.reduce((sum, one) => sum + (one.isRight ? one.lead : -one.lead), 0) / found.length;
    const fit = right + sure + lead / 100;
    if (fit > best.fit) best = { weights, fit };
  }
  return best.weights;
}

async function run(): Promise<BenchRow> {
  const data = findTestData(process.cwd());
  const isReal = data.kind === 'found' && sized(true, false);
  const plans = isReal ? await loadPlans(data.folder) : makePlans();
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const find = await prepareTasks(plans, root);
    // What was chosen on one half is judged by the other, both ways; together that judges each task once.
    const halves = [0, 1].map((half) => {
      const weights = chooseFor(half, find);
      const found = find(weights);
      return {
        weights,
        chosen: found.filter((_, at) => at % 2 === half),
        judged: found.filter((_, at) => at % 2 !== half),
      };
    });
    const judged = figuresOf(halves.flatMap((half) => half.judged));
    const used = find(inUse);
    const decided = used.filter((one, at) =>
      isDecided(
        one,
        used.filter((_, other) => other !== at),
      ),
    );
    return {
      id: 'route-content',
      value: round(judged.right, 3),
      unit: 'of the messages have the right plan first',
      goal: `≥ ${goals.right}, and ≥ ${goals.sure} of the surest ${100 * goals.sureShare} %; no rule, no session`,
      ok: isReal ? judged.right >= goals.right && judged.sure >= goals.sure : 'partly',
      note: [
        isReal
          ? `tasks of ${plans.length} real plans, each left out in turn; weights chosen on one half, judged by the other, both ways`
          : 'made-up plans stand in for the real ones',
        `together: ${words(judged)}`,
        ...halves.map(({ weights, chosen, judged: other }, half) =>
          [
            `chosen on the ${half === 0 ? 'even' : 'odd'} tasks (${weightsText(weights)}): ${words(figuresOf(chosen))}`,
            `on the others: ${words(figuresOf(other))}`,
          ].join(', '),
        ),
        `weights in use (${weightsText(inUse)}), all ${used.length}: ${words(figuresOf(used))}`,
        `the lead that the other tasks call for decides ${round(decided.length / used.length, 3)}, ${round(figuresOf(decided).right, 3)} of them right`,
      ].join('; '),
    };
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Whether scores would decide a message at the default settings, in a vault that has the other tasks and no history. */
function isDecided({ lead }: Found, others: readonly Found[]): boolean {
  const { threshold } = calibrate({ tasks: others, decisions: [] }, defaultSettings.routing.precision);
  return threshold !== undefined && lead >= threshold;
}

interface Figures {
  readonly right: number;
  /** Of the surest share. */
  readonly sure: number;
}

function figuresOf(found: readonly Found[]): Figures {
  const share = (some: readonly Found[]) => some.filter(({ isRight }) => isRight).length / Math.max(1, some.length);
  const surest = [...found].sort((a, b) => b.lead - a.lead).slice(0, Math.round(goals.sureShare * found.length));
  return { right: share(found), sure: share(surest) };
}

function words({ right, sure }: Figures): string {
  return `${round(right, 3)} right, the surest ${round(sure, 3)}`;
}

function weightsText({ group: { saturation, length, repetition }, score: { description } }: Weights): string {
  return `saturation ${saturation}, length ${length}, repetition ${repetition}, description ${description}`;
}

export const benches: readonly Bench[] = [{ id: 'route-content', run }];
