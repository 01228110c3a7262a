import { visible } from '../base/fence.ts';
import { nearestNames } from '../model/nearest.ts';
import type { CitedPassage } from '../model/receipt.ts';
import type { RetrievedEntry } from './retrieveEntries.ts';

/** What an answer claims to rest on. */
export interface Citation {
  readonly entry: string;
  readonly passage: string;
}

export type CheckedCitations =
  | { readonly kind: 'supported'; readonly passages: readonly CitedPassage[] }
  | { readonly kind: 'unsupported'; readonly reason: string };

/** A shorter passage stands in nearly every entry. */
const passageCharactersMin = 12;

/** Whether each citation names an entry that was given, and words that stand in it; white space does not count. */
export function checkCitations(citations: readonly Citation[], given: readonly RetrievedEntry[]): CheckedCitations {
  if (citations.length === 0) return unsupported('The answer cites nothing.');
  const passages: CitedPassage[] = [];
  for (const { entry: name, passage } of citations) {
    const entry = findEntry(name, given);
    if (entry === undefined) return unsupported(unknownEntry(name, given));
    const words = flat(passage);
    if (words.length < passageCharactersMin) {
      return unsupported(`The passage "${words}" is too short to tell where it stands; quote the whole sentence.`);
    }
    if (!flat(entry.text).includes(words)) {
      return unsupported(`These words do not stand in ${entry.id}: "${words}". Quote the entry word for word.`);
    }
    const { id, title, path, hash } = entry;
    passages.push({ entry: id, title, path, hash, passage: words });
  }
  return { kind: 'supported', passages };
}

function findEntry(name: string, given: readonly RetrievedEntry[]): RetrievedEntry | undefined {
  const wanted = name.trim().replace(/^\[\[/, '').replace(/\]\]$/, '');
  const byTitle = given.filter(({ title }) => title === wanted);
  return (
    given.find(({ id, path }) => id === wanted || path === wanted) ?? (byTitle.length === 1 ? byTitle[0] : undefined)
  );
}

function unknownEntry(name: string, given: readonly RetrievedEntry[]): string {
  const ids = given.map(({ id }) => id);
  const near = nearestNames(name, ids);
  return `No entry "${name}" was given. ${near.length === 0 ? 'Given were' : 'The nearest are'}: ${(near.length === 0 ? ids : near).join(', ')}.`;
}

/** As a prompt shows it, with each run of white space as one space. */
function flat(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

function unsupported(reason: string): CheckedCitations {
  return { kind: 'unsupported', reason };
}
