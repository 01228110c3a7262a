import * as z from 'zod';
import { parseJson } from '../base/json.ts';

const objectSchema = z.record(z.string(), z.unknown());

/** The JSON object that a text holds; undefined for anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  // A flood of garbage must not cost an exception a line.
  if (!text.trimStart().startsWith('{')) return undefined;
  return objectSchema.safeParse(parseJson(text)).data;
}
