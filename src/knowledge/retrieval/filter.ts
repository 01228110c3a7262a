import { labelName } from './readDocument.ts';
import type { SearchIndex } from './searchIndex.ts';

/** What a document has to be: one of the values of each label that is named, and what `includes` says of its id. */
export interface Filter {
  readonly scopes?: readonly string[] | undefined;
  readonly plans?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly includes?: ((id: string) => boolean) | undefined;
}

/** Documents that pass by their number; undefined if every document does. */
export function passing(index: SearchIndex, { includes, ...labels }: Filter): Uint8Array | undefined {
  const passed = labelled(index, labels);
  if (includes === undefined) return passed;
  return Uint8Array.from({ length: index.end }, (_, document) =>
    passed?.[document] !== 0 && includes(index.idOf(document)) ? 1 : 0,
  );
}

function labelled(index: SearchIndex, { scopes, plans, kinds, statuses, tags }: Filter): Uint8Array | undefined {
  const groups = [
    scopes?.map((value) => labelName('scope', value)),
    plans?.map((value) => labelName('plan', value)),
    kinds?.map((value) => labelName('kind', value)),
    statuses?.map((value) => labelName('status', value)),
    tags?.map((value) => labelName('tag', value)),
  ].filter((names) => names !== undefined);
  if (groups.length === 0) return undefined;
  const passed = new Uint8Array(index.end);
  for (const [n, names] of groups.entries()) {
    for (const name of names) {
      const label = index.labels.find(name);
      if (label === undefined) continue;
      const { page, start, end } = index.labels.postingsOf(label);
      for (let at = start; at < end; at += 1) {
        const document = (page[at] ?? 0) >>> 10;
        if (passed[document] === n) passed[document] = n + 1;
      }
    }
  }
  return passed.map((count) => (count === groups.length ? 1 : 0));
}
