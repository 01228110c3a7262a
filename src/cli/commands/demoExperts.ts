import { join } from 'node:path';
import { startRepository } from '../../access/demoVault.ts';
import { copyFileAtomic, ensureDirectory, readText, writeAtomic } from '../../base/files.ts';
import { failure } from '../../model/codes.ts';
import type { RavelEvent } from '../../model/event.ts';
import { scenarioHarness } from '../../model/harnesses.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import type { CommandContext } from '../context.ts';
import type { Ports } from '../ports.ts';
import { wrap } from '../render/text.ts';

type Look = Pick<CommandContext, 'style' | 'columns'>;

/** Where the expert's part of a demo takes place; absolute paths. */
interface ExpertPlace {
  readonly folder: string;
  readonly vault: string;
}

/** The name of the project that asks what the other one has learned. */
const askingProject = 'scheduler';
const question = 'What is checked before the parts of a duration are summed?';

/** Declares an expert that knows one entry, and makes a second project. The vault is not open yet. */
export async function prepareExperts(ports: Ports, place: ExpertPlace): Promise<void> {
  const { disk, packageRoot } = ports;
  const { vault } = place;
  const shipped = join(packageRoot, 'demo', 'experts');
  const knowledge = join(vault, 'knowledge/techniques/parsing');
  const project = join(place.folder, askingProject);
  for (const folder of [join(vault, 'experts'), knowledge, project]) await ensureDirectory(disk, folder);
  await copyFileAtomic(disk, join(shipped, 'parsing.md'), join(vault, 'experts/parsing.md'));
  await copyFileAtomic(disk, join(shipped, 'entry.md'), join(knowledge, 'refusals.md'));
  await copyFileAtomic(disk, join(shipped, 'scenario.yaml'), scenarioOf(place));
  const settings = join(vault, 'daemon.toml');
  const text = await readText(disk, settings);
  const own = text
    .replace(/^#? *harness = .*$/m, `harness = "${scenarioHarness}"`)
    .replace(/^#? *scenario = .*$/m, `scenario = ${JSON.stringify(scenarioOf(place))}`);
  await writeAtomic(disk, settings, own);
  await writeAtomic(disk, join(project, 'README.md'), '# Scheduler\n\nRuns jobs after a duration.\n');
  await startRepository(ports, project, 'Start a scheduler');
}

interface Learned {
  readonly title: string;
  readonly state: string;
}

/** Resolves with what became of the first statement that the demo's plan proves. */
export function whenLearned(api: Api): Promise<Learned> {
  return firstOf(api, (event) => (event.type === 'knowledge.candidate' ? event : undefined));
}

/** Resolves with what the first event from now on gives that gives anything. */
function firstOf<T>(api: Api, take: (event: RavelEvent) => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const listening = api.onEvent((event) => {
      const taken = take(event);
      if (taken === undefined) return;
      listening.dispose();
      resolve(taken);
    });
  });
}

/** What came of the expert's part. */
interface Asked {
  readonly learned: string;
  readonly query: string;
  readonly answer: string;
  /** The receipt from which the second question was answered. */
  readonly reusedFrom?: string | undefined;
}

/** A plan of another project asks the expert, then a person asks the same. */
export async function askExperts(
  { ports }: CommandContext,
  api: Api,
  place: ExpertPlace,
  learned: Learned,
): Promise<Asked> {
  const { entries } = await api.request('entries', { statuses: ['staged'] });
  const [entry] = entries;
  if (learned.state !== 'added' || entry?.id === undefined) {
    throw failure('base/internal', 'demo', `The expert did not take in “${learned.title}”: ${learned.state}.`);
  }
  const { disk } = ports;
  const scenario = await readText(disk, scenarioOf(place));
  await writeAtomic(disk, scenarioOf(place), scenario.replaceAll('ENTRY', entry.id));
  const plan = await adoptAsking(api, place);
  const asked = firstOf(api, (event) => (event.type === 'query.answered' ? event.query : undefined));
  const run = { plan, harness: scenarioHarness, scenario: scenarioOf(place), phase: 'reflect' } as const;
  await api.request('run_phase', run);
  const query = await asked;
  const first = await api.request('answer', { query });
  const again = await api.request('ask', { 'target-expert': 'parsing', question, 'wait-seconds': 60 });
  const answer = first.answer?.text ?? '';
  return { learned: learned.title, query, answer, reusedFrom: again.answer?.reusedFrom };
}

export function formatAsked({ learned, query, answer, reusedFrom }: Asked, look: Look): string[] {
  const { style, columns } = look;
  const again =
    reusedFrom === undefined
      ? 'You asked the same, and another session answered.'
      : `You asked the same, and no session ran: the receipt ${reusedFrom} has the answer.`;
  return [
    '',
    style.strong('Knowledge'),
    `  ${style.good('+')} ${learned} (proven by the plan, taken in by expert:parsing)`,
    `  ${style.accent('?')} A plan of the project ${askingProject} asked expert:parsing: ${question}`,
    ...wrap(answer, columns - 6).map((line) => `      ${line}`),
    `      ${style.faint(`receipt ${query}`)}`,
    `  ${style.accent('?')} ${again}`,
  ];
}

async function adoptAsking(api: Api, { folder }: ExpertPlace): Promise<QualifiedId> {
  const description = 'Runs jobs after a duration, and shows what is due next';
  const { plan } = await api.request('adopt', { project: join(folder, askingProject), description });
  // It has done nothing yet, and its next session only asks.
  await api.request('state', { plan, verb: 'phase/set', args: { phase: 'reflect' } });
  return plan;
}

function scenarioOf({ folder }: ExpertPlace): string {
  return join(folder, 'experts.yaml');
}
