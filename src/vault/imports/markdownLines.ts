import { byteOrderMark } from '../yamlDocument.ts';

/** One line of a Markdown text. */
export interface MarkdownLine {
  readonly text: string;
  /** Zero-based, in the whole text. */
  readonly number: number;
  /** Whether it belongs to a fenced block, fences included: nothing in there is a heading or a field. */
  readonly isFenced: boolean;
  readonly heading?: { readonly level: number; readonly title: string };
}

/** The lines of a text, whatever its line ends; only a heading at the very left counts as one. */
export function markdownLines(given: string): MarkdownLine[] {
  const text = given.startsWith(byteOrderMark) ? given.slice(1) : given;
  const lines = text.split(/\r\n|\r|\n/);
  const fenced = fencedLines(lines);
  return lines.map((line, number) => {
    const isFenced = fenced.has(number);
    const heading = isFenced ? undefined : parseHeading(line);
    return { text: line, number, isFenced, ...(heading !== undefined && { heading }) };
  });
}

/** The lines as a text, without empty ones and separators (`---`) at its ends; empty where nothing is left. */
export function joinLines(lines: readonly MarkdownLine[]): string {
  let [start, end] = [0, lines.length];
  while (start < end && lines[start]?.text.trim() === '') start++;
  while (end > start && isSeparator(lines[end - 1])) end--;
  const text = lines.slice(start, end).map((line) => line.text);
  return text.length === 0 ? '' : `${text.join('\n')}\n`;
}

function isSeparator(line: MarkdownLine | undefined): boolean {
  if (line === undefined || line.isFenced) return false;
  const text = line.text.trim();
  return text === '' || text === '---';
}

interface Fence {
  readonly character: string;
  readonly length: number;
  /** Only a bare fence can close a block. */
  readonly isBare: boolean;
}

/** Numbers of the lines of fenced blocks. A fence that nothing closes is ordinary text and hides nothing below it. */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fences = lines.map(parseFence);
  const longest = longestCloserFrom(fences);
  const fenced = new Set<number>();
  for (let n = 0; n < lines.length; n++) {
    const open = fences[n];
    if (open === undefined || (longest[n + 1]?.[open.character] ?? 0) < open.length) continue;
    fenced.add(n);
    let closes = false;
    while (!closes) {
      n++;
      fenced.add(n);
      const other = fences[n];
      closes = other?.isBare === true && other.character === open.character && other.length >= open.length;
    }
  }
  return fenced;
}

type Longest = Readonly<Record<string, number>>;

/** For each line, the longest bare fence of each character from there on. */
function longestCloserFrom(fences: readonly (Fence | undefined)[]): readonly Longest[] {
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

function parseFence(line: string): Fence | undefined {
  const text = line.trim();
  const match = /^(?:`{3,}|~{3,})/.exec(text);
  if (match === null) return undefined;
  const [run] = match;
  return { character: run.charAt(0), length: run.length, isBare: run.length === text.length };
}

function parseHeading(line: string): MarkdownLine['heading'] {
  const level = /^#{1,6}(?=[ \t])/.exec(line)?.[0].length;
  if (level === undefined) return undefined;
  const title = line.slice(level).trim();
  // A heading may be closed by hashes as it is opened.
  let end = title.length;
  while (end > 0 && title[end - 1] === '#') end--;
  const isClosed = end < title.length && (end === 0 || /[ \t]/.test(title.charAt(end - 1)));
  return { level, title: isClosed ? title.slice(0, end).trimEnd() : title };
}
