import { isRavelError, messageOf } from '../src/base/errors.ts';
import { isLostOwner, lostOwnerText } from '../src/model/lostOwner.ts';
import { inWindowWords } from '../src/model/windowCommands.ts';

/** What went wrong and what to do, for the person in front of the page. */
export function failureText(error: unknown): string {
  if (isLostOwner(error)) return lostOwnerText;
  const help = isRavelError(error) ? error.diagnostic.help : undefined;
  return [messageOf(error), help && inWindowWords(help)].filter((part) => part !== undefined).join(' ');
}

/** What of a failure is still to be said once the vault is open again: what the page shows is as it stands now. */
export function failureAfterOpening(failure: string | undefined): string | undefined {
  return failure === lostOwnerText ? undefined : failure;
}
