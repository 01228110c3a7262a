import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftPlan, isReadOnImport } from '../../src/imports/draftPlan.ts';
import { backlogSchema } from '../../src/model/backlog.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import { memorySchema } from '../../src/model/memory.ts';
import { planFiles } from '../../src/model/plan.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { prepareRecipients } from '../../src/routing/facts/preparedRecipients.ts';
import { createVocabulary, factsOf } from '../../src/routing/facts/vocabulary.ts';
import { clearMargin, leadOf, leastScore, scoreCandidates } from '../../src/routing/steps/scoring.ts';
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
  readonly isClear: boolean;
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

/** Each task is left out of its plan in turn and comes as a message, as the owner of a vault would see it. */
async function findAll(plans: readonly PlanTexts[], root: string): Promise<Found[]> {
  const recipients = plans.map(({ id }) => ({ id, description: describe(id.split('/').at(-1) ?? ''), tags: [] }));
  const vault = new ContentVault(root, recipients);
  const prepared = prepareRecipients(recipients);
  const vocabulary = createVocabulary({ rules: [], recipients, prepared });
  for (const plan of plans) await vault.write(plan.id, plan);
  const found: Found[] = [];
  for (const plan of plans) {
    for (const [at, { title, description = '' }] of plan.tasks.entries()) {
      await vault.write(plan.id, { ...plan, tasks: plan.tasks.filter((_, n) => n !== at) });
      const text = `${title}\n${description}`;
      const facts = factsOf(vocabulary, text).map(({ fact }) => fact);
      const content = (await vault.refresh()).score(text);
      const candidates = scoreCandidates({ from: 'person', facts, text }, { prepared, content });
      const clear = clearMargin(candidates, { margin: defaultSettings.routing.margin, least: leastScore });
      found.push({
        isRight: candidates[0]?.recipient === plan.id,
        lead: leadOf(candidates),
        isClear: clear !== undefined,
      });
    }
    await vault.write(plan.id, plan);
  }
  return found;
}

async function run(): Promise<BenchRow> {
  const data = findTestData(process.cwd());
  const isReal = data.kind === 'found' && sized(true, false);
  const plans = isReal ? await loadPlans(data.folder) : makePlans();
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const found = await findAll(plans, root);
    const chosen = figuresOf(found.filter((_, at) => at % 2 === 0));
    const reported = figuresOf(found.filter((_, at) => at % 2 === 1));
    const all = figuresOf(found);
    return {
      id: 'route-content',
      value: round(reported.right, 3),
      unit: 'of the messages have the right plan first',
      goal: `≥ ${goals.right}, and ≥ ${goals.sure} of the surest ${100 * goals.sureShare} %; no rule, no session`,
      ok: isReal ? reported.right >= goals.right && reported.sure >= goals.sure : 'partly',
      note: [
        isReal
          ? `tasks of ${plans.length} real plans, each left out in turn`
          : 'made-up plans stand in for the real ones',
        `the other half: ${words(reported)}`,
        `the half for choosing: ${words(chosen)}`,
        `all ${found.length}: ${words(all)}`,
      ].join('; '),
    };
  } finally {
    await rm(root, { recursive: true });
  }
}

interface Figures {
  readonly right: number;
  /** Of the surest share. */
  readonly sure: number;
  /** Share that a clear lead decides at the default settings, and how much of it is right. */
  readonly decided: number;
  readonly decidedRight: number;
}

function figuresOf(found: readonly Found[]): Figures {
  const share = (some: readonly Found[]) => some.filter(({ isRight }) => isRight).length / Math.max(1, some.length);
  const surest = [...found].sort((a, b) => b.lead - a.lead).slice(0, Math.round(goals.sureShare * found.length));
  const clear = found.filter(({ isClear }) => isClear);
  return {
    right: share(found),
    sure: share(surest),
    decided: clear.length / Math.max(1, found.length),
    decidedRight: share(clear),
  };
}

function words({ right, sure, decided, decidedRight }: Figures): string {
  return `${round(right, 3)} right, the surest ${round(sure, 3)}, a clear lead for ${round(decided, 3)} of which ${round(decidedRight, 3)} right`;
}

export const benches: readonly Bench[] = [{ id: 'route-content', run }];
