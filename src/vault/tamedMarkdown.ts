import { visible } from '../base/fence.ts';
import { escapeAll } from './inertText.ts';

/**
 * Markdown that its writer meant as such, without what reaches beyond its own words: HTML, wikilinks, embedded files,
 * comments, formulas, names of blocks, fields and queries of Dataview; a fence that it left open is closed.
 *
 * No parser says what is code, since one that knows all of CommonMark takes seconds for a large backlog at each change, and
 * Obsidian reads other marks besides. Instead the result has no code whose bounds are in doubt. Code keeps its text in a
 * fence of at most three spaces that no mark of a list or a quotation precedes, whose lines get at least its indent, so that
 * none of them can end it; and in a span within one line, since no backtick without a partner is left. All else is text.
 */
export function tamed(markdown: string): string {
  const result: string[] = [];
  let open: Fence | undefined;
  const lines = visible(markdown)
    .trim()
    .split(/\r?\n|\r/);
  const doubt = new Doubt(lines.some(isTableRule));
  for (const line of lines) {
    if (/^[ \t]*$/.test(line)) doubt.endParagraph();
    const fence = fenceOf(line);
    if (open !== undefined && fence !== undefined && closes(fence, open)) {
      result.push(open.isCode ? open.indent + fence.marks : tamedLine(line, doubt));
      open = undefined;
    } else if (open !== undefined) {
      result.push(open.isCode ? codeLine(line, open) : tamedLine(line, doubt));
    } else {
      if (fence !== undefined) open = fence;
      result.push(fence?.isCode ? `${fence.indent}${fence.marks}${languageOf(fence.label)}` : tamedLine(line, doubt));
    }
  }
  if (open?.isCode) result.push(open.indent + open.marks);
  return result.join('\n');
}

/** A plugin runs what is in a fence with its name; these name languages alone. */
const languages: ReadonlySet<string> = new Set(
  [
    'bash c c++ c# clj clojure cmake cpp cs csharp css csv dart diff dockerfile elixir erlang ex f# fish go golang gradle',
    'graphql groovy h haskell hcl hpp hs html http ini java javascript js json json5 jsonc jsonl jsx kotlin kt latex less',
    'log lua make makefile markdown md mjs ml nginx nix objc ocaml patch perl php plaintext powershell proto protobuf ps1',
    'py python r rb rs ruby rust sass scala scss sh shell sql svelte swift tex text toml ts tsx txt typescript vb vim vue',
    'xml yaml yml zig zsh',
  ].flatMap((row) => row.split(' ')),
);

function languageOf(label: string): string {
  return label === '' || languages.has(label.toLowerCase()) ? label : 'text';
}

interface Fence {
  /** Spaces before it, at most three. */
  readonly indent: string;
  /** Columns before it. */
  readonly column: number;
  readonly marks: string;
  readonly label: string;
  /** Whether only spaces are before it. */
  readonly isBare: boolean;
  /** Whether it is one wherever it stands, so that its lines are code. */
  readonly isCode: boolean;
}

/** What can stand before a fence: spaces, and marks of lists and quotations. */
const fencePattern = /^([ \t]*)((?:(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])[ \t]*)*)(`{3,}|~{3,})/;

function fenceOf(line: string): Fence | undefined {
  const [all, spaces = '', containers = '', marks = ''] = fencePattern.exec(line) ?? [];
  if (all === undefined) return undefined;
  const label = line.slice(all.length);
  if (marks.startsWith('`') && label.includes('`')) return undefined;
  const column = spaces.replaceAll('\t', '    ').length;
  const isBare = containers === '';
  const isCode = isBare && /^ {0,3}$/.test(spaces);
  return { indent: isCode ? spaces : '', column, marks, label: label.trim(), isBare, isCode };
}

/** Whether a fence can end another one: behind the indent of a list, up to three more spaces can precede it. */
function closes(fence: Fence, open: Fence): boolean {
  if (fence.label !== '' || fence.marks[0] !== open.marks[0] || fence.marks.length < open.marks.length) return false;
  return !open.isCode || (fence.isBare && fence.column <= open.column + 3);
}

/** Of less indent it could end a list, and with it the fence; and Dataview carries out code that begins with an equals sign. */
function codeLine(line: string, { indent }: Fence): string {
  if (line.trim() === '') return line;
  const [, spaces = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  const missing = rest.startsWith('\t') ? 0 : Math.max(0, indent.length - spaces.length);
  return `${' '.repeat(missing)}${spaces}${/^\s*\$?=/.test(rest) ? rest.replace(/\$?=/, '\\$&') : rest}`;
}

/** Spans of code stay as they are, except those that Dataview would carry out and those that a table would part. */
function tamedLine(line: string, doubt: Doubt): string {
  const start = beforeText(line);
  // Looked into, a text that grows at its end would be copied each time.
  let result = start === '' ? '' : `${start}\\`;
  let last = '';
  let from = start.length;
  const add = (text: string) => {
    result += text;
    last = text.at(-1) ?? last;
  };
  const runs = runsOfTicks(line);
  doubt.begin(line);
  // What Obsidian or CommonMark look for in a text: escaped signs, ticks, and signs that can begin something.
  const signs = /\\[!-/:-@[-`{-~]|`+|~{3,}|[<![%:$^]/g;
  signs.lastIndex = from;
  for (let found = signs.exec(line); found !== null; found = signs.exec(line)) {
    const [sign] = found;
    add(line.slice(from, found.index));
    from = found.index + sign.length;
    const close = sign.startsWith('`') ? closingTicks(runs.get(sign.length), from) : -1;
    if (close >= 0) {
      const end = close + sign.length;
      const span = line.slice(found.index, end);
      const isKept = isPlainSpan(line.slice(from, close)) && !doubt.touches(found.index, span);
      if (isKept) doubt.skipTo(end);
      add(isKept ? span : escapeAll(span));
      from = end;
    } else add(/^[`~]/.test(sign) ? escapeAll(sign) : tamedSign(sign, line[from], last));
    signs.lastIndex = from;
  }
  doubt.endLine();
  return result + line.slice(from);
}

/** What stands before an equals sign that code could begin with; empty for any other line, and for a line that it begins. */
function beforeText(line: string): string {
  if (/^ {0,3}=+\s*$/.test(line)) return '';
  return /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*(?==)/.exec(line)?.[0] ?? '';
}

/** Whether it does nothing as code, and as the text of a table that its pipe parts. */
function isPlainSpan(code: string): boolean {
  return !/^\s*\$?=/.test(code) && !(code.includes('|') && /[<$]|!\[|\[\[|%%|::/.test(code));
}

/** Whether a line can be the one below the head of a table, wherever it stands. */
function isTableRule(line: string): boolean {
  return /^[\s\d>+*.)|:-]+$/.test(line) && line.includes('-') && /[|:]/.test(line);
}

/**
 * Whether a backtick begins code. A link takes one into its address, its title or its label, and a definition or an address
 * in the text does too; then code is where it seems to end. A table parts its cells before it looks for code.
 */
class Doubt {
  readonly #hasTable: boolean;
  /** The end of a word; what makes it an address; and what can be in a link, unless that ends at once and has no other sign. */
  readonly #marks = /([ \t\v\f])|(:\/\/|www\.)|(?:\](?=[([:])(?!\([\w./:#?=%~+,@;-]*\)|\[[\w -]*\])|\^\[)/gi;
  #line = '';
  /** Whether a link or a definition of this paragraph may go on. */
  #inLink = false;
  #inAddress = false;

  constructor(hasTable: boolean) {
    this.#hasTable = hasTable;
  }

  endParagraph(): void {
    this.#inLink = false;
  }

  begin(line: string): void {
    this.#line = line;
    this.#inAddress = false;
    this.#marks.lastIndex = 0;
  }

  touches(at: number, span: string): boolean {
    this.#readTo(at);
    return this.#inLink || this.#inAddress || (this.#hasTable && span.includes('|'));
  }

  /** No link begins inside code that is beyond doubt. */
  skipTo(at: number): void {
    this.#marks.lastIndex = at;
  }

  endLine(): void {
    this.#readTo(this.#line.length);
  }

  #readTo(at: number): void {
    const marks = this.#marks;
    for (let from = marks.lastIndex; from < at; from = marks.lastIndex) {
      const found = marks.exec(this.#line);
      if (found === null || found.index >= at) {
        marks.lastIndex = at;
        return;
      }
      const [, space, address] = found;
      if (space !== undefined) this.#inAddress = false;
      else if (address !== undefined) this.#inAddress = true;
      else this.#inLink = true;
    }
  }
}

/** `next` is the character behind it, and `last` the one before it in the result. */
function tamedSign(sign: string, next: string | undefined, last: string): string {
  const isTwice = next === sign || last === sign;
  switch (sign) {
    case '<':
    case '\\<':
      return '&lt;';
    case '$':
      return '\\$';
    case '!':
      return next === '[' ? '\\!' : sign;
    case '[':
      return isTwice || last === '!' ? '\\[' : sign;
    case '%':
      return isTwice ? '\\%' : sign;
    case ':':
      return isTwice ? '&colon;' : sign;
    case '\\:':
      return next === ':' ? '&colon;' : sign;
    case '^':
      return last.trim() === '' ? '\\^' : sign;
    default:
      return sign;
  }
}

/** Where runs of backticks begin in a line, by their length; the last one first. */
function runsOfTicks(line: string): ReadonlyMap<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    const starts = runs.get(run.length);
    if (starts === undefined) runs.set(run.length, [index]);
    else starts.push(index);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}

/** Where the run begins that ends a span of code; less than 0 if none does. Forgets the runs before. */
function closingTicks(starts: number[] | undefined, from: number): number {
  if (starts === undefined) return -1;
  while ((starts.at(-1) ?? from) < from) starts.pop();
  return starts.at(-1) ?? -1;
}
