import { type DreamMap, type MemoryEntry, memoryFingerprint } from '../../model/memory.ts';
import { factsOf, missingFacts } from './dreamFacts.ts';

type Entry = Pick<MemoryEntry, 'id' | 'title' | 'body'>;

/**
 * Where each entry has gone that a person merged away or took apart by editing: to the fewest entries that together hold
 * its facts, those that were changed first. The gate judges by this map as by one that a session's verbs recorded; an entry
 * whose facts nobody holds is led as near as possible, so that the gate can name what is lost.
 */
export function deriveDreamMap(before: readonly Entry[], after: readonly Entry[]): DreamMap {
  const twins = new Set(after.map(memoryFingerprint));
  const was = new Map(before.map((entry) => [entry.id, memoryFingerprint(entry)]));
  const isChanged = (entry: Entry) => was.get(entry.id) !== memoryFingerprint(entry);
  const candidates = [...after.filter(isChanged), ...after.filter((entry) => !isChanged(entry))];
  const map: Record<string, readonly string[]> = {};
  for (const entry of before) {
    if (twins.has(memoryFingerprint(entry))) continue;
    const homes = homesOf(entry, candidates);
    if (homes.length > 0) map[entry.id] = homes;
  }
  return map;
}

function homesOf(entry: Entry, candidates: readonly Entry[]): string[] {
  const facts = factsOf(textOf(entry));
  const homes = candidates.filter(({ id }) => id === entry.id);
  let missing = missingFacts(facts, joined(homes)).length;
  while (missing > 0) {
    const [best] = candidates
      .filter((candidate) => !homes.includes(candidate))
      .map((candidate) => ({ candidate, left: missingFacts(facts, joined([...homes, candidate])).length }))
      .sort((a, b) => a.left - b.left);
    if (best === undefined || best.left >= missing) break;
    homes.push(best.candidate);
    missing = best.left;
  }
  return homes.map(({ id }) => id);
}

function joined(entries: readonly Entry[]): string {
  return entries.map(textOf).join('\n\n');
}

function textOf({ title, body }: Entry): string {
  return `${title}\n\n${body}`;
}
