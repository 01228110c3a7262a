import { defined } from '../../base/defined.ts';
import { type Diagnostic, RavelError } from '../../base/errors.ts';
import { type Backlog, backlogSchema, type Task } from '../../model/backlog.ts';
import { type Code, failure } from '../../model/codes.ts';
import type { Memory, MemoryEntry } from '../../model/memory.ts';
import { type PlanFile, planFiles } from '../../model/plan.ts';
import { type ReadMemory, readMemoryFile } from '../../vault/memoryFile.ts';
import { editYaml, readYaml, type YamlEdit } from '../../yaml/yaml.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';

type Schema = Parameters<typeof readYaml>[0];

/** Reads one of the plan's files; throws `state/unknownRecord` if it is missing, else its first problem. */
export function readPlanFile<S extends Schema>(file: PlanFile, schema: S, context: VerbContext) {
  const text = textOf(file, context);
  const { value, diagnostics } = readYaml(schema, text, { file, subject: context.subject });
  assertRead(file, diagnostics, value, context);
  return { text, value };
}

function textOf(file: PlanFile, context: VerbContext): string {
  const text = context.texts.get(file);
  if (text === undefined) throw missingFile(file, context);
  return text;
}

function assertRead<T>(
  file: PlanFile,
  diagnostics: readonly Diagnostic[],
  value: T | undefined,
  context: VerbContext,
): asserts value is T {
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new RavelError(problem);
  if (value === undefined) throw failure('yaml/schema', context.subject, `The file ${file} is empty.`, { file });
}

export function missingFile(file: PlanFile, context: VerbContext): RavelError {
  const help = missingHelp[file] ?? `Make ${file} in the folder of the plan first.`;
  return failure('state/unknownRecord', context.subject, `There is no ${file} here.`, { file, help });
}

const missingHelp: Partial<Record<PlanFile, string>> = {
  [planFiles.backlog]: 'Make backlog.yaml with the line `tasks: []` in the folder of the plan.',
  [planFiles.memory]: 'Make memory.yaml with the line `entries: []` in the folder of the plan.',
  [planFiles.sessionLog]: 'The first commit of a work phase makes it, or `ravel state session append`.',
  [planFiles.phase]: 'Write `work` into phase.md in the folder of the plan.',
  [planFiles.latestSession]: 'The phase analyse-work writes it; run that phase first.',
};

export function readBacklog(context: VerbContext): { readonly backlog: Backlog; readonly tasks: readonly Task[] } {
  const backlog = readPlanFile(planFiles.backlog, backlogSchema, context).value;
  return { backlog, tasks: backlog.tasks ?? [] };
}

/** The entries of the memory that can be read, and where each stands in the list of the file. */
export function readMemory(context: VerbContext): Pick<ReadMemory, 'places' | 'count' | 'damaged'> & {
  readonly memory: Memory;
  readonly entries: readonly MemoryEntry[];
} {
  const file = planFiles.memory;
  const {
    value: memory,
    diagnostics,
    ...read
  } = readMemoryFile(textOf(file, context), {
    ...{ file, subject: context.subject },
  });
  assertRead(file, diagnostics, memory, context);
  return { ...read, memory, entries: memory.entries ?? [] };
}

/** Index and record of `id`; throws `state/unknownRecord`, naming the records that there are. */
export function findRecord<R extends { readonly id: string }>(
  records: readonly R[],
  id: string,
  what: string,
  context: VerbContext,
): { readonly index: number; readonly record: R } {
  const index = records.findIndex((record) => record.id === id);
  const record = records[index];
  if (record !== undefined) return { index, record };
  const known = records.length === 0 ? 'there are none' : `there are: ${someOf(records.map((other) => other.id))}`;
  throw failure('state/unknownRecord', context.subject, `There is no ${what} "${id}"; ${known}.`);
}

/** The first of a list, for a message that has to stay readable. */
export function someOf(ids: readonly string[], most = 40): string {
  if (ids.length <= most) return ids.join(', ');
  return `${ids.slice(0, most).join(', ')} and ${ids.length - most} more`;
}

/** The effect of splices on one file. */
export function editEffect(
  file: PlanFile,
  edits: readonly YamlEdit[],
  context: VerbContext,
  done: { readonly result: unknown; readonly summary: string },
): VerbEffect {
  if (edits.length === 0) return { edits: new Map(), ...done };
  const text = editYaml(context.texts.get(file) ?? '', edits, { file, subject: context.subject });
  return { edits: new Map([[file, text]]), ...done };
}

export function readEffect(result: unknown, summary: string): VerbEffect {
  return { edits: new Map(), result, summary };
}

/** A body as files hold it: line feeds alone, and exactly one at the end. Refuses a blank one. */
export function bodyText(body: string, what: string, context: VerbContext): string {
  const trimmed = body.replace(/\r\n?/g, '\n').trimEnd();
  if (trimmed.trim() === '') throw refusal('state/badArguments', `The ${what} is empty.`, context);
  return `${trimmed}\n`;
}

export function refusal(code: Code, message: string, context: VerbContext, help?: string): RavelError {
  return failure(code, context.subject, message, defined({ help }));
}
