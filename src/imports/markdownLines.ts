import { byteOrderMark } from '../yaml/yamlDocument.ts';

/**
 * A Markdown text by its lines, whatever their ends. Most lines of most texts are only carried over, so nothing is kept of
 * a line but what it says.
 */
export interface MarkdownText {
  readonly lines: readonly string[];
  /** In order. Only a heading at the very left counts as one. */
  readonly headings: readonly Heading[];
  /** Whether a line belongs to a fenced block, fences included: nothing in there is a heading or a field. */
  readonly isFenced: (line: number) => boolean;
}

export interface Heading {
  /** The number of its line, from 0. */
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

/** Lines that stand together, from `start` up to and without `end`, counted from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A range as it is to be written: perhaps with other words in its first line, and with less indentation below that. */
export interface LinePiece extends LineRange {
  readonly first?: string;
  readonly indent?: number;
}

/** A heading and what stands below it. */
export interface Section extends LineRange {
  readonly heading: Heading;
}

export function parseMarkdown(given: string): MarkdownText {
  const text = given.startsWith(byteOrderMark) ? given.slice(1) : given;
  const lines = (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n');
  const fenced = fencedLines(lines);
  const isFenced = (line: number) => fenced[line] === 1;
  const headings: Heading[] = [];
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n] ?? '';
    const heading = line.charCodeAt(0) === hash && !isFenced(n) ? parseHeading(line, n) : undefined;
    if (heading !== undefined) headings.push(heading);
  }
  return { lines, headings, isFenced };
}

/** The lines as a text, without empty ones and separators (`---`) at its ends; empty if nothing is left. */
export function joinLines({ lines, isFenced }: MarkdownText, pieces: readonly LinePiece[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const { start, end, first, indent = 0 } of pieces) {
    for (let n = start; n < end; n++) {
      const whole = lines[n] ?? '';
      const line = n === start && first !== undefined ? first : indent === 0 ? whole : whole.slice(indent);
      if (kept.length === 0 && isBlank(line)) continue;
      kept.push(line);
      if (!isSeparator(line) || isFenced(n)) length = kept.length;
    }
  }
  if (length === 0) return '';
  kept.length = length;
  return `${kept.join('\n')}\n`;
}

/** The first line of a piece as a text, if it is all that there is. */
export function joinFirst(first: string): string {
  return isSeparator(first) ? '' : `${first}\n`;
}

/** Adds a range at the end of others, and makes one of two that follow each other. */
export function addRange(ranges: LineRange[], range: LineRange): void {
  const last = ranges.at(-1);
  if (last?.end === range.start) ranges[ranges.length - 1] = { start: last.start, end: range.end };
  else ranges.push(range);
}

export function isBlank(line: string): boolean {
  const code = line.charCodeAt(0);
  return line === '' || ((code <= 0x20 || code > 0x7e) && line.trim() === '');
}

function isSeparator(line: string): boolean {
  if (line === '') return true;
  const code = line.charCodeAt(0);
  if (code > 0x2d && code < 0x7f) return false;
  const text = line.trim();
  return text === '' || text === '---';
}

interface Fence {
  readonly line: number;
  readonly character: string;
  readonly length: number;
  /** Only a bare fence can close a block. */
  readonly isBare: boolean;
}

/** 1 for each line of a fenced block. A fence that nothing closes is ordinary text and hides nothing below it. */
function fencedLines(lines: readonly string[]): Uint8Array {
  const fenced = new Uint8Array(lines.length);
  const fences = fencesOf(lines);
  const longest = longestCloserFrom(fences);
  for (let n = 0; n < fences.length; n++) {
    const open = fences[n];
    if (open === undefined || (longest[n + 1]?.[open.character] ?? 0) < open.length) continue;
    let close: Fence | undefined;
    do {
      n++;
      close = fences[n];
    } while (close !== undefined && !closes(close, open));
    fenced.fill(1, open.line, close === undefined ? undefined : close.line + 1);
  }
  return fenced;
}

function closes(fence: Fence, open: Fence): boolean {
  return fence.isBare && fence.character === open.character && fence.length >= open.length;
}

function fencesOf(lines: readonly string[]): Fence[] {
  const fences: Fence[] = [];
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n] ?? '';
    const fence = mayBeFence(line) ? parseFence(line.trim(), n) : undefined;
    if (fence !== undefined) fences.push(fence);
  }
  return fences;
}

/** Whether a line begins with a character of a fence, or with a blank. */
function mayBeFence(line: string): boolean {
  const code = line.charCodeAt(0);
  return code === 0x60 || code === 0x7e || code <= 0x20 || code > 0x7e;
}

type Longest = Readonly<Record<string, number>>;

/** For each fence, the longest bare one of each character from there on. */
function longestCloserFrom(fences: readonly Fence[]): readonly Longest[] {
  const longest = new Array<Longest>(fences.length + 1);
  let current: Longest = {};
  longest[fences.length] = current;
  for (let n = fences.length - 1; n >= 0; n--) {
    const fence = fences[n];
    if (fence?.isBare === true && fence.length > (current[fence.character] ?? 0)) {
      current = { ...current, [fence.character]: fence.length };
    }
    longest[n] = current;
  }
  return longest;
}

function parseFence(text: string, line: number): Fence | undefined {
  const match = /^(?:`{3,}|~{3,})/.exec(text);
  if (match === null) return undefined;
  const [run] = match;
  return { line, character: run.charAt(0), length: run.length, isBare: run.length === text.length };
}

function parseHeading(line: string, number: number): Heading | undefined {
  let level = 1;
  while (level < 7 && line.charCodeAt(level) === hash) level++;
  if (level > 6 || !isBlankCode(line.charCodeAt(level))) return undefined;
  const title = line.slice(level).trim();
  // A heading may be closed by hashes as it is opened.
  let end = title.length;
  while (end > 0 && title.charCodeAt(end - 1) === hash) end--;
  const isClosed = end < title.length && (end === 0 || isBlankCode(title.charCodeAt(end - 1)));
  return { line: number, level, title: isClosed ? title.slice(0, end).trimEnd() : title };
}

const hash = 0x23;

function isBlankCode(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
