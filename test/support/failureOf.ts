import { type Diagnostic, isRavelError } from '../../src/base/errors.ts';

/** The diagnostic of the error that `operation` fails with; fails when it does not. */
export async function failureOf(operation: () => Promise<unknown>): Promise<Diagnostic> {
  try {
    await operation();
  } catch (error) {
    if (isRavelError(error)) return error.diagnostic;
    throw error;
  }
  throw new Error('the operation was expected to fail');
}
