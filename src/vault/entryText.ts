import { withoutEnd } from '../base/text.ts';
import { applyEdits, type Edit } from '../model/edit.ts';
import type { Json } from '../model/json.ts';
import { editYaml, formatYaml } from '../yaml/yaml.ts';
import { byteOrderMark, type YamlPlace } from '../yaml/yamlDocument.ts';
import { frontmatterFences } from './frontmatter.ts';

/** A part of an entry's body: what follows a heading of the second level, or what comes before the first of them. */
export interface EntrySection {
  /** Without its marks; empty for what comes before the first heading. */
  readonly heading: string;
  /** What follows the heading, without it. */
  readonly text: string;
  /** Where the section starts and ends in the body, in UTF-16 units; its heading is part of it. */
  readonly start: number;
  readonly end: number;
}

/** What is to change in the text of an entry. */
export interface EntryEdit {
  /** Changes of the frontmatter. */
  readonly fields?: readonly Edit[];
  /** The whole new body, from the old one. */
  readonly body?: (body: string, lineEnd: string) => string;
}

/** The sections of a body, in their order; headings inside code are text. */
export function sectionsOf(body: string): readonly EntrySection[] {
  const starts = [{ at: 0, textAt: 0, heading: '' }, ...headingsOf(body)];
  return starts.flatMap(({ at, textAt, heading }, n) => {
    const end = starts[n + 1]?.at ?? body.length;
    return at === end ? [] : [{ heading, text: body.slice(textAt, end), start: at, end }];
  });
}

/** The text, with an end for the fence of code that it leaves open: what follows would else be part of that code. */
export function withClosedFence(text: string, lineEnd: string): string {
  let open: string | undefined;
  for (const line of text.split('\n')) open = fenceAfter(line, open);
  return open === undefined ? text : `${text}${text.endsWith('\n') ? '' : lineEnd}${open}`;
}

/** The line end that a text uses. */
function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/**
 * The text after an edit. All other bytes stay: the byte order mark, line ends, comments, the order of keys. Throws
 * `yaml/editRefused` where the frontmatter is written so that it cannot be edited in place, and what is wrong with the
 * fences.
 */
export function editEntry(text: string, { fields = [], body }: EntryEdit, place: YamlPlace): string {
  const fences = frontmatterFences(text, place);
  const lineEnd = lineEndOf(text);
  const yaml = text.slice(fences.yamlStart, fences.yamlEnd);
  const oldBody = text.slice(fences.bodyStart);
  const newYaml = yaml.trim() === '' ? addedTo(yaml, fields, lineEnd) : editYaml(yaml, fields, place);
  const newBody = body === undefined ? oldBody : body(oldBody, lineEnd);
  // A fence without a line end behind it is the end of the file.
  const fence = text.slice(fences.yamlEnd, fences.bodyStart);
  const closing = newBody !== '' && !fence.endsWith('\n') ? fence + lineEnd : fence;
  return text.slice(0, fences.yamlStart) + newYaml + closing + newBody;
}

/** A new entry: its frontmatter in the order of the keys, an empty line, its body with one line end behind it. */
export function formatEntryText(fields: Readonly<Record<string, Json>>, body: string): string {
  return `---\n${formatYaml(fields)}---\n\n${body.trim()}\n`;
}

/** The text without a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

function addedTo(yaml: string, fields: readonly Edit[], lineEnd: string): string {
  const value = applyEdits({}, fields);
  return fields.length === 0 ? yaml : yaml + formatYaml(value).replaceAll('\n', lineEnd);
}

function headingsOf(body: string): { readonly at: number; readonly textAt: number; readonly heading: string }[] {
  const found: { at: number; textAt: number; heading: string }[] = [];
  let fence: string | undefined;
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\n', at);
    const next = end < 0 ? body.length : end + 1;
    const line = body.slice(at, next);
    if (fence === undefined && /^##[ \t]/.test(line)) found.push({ at, textAt: next, heading: headingOf(line) });
    fence = fenceAfter(line, fence);
    at = next;
  }
  return found;
}

/** The marks of the fence of code that is open after a line; before it, `fence` was. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const [start = '', mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  if (fence !== undefined) return mark.startsWith(fence) && line.trim() === mark ? undefined : fence;
  // Code within a line begins with the same marks, and ends on it.
  return mark === '' || (mark.startsWith('`') && line.includes('`', start.length)) ? undefined : mark;
}

/** What a line of a heading says, without the marks that can stand at its end, too. */
function headingOf(line: string): string {
  const text = line.slice(2).trim();
  const bare = withoutEnd(text, '#');
  return bare === '' || /[ \t]$/.test(bare) ? bare.trim() : text;
}
