import * as z from 'zod';
import { isRavelError } from '../../base/errors.ts';
import type { Consult } from '../../harness/consultation.ts';
import type { Ulid } from '../../model/id.ts';
import { foreign } from '../../model/promptText.ts';
import { factsMax, type RoutedMessage } from '../../model/routing.ts';
import type { Vocabulary } from '../facts/vocabulary.ts';
import { askedBy } from './consulting.ts';
import { messageText } from './promptSections.ts';

export interface ModelFactsPorts {
  readonly consult: Consult;
  readonly vocabulary: () => Promise<Vocabulary>;
  readonly model: string;
  /** What comes later is not waited for. Counted from the start of the program, which takes seconds itself. */
  readonly factsTimeMs: number;
}

/** Words of rules and plans that the model is shown. */
const termsMax = 300;

const concernsArgs = z.object({
  facts: z.array(z.string().trim().toLowerCase().min(1).max(80)).max(factsMax).describe('at most five keywords'),
});

/**
 * What a small model takes a message to be about; undefined if it does not say in time, or cannot be asked. That it
 * is about nothing in particular is an answer. Rejects if `signal` is aborted.
 */
export async function askFacts(
  ports: ModelFactsPorts,
  { message, session }: { readonly message: RoutedMessage; readonly session: Ulid },
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { terms } = await ports.vocabulary();
  let facts: readonly string[] | undefined;
  const shown = terms.slice(0, termsMax).map(({ term }) => `- ${term}`);
  try {
    await ports.consult(
      {
        ...askedBy(message, { session, model: ports.model, timeMs: ports.factsTimeMs }),
        purpose: 'facts',
        prompt: {
          file: 'routing/facts.md',
          values: { MESSAGE: messageText(message), RECIPIENTS: foreign('words', shown.join('\n'), '(none)') },
        },
        tools: [
          {
            name: 'concerns',
            description: 'Says what the message is about. Ends the session.',
            args: concernsArgs,
            async call(args) {
              facts = [...new Set(concernsArgs.parse(args).facts)];
              return { text: 'Taken down.', isError: false, ends: true };
            },
          },
        ],
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    // No session could be asked: the words of the vault have to do.
    if (!isRavelError(error)) throw error;
    if (error.diagnostic.code === 'gate/uncovered') return undefined;
  }
  return facts;
}
