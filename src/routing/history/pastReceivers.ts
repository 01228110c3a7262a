import type { HistoryIndex } from './historyIndex.ts';

export interface PastReceiver {
  /** How much of a message is what earlier messages to it were about, 0 to 1: rare words count more. */
  readonly share: number;
  /** Different words of the message that earlier messages to it had. */
  readonly words: number;
}

/** Postings that are gone through for one message, so that a question takes as long in a long history as in a short one. */
const postingsMax = 200_000;
/** In how many messages to a receiver with an average number of words a word counts half of the most. */
const saturation = 8;

/**
 * Whom earlier messages with these stems went to, by the id of the receiver. A word counts for a receiver by the number of
 * messages that it kept, less those that it declined.
 */
export function pastReceivers(index: HistoryIndex, stems: Iterable<string>): Map<string, PastReceiver> {
  const { decisions } = index;
  const words = [...stems]
    .map((stem) => index.decisionsWith(index.lexicon.find(stem)))
    .filter((having) => having.length > 0)
    .sort((a, b) => a.length - b.length);
  const normOf = norms(index);
  const found = new Map<string, PastReceiver>();
  let whole = 0;
  let postings = 0;
  for (const having of words) {
    postings += having.length;
    if (postings > postingsMax && whole > 0) break;
    const worth = Math.log(1 + (decisions.length - having.length + 0.5) / (having.length + 0.5));
    whole += worth;
    for (const [receiver, count] of keptBy(index, having)) {
      if (count <= 0) continue;
      const { share, words: before } = found.get(receiver) ?? { share: 0, words: 0 };
      found.set(receiver, { share: share + (worth * count) / (count + normOf(receiver)), words: before + 1 });
    }
  }
  return new Map([...found].map(([receiver, each]) => [receiver, { ...each, share: each.share / whole }]));
}

function keptBy({ decisions }: HistoryIndex, having: readonly number[]): Map<string, number> {
  const kept = new Map<string, number>();
  for (const number of having) {
    const { to, declined } = decisions[number] ?? {};
    if (to !== undefined) kept.set(to, (kept.get(to) ?? 0) + (declined === true ? -1 : 1));
  }
  return kept;
}

/** A receiver of many long messages has each word sooner or later. */
function norms({ decisions }: HistoryIndex): (receiver: string) => number {
  const lengths = new Map<string, number>();
  let all = 0;
  for (const { to, declined, words } of decisions) {
    if (to === undefined || declined) continue;
    all += words.length;
    lengths.set(to, (lengths.get(to) ?? 0) + words.length);
  }
  const average = all / Math.max(1, lengths.size);
  return (receiver) => (average === 0 ? saturation : (saturation * (lengths.get(receiver) ?? 0)) / average);
}
