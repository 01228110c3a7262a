import { codeIdentifiersIn, foldPath, identifiersIn, pathsIn, samePath } from './namesIn.ts';
import type { Remembered } from './rankMemory.ts';
import type { Touched } from './touched.ts';

/** An entry that names something which was touched. */
export interface NamedEntry<Entry> {
  readonly entry: Entry;
  /** The path or identifier that it names, as it was touched. */
  readonly name: string;
}

interface Mention {
  readonly at: number;
  readonly path: string;
}

/** An identifier that more entries name says little about any of them. */
const sharedMax = 3;

/**
 * The entries of a memory by the files and identifiers that they name. A file is named by its path, by the end of its path
 * or by its name, as long as that leads to one file of the project; so no name that many files have leads to an entry. Case
 * counts where it tells two files apart.
 */
export class NamedEntries<Entry extends Remembered> {
  readonly #entries: readonly Entry[];
  /** By the folded name of the file. */
  readonly #mentions = new Map<string, Mention[]>();
  readonly #identifiers = new Map<string, number[]>();
  /** Files of the project, by their folded names. */
  readonly #files = new Map<string, string[]>();
  /** The folders that lead to the project, for paths that begin above it. */
  readonly #above: string;

  constructor(entries: readonly Entry[], project: { readonly directory: string; readonly files: readonly string[] }) {
    this.#entries = entries;
    this.#above = `${project.directory.split('\\').join('/')}/`;
    for (const [at, { title, body }] of entries.entries()) this.#read(at, `${title}\n${body}`);
    for (const path of project.files) {
      const name = foldPath(nameOf(path));
      if (this.#mentions.has(name)) add(this.#files, name, samePath(path));
    }
  }

  /** Those that name what was touched: files before identifiers, then as they stand in the memory; each once. */
  find({ paths, code }: Touched): readonly NamedEntry<Entry>[] {
    const found = new Map<number, string>();
    for (const path of paths) {
      const file = this.#fileOf(path);
      // Thousands of entries can name a file in the same words.
      const leads = new Map<string, boolean>();
      for (const { at, path: named } of this.#mentions.get(foldPath(nameOf(file))) ?? []) {
        const isMeant = leads.get(named) ?? this.#leadsTo(named, file);
        leads.set(named, isMeant);
        if (isMeant && !found.has(at)) found.set(at, file);
      }
    }
    const counts = new Map<number, { name: string; count: number }>();
    for (const identifier of identifiersIn(code)) {
      const holders = this.#identifiers.get(identifier) ?? [];
      if (holders.length > sharedMax) continue;
      for (const at of holders) {
        const known = counts.get(at);
        counts.set(at, { name: known?.name ?? identifier, count: (known?.count ?? 0) + 1 });
      }
    }
    const byCount = [...counts].sort(([a, one], [b, other]) => other.count - one.count || a - b);
    for (const [at, { name }] of byCount) if (!found.has(at)) found.set(at, name);
    return [...found].flatMap(([at, name]) => {
      const entry = this.#entries[at];
      return entry === undefined ? [] : { entry, name };
    });
  }

  #read(at: number, text: string): void {
    for (const path of new Set(pathsIn(text))) add(this.#mentions, foldPath(nameOf(path)), { at, path });
    for (const identifier of codeIdentifiersIn(text)) add(this.#identifiers, identifier, at);
  }

  /** A command can name a file from another folder: the one file that its words can mean. */
  #fileOf(path: string): string {
    const [only, ...others] = this.#filesNamed(path);
    return only !== undefined && others.length === 0 ? only : path;
  }

  #leadsTo(named: string, file: string): boolean {
    if (named === file) return true;
    if (named.endsWith(`/${file}`))
      return `${this.#above}${file}`.endsWith(named.startsWith('/') ? named : `/${named}`);
    const [only, ...others] = this.#filesNamed(named);
    if (only !== undefined) return only === file && others.length === 0;
    // A file that the project does not have yet.
    return isEndOf(foldPath(named), foldPath(file));
  }

  /** The files of the project that a path can mean: the file itself, else those that end so, else those in another case. */
  #filesNamed(path: string): readonly string[] {
    const folded = foldPath(path);
    const files = this.#files.get(nameOf(folded)) ?? [];
    if (files.includes(path)) return [path];
    const inCase = files.filter((file) => isEndOf(path, file));
    return inCase.length > 0 ? inCase : files.filter((file) => isEndOf(folded, foldPath(file)));
  }
}

function isEndOf(path: string, file: string): boolean {
  return file === path || file.endsWith(`/${path}`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
