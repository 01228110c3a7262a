import { join } from 'node:path';
import { settleAll } from '../../base/async.ts';
import { ensureDirectory, readText, readTextIfExists, sha256, writeAtomic } from '../../base/files.ts';
import { type PromptPart, parseTemplate, renderTemplate } from '../../harness/promptTemplate.ts';
import { recordedParts } from '../../harness/recorded.ts';
import { failure } from '../../model/codes.ts';
import type { Usage } from '../../model/event.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import { phaseTokens } from '../../model/promptTokens.ts';
import type { ToolDescription } from '../../model/requests/sessions.ts';
import { permitTool } from '../../model/verbs.ts';
import type { PlanServices } from '../services.ts';
import type { Transaction } from '../transaction.ts';
import { type PromptMaterial, promptValues, systemValues } from './promptValues.ts';

/** One stretch of what a session was given: its size, its hash, and why it is there. */
export interface ContextPart {
  readonly name: string;
  readonly path?: string;
  readonly bytes: number;
  /** Estimated at four bytes a token; what the first turn really counted stands under `reported`. */
  readonly tokens: number;
  readonly sha256: string;
  readonly reason: string;
}

/**
 * `context.json`: exactly what a session was given (design 4, step 2). `given` is ours, byte for byte; `recorded` is what
 * the harness adds by itself, as it was captured for its version and profile (null where it was not); `reported` is what
 * the first turn counted.
 */
export interface SessionContext {
  readonly given: readonly ContextPart[];
  readonly recorded: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[] | null;
  readonly reported: Usage | null;
}

export interface ComposedContext {
  readonly systemPrompt: string;
  readonly prompt: string;
  readonly context: SessionContext;
  readonly givenBytes: number;
  readonly givenTokens: number;
}

/** Composes the prompts and writes `prompt.md`, `system.md` and `context.json` into the session's folder. */
export async function composeContext(material: PromptMaterial): Promise<ComposedContext> {
  const { services, transaction } = material;
  const directory = services.layout.session(transaction.session);
  const system = await renderSystem(material);
  const prompt = await renderPrompt(material);
  const given = [
    ...system.map((part) => contextPart(part, 'system')),
    ...prompt.map((part) => contextPart(part, 'prompt')),
    ...(transaction.harness === 'person' ? [] : material.tools.filter(({ name }) => name !== permitTool).map(toolPart)),
  ];
  const recorded = recordedParts(transaction.harness, transaction.phase) ?? null;
  const context: SessionContext = { given, recorded, reported: null };
  const systemPrompt = system.map((part) => part.text).join('');
  const text = prompt.map((part) => part.text).join('');
  await ensureDirectory(services.disk, directory);
  await settleAll([
    writeAtomic(services.disk, join(directory, 'system.md'), systemPrompt),
    writeAtomic(services.disk, join(directory, 'prompt.md'), text),
    saveContext(services, directory, context),
  ]);
  return {
    systemPrompt,
    prompt: text,
    context,
    givenBytes: sum(given.map((part) => part.bytes)),
    givenTokens: sum(given.map((part) => part.tokens)),
  };
}

/** Puts in what this very version of the harness adds by itself, once it has said which one it is. */
export async function recordVersion(
  services: PlanServices,
  directory: string,
  { harness, phase }: Pick<Transaction, 'harness' | 'phase'>,
  version: string,
): Promise<void> {
  const text = await readTextIfExists(services.disk, join(directory, 'context.json'));
  if (text === undefined) return;
  const context: SessionContext = JSON.parse(text);
  const recorded = recordedParts(harness, phase, version) ?? null;
  if (JSON.stringify(recorded) === JSON.stringify(context.recorded)) return;
  await saveContext(services, directory, { ...context, recorded });
}

/** Adds what the harness's first turn counted. */
export async function reportUsage(services: PlanServices, directory: string, usage: Usage): Promise<void> {
  const text = await readTextIfExists(services.disk, join(directory, 'context.json'));
  if (text === undefined) return;
  const context: SessionContext = JSON.parse(text);
  if (context.reported === null) await saveContext(services, directory, { ...context, reported: usage });
}

async function saveContext(services: PlanServices, directory: string, context: SessionContext): Promise<void> {
  await writeAtomic(services.disk, join(directory, 'context.json'), `${JSON.stringify(context, undefined, 2)}\n`);
}

interface NamedPart {
  readonly name: PromptPart['name'] | 'separator';
  readonly text: string;
  readonly path?: string;
}

async function renderSystem(material: PromptMaterial): Promise<NamedPart[]> {
  const name = material.transaction.harness === 'person' ? 'by-hand.md' : 'system.md';
  const file = join(material.services.promptsDirectory, name);
  const template = parseTemplate(await readText(material.services.disk, file), `prompts/${name}`);
  const parts = renderTemplate(template, await systemValues(material)).parts;
  return parts.map((part) => (part.name === 'template' ? { ...part, path: template.file } : part));
}

/** The shipped prompt of the phase and, where the plan has one, its own addition. */
async function renderPrompt(material: PromptMaterial): Promise<NamedPart[]> {
  const { services, transaction } = material;
  const { phase, plan } = transaction;
  const shipped = await readText(services.disk, join(services.promptsDirectory, `${phase}.md`));
  const values = await promptValues(material);
  const parts = render(shipped, `prompts/${phase}.md`, values);
  const name = `prompt-${phase}.md`;
  const addition = await readTextIfExists(services.disk, join(services.layout.plan(plan), name));
  if (addition === undefined) return parts;
  return [...parts, { name: 'separator', text: '\n\n---\n\n' }, ...renderAddition(addition, name, values, material)];
}

function render(text: string, file: string, values: Readonly<Record<string, string>>): NamedPart[] {
  const { parts } = renderTemplate(parseTemplate(text, file), values);
  return parts.map((part) => (part.name === 'template' ? { ...part, path: file } : part));
}

/** A plan's own addition to a prompt is checked before its phase begins; a token it may not use is a hard error. */
export async function checkAddition(services: PlanServices, plan: QualifiedId, phase: ReasoningPhase): Promise<void> {
  const file = join(services.layout.plan(plan), `prompt-${phase}.md`);
  const text = await readTextIfExists(services.disk, file);
  if (text !== undefined) tokensOfAddition(text, file, { plan, phase });
}

/** A plan's own addition may use the tokens of its phase, all, some or none of them; others are a hard error. */
function renderAddition(
  text: string,
  file: string,
  values: Readonly<Record<string, string>>,
  { transaction }: PromptMaterial,
): NamedPart[] {
  const tokens = tokensOfAddition(text, file, transaction);
  return render(text, file, Object.fromEntries(tokens.map((token) => [token, values[token] ?? ''])));
}

function tokensOfAddition(
  text: string,
  file: string,
  { plan, phase }: Pick<Transaction, 'plan' | 'phase'>,
): readonly string[] {
  const allowed: readonly string[] = phaseTokens[phase];
  const { tokens } = parseTemplate(text, file);
  const foreign = tokens.filter((token) => !allowed.includes(token));
  if (foreign.length === 0) return tokens;
  const message = `${file} uses tokens that ${phase} is not given: ${foreign.join(', ')}`;
  throw failure('prompt/badToken', plan, message, { file, help: `The tokens of ${phase} are ${allowed.join(', ')}.` });
}

const reasons: Readonly<Record<NamedPart['name'], string>> = {
  template: "the phase's instructions",
  separator: 'parts the shipped instructions from the plan’s own',
  ANSWERS: 'what earlier sessions of this phase asked a person, and were answered',
  ATTEMPT_NOTE: 'why an earlier try of this phase did not end well',
  BACKLOG: 'the tasks of the plan',
  BACKLOG_TRANSITIONS: 'what changed in the backlog since work began, computed',
  DESCRIPTION: "the plan's permanent scope",
  DIFF: 'what changed in the source since work began',
  LATEST_SESSION: 'the record of the session that is reflected on',
  MEMORY: "the plan's memory",
  MEMORY_STYLE: 'how memory entries are written',
  PHASE: 'the phase',
  PLAN: 'the name of the plan',
  PROJECT: 'where the project is',
  README: "the project's own introduction",
  RECEIVED: 'messages that wait for triage',
  RELATED_PLANS: 'the other plans of the project, by name',
  TASK: 'the task to work on',
  TOOLS: 'names of the session tools',
  TREE_SNAPSHOT: 'the state of the working tree, computed',
  WORK_DIGEST: 'what the work session said and ran, computed',
};

function contextPart(part: NamedPart, where: 'system' | 'prompt'): ContextPart {
  return {
    ...measure(part.text),
    name: `${where}/${part.name}`,
    reason: reasons[part.name],
    ...(part.path !== undefined && { path: part.path }),
  };
}

/** The harness keeps `permit` to itself; every other tool stands before the model with its description and schema. */
function toolPart(tool: ToolDescription): ContextPart {
  return { ...measure(JSON.stringify(tool)), name: `tools/${tool.name}`, reason: 'a session tool of this phase' };
}

function measure(text: string): { readonly bytes: number; readonly tokens: number; readonly sha256: string } {
  const bytes = Buffer.byteLength(text);
  return { bytes, tokens: Math.ceil(bytes / 4), sha256: sha256(text) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
