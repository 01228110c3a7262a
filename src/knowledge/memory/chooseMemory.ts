import type { Remembered, TaskTexts } from './rankMemory.ts';
import { rankAndExplain } from './rankMemory.ts';

/** An entry and how it ranked, from 1; one without a word of the task has no rank. */
export interface ChosenEntry<Entry> {
  readonly entry: Entry;
  readonly rank?: number;
  readonly score?: number;
  /** The words of the task that it was found by. */
  readonly words: readonly string[];
  /** Of one that is left out: whether an entry with the same text is among those in full. */
  readonly isTwin?: true;
}

/** What a session is given of a memory; together all of its entries, each part with the best first. */
export interface MemoryChoice<Entry> {
  readonly full: readonly ChosenEntry<Entry>[];
  readonly titles: readonly ChosenEntry<Entry>[];
  readonly left: readonly ChosenEntry<Entry>[];
}

export interface ChoiceSizes<Entry> {
  readonly bytesMax: number;
  /** Bytes of an entry as it is shown, whole and by its title. */
  readonly whole: (entry: Entry) => number;
  readonly title: (entry: Entry) => number;
}

/** Of the budget, kept for the titles of what does not fit whole. */
const titleShare = 0.03;

/**
 * Chooses which entries a session is given whole, which by their titles, and which are only counted. Those that fit the
 * task best come first, then the others, the newest first. One that is too large makes room for smaller ones behind it.
 * The same entries, task and budget give the same choice.
 */
export function chooseMemory<Entry extends Remembered>(
  task: TaskTexts,
  entries: readonly Entry[],
  { bytesMax, whole, title }: ChoiceSizes<Entry>,
): MemoryChoice<Entry> {
  const full: ChosenEntry<Entry>[] = [];
  const rest: ChosenEntry<Entry>[] = [];
  const texts = new Set<string>();
  const fullMax = bytesMax * (1 - titleShare);
  let bytes = 0;
  for (const chosen of inOrder(task, entries)) {
    const text = JSON.stringify([chosen.entry.title, chosen.entry.body]);
    const size = whole(chosen.entry);
    if (texts.has(text)) rest.push({ ...chosen, isTwin: true });
    else if (bytes + size > fullMax) rest.push(chosen);
    else {
      full.push(chosen);
      texts.add(text);
      bytes += size;
    }
  }
  const titles: ChosenEntry<Entry>[] = [];
  const left: ChosenEntry<Entry>[] = [];
  for (const chosen of rest) {
    const size = title(chosen.entry);
    if (chosen.isTwin === true || bytes + size > bytesMax) left.push(chosen);
    else {
      titles.push(chosen);
      bytes += size;
    }
  }
  return { full, titles, left };
}

function inOrder<Entry extends Remembered>(task: TaskTexts, entries: readonly Entry[]): readonly ChosenEntry<Entry>[] {
  const ranked = rankAndExplain(task, entries);
  const found = new Set(ranked.map(({ at }) => at));
  const others = entries.flatMap((entry, at) => (found.has(at) ? [] : { entry, words: [] })).reverse();
  return [...ranked.map(({ entry, score, words }, at) => ({ entry, rank: at + 1, score, words })), ...others];
}
