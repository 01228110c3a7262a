import { join } from 'node:path';
import { defined } from '../../base/defined.ts';
import type { Disk } from '../../base/disk.ts';
import { systemCode } from '../../base/errors.ts';
import { readBeginning } from '../../base/files.ts';
import { plural } from '../../base/text.ts';
import { mayLeadToSecret } from '../../gates/tools/toolPath.ts';
import { changedPaths, diffSince, treeSnapshot } from '../../git/snapshot.ts';
import type { PromptMemory } from '../../knowledge/memory/promptMemory.ts';
import type { TaskTexts } from '../../knowledge/memory/rankMemory.ts';
import { type Backlog, backlogSchema, bestReadyTask, countBacklog, type Task } from '../../model/backlog.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { foreign, ownName, ownWords, type PromptText } from '../../model/promptText.ts';
import { type PromptToken, phaseTokens } from '../../model/promptTokens.ts';
import type { ToolDescription } from '../../model/requests/sessions.ts';
import { defaultSettings, type Settings } from '../../model/settings.ts';
import { projectPaths } from '../../vault/layout.ts';
import { formatRecipients, formatTargets, loadPromptCatalog } from '../../vault/promptCatalog.ts';
import type { RunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { formatYaml, readYaml } from '../../yaml/yaml.ts';
import { committedText } from '../planHistory.ts';
import { formatDigest } from '../proposals/digest.ts';
import { formatTransitions } from '../proposals/transitions.ts';
import type { PlanServices } from '../services.ts';
import type { Transaction } from '../transaction.ts';
import { transcriptEvents } from '../transcriptFile.ts';
import { promptBacklog } from './promptBacklog.ts';

export interface PromptMaterial {
  readonly services: PlanServices;
  readonly transaction: Transaction;
  readonly location: PlanLocation;
  readonly description: string;
  readonly base: PlanTexts;
  readonly state: RunState;
  readonly tools: readonly ToolDescription[];
  readonly memoryStyle: string;
  /** What its sandbox lets the session's commands do; undefined without one. */
  readonly confined: string | undefined;
  /** What holds for the plan of how much of its memory a session is given. */
  readonly memory: Settings['memory'];
  /** What was chosen of the memory, if that is known already. */
  readonly chosen?: PromptMemory | undefined;
  /** All plans of the vault; what is told of them is names and descriptions, never their content. */
  readonly plans: readonly PlanLocation[];
  /** Why an earlier try of this phase did not end well, if there was one. */
  readonly earlierEnd: string | undefined;
}

const noWork = '(no work session is on record)';

/** Longest README and diff that a prompt takes in; what is left out is said. */
const readmeCharactersMax = 16_000;
const readmeBytesMax = 64 * 1024;
const diffCharactersMax = 200_000;

/** Values for exactly the tokens that the phase may have; nothing else is read. */
export async function promptValues(material: PromptMaterial): Promise<Record<PromptToken, PromptText>> {
  const wanted = new Set<PromptToken>(phaseTokens[material.transaction.phase]);
  const values: Partial<Record<PromptToken, PromptText>> = {};
  for (const token of wanted) values[token] = await sources[token](material);
  return values as Record<PromptToken, PromptText>;
}

/** Values for the tokens of `system.md`, and of `manual-run.md` in its place. */
export async function systemValues(material: PromptMaterial): Promise<Record<string, PromptText>> {
  const values: Record<string, PromptText> = {};
  for (const token of ['DESCRIPTION', 'PHASE', 'PLAN', 'TOOLS'] as const)
    values[token] = await sources[token](material);
  return values;
}

type Source = (material: PromptMaterial) => PromptText | Promise<PromptText>;

const sources: Readonly<Record<PromptToken, Source>> = {
  ANSWERS: ({ state, transaction }) => formatAnswers(state.answers ?? [], transaction.phase),
  ATTEMPT_NOTE: ({ earlierEnd }) => formatAttemptNote(earlierEnd),
  BACKLOG: ({ base, memory, state, transaction }) => {
    const { phase, harness } = transaction;
    const task = phase === 'work' ? transaction.task : state.workTask;
    return promptBacklog(base.get(planFiles.backlog), { phase, task }, harness === 'person' ? wholeBacklog : memory);
  },
  BACKLOG_TRANSITIONS: transitionsSinceWork,
  CONFINEMENT: ({ confined }) => (confined === undefined ? [] : ownWords(`\n\n${confined.trimEnd()}`)),
  DESCRIPTION: ({ description }) => foreign('scope', description),
  DIFF: diffSinceWork,
  LATEST_SESSION: ({ base }) => foreign('session', base.get(planFiles.latestSession), '(no session is on record)'),
  MEMORY: async (material) => (material.chosen ?? (await memoryFor(material))).text,
  MEMORY_STYLE: ({ memoryStyle }) => ownWords(memoryStyle),
  PHASE: ({ transaction }) => ownWords(transaction.phase),
  PLAN: ({ transaction }) => ownName(transaction.plan),
  PROJECT: ({ location }) => ownName(location.projectDirectory),
  README: ({ services, location }) => readmeOf(services.disk, location.projectDirectory),
  RECEIVED: ({ base, transaction }) => {
    const received = (backlogOf(base)?.received ?? []).filter((entry) => entry.state === 'new');
    if (received.length === 0) return ownWords('(nothing)');
    return transaction.phase === 'work' ? ownWords(`${received.length}`) : foreign('messages', formatYaml(received));
  },
  RELATED_PLANS: async ({ services, plans, transaction }) => {
    const catalog = await loadPromptCatalog(services, plans, transaction.plan);
    return [...foreign('plans', formatRecipients(catalog)), ...ownWords(formatTargets(catalog).trimEnd())];
  },
  TASK: ({ base, transaction }) => {
    const task = (backlogOf(base)?.tasks ?? []).find((candidate) => candidate.id === transaction.task);
    return foreign('task', task && formatYaml(task), '(none)');
  },
  TOOLS: ({ tools }) => ownWords(tools.map((tool) => `- ${tool.name}: ${tool.description}`).join('\n')),
  TREE_SNAPSHOT: treeSinceWork,
  WORK_DIGEST: async ({ services, state }) => {
    if (state.workSession === undefined) return ownWords(noWork);
    return foreign('digest', await formatDigest(transcriptEvents(services, state.workSession)), noWork);
  },
};

/**
 * A session can put anything in the place of this file, so only a regular file is read, and no link: where that leads the
 * next session can look by its tools, which are judged. What cannot be read is told and stops no work.
 */
async function readmeOf(disk: Disk, project: string): Promise<PromptText> {
  const leftOut = (why: string) => ownWords(`(the project's README.md is left out: ${why})`);
  try {
    const found = await readBeginning(disk, join(project, 'README.md'), readmeBytesMax);
    if (found === undefined) return ownWords('(the project has no README.md)');
    if (typeof found === 'string') return leftOut(notRead[found]);
    const isWhole = found.bytes.length === found.size;
    // Of a text that is cut, the last letter can be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(found.bytes, { stream: !isWhole });
    const rest = isWhole ? [] : ownWords(`(README.md has ${found.size} bytes; only its beginning was read)`);
    return [...foreign('readme', cut(text, readmeCharactersMax), '(README.md is empty)'), ...rest];
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return leftOut(code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : 'it cannot be read');
  }
}

const notRead = {
  symlink: 'it is a link',
  directory: 'it is a folder',
  other: 'it is not a regular file',
} as const;

/** A person has the file itself beside the prompt. */
const wholeBacklog: Settings['memory'] = { ...defaultSettings.memory, given: 'all' };

/** What a session is given of the memory. Reflect and dream have no task to choose by: they are about all of it. */
export async function memoryFor({ services, base, memory, transaction }: PromptMaterial): Promise<PromptMemory> {
  const text = base.get(planFiles.memory);
  const task = aboutOf(base, transaction);
  const reader = transaction.harness === 'person' ? 'person' : 'session';
  return services.memories.prompt({ text: text ?? '', task, settings: memory, reader });
}

/** Messages of others that a session is shown: those that wait for its triage, or the one that its task was made of. */
export function messagesFor(base: PlanTexts, { phase, task }: Transaction): NonNullable<Backlog['received']> {
  const received = backlogOf(base)?.received ?? [];
  if (phase === 'triage') return received.filter(({ state }) => state === 'new');
  return phase === 'work' && task !== undefined ? received.filter((message) => message.task === task) : [];
}

/** The texts that say what a session is about; undefined if it is about the whole memory. */
function aboutOf(base: PlanTexts, { phase, task: id }: Transaction): TaskTexts | undefined {
  const { tasks, received } = backlogOf(base) ?? {};
  if (phase === 'work') {
    const task = tasks?.find((one) => one.id === id);
    return { title: task?.title ?? '', description: [task?.description ?? '', task?.handoff ?? ''].join('\n') };
  }
  if (phase !== 'triage') return undefined;
  const messages = (received ?? []).filter(({ state }) => state === 'new').map(({ body }) => body);
  const open = (tasks ?? []).filter(({ status }) => status !== 'done').map((task) => textOf(task));
  return { title: '', description: [...messages, ...open].join('\n') };
}

function textOf({ title, description }: Task): string {
  return `${title}\n${description ?? ''}`;
}

/** What a person answered to sessions of this phase, in the order of their questions. */
function formatAnswers(answers: NonNullable<RunState['answers']>, phase: string): PromptText {
  const own = answers.filter((answer) => answer.phase === phase);
  if (own.length === 0) return [];
  const pairs = own.flatMap(({ question, answer }) => [
    ...ownWords('It asked:'),
    ...foreign('question', question),
    ...ownWords('A person answered, and what they say holds:'),
    ...foreign('answer', answer),
  ]);
  return [...ownWords('\n\n# What was asked before, and answered'), ...pairs];
}

/** A reason can quote a program, or the session itself. */
function formatAttemptNote(earlierEnd: string | undefined): PromptText {
  if (earlierEnd === undefined) return [];
  return [
    ...ownWords('# An earlier try\n\nAn earlier session of this phase did not end well:'),
    ...foreign('reason', earlierEnd),
    ...ownWords('What it changed in the source may still be there.'),
  ];
}

function backlogOf(texts: PlanTexts): Backlog | undefined {
  const text = texts.get(planFiles.backlog);
  if (text === undefined) return undefined;
  return readYaml(backlogSchema, text, { file: planFiles.backlog, subject: '' }).value;
}

/** Without files whose names say that they hold secrets, which no session reads: also one that a person left there counts. */
async function diffSinceWork({ services: { git }, location, state }: PromptMaterial): Promise<PromptText> {
  const { projectDirectory } = location;
  const commit = state.baselines.work?.commit;
  const changed = await changedPaths(git, projectDirectory, commit, [projectPaths.ravel]);
  const secret = changed.filter((path) => mayLeadToSecret(path.split('/')));
  const diff = await diffSince(git, projectDirectory, commit, [projectPaths.ravel, ...secret]);
  const note = `(changes of ${plural(secret.length, 'file')} are left out, since by their names they may hold secrets)`;
  return [
    ...foreign('diff', cut(diff, diffCharactersMax), '(no change)'),
    ...(secret.length === 0 ? [] : ownWords(note)),
  ];
}

async function treeSinceWork({ services, location, state }: PromptMaterial): Promise<PromptText> {
  const work = state.baselines.work;
  const tree = await treeSnapshot(services.git, location.projectDirectory, work?.commit, [projectPaths.ravel]);
  const dirty = (work?.dirty ?? []).map((entry) => `- ${entry.path}`);
  return foreign('tree', dirty.length === 0 ? tree : `${tree}\n\nDirty before the work began:\n${dirty.join('\n')}`);
}

/** Against the backlog as it was committed when work began. */
async function transitionsSinceWork({ services, location, base, state }: PromptMaterial): Promise<PromptText> {
  const commit = state.baselines.work?.commit;
  const old = commit === undefined ? undefined : await committedText(services, location, commit, planFiles.backlog);
  const before = old === undefined ? undefined : backlogOf(new Map([[planFiles.backlog, old]]));
  return foreign('transitions', formatTransitions(before, backlogOf(base)));
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
  return { ready, ...defined({ id: task?.id }) };
}
