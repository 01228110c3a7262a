import { fileError } from './diskErrors.ts';
import type { RavelError } from './errors.ts';
import { parseJson } from './json.ts';

/**
 * The value that the text of a file stands for. Throws `disk/damaged` for what is no JSON, or is refused by `isWhole`:
 * a bad disk is no defect of ours, and whoever reads of it must know the file.
 */
export function parseJsonFile<T>(text: string, path: string, isWhole: (value: unknown) => boolean): T {
  const value = parseJson(text);
  if (!isWhole(value)) throw damaged(path);
  return value as T;
}

function damaged(path: string): RavelError {
  return fileError('disk/damaged', path, `${path} is damaged: it does not hold what was written there.`, {
    help: 'Restore the file from a copy, or run again what it belongs to, such as its phase with `ravel retry`.',
  });
}
