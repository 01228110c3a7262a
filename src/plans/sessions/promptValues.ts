import { join } from 'node:path';
import { readTextIfExists } from '../../base/files.ts';
import { diffSince, treeSnapshot } from '../../git/snapshot.ts';
import { type Backlog, backlogSchema, bestReadyTask, countBacklog } from '../../model/backlog.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { type PromptToken, phaseTokens } from '../../model/promptTokens.ts';
import type { ToolDescription } from '../../model/requests/sessions.ts';
import { projectPaths } from '../../vault/layout.ts';
import { formatPromptCatalog, loadPromptCatalog } from '../../vault/promptCatalog.ts';
import type { RunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { formatYaml, readYaml } from '../../vault/yaml.ts';
import { committedText } from '../planPast.ts';
import { formatDigest } from '../proposals/digest.ts';
import { formatTransitions } from '../proposals/transitions.ts';
import type { PlanServices } from '../services.ts';
import type { Transaction } from '../transaction.ts';
import { loadTranscript } from '../transcripts.ts';

export interface PromptMaterial {
  readonly services: PlanServices;
  readonly transaction: Transaction;
  readonly location: PlanLocation;
  readonly description: string;
  readonly base: PlanTexts;
  readonly state: RunState;
  readonly tools: readonly ToolDescription[];
  readonly memoryStyle: string;
  /** All plans of the vault; what is told of them is names and descriptions, never their content (design 4's table). */
  readonly plans: readonly PlanLocation[];
  /** Why an earlier try of this phase did not end well, where there was one. */
  readonly attemptNote: string;
}

/** Longest README and diff that a prompt takes in; what is left out is said. */
const readmeCharactersMax = 16_000;
const diffCharactersMax = 200_000;

/** Values for exactly the tokens that the phase may have; nothing else is read (the table of design 4). */
export async function promptValues(material: PromptMaterial): Promise<Record<PromptToken, string>> {
  const wanted = new Set<PromptToken>(phaseTokens[material.transaction.phase]);
  const values: Partial<Record<PromptToken, string>> = {};
  for (const token of wanted) values[token] = await sources[token](material);
  return values as Record<PromptToken, string>;
}

/** Values for the tokens of `system.md`, and of `by-hand.md` in its place. */
export async function systemValues(material: PromptMaterial): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const token of ['DESCRIPTION', 'PHASE', 'PLAN', 'TOOLS'] as const)
    values[token] = await sources[token](material);
  return values;
}

type Source = (material: PromptMaterial) => string | Promise<string>;

const sources: Readonly<Record<PromptToken, Source>> = {
  ANSWERS: ({ state, transaction }) => formatAnswers(state.answers ?? [], transaction.phase),
  ATTEMPT_NOTE: ({ attemptNote }) => attemptNote,
  BACKLOG: ({ base }) => base.get(planFiles.backlog)?.trimEnd() ?? '(the backlog is missing)',
  BACKLOG_TRANSITIONS: transitionsSinceWork,
  DESCRIPTION: ({ description }) => description,
  DIFF: async ({ services, location, state }) => {
    const { projectDirectory } = location;
    const commit = state.baselines.work?.commit;
    const diff = await diffSince(services.git, projectDirectory, commit, [projectPaths.ravel]);
    return diff === '' ? '(no change)' : cut(diff, diffCharactersMax);
  },
  LATEST_SESSION: ({ base }) => base.get(planFiles.latestSession)?.trimEnd() ?? '(no session is on record)',
  MEMORY: ({ base }) => base.get(planFiles.memory)?.trimEnd() ?? '(the memory is empty)',
  MEMORY_STYLE: ({ memoryStyle }) => memoryStyle,
  PHASE: ({ transaction }) => transaction.phase,
  PLAN: ({ transaction }) => transaction.plan,
  PROJECT: ({ location }) => location.projectDirectory,
  README: async ({ services, location }) => {
    const readme = await readTextIfExists(services.disk, join(location.projectDirectory, 'README.md'));
    return readme === undefined ? '(the project has no README.md)' : cut(readme, readmeCharactersMax);
  },
  RECEIVED: ({ base, transaction }) => {
    const received = (backlogOf(base)?.received ?? []).filter((entry) => entry.state === 'new');
    if (received.length === 0) return '(nothing)';
    return transaction.phase === 'work' ? `${received.length}` : formatYaml(received).trimEnd();
  },
  RELATED_PLANS: async ({ services, plans, transaction }) =>
    formatPromptCatalog(await loadPromptCatalog(services, plans, transaction.plan)).trimEnd(),
  TASK: ({ base, transaction }) => {
    const task = (backlogOf(base)?.tasks ?? []).find((candidate) => candidate.id === transaction.task);
    return task === undefined ? '(none)' : formatYaml(task).trimEnd();
  },
  TOOLS: ({ tools }) => tools.map((tool) => `- ${tool.name}: ${tool.description}`).join('\n'),
  TREE_SNAPSHOT: treeSinceWork,
  WORK_DIGEST: async ({ services, state }) =>
    state.workSession === undefined
      ? '(no work session is on record)'
      : formatDigest(await loadTranscript(services.disk, services.layout, state.workSession)),
};

/** What a person answered to sessions of this phase, in the order of their questions. */
function formatAnswers(answers: NonNullable<RunState['answers']>, phase: string): string {
  const own = answers.filter((answer) => answer.phase === phase);
  if (own.length === 0) return '';
  const quote = (text: string) => `> ${text.trim().replaceAll('\n', '\n> ')}`;
  const pairs = own.map(
    ({ question, answer }) => `It asked:\n\n${quote(question)}\n\nA person answered:\n\n${quote(answer)}`,
  );
  return `\n\n# What was asked before, and answered\n\n${pairs.join('\n\n')}`;
}

function backlogOf(texts: PlanTexts): Backlog | undefined {
  const text = texts.get(planFiles.backlog);
  if (text === undefined) return undefined;
  return readYaml(backlogSchema, text, { file: planFiles.backlog, subject: '' }).value;
}

async function treeSinceWork({ services, location, state }: PromptMaterial): Promise<string> {
  const work = state.baselines.work;
  const tree = await treeSnapshot(services.git, location.projectDirectory, work?.commit, [projectPaths.ravel]);
  const dirty = (work?.dirty ?? []).map((entry) => `- ${entry.path}`);
  return dirty.length === 0 ? tree : `${tree}\n\nDirty before the work began:\n${dirty.join('\n')}`;
}

/** Against the backlog as it was committed when work began. */
async function transitionsSinceWork({ services, location, base, state }: PromptMaterial): Promise<string> {
  const commit = state.baselines.work?.commit;
  const old = commit === undefined ? undefined : await committedText(services, location, commit, planFiles.backlog);
  const before = old === undefined ? undefined : backlogOf(new Map([[planFiles.backlog, old]]));
  return formatTransitions(before, backlogOf(base));
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text.trimEnd();
  return `${text.slice(0, charactersMax)}\n(... ${text.length - charactersMax} more characters are left out ...)`;
}

/** The task of a work phase: the one that was asked for, else the best ready one. */
export function chooseTask(
  texts: PlanTexts,
  asked: string | undefined,
): { readonly id?: string; readonly ready: number } {
  const backlog = backlogOf(texts);
  const ready = backlog === undefined ? 0 : countBacklog(backlog).ready;
  const task =
    asked === undefined
      ? bestReadyTask(backlog ?? {})
      : (backlog?.tasks ?? []).find((candidate) => candidate.id === asked);
  return { ready, ...(task !== undefined && { id: task.id }) };
}
