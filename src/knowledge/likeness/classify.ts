import { foldedWords } from '../../base/words/shingles.ts';
import { stemOfForm } from '../../base/words/wordForm.ts';
import { uncategorizedFolder } from '../../model/entry.ts';
import type { Statement } from './likeness.ts';

type Axis = 'languages' | 'tools' | 'domains' | 'techniques';

/** Words that place a statement, by axis; the first axis with one of them is taken. Words of two meanings are left out. */
const axisWords: Readonly<Record<Axis, string>> = {
  languages:
    'rust typescript javascript python golang java kotlin swift elixir erlang ruby php haskell ocaml scala zig sql bash lua dart cpp csharp',
  tools:
    'git docker kubernetes postgres postgresql sqlite redis npm cargo esbuild vite webpack eslint biome terraform nginx kafka obsidian github gitlab systemd bubblewrap jest vitest pytest cmake grpc opentelemetry prometheus',
  domains:
    'payment billing security authentication privacy accessibility networking storage search routing distributed architecture ffi research consensus replication',
  techniques:
    'retry cache caching concurrency testing benchmark refactoring migration logging backoff idempotent locking transaction parsing indexing profiling pagination scheduling',
};

const axes = Object.keys(axisWords) as readonly Axis[];
const axisStems = new Map(axes.map((axis) => [axis, new Set(axisWords[axis].split(' ').map(stemOf))]));

/** Tags of one statement. */
const tagsMax = 8;

export interface Placement {
  /** A folder below `knowledge/` of the vault. */
  readonly folder: string;
  readonly tags: readonly string[];
  /** Why, as whole sentences. */
  readonly reasons: readonly string[];
}

/**
 * Where a statement belongs, by its words alone: the axis by a table, the tags from those that entries and experts of the
 * vault have. A model never says it.
 */
export function classify({ title, text, tags = [] }: Statement, vocabulary: Iterable<string>): Placement {
  const stems = new Set([...foldedWords(`${title}\n${text}`), ...tags.flatMap(foldedWords)].map(stemOf));
  const known = [...new Set(vocabulary)].filter((tag) => foldedWords(tag).every((word) => stems.has(stemOf(word))));
  const found = [...new Set([...tags, ...known])].sort().slice(0, tagsMax);
  const axis = axes.find((one) => [...(axisStems.get(one) ?? [])].some((stem) => stems.has(stem)));
  const because = axis === undefined ? undefined : [...(axisStems.get(axis) ?? [])].find((stem) => stems.has(stem));
  return {
    folder: axis ?? uncategorizedFolder,
    tags: found,
    reasons: [
      axis === undefined ? 'No word of it belongs to an axis.' : `“${because}” belongs to the axis ${axis}.`,
      found.length === 0 ? 'It has none of the known tags.' : `It has the known tags ${found.join(', ')}.`,
    ],
  };
}

function stemOf(word: string): string {
  return stemOfForm(word.toLowerCase());
}
