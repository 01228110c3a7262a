import { isRavelError, type RavelError } from '../../base/errors.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { IngestionCandidate } from '../../model/ingestion.ts';
import type { Receipts } from '../receipts.ts';

export interface PriorKnowledgeParts {
  readonly receipts: Pick<Receipts, 'givenTo'>;
  /** What a session was shown; throws `journal/corrupt` if its record is damaged. */
  readonly shownTo: (
    session: Ulid,
  ) => Promise<{ readonly texts: readonly string[]; readonly entries: readonly string[] }>;
}

/** What a plan knew from others before it proved something: repeated, it proves nothing. */
export interface PriorKnowledge {
  readonly texts: readonly string[];
  /** Entries of the knowledge, by their ids and by their paths from the vault on. */
  readonly entries: ReadonlySet<string>;
  /** Why some of it is not known any more. */
  readonly damage?: RavelError;
}

/**
 * What the sessions of a cycle were shown, and the answers of experts that the plan was ever given, from a session or from a
 * receipt.
 */
export async function loadPriorKnowledge(
  { receipts, shownTo }: PriorKnowledgeParts,
  plan: QualifiedId,
  { sessions = [] }: Pick<IngestionCandidate, 'sessions'>,
): Promise<PriorKnowledge> {
  const answers = await receipts.givenTo(plan);
  const texts = answers.flatMap(({ answer, citations }) => [answer, ...citations.map(({ passage }) => passage)]);
  const entries = new Set(answers.flatMap((receipt) => receipt.entries.flatMap(({ id, path }) => [id, path])));
  try {
    for (const session of sessions) {
      const shown = await shownTo(session);
      texts.push(...shown.texts);
      for (const path of shown.entries) entries.add(path);
    }
    return { texts, entries };
  } catch (error) {
    if (!isRavelError(error, 'journal/corrupt')) throw error;
    return { texts, entries, damage: error };
  }
}

/** What is told of a statement that repeats something. */
export const repeatsPrior = 'The plan had been told it before, so it proves nothing new.';
