import { defined } from '../base/defined.ts';
import type { RavelError } from '../base/errors.ts';
import { type Code, failure } from './codes.ts';

interface Unreadable {
  readonly id: string;
  readonly file: string;
  readonly problem: string;
  readonly cause?: unknown;
}

/** The error for a file that is not `record`, such as “a question to a plan”. */
export function unreadableRecord(code: Code, record: string, help?: string): (file: Unreadable) => RavelError {
  return ({ id, file, problem, cause }) => {
    const message = `${file} cannot be read as ${record}: ${problem}`;
    return failure(code, id, message, { file, cause, ...defined({ help }) });
  };
}
