import { isRavelError } from '../../src/base/errors.ts';

/** The code of the error that the work ends with, or `no error`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return isRavelError(error) ? error.code : `a foreign error: ${String(error)}`;
  }
}
