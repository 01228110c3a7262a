// Text of others in a note that Obsidian shows: what it would do there, it does not do.

import { visible } from '../base/fence.ts';
import { oneLine } from '../base/text.ts';

/** What a character becomes where it must be read and nothing else. Pipes are entities: a table splits its raw text at them. */
const spelled: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '|': '&vert;', '@': '&commat;' };
const escaped = new Set('\\`*_[]{}$%~=^>#!');

/**
 * One line without any effect: no Markdown, HTML, wikilink, tag, comment, formula, address or inline field of Dataview,
 * in a paragraph, a heading, a cell of a table, or a value of the frontmatter that a table of Dataview shows.
 */
export function inert(text: string): string {
  return escapeAll(oneLine(visible(text)));
}

/** The lines of a text in a quotation, each without any effect. */
export function inertQuote(text: string): string {
  const lines = visible(text).split(/\r?\n|\r/);
  // Two spaces keep the end of a line.
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${inertLine(line)}  `)).join('\n');
}

const indentMax = 24;

/** A line keeps its place: indents are spelled out, and what begins a list or a rule is escaped. */
function inertLine(line: string): string {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length).replaceAll('\t', '    ').length;
  const begin = /^(?:[-+]|\d{1,9}[.)])/.exec(text)?.[0] ?? '';
  const marker = begin === '' ? '' : `${begin.slice(0, -1)}\\${begin.slice(-1)}`;
  return '&nbsp;'.repeat(Math.min(indent, indentMax)) + marker + escapeAll(text.slice(begin.length));
}

function escapeAll(text: string): string {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    const next = text[at + 1];
    // A field of Dataview or an address needs what follows; a time of day does not.
    if (character === ':' && (next === ':' || next === '/')) result += '&colon;';
    else if (character === '.' && text.slice(at - 3, at).toLowerCase() === 'www') result += '&period;';
    else result += spelled[character] ?? (escaped.has(character) ? `\\${character}` : character);
  }
  return result;
}

/**
 * Markdown that its writer meant as such, without what reaches beyond its own words: HTML, wikilinks, embedded files,
 * comments, fields and queries of Dataview; a fence that it left open is closed. Code keeps its text.
 */
export function tamed(markdown: string): string {
  const lines = visible(markdown)
    .trim()
    .split(/\r?\n|\r/);
  let open: Fence | undefined;
  const result = lines.map((line) => {
    const fence = fenceOf(line);
    if (open !== undefined) {
      if (fence !== undefined && closes(fence, open)) open = undefined;
      return line;
    }
    if (fence === undefined) return tamedLine(line);
    open = fence;
    // A plugin runs what is in a fence with its name.
    return `${fence.indent}${fence.marks}${/^[A-Za-z0-9+#-]*$/.test(fence.label) && !runs.has(fence.label.toLowerCase()) ? fence.label : 'text'}`;
  });
  if (open !== undefined) result.push(open.indent + open.marks);
  return result.join('\n');
}

/** Languages whose fences Obsidian or a common plugin carries out. */
const runs: ReadonlySet<string> = new Set([
  ...['dataview', 'dataviewjs', 'query', 'base', 'tasks', 'mermaid', 'button', 'meta-bind', 'templater', 'js-engine'],
  ...['run-python', 'run-js', 'run-shell', 'run-bash', 'run-sh'],
]);

interface Fence {
  readonly indent: string;
  readonly marks: string;
  readonly label: string;
}

function fenceOf(line: string): Fence | undefined {
  const [, indent, marks] = /^( {0,3})(`{3,}|~{3,})/.exec(line) ?? [];
  if (indent === undefined || marks === undefined) return undefined;
  const label = line.slice(indent.length + marks.length);
  return marks.startsWith('`') && label.includes('`') ? undefined : { indent, marks, label: label.trim() };
}

function closes(fence: Fence, open: Fence): boolean {
  return fence.label === '' && fence.marks[0] === open.marks[0] && fence.marks.length >= open.marks.length;
}

/** Spans of code stay as they are, except those that Dataview would carry out. */
function tamedLine(line: string): string {
  let result = '';
  for (let at = 0; at < line.length; ) {
    const ticks = runLength(line, at);
    const close = ticks === 0 ? -1 : closingTicks(line, at + ticks, ticks);
    if (close >= 0) {
      const code = line.slice(at + ticks, close);
      result += /^\s*\$?=/.test(code) ? escapeAll(line.slice(at, close + ticks)) : line.slice(at, close + ticks);
      at = close + ticks;
    } else {
      const end = ticks > 0 ? at + ticks : nextTick(line, at);
      result += tamedText(line.slice(at, end));
      at = end;
    }
  }
  return result;
}

function tamedText(text: string): string {
  return text
    .replaceAll('<', '&lt;')
    .replaceAll('![', '\\!\\[')
    .replaceAll('[[', '\\[\\[')
    .replaceAll('%%', '\\%\\%')
    .replaceAll('::', ':&colon;');
}

function nextTick(line: string, from: number): number {
  const at = line.indexOf('`', from);
  return at < 0 ? line.length : at;
}

function runLength(line: string, from: number): number {
  let end = from;
  while (line[end] === '`') end++;
  return end - from;
}

function closingTicks(line: string, from: number, ticks: number): number {
  for (let at = nextTick(line, from); at < line.length; at = nextTick(line, at)) {
    const run = runLength(line, at);
    if (run === ticks) return at;
    at += run;
  }
  return -1;
}
