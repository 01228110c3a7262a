import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { settleAll } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import { ensureDirectory, readText, readTextIfExists, writeAtomic } from '../../base/files.ts';
import { encodeLine } from '../../base/ndjson.ts';
import { type PromptPart, type PromptValues, parseTemplate, renderTemplate } from '../../harness/promptTemplate.ts';
import { recordedParts } from '../../harness/recorded.ts';
import { loadContext, measureText, type SessionContext, saveContext, sizeOf } from '../../harness/sessionContext.ts';
import type { PromptMemory } from '../../knowledge/memory/promptMemory.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import { formatPromptText } from '../../model/promptText.ts';
import { isPromptToken, type PromptToken, phaseTokens } from '../../model/promptTokens.ts';
import type { GivenPart } from '../../model/requests/inspect.ts';
import type { ToolDescription } from '../../model/requests/sessions.ts';
import { permitTool } from '../../model/sessionTools.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { formatYaml } from '../../yaml/yaml.ts';
import type { PlanServices } from '../services.ts';
import type { Transaction } from '../transaction.ts';
import { memoryFor, messagesFor, type PromptMaterial, promptValues, systemValues } from './promptValues.ts';
import { type ShownText, shownMemory, shownPath } from './shownRecord.ts';

export interface ComposedContext {
  readonly systemPrompt: string;
  readonly prompt: string;
  readonly context: SessionContext;
  /** What the prompt has of what others know. */
  readonly shown: readonly ShownText[];
  readonly givenBytes: number;
  readonly givenTokens: number;
}

/** Composes the prompts and writes `prompt.md`, `system.md` and `context.json` into the session's folder. */
export async function composeContext(material: PromptMaterial): Promise<ComposedContext> {
  const { services, transaction } = material;
  const directory = services.layout.session(transaction.session);
  // Throws while one cannot be read: a session that is told of half of them would be masked by half of them.
  await services.storedSecrets();
  const composed = await renderContext(material);
  await ensureDirectory(services.disk, directory);
  const { shown } = composed;
  await settleAll([
    writeAtomic(services.disk, join(directory, 'system.md'), composed.systemPrompt),
    writeAtomic(services.disk, join(directory, 'prompt.md'), composed.prompt),
    saveContext(services.disk, directory, composed.context),
    ...(shown.length === 0 ? [] : [writeAtomic(services.disk, shownPath(directory), shown.map(encodeLine).join(''))]),
  ]);
  return composed;
}

/** The same, and nothing is written. */
export async function renderContext(material: PromptMaterial): Promise<ComposedContext> {
  const { services, transaction } = material;
  const system = await renderSystem(material);
  const chosen = phaseTokens[transaction.phase].includes('MEMORY') ? await memoryFor(material) : undefined;
  const prompt = await renderPrompt({ ...material, chosen });
  const given = [
    ...system.map((part) => contextPart(part, 'system')),
    ...prompt.map((part) => contextPart(part, 'prompt')),
    ...(transaction.harness === 'person' ? [] : material.tools.filter(({ name }) => name !== permitTool).map(toolPart)),
  ];
  const recorded = recordedParts(recordingsOf(services, transaction), transaction.phase) ?? null;
  const memory = defined({ memory: chosen?.given });
  const context: SessionContext = { given, recorded, reported: null, ...memory };
  const systemPrompt = system.map((part) => part.text).join('');
  const text = prompt.map((part) => part.text).join('');
  return { systemPrompt, prompt: text, context, shown: shownIn(material, chosen), ...sizeOf(given) };
}

/** The memory and the messages; nothing of what a person is given, whose own words are never an echo. */
function shownIn(
  { base, transaction, services }: PromptMaterial,
  memory: PromptMemory | undefined,
): readonly ShownText[] {
  if (transaction.harness === 'person') return [];
  const isEmpty = memory === undefined || (memory.given.count === 0 && memory.given.given !== 'unread');
  return services.withoutSecrets([
    ...(isEmpty ? [] : [shownMemory(formatPromptText(memory.text), memory.given)]),
    ...messagesFor(base, transaction).map((message) => ({ text: formatYaml(message) })),
  ]);
}

/** Puts in what this very version of the harness adds by itself, once it has said which one it is. */
export async function recordVersion(
  services: Pick<PlanServices, 'disk' | 'adapters'>,
  directory: string,
  { harness, phase }: Pick<Transaction, 'harness' | 'phase'>,
  version: string,
): Promise<void> {
  const context = await loadContext(services.disk, directory);
  if (context === undefined) return;
  const recorded = recordedParts(recordingsOf(services, { harness }), phase, version) ?? null;
  if (JSON.stringify(recorded) === JSON.stringify(context.recorded)) return;
  await saveContext(services.disk, directory, { ...context, recorded });
}

/** A person adds nothing that could be recorded. */
function recordingsOf({ adapters }: Pick<PlanServices, 'adapters'>, { harness }: Pick<Transaction, 'harness'>) {
  return harness === 'person' ? undefined : adapters[harness].recordings;
}

interface NamedPart {
  readonly name: PromptPart['name'] | 'separator';
  readonly text: string;
  readonly path?: string;
}

async function renderSystem(material: PromptMaterial): Promise<NamedPart[]> {
  const name = material.transaction.harness === 'person' ? 'manual-run.md' : 'system.md';
  const file = join(material.services.promptsDirectory, name);
  const template = parseTemplate(await readText(material.services.disk, file), `prompts/${name}`);
  const parts = renderTemplate(template, await systemValues(material)).parts;
  return masked(
    parts.map((part) => (part.name === 'template' ? { ...part, path: template.file } : part)),
    material,
  );
}

/** The shipped prompt of the phase and, if the plan has one, its own addition. */
async function renderPrompt(material: PromptMaterial): Promise<NamedPart[]> {
  const { services, transaction } = material;
  const { phase, plan } = transaction;
  const shipped = await readText(services.disk, join(services.promptsDirectory, `${phase}.md`));
  const values = await promptValues(material);
  const parts = render(shipped, `prompts/${phase}.md`, values);
  const name = `prompt-${phase}.md`;
  const addition = await readTextIfExists(services.disk, join(services.layout.plan(plan), name));
  if (addition === undefined) return masked(parts, material);
  const added = renderAddition(addition, name, values, material);
  return masked([...parts, { name: 'separator', text: '\n\n---\n\n' }, ...added], material);
}

/** A plan's files, the source and what others sent may hold a value that was there before the person named it. */
function masked(parts: readonly NamedPart[], { services }: PromptMaterial): NamedPart[] {
  return parts.map((part) => ({ ...part, text: services.withoutSecrets(part.text) }));
}

function render(text: string, file: string, values: PromptValues): NamedPart[] {
  const { parts } = renderTemplate(parseTemplate(text, file), values);
  return parts.map((part) => (part.name === 'template' ? { ...part, path: file } : part));
}

/** A plan's own addition to a prompt is checked before its phase begins; a token it may not use is a hard error. */
export async function checkAddition(services: VaultPorts, plan: QualifiedId, phase: ReasoningPhase): Promise<void> {
  const file = join(services.layout.plan(plan), `prompt-${phase}.md`);
  const text = await readTextIfExists(services.disk, file);
  if (text !== undefined) tokensOfAddition(text, file, { plan, phase });
}

/** A plan's own addition may use the tokens of its phase, all, some or none of them; others are a hard error. */
function renderAddition(
  text: string,
  file: string,
  values: PromptValues,
  { transaction }: PromptMaterial,
): NamedPart[] {
  const tokens = tokensOfAddition(text, file, transaction);
  return render(text, file, Object.fromEntries(tokens.map((token) => [token, values[token] ?? []])));
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

/** A phase has no token of a consultation: its prompt would have no value for it. */
function reasonOf(name: NamedPart['name']): string {
  const known = name === 'template' || name === 'separator' || isPromptToken(name) ? name : undefined;
  assert(known !== undefined, `a phase is given no ${name}`);
  return reasons[known];
}

const reasons: Readonly<Record<PromptToken | 'template' | 'separator', string>> = {
  template: "the phase's instructions",
  separator: 'parts the shipped instructions from the plan’s own',
  ANSWERS: 'what earlier sessions of this phase asked a person, and were answered',
  ATTEMPT_NOTE: 'why an earlier try of this phase did not end well',
  BACKLOG: 'the tasks of the plan',
  BACKLOG_TRANSITIONS: 'what changed in the backlog since work began, computed',
  CONFINEMENT: 'what the sandbox lets its commands do',
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
  RELATED_PLANS: 'whom messages can be sent to, by name, and how',
  TASK: 'the task to work on',
  TOOLS: 'names of the session tools',
  TREE_SNAPSHOT: 'the state of the working tree, computed',
  WORK_DIGEST: 'what the work session said and ran, computed',
};

function contextPart(part: NamedPart, where: 'system' | 'prompt'): GivenPart {
  return {
    ...measureText(part.text),
    name: `${where}/${part.name}`,
    reason: reasonOf(part.name),
    ...defined({ path: part.path }),
  };
}

/** The harness keeps `permit` to itself; every other tool stands before the model with its description and schema. */
function toolPart(tool: ToolDescription): GivenPart {
  return { ...measureText(JSON.stringify(tool)), name: `tools/${tool.name}`, reason: 'a session tool of this phase' };
}
