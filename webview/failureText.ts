import { isRavelError, messageOf } from '../src/base/errors.ts';

/** What went wrong and what to do, for the person in front of the page. */
export function failureText(error: unknown): string {
  const help = isRavelError(error) ? error.diagnostic.help : undefined;
  return [messageOf(error), help].filter((part) => part !== undefined).join(' ');
}
