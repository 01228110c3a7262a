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
    const { id, title, path, hash, text } = entry;
    const problem = passageProblem(passage, text, id);
    if (problem !== undefined) return unsupported(problem);
    passages.push({ entry: id, title, path, hash, passage: flat(passage) });
  }
  return { kind: 'supported', passages };
}

/** Why words do not quote a text, whose name is told; undefined if they stand in it, white space aside. */
export function passageProblem(passage: string, text: string, name: string): string | undefined {
  const words = flat(passage);
  if (words.length < passageCharactersMin) {
    return `The passage "${words}" is too short to tell where it stands; quote the whole sentence.`;
  }
  if (flat(text).includes(words)) return undefined;
  return `These words do not stand in ${name}: "${words}". Quote it word for word.`;
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
