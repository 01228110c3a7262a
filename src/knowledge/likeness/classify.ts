import { foldedWords } from '../../base/words/shingles.ts';
import { stemOfForm } from '../../base/words/wordForm.ts';
import type { entryKinds, knowledgeAxes } from '../../model/entry.ts';
import { uncategorizedFolder } from '../../model/entry.ts';

/** Words that place a statement, by axis; the first axis with one of them is taken. Words of two meanings are left out. */
const axisWords = {
  languages:
    'rust typescript javascript python golang java kotlin swift elixir erlang ruby php haskell ocaml scala zig sql bash lua dart cpp csharp',
  tools:
    'git docker kubernetes postgres postgresql sqlite redis npm cargo esbuild vite webpack eslint biome terraform nginx kafka obsidian github gitlab systemd bubblewrap jest vitest pytest cmake grpc opentelemetry prometheus',
  domains:
    'payment billing security authentication privacy accessibility networking storage search routing distributed architecture ffi research consensus replication',
  techniques:
    'retry cache caching concurrency testing benchmark refactoring migration logging backoff idempotent locking transaction parsing indexing profiling pagination scheduling',
} satisfies Partial<Record<(typeof knowledgeAxes)[number], string>>;

/** In the order in which they count. */
const axisStems = Object.entries(axisWords).flatMap(([axis, words]) =>
  words.split(' ').map((word) => ({ axis, word, stem: stemOfForm(word) })),
);

/** Words that say what kind of statement it is; the first kind with one of them is taken. Words of two meanings are left out. */
const kindWords = {
  bug: 'bug bugs crash crashes crashed regression deadlock deadlocks segfault workaround',
  config: 'settings configuration',
  decision: 'decided decision chose chosen',
  heuristic: 'must need needs never always avoid prefer should instead',
} satisfies Partial<Record<(typeof entryKinds)[number], string>>;

/** In the order in which they count. */
const kindsOfWords = Object.entries(kindWords).flatMap(([kind, words]) =>
  words.split(' ').map((word) => ({ kind, word })),
);

/** Tags of one statement. */
const tagsMax = 8;

export interface Placement {
  /** A folder below `knowledge/` of the vault. */
  readonly folder: string;
  readonly tags: readonly string[];
  readonly kind: string;
  /** Why, as whole sentences. */
  readonly reasons: readonly string[];
}

/**
 * Where a statement belongs, by its words alone: the axis and the kind by tables, the tags from those that entries and experts of the
 * vault have. A model never says it.
 */
export function classify(
  { title, body }: { readonly title: string; readonly body: string },
  vocabulary: Iterable<string>,
): Placement {
  const words = new Set(foldedWords(`${title}\n${body}`));
  const stems = new Set([...words].map(stemOfForm));
  const named = [...new Set(vocabulary)].filter((tag) => {
    const parts = foldedWords(tag);
    return parts.length > 0 && parts.every((word) => stems.has(stemOfForm(word)));
  });
  const tags = named.sort().slice(0, tagsMax);
  const kind = kindsOfWords.find(({ word }) => words.has(word));
  const found = axisStems.find(({ stem }) => stems.has(stem));
  return {
    folder: found?.axis ?? uncategorizedFolder,
    tags,
    kind: kind?.kind ?? 'reference',
    reasons: [
      found === undefined ? 'No word of it belongs to an axis.' : `“${found.word}” belongs to the axis ${found.axis}.`,
      tags.length === 0 ? 'It has none of the known tags.' : `It has the known tags ${tags.join(', ')}.`,
      kind === undefined ? 'It is a reference: no word of it says more.' : `“${kind.word}” makes it a ${kind.kind}.`,
    ],
  };
}
