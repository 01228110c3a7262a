import { oneLine } from '../base/text.ts';
import { TaskNumbers } from './taskNumbers.ts';

/** How many pieces a title may have and still be found. */
const piecesMax = 12;

/** What is looked up for all tasks of a text together: a list of a million commas names no tasks. */
const lookupsMax = 50_000;

/** What a list of dependencies says. */
export interface Dependencies {
  readonly linked: readonly string[];
  /** What names no task of the text, as it stands there. */
  readonly unlinked: readonly string[];
  /** Those of them that do not say themselves that they are met. */
  readonly unmet: readonly string[];
  /** All that is not merely the name of a task, `unmet` at its end; empty if nothing is. */
  readonly note: string;
}

export const noDependencies: Dependencies = { linked: [], unlinked: [], unmet: [], note: '' };

/** What the tasks of one text are called, for the lists of dependencies in it. */
export class DependencyTitles {
  /** Ids by what names a task to the letter; null if two tasks share it. */
  readonly #names = new Map<string, string | null>();
  /** Ids by the beginning of a title, up to a dash or a colon. */
  readonly #heads = new Map<string, string | null>();
  readonly #numbers: TaskNumbers;
  /** The most pieces that a title has. */
  #longest = 1;
  #lookups = 0;

  constructor(tasks: readonly { readonly id: string; readonly title: string }[]) {
    for (const { id, title } of tasks) {
      const name = plain(title);
      put(this.#names, name, id);
      const end = name.search(endOfHead);
      const head = withoutRemark(end < 0 ? name : name.slice(0, end));
      if (head !== name) put(this.#heads, head, id);
      if (this.#longest < piecesMax && separator.test(name))
        this.#longest = Math.max(this.#longest, name.split(separator, piecesMax).length);
    }
    // An id is unique, and means its own task even if another one is titled like it.
    for (const { id } of tasks) this.#names.set(id, id);
    this.#numbers = new TaskNumbers(tasks);
  }

  /** Whether some pieces were not looked up any more. */
  get isExhausted(): boolean {
    return this.#lookups > lookupsMax;
  }

  /**
   * Splits a list of dependencies, in which a title may hold commas of its own, into the tasks that it names, by title, id
   * or number, and the rest, which people wrote for people.
   */
  resolve(text: string, self: string): Dependencies {
    if (text === '') return noDependencies;
    const pieces = splitPieces(text);
    const list = new List(text, pieces, { isNone: saysNothing(plain(pieceText(text, pieces, 0))) });
    for (let at = 0; at < pieces.length; ) {
      const title = this.#longestTitle(list, at, self);
      const end = title?.end ?? at + 1;
      if (title !== undefined) list.link([title.id]);
      else this.#resolvePiece(list, at, self);
      at = end;
    }
    return list.finish();
  }

  #resolvePiece(list: List, at: number, self: string): void {
    const piece = plain(list.textOf(at));
    if (piece === '') return;
    if (at === 0 && list.isNone) {
      if (!isBareNone(piece)) list.remark(at);
      return;
    }
    this.#lookups += 1;
    const numbered = this.isExhausted ? undefined : this.#numbers.read(piece, self, list.word);
    if (numbered !== undefined) {
      this.#lookups += numbered.ids.length;
      list.word = numbered.word;
      list.link(numbered.ids);
      if (numbered.ids.length === 0) list.leave(at);
      else if (numbered.missing.length > 0) list.leave(at, numbered.missing.join(', '));
      else if (numbered.hasRemark) list.remark(at);
      return;
    }
    const title = this.isExhausted ? undefined : this.#remarkedTitle(piece);
    if (title === undefined || title.id === self) {
      list.leave(at);
      return;
    }
    list.link([title.id]);
    if (title.hasRemark) list.remark(at);
  }

  #longestTitle(list: List, start: number, self: string): { readonly id: string; readonly end: number } | undefined {
    for (let end = Math.min(list.length, start + this.#longest); end > start; end--) {
      this.#lookups += 1;
      if (this.isExhausted) return undefined;
      const id = this.#names.get(plain(list.textOf(start, end)));
      if (typeof id === 'string' && id !== self) return { id, end };
    }
    return undefined;
  }

  /** A title, or its beginning, with a remark behind it: `Print (first)`, `Print is done`. */
  #remarkedTitle(piece: string): { readonly id: string; readonly hasRemark: boolean } | undefined {
    const named = piece.replace(/^and /, '');
    const bare = withoutRemark(named);
    for (const name of [named, bare, bare.replace(stateAtEnd, '')]) {
      const id = this.#names.get(name) ?? this.#heads.get(name);
      if (typeof id === 'string') return { id, hasRemark: name !== named };
    }
    return undefined;
  }
}

/** A list that is being read, and what was found out about its pieces. */
class List {
  readonly isNone: boolean;
  /** What bare numbers are numbers of. */
  word = '';
  readonly #text: string;
  readonly #pieces: readonly Piece[];
  readonly #linked = new Set<string>();
  readonly #remarks: string[] = [];
  readonly #met: string[] = [];
  readonly #unmet: string[] = [];
  /** Pieces that follow each other and name nothing are one text. */
  #run: { readonly start: number; end: number } | undefined;

  constructor(text: string, pieces: readonly Piece[], { isNone }: { readonly isNone: boolean }) {
    this.#text = text;
    this.#pieces = pieces;
    this.isNone = isNone;
  }

  get length(): number {
    return this.#pieces.length;
  }

  textOf(start: number, end = start + 1): string {
    return pieceText(this.#text, this.#pieces, start, end);
  }

  link(ids: readonly string[]): void {
    this.#closeRun();
    for (const id of ids) this.#linked.add(id);
  }

  remark(at: number): void {
    this.#closeRun();
    this.#remarks.push(this.textOf(at).trim());
  }

  /** Names no task; `missing` says which part of it does not. */
  leave(at: number, missing?: string): void {
    if (missing !== undefined) {
      this.remark(at);
      this.#unmet.push(missing);
      return;
    }
    const isNext = this.#run?.end === at && this.#pieces[at - 1]?.separator === ',';
    if (isNext && this.#run !== undefined) this.#run.end = at + 1;
    else {
      this.#closeRun();
      this.#run = { start: at, end: at + 1 };
    }
  }

  finish(): Dependencies {
    this.#closeRun();
    const [linked, unmet] = [[...this.#linked], this.#unmet];
    const unlinked = [...this.#met, ...unmet];
    return { linked, unlinked, unmet, note: [...this.#remarks, ...unlinked].join('; ') };
  }

  #closeRun(): void {
    if (this.#run === undefined) return;
    const { start, end } = this.#run;
    this.#run = undefined;
    const text = this.textOf(start, end).trim();
    const isMet = this.isNone ? !/\b(?:except|but|unless|after|until|only)\b/i.test(text) : reportsMet(text);
    (isMet ? this.#met : this.#unmet).push(text);
  }
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly separator: string;
}

const separator = /[,;]/;

/** Parts of a list between commas and semicolons, except for those in brackets. */
function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const hasPairs = text.includes('(') && text.split('(').length === text.split(')').length;
  let [start, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (hasPairs && character === '(') depth += 1;
    else if (hasPairs && character === ')') depth -= 1;
    else if (depth <= 0 && (character === ',' || character === ';')) {
      pieces.push({ start, end: at, separator: character });
      start = at + 1;
    }
  }
  pieces.push({ start, end: text.length, separator: '' });
  return pieces;
}

function pieceText(text: string, pieces: readonly Piece[], start: number, end = start + 1): string {
  return text.slice(pieces[start]?.start ?? text.length, pieces[end - 1]?.end ?? text.length);
}

function put(index: Map<string, string | null>, name: string, id: string): void {
  index.set(name, index.has(name) ? null : id);
}

const endOfHead = / [-–—] |: /;
const stateAtEnd = / (?:(?:is|are|has|must be|has been|have been) )?(?:done|completed?|finished|landed|merged)$/i;

function withoutRemark(text: string): string {
  if (!text.endsWith(')')) return text;
  const start = text.lastIndexOf(' (');
  return start < 0 ? text : text.slice(0, start).trimEnd();
}

function saysNothing(piece: string): boolean {
  return isBareNone(piece) || /^(?:none|nothing|n\/a|no dependencies)(?: yet)?(?: ?[(:.—–]| - )/i.test(piece);
}

function isBareNone(piece: string): boolean {
  return piece.length < 20 && /^(?:_?(?:none|nothing|n\/a|no dependencies)_?|[-—–])$/i.test(piece);
}

/**
 * Whether a person says of what they wrote that it is so (`the design (done in May)`, `the three above, all done`), or
 * only why it is so.
 */
function reportsMet(text: string): boolean {
  const words = plain(text);
  if (/\b(?:pending|unmet|until|not (?:yet|done|started)|must|should)\b/i.test(words)) return false;
  if (/^(?:follows|because|since|so that|independent|can (?:run|start|be))\b/i.test(words)) return true;
  if (/\b(?:all|both|now|already) (?:now )?(?:done|complete|finished|landed|merged|satisfied)\)?$/i.test(words))
    return true;
  return /^[^,;()]*\((?:done|complete|finished|landed|merged|satisfied|met)\b[^()]*\)(?:\. |$)/i.test(words);
}

/** A task and one of those that it depends on. */
export interface DependencyLink {
  readonly id: string;
  readonly dependency: string;
}

/** The links without which no circle is left. Linear, and flat for long chains. */
export function closingLinks(
  tasks: readonly { readonly id: string; readonly dependencies?: readonly string[] | null | undefined }[],
): DependencyLink[] {
  const dependencies = new Map<string, readonly string[]>();
  for (const task of tasks) if (task.dependencies?.length) dependencies.set(task.id, task.dependencies);
  const states = new Map<string, 'open' | 'done'>();
  const closing: DependencyLink[] = [];
  for (const start of dependencies.keys()) {
    if (states.has(start)) continue;
    const stack = [{ id: start, next: 0 }];
    states.set(start, 'open');
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const { id } = frame;
      const dependency = dependencies.get(id)?.[frame.next];
      frame.next++;
      if (dependency === undefined) {
        states.set(id, 'done');
        stack.pop();
      } else if (states.get(dependency) === 'open') {
        closing.push({ id, dependency });
      } else if (!states.has(dependency)) {
        states.set(dependency, 'open');
        stack.push({ id: dependency, next: 0 });
      }
    }
  }
  return closing;
}

/** Without what is only markup: backquotes, asterisks, line breaks, a full stop. */
function plain(text: string): string {
  const line = oneLine(/[`*]/.test(text) ? text.replaceAll(/[`*]+/g, '') : text);
  return line.endsWith('.') ? line.slice(0, -1) : line;
}
