import { type DreamMap, type MemoryEntry, memoryFingerprint } from '../../model/memory.ts';
import { comparedMax, countOf, DreamText, dreamFactsOf, unheldFacts } from './dreamFacts.ts';

type Entry = Pick<MemoryEntry, 'id' | 'title' | 'body'>;

/**
 * Where each entry went that a person merged away or split up by editing: to the fewest entries that together hold its
 * facts, preferring those that changed. The gate judges by this map as by one that a session's verbs recorded; an entry
 * whose facts no other entry holds is led as near as possible, so that the gate can name what is lost.
 */
export function deriveDreamMap(before: readonly Entry[], after: readonly Entry[]): DreamMap {
  const twins = new Set(after.map(memoryFingerprint));
  const was = new Map(before.map((entry) => [entry.id, memoryFingerprint(entry)]));
  const isChanged = (entry: Entry) => was.get(entry.id) !== memoryFingerprint(entry);
  const candidates = [...after.filter(isChanged), ...after.filter((entry) => !isChanged(entry))].filter(isCompared);
  const texts = new Map<Entry, DreamText>();
  const read = (entry: Entry) => {
    const text = texts.get(entry) ?? new DreamText(textOf(entry));
    texts.set(entry, text);
    return text;
  };
  const map: Record<string, readonly string[]> = {};
  for (const entry of before) {
    if (twins.has(memoryFingerprint(entry)) || !isCompared(entry)) continue;
    const homes = homesOf(entry, candidates, read);
    if (homes.length > 0) map[entry.id] = homes;
  }
  return map;
}

function homesOf(entry: Entry, candidates: readonly Entry[], read: (entry: Entry) => DreamText): string[] {
  const homes = candidates.filter(({ id }) => id === entry.id);
  const texts = homes.map(read);
  let missing = unheldFacts(dreamFactsOf(read(entry)), texts);
  while (countOf(missing) > 0) {
    let best: { readonly candidate: Entry; readonly left: number } | undefined;
    for (const candidate of candidates) {
      if (homes.includes(candidate)) continue;
      const left = countOf(unheldFacts(missing, [...texts, read(candidate)]));
      if (left < (best?.left ?? countOf(missing))) best = { candidate, left };
    }
    if (best === undefined) break;
    homes.push(best.candidate);
    texts.push(read(best.candidate));
    missing = unheldFacts(missing, texts);
  }
  return homes.map(({ id }) => id);
}

/** The gate refuses what is longer and has changed. */
function isCompared(entry: Entry): boolean {
  return textOf(entry).length <= comparedMax;
}

function textOf({ title, body }: Entry): string {
  return `${title}\n\n${body}`;
}
