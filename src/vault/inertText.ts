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

/** One line in which each mark is escaped. */
export function escapeAll(text: string): string {
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
