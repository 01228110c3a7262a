import type * as z from 'zod';
import { fileError } from './diskErrors.ts';
import type { RavelError } from './errors.ts';
import { parseJson } from './json.ts';

/**
 * The value of a JSON file's text. Throws `disk/damaged` if it is not valid JSON or does not fit the schema: a bad disk
 * is not a defect of Ravel, and the user must learn which file it is.
 */
export function parseJsonFile<Value>(text: string, path: string, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw damaged(path, parsed.error);
  return parsed.data;
}

function damaged(path: string, cause: unknown): RavelError {
  return fileError('disk/damaged', path, `${path} is damaged: it does not hold what was written there.`, {
    help: 'Restore the file from a copy, or repeat the step that it belongs to, such as its phase with `ravel retry`.',
    cause,
  });
}
