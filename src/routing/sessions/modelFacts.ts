import * as z from 'zod';
import { isRavelError } from '../../base/errors.ts';
import type { Consult } from '../../harness/consultation.ts';
import type { Ulid } from '../../model/id.ts';
import { factsMax, type RoutedMessage } from '../../model/routing.ts';
import type { Vocabulary } from '../facts/vocabulary.ts';
import { askedBy } from './consulting.ts';
import { messageText } from './promptText.ts';

export interface ModelFactsPorts {
  readonly consult: Consult;
  readonly vocabulary: () => Promise<Vocabulary>;
  readonly model: string;
}

/** After so long a message has no facts; what comes later is not waited for (design 5, "Facts"). */
const factsTimeMs = 5000;

/** Words of rules and plans that the model is shown. */
const termsMax = 300;

const concernsArgs = z.object({
  facts: z.array(z.string().trim().toLowerCase().min(1).max(80)).max(factsMax).describe('at most five keywords'),
});

/** What a small model takes a message to be about; none where it does not say so in time. Rejects where `signal` is aborted. */
export async function askFacts(
  ports: ModelFactsPorts,
  { message, session }: { readonly message: RoutedMessage; readonly session: Ulid },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { terms } = await ports.vocabulary();
  let facts: readonly string[] = [];
  const shown = terms.slice(0, termsMax).map(({ term }) => `- ${term}`);
  try {
    await ports.consult(
      {
        ...askedBy(message, { session, model: ports.model, timeMs: factsTimeMs }),
        purpose: 'facts',
        prompt: {
          file: 'routing/facts.md',
          values: { MESSAGE: messageText(message), CATALOGUE: shown.join('\n') || '(none)' },
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
    // Nobody could be asked: the message has no facts then, and goes the way of those.
    if (!isRavelError(error)) throw error;
  }
  return facts;
}
