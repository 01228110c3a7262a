import { sha256 } from '../../base/files.ts';
import type { Expert } from '../../model/expert.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { ExpertPosition, Ingestion, IngestionCandidate } from '../../model/ingestion.ts';
import type { RetrievedEntry } from '../retrieveEntries.ts';

/** Whether an expert has decided about a candidate. */
export function hasDecided({ candidates }: Ingestion, at: number, expert: QualifiedId): boolean {
  return candidates[at]?.positions.some((one) => one.expert === expert) === true;
}

/**
 * What an expert decided about the same words beside the same entries, for whichever plan. What it took in is not decided
 * for good: a person can have removed the entry since.
 */
export function decidedBefore(
  records: readonly Ingestion[],
  expert: QualifiedId,
  basis: string,
): ExpertPosition | undefined {
  for (const { id, candidates } of records.toReversed()) {
    for (const one of candidates.flatMap(({ positions }) => positions)) {
      const isSame = one.expert === expert && one.basis === basis;
      if (isSame && (one.verdict === 'reject' || one.verdict === 'link'))
        return { ...one, reusedFrom: one.reusedFrom ?? id };
    }
  }
  return undefined;
}

/** SHA-256 of all that an expert decides by. */
export function basisOf(
  { 'expert-id': id, persona, model }: Expert,
  { title, body }: IngestionCandidate,
  entries: readonly RetrievedEntry[],
): string {
  return sha256(
    JSON.stringify([
      id,
      persona,
      model,
      title.trim(),
      body.trim(),
      entries.map(({ path, hash, text }) => [path, hash, text.length]),
    ]),
  );
}
