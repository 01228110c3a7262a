import { posix } from 'node:path';
import type { TagConnection } from '../../model/requests/knowledge.ts';
import { type EntryHead, entrySubject } from '../../vault/entryFile.ts';
import type { EntryIndex } from '../../vault/entryIndex.ts';
import type { AlikePair } from './alikePairs.ts';

/** Tags of one entry that are looked at. */
const tagsMax = 10;
/** What a citation adds to the likeness of two entries: who wrote it saw that they belong together, so it comes first. */
const citationScore = 1;

interface Evidence {
  readonly one: EntryHead;
  readonly other: EntryHead;
  readonly score: number;
  readonly isCited: boolean;
}

/**
 * Pairs of tags that seem to belong together and that nothing connects: entries of both are alike or cite each other in
 * their texts, but lie in different folders, no entry has both tags, and no link of a frontmatter leads from one to the
 * other. The strongest first; each with the two entries that speak most for it.
 */
export async function tagConnections(
  heads: readonly EntryHead[],
  index: EntryIndex,
  alike: AsyncIterable<AlikePair>,
  concerns: (head: EntryHead, tag: string) => boolean,
): Promise<readonly TagConnection[]> {
  const places = new Map(heads.map((head, at) => [head.file, at]));
  const { connected, cited } = readLinks(heads, index, places);
  const found = new Map<string, { readonly tags: readonly [string, string]; best: Evidence; pairs: number }>();
  const take = (evidence: Evidence) => {
    const { one, other } = evidence;
    if (folderOf(one) === folderOf(other)) return;
    for (const left of tagsOf(one)) {
      for (const right of tagsOf(other)) {
        const key = pairKey(left, right);
        if (left === right || connected.has(key) || !(concerns(one, left) || concerns(other, right))) continue;
        const earlier = found.get(key);
        if (earlier === undefined) {
          found.set(key, { tags: left < right ? [left, right] : [right, left], best: evidence, pairs: 1 });
          continue;
        }
        earlier.pairs += 1;
        if (evidence.score > earlier.best.score) earlier.best = evidence;
      }
    }
  };
  for await (const { one: at, other: otherAt, score } of alike) {
    const [one, other] = [heads[at], heads[otherAt]];
    if (one === undefined || other === undefined) continue;
    const isCited = cited.delete(placesKey(at, otherAt));
    take({ one, other, score: score + (isCited ? citationScore : 0), isCited });
  }
  // What cites the other and is not alike.
  for (const key of cited) {
    const [one, other] = key.split(' ').map((at) => heads[Number(at)]);
    if (one !== undefined && other !== undefined) take({ one, other, score: citationScore, isCited: true });
  }
  return [...found.values()]
    .map(({ tags, best, pairs }): TagConnection => {
      const { one, other, score, isCited } = best;
      return { tags, score: Math.round(score * 1000) / 1000, isCited, pairs, entries: [nameOf(one), nameOf(other)] };
    })
    .sort((one, other) => other.score - one.score || other.pairs - one.pairs || compareTags(one, other));
}

function readLinks(heads: readonly EntryHead[], index: EntryIndex, places: ReadonlyMap<string, number>) {
  const connected = new Set<string>();
  const cited = new Set<string>();
  const connect = (one: EntryHead, other: EntryHead) => {
    for (const left of tagsOf(one)) for (const right of tagsOf(other)) connected.add(pairKey(left, right));
  };
  for (const [at, head] of heads.entries()) {
    connect(head, head);
    for (const { key, target } of head.links) {
      for (const other of index.find(target, head)) {
        const otherAt = places.get(other.file);
        if (otherAt === undefined || otherAt === at) continue;
        if (key === 'body') cited.add(placesKey(Math.min(at, otherAt), Math.max(at, otherAt)));
        else connect(head, other);
      }
    }
  }
  return { connected, cited };
}

function placesKey(one: number, other: number): string {
  return `${one} ${other}`;
}

function tagsOf({ fields }: EntryHead): readonly string[] {
  return fields.tags.slice(0, tagsMax);
}

/** No tag has a space. */
function pairKey(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

function folderOf(head: EntryHead): string {
  return posix.dirname(entrySubject(head));
}

function nameOf(head: EntryHead) {
  return { entry: entrySubject(head), title: head.fields.title };
}

function compareTags({ tags: [a, b] }: TagConnection, { tags: [c, d] }: TagConnection): number {
  const [one, other] = [pairKey(a, b), pairKey(c, d)];
  return one < other ? -1 : Number(one > other);
}
