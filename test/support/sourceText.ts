/** A file of the tree: its path from the root with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The same text, character for character, split into what is code and what is comment; the rest is blanks. */
export interface Layers {
  /** Code; the content of strings, templates and regular expressions is blanked, their quotes stay. */
  readonly code: string;
  readonly comments: string;
}

export interface ImportStatement {
  readonly specifier: string;
  readonly line: number;
  /** `export ... from`. */
  readonly reExport: boolean;
  /** `import type` and `export type`: nothing is loaded. */
  readonly isType: boolean;
}

type Layer = 'code' | 'comment' | 'string';

const regularExpressionAfter =
  /(?:^|[({[,;=:!&|?+\-*%<>~^}]|\b(?:return|typeof|case|of|in|do|else|await|yield|throw))\s*$/;

/** Good enough for formatted TypeScript; knows nested templates and tells a division from a regular expression. */
export function splitLayers(text: string): Layers {
  const layers: Layer[] = [];
  const templates: number[] = [];
  let depth = 0;
  let at = 0;

  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const one = text[at] ?? '';
    if (two === '//') mark('comment', lineEnd(text, at));
    else if (two === '/*') mark('comment', after(text, '*/', at + 2));
    else if (one === "'" || one === '"') markString(stringEnd(text, at, one));
    else if (one === '`') markTemplate();
    else if (one === '/' && regularExpressionAfter.test(codeBefore())) markString(regularExpressionEnd(text, at));
    else if (one === '}' && templates.at(-1) === depth) markTemplate();
    else {
      if (one === '{') depth++;
      if (one === '}') depth--;
      mark('code', at + 1);
    }
  }
  return { code: keep('code'), comments: keep('comment') };

  function mark(layer: Layer, end: number): void {
    for (; at < end; at++) layers.push(layer);
  }

  function markString(end: number): void {
    mark('code', at + 1);
    mark('string', end - 1);
    mark('code', end);
  }

  /** From a backquote, or from the brace that closes a substitution, to the next substitution or the end. */
  function markTemplate(): void {
    if (text[at] === '}') templates.pop();
    mark('code', at + 1);
    mark('string', templateChunkEnd(text, at));
    if (text[at] === '$') templates.push(depth);
    mark('code', at + (text[at] === '$' ? 2 : 1));
  }

  function codeBefore(): string {
    let from = at;
    while (from > 0 && layers[from - 1] === 'code' && at - from < 40) from--;
    return text.slice(from, at);
  }

  function keep(wanted: Layer): string {
    let kept = '';
    for (let i = 0; i < text.length; i++) kept += layers[i] === wanted || text[i] === '\n' ? text[i] : ' ';
    return kept;
  }
}

const importPattern = /\b(import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*\(?\s*['"]/g;

/** Static, dynamic and type imports, in order. */
export function importsOf(text: string): ImportStatement[] {
  const { code } = splitLayers(text);
  return [...code.matchAll(importPattern)].map((match) => {
    const start = match.index + match[0].length;
    const quote = text[start - 1] ?? '';
    return {
      specifier: text.slice(start, text.indexOf(quote, start)),
      line: lineOf(text, match.index),
      reExport: match[1] === 'export',
      isType: /^\w+\s+type\b/.test(match[0]),
    };
  });
}

/** One-based. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

export interface FunctionSize {
  readonly name: string;
  readonly lines: number;
}

const functionStart = /^(\s*)(?:export )?(?:async )?(?:function\*? )?(?:static |async |get |set )*([#\w]+)\(.*\{$/;
const notFunctions = new Set(['if', 'for', 'while', 'switch', 'catch', 'constructor', 'describe', 'test']);

/** Functions and methods by their indentation, which the formatter guarantees. */
export function functionSizes(text: string): FunctionSize[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [, indentation = '', name = ''] = functionStart.exec(line) ?? [];
    if (name === '' || notFunctions.has(name)) return [];
    const ends = [`${indentation}}`, `${indentation}},`];
    const end = lines.findIndex((other, at) => at >= index && ends.includes(other));
    return end < 0 ? [] : [{ name, lines: end - index + 1 }];
  });
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function after(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at + part.length;
}

function stringEnd(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote || text[at] === '\n') return at + 1;
  }
  return text.length;
}

function templateChunkEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '`' || text.startsWith('${', at)) return at;
  }
  return text.length;
}

function regularExpressionEnd(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const one = text[at];
    if (one === '\\') at++;
    else if (one === '[') inClass = true;
    else if (one === ']') inClass = false;
    else if ((one === '/' && !inClass) || one === '\n') return at + 1;
  }
  return text.length;
}
