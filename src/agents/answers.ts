import * as z from 'zod';
import { isRavelError, messageOf } from '../base/errors.ts';
import { fenced } from '../base/fence.ts';
import { harmless } from '../base/text.ts';

/** About five thousand tokens: what a model reads of one answer without forgetting why it asked. */
export const answerLengthMax = 20_000;

/**
 * The text, cut at the end of a line if it is too long, with a word about how to see the rest. With a label it is data of
 * others, which stands in a fence, whatever it tells the reader to do.
 */
export function boundAnswer(
  text: string,
  narrower = 'Ask for less at once.',
  label?: string,
  lengthMax = answerLengthMax,
): string {
  const clean = harmless(text);
  const inFence = (shown: string) => (label === undefined ? shown : fenced(shown, label));
  if (clean.length <= lengthMax) return inFence(clean);
  const kept = clean.slice(0, lengthMax);
  const end = kept.lastIndexOf('\n');
  const shown = kept.slice(0, end > lengthMax / 2 ? end : lengthMax);
  return `${inFence(shown)}\n… ${clean.length - shown.length} more characters are left out. ${narrower}`;
}

/** What went wrong, as sentences that a model can act on. */
export function describeFailure(error: unknown): string {
  if (error instanceof z.ZodError) {
    const problems = error.issues.map(
      ({ path, message }) => `${path.length === 0 ? 'arguments' : path.join('.')}: ${message}`,
    );
    return `The arguments do not fit: ${problems.join('; ')}.`;
  }
  if (!isRavelError(error)) return messageOf(error);
  const { message, help } = error.diagnostic;
  return harmless(help === undefined ? message : `${message} ${help}`);
}
