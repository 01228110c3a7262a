import { isNode, LineCounter, parseDocument, visit } from 'yaml';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { type Diagnostic, messageOf, type Range, systemCode } from '../base/errors.ts';
import { hasTooManyParts, isTooDeep, withoutStacks, yamlPartsMax } from '../base/yamlBounds.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { reasoningPhases } from '../model/phase.ts';
import { consultationPurposes, isConsultation, type SessionPurpose } from '../model/sessionPurpose.ts';
import { finishArgsSchema } from '../model/sessionTools.ts';

/** What a call is meant to come to; anything else fails the session. */
const expectSchema = z.enum(['ok', 'refused']).default('ok');

const waitPattern = /^(\d+(?:\.\d+)?)(ms|s)$/;

const text = z.string().min(1);

/**
 * One row for each kind of step: the schema of the whole step, turned into the form the players read. The key that
 * names a row is the key that a scenario writes.
 */
const stepSchemas = {
  say: z.strictObject({ say: text }).transform((step) => ({ kind: 'say' as const, text: step.say })),
  call: z
    .strictObject({ call: text, with: z.record(z.string(), z.unknown()).default({}), expect: expectSchema })
    .transform((step) => ({ kind: 'call' as const, tool: step.call, input: step.with, expect: step.expect })),
  edit: z
    .strictObject({
      edit: z.union([
        z.strictObject({ path: text, content: z.string() }),
        z.strictObject({ path: text, replace: text, with: z.string() }),
      ]),
    })
    .transform((step) => ({ kind: 'edit' as const, ...step.edit })),
  run: z
    .strictObject({ run: z.strictObject({ command: text }) })
    .transform((step) => ({ kind: 'run' as const, command: step.run.command })),
  read: z
    .strictObject({ read: z.strictObject({ path: text }) })
    .transform((step) => ({ kind: 'read' as const, path: step.read.path })),
  usage: z
    .strictObject({
      usage: z.strictObject({
        'input-tokens': z.int().nonnegative().default(0),
        'output-tokens': z.int().nonnegative().default(0),
        'cost-usd': z.number().nonnegative().optional(),
      }),
    })
    .transform(({ usage }) => ({
      kind: 'usage' as const,
      inputTokens: usage['input-tokens'],
      outputTokens: usage['output-tokens'],
      ...defined({ costUsd: usage['cost-usd'] }),
    })),
  wait: z
    .strictObject({
      wait: z.union([
        z.string().regex(waitPattern, 'a wait is a number with a unit, such as 200ms or 2s'),
        z.strictObject({ for: text }),
      ]),
    })
    .transform(({ wait }) =>
      typeof wait === 'string'
        ? { kind: 'wait' as const, durationMs: parseWait(wait) }
        : { kind: 'waitFor' as const, path: wait.for },
    ),
  finish: z
    .strictObject({ finish: finishArgsSchema, expect: expectSchema })
    .transform((step) => ({ kind: 'finish' as const, ...step.finish, expect: step.expect })),
  exit: z
    .strictObject({ exit: z.int().min(0).max(125) })
    .transform((step) => ({ kind: 'exit' as const, code: step.exit })),
  crash: z
    .strictObject({ crash: z.enum(['SIGSEGV', 'SIGABRT', 'SIGKILL', 'SIGTERM']) })
    .transform((step) => ({ kind: 'crash' as const, signal: step.crash })),
  flood: z
    .strictObject({
      flood: z.strictObject({ megabytes: z.int().positive().max(4096), to: z.enum(['stdout', 'stderr']) }),
    })
    .transform((step) => ({ kind: 'flood' as const, ...step.flood })),
  hang: z.strictObject({ hang: z.literal(true) }).transform(() => ({ kind: 'hang' as const })),
} as const;

type StepName = keyof typeof stepSchemas;

export type ScenarioStep = z.output<(typeof stepSchemas)[StepName]>;

const stepSchema = z.unknown().transform((raw, context): ScenarioStep => {
  const name = stepName(raw);
  if (name === undefined) {
    const names = Object.keys(stepSchemas).join(', ');
    context.addIssue({ code: 'custom', message: `a step is a mapping with exactly one of the keys ${names}` });
    return z.NEVER;
  }
  const parsed = stepSchemas[name].safeParse(raw);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ code: 'custom', message: issueText(issue), path: issue.path });
  }
  return z.NEVER;
});

/** Of several the first plays whose `when` occurs in the prompt, or which has none. */
const consultationSchema = z.strictObject({ when: text.optional(), steps: z.array(stepSchema) });

/** A scenario: the steps that a session plays, one list a phase, and for consultations one for each way to be asked. */
export const scenarioSchema = z.strictObject({
  version: z.literal(1),
  model: z.string().min(1).default('scripted'),
  phases: z.partialRecord(z.enum(reasoningPhases), z.array(stepSchema)).default({}),
  consultations: z.partialRecord(z.enum(consultationPurposes), z.array(consultationSchema)).default({}),
});

export type Scenario = z.output<typeof scenarioSchema>;

export interface ParsedScenario {
  readonly scenario?: Scenario;
  readonly diagnostics: readonly Diagnostic[];
}

/** Far above any scenario that a person writes; what the parser takes longest for, `yamlPartsMax` bounds. */
const charactersMax = 256 * 1024;

/** Reads the text of a scenario; everything wrong is a `harness/badScenario` at its line. */
export function parseScenario(source: string, file: string): ParsedScenario {
  if (source.length > charactersMax) {
    const message = `the file has ${source.length} characters, and a scenario has at most ${charactersMax}; split it`;
    return { diagnostics: [bad(file, message, undefined)] };
  }
  if (hasTooManyParts(source)) {
    return {
      diagnostics: [bad(file, `the file has more than ${yamlPartsMax} keys, values and marks; split it`, undefined)],
    };
  }
  if (isTooDeep(source)) return { diagnostics: [bad(file, 'the file is nested too deeply to be read', undefined)] };
  const lines = new LineCounter();
  const document = withoutStacks(() => parseDocument(source, { lineCounter: lines, prettyErrors: false }));
  if (document.errors.length > 0) {
    const diagnostics = document.errors.map((error) => bad(file, error.message, rangeAt(lines, error.pos[0])));
    return { diagnostics };
  }
  const aliased = findAlias(document);
  if (aliased !== undefined) return { diagnostics: [bad(file, 'a scenario has no aliases', rangeAt(lines, aliased))] };
  const parsed = scenarioSchema.safeParse(document.toJS());
  if (parsed.success) return { scenario: parsed.data, diagnostics: [] };
  const diagnostics = parsed.error.issues.map((issue) => {
    const place = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    return bad(file, `${place}${issueText(issue)}`, rangeAt(lines, offsetOf(document, issue.path)));
  });
  return { diagnostics };
}

/** Rejects with `harness/noScenario` for a missing file and `harness/badScenario` for the first thing wrong in it. */
export async function loadScenario(disk: Disk, file: string): Promise<Scenario> {
  const { scenario, diagnostics } = parseScenario(await readScenario(disk, file), file);
  if (scenario !== undefined) return scenario;
  const [first] = diagnostics;
  throw failure('harness/badScenario', file, first?.message ?? 'The scenario cannot be read.', {
    file,
    ...defined({ range: first?.range }),
  });
}

/** What decides which steps of a scenario a session plays. */
export interface PlayedBy {
  readonly purpose: SessionPurpose;
  /**
   * Fills `${task}` in, which is the only token: the id of a task, or the goal of a session that plans. Everything else,
   * `${HOME}` in a command say, stands as it is.
   */
  readonly task?: string | undefined;
  /** What the session was given; a phase has its one list whatever that says. */
  readonly prompt: string;
}

/** The steps that a session plays; undefined when the scenario has nothing for it. */
export function stepsOf(scenario: Scenario, { purpose, task, prompt }: PlayedBy): readonly ScenarioStep[] | undefined {
  const steps = isConsultation(purpose)
    ? scenario.consultations[purpose]?.find(({ when }) => when === undefined || prompt.includes(when))?.steps
    : scenario.phases[purpose];
  if (steps === undefined || task === undefined) return steps;
  return steps.map((step) => fillIn(step, task));
}

function fillIn<T>(value: T, task: string): T;
function fillIn(value: unknown, task: string): unknown {
  if (typeof value === 'string') return value.replaceAll(taskToken, () => task);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, task));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, task)]));
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the token of a scenario, not of TypeScript
const taskToken = '${task}';

async function readScenario(disk: Disk, file: string): Promise<string> {
  try {
    return (await disk.readFile(file)).toString('utf8');
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') {
      throw failure('harness/badScenario', file, `The scenario cannot be read: ${messageOf(cause)}`, { cause, file });
    }
    throw failure('harness/noScenario', file, `The scenario ${file} does not exist.`, { cause, file });
  }
}

function stepName(raw: unknown): StepName | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const names = Object.keys(raw).filter(isStepName);
  return names.length === 1 ? names[0] : undefined;
}

function isStepName(key: string): key is StepName {
  return Object.hasOwn(stepSchemas, key);
}

function parseWait(wait: string): number {
  const match = waitPattern.exec(wait);
  return Number(match?.[1] ?? 0) * (match?.[2] === 's' ? 1000 : 1);
}

/** A union says only "invalid input"; what its likeliest member misses helps more. */
function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const [likeliest] = [...issue.errors].sort((a, b) => a.length - b.length);
  const [first] = likeliest ?? [];
  return first === undefined
    ? issue.message
    : `${first.path.map((part) => `${String(part)}: `).join('')}${first.message}`;
}

/** Few bytes of aliases can stand for gigabytes of steps, so there are none. */
function findAlias(document: ReturnType<typeof parseDocument>): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias(_key, node) {
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

function bad(file: string, message: string, range: Range | undefined): Diagnostic {
  return diagnostic('harness/badScenario', file, message, { file, ...defined({ range }) });
}

function rangeAt(lines: LineCounter, offset: number | undefined): Range | undefined {
  if (offset === undefined) return undefined;
  const { line, col } = lines.linePos(offset);
  const position = { line: Math.max(0, line - 1), character: Math.max(0, col - 1) };
  return { start: position, end: position };
}

/** Where the value at `path` starts, or the nearest thing around it that exists. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0];
}
