import * as z from 'zod';

const objectSchema = z.record(z.string(), z.unknown());

/** The JSON object that a text holds; undefined for anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  // A flood of garbage must not cost an exception a line.
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return objectSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: that is what the caller is told.
    return undefined;
  }
}
