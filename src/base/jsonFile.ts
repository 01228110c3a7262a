import type * as z from 'zod';
import { fileError } from './diskErrors.ts';
import { parseJson } from './json.ts';

/** What a text holds; or what is wrong with it, as a clause. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

export function parseJsonText(text: string): Parsed<unknown> {
  const value = parseJson(text);
  return value === undefined ? { problem: 'it is not valid JSON' } : { value };
}

/** The value as its schema has it; or the first field that does not fit, and why. */
export function checkRecord<Value>(value: unknown, schema: z.ZodType<Value>): Parsed<Value> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { value: data };
  const [issue] = error.issues;
  const message = issue?.message ?? 'it has another form';
  return { problem: issue === undefined || issue.path.length === 0 ? message : `${issue.path.join('.')}: ${message}` };
}

/** The text as JSON that fits the schema. */
export function readJson<Value>(text: string, schema: z.ZodType<Value>): Parsed<Value> {
  const parsed = parseJsonText(text);
  return 'problem' in parsed ? parsed : checkRecord(parsed.value, schema);
}

/**
 * The value of a JSON file's text. Throws `disk/damaged` if it is not valid JSON or does not fit the schema: a bad disk
 * is not a defect of Ravel, and the user must learn which file it is.
 */
export function parseJsonFile<Value>(text: string, path: string, schema: z.ZodType<Value>): Value {
  const parsed = readJson(text, schema);
  if ('value' in parsed) return parsed.value;
  const problem = `it does not hold what was written there (${parsed.problem})`;
  throw fileError('disk/damaged', path, `${path} is damaged: ${problem}.`, {
    help: 'Restore the file from a backup, or repeat the step that wrote it, for example with `ravel retry PLAN`.',
  });
}
