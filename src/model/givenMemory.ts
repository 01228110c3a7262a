import { type DamagedEntry, formatDamaged } from './damagedEntry.ts';

/** Where an entry of the memory stands in what a session was given: whole, by its title, or only in a count. */
export type GivenPlace = 'full' | 'title' | 'left';

/** One entry of the memory as a session was given it. */
export interface GivenEntry {
  readonly id: string;
  readonly title: string;
  readonly place: GivenPlace;
  /** From 1, by how well it fits the task; absent if it has no word of it. */
  readonly rank?: number;
  /** The words of the task that it was found by. */
  readonly words: readonly string[];
  /** Whether an entry with the same text was given. */
  readonly isTwin?: true;
}

/** What the prompt of a session holds of the memory, and why. */
export interface GivenMemory {
  /** `unread`: the file holds no memory that can be read, and was given as it is. */
  readonly given: 'relevant' | 'all' | 'unread';
  /** All there are. */
  readonly count: number;
  /** What was chosen by, or what the file was cut to; absent if the memory is whole. */
  readonly bytesMax?: number;
  /** How much may come with the answers to tool calls; absent if the memory is whole. */
  readonly later?: { readonly callBytesMax: number; readonly sessionBytesMax: number };
  /** Those in full, then those by title, then some of the others, each the best first; empty if the memory is whole. */
  readonly entries: readonly GivenEntry[];
  /** Entries that cannot be read, which `count` counts as well; absent if there are none. */
  readonly damaged?: { readonly count: number; readonly first: readonly DamagedEntry[] };
}

/** How much of the memory it was, in a sentence or two. */
export function explainMemory(memory: GivenMemory): string {
  const { damaged } = memory;
  if (damaged === undefined) return explainGiven(memory);
  const [first] = damaged.first;
  const which = first === undefined ? '' : `: ${formatDamaged(first)}${damaged.count > 1 ? '; …' : ''}`;
  const said = damaged.count === 1 ? '1 entry cannot be read' : `${damaged.count} entries cannot be read`;
  return `${explainGiven(memory)} ${said}${which}.`;
}

function explainGiven({ given, count, bytesMax, entries, damaged }: GivenMemory): string {
  if (given === 'unread') {
    const cut =
      bytesMax === undefined ? 'its file was given as it is' : `only its first ${bytesMax / 1000} kB were given`;
    return `The memory cannot be read; ${cut}.`;
  }
  if (count === 0) return 'The memory has no entries.';
  if (given === 'all') return count === 1 ? 'The only entry, whole.' : `All ${count} entries, whole.`;
  const of = (place: GivenPlace) => entries.filter((entry) => entry.place === place).length;
  const [full, titles] = [of('full'), of('title')];
  const budget = bytesMax === undefined ? '' : `, within ${bytesMax / 1000} kB`;
  const left = count - full - titles - (damaged?.count ?? 0);
  return `${full} of ${count} entries in full, ${titles} by title, ${left} left out${budget}.`;
}

/** Why an entry was given or left out, in a few words. */
export function explainEntry({ place, rank, words, isTwin }: Omit<GivenEntry, 'id' | 'title'>): string {
  if (isTwin === true) return 'has the same text as another';
  const fit = rank === undefined ? 'has no word of the task' : words.length === 0 ? '' : `has ${words.join(', ')}`;
  const why = place === 'full' ? '' : 'no room left';
  return [fit, why].filter((part) => part !== '').join('; ');
}
