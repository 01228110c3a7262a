/** One changed file of a unified diff: its header lines of hunks, and its lines with their marks. */
interface DiffFile {
  readonly hunks: string[];
  readonly lines: string[];
}

/** Changed files by path, old and new names alike. */
export type UnifiedDiff = ReadonlyMap<string, DiffFile>;

/** What header lines begin with: `@@`, `diff`, `---`, `+++`, `rename`. */
const headerMarks = [...'@d-+r'].map((mark) => mark.charCodeAt(0));

export function parseUnifiedDiff(diff: string): UnifiedDiff {
  const files = new Map<string, DiffFile>();
  let current: DiffFile = { hunks: [], lines: [] };
  let oldLines = 0;
  let newLines = 0;
  for (const line of diff.split('\n')) {
    if (oldLines > 0 || newLines > 0) {
      current.lines.push(line);
      // A hunk's own counts say where it ends, so a changed line that looks like a header is not taken for one.
      const mark = line.charAt(0);
      if (mark === '-' || mark === ' ' || mark === '') oldLines -= 1;
      if (mark === '+' || mark === ' ' || mark === '') newLines -= 1;
      continue;
    }
    if (!headerMarks.includes(line.charCodeAt(0))) continue;
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      current.hunks.push(line);
      oldLines = Number(hunk[1] ?? 1);
      newLines = Number(hunk[2] ?? 1);
    } else if (line.startsWith('diff --git ')) {
      current = { hunks: [], lines: [] };
      for (const path of pathsOfHeader(line)) files.set(path, current);
    } else {
      const path = /^(?:--- a\/|\+\+\+ b\/|rename from |rename to )(.*?)\t?$/.exec(line)?.[1];
      if (path !== undefined) files.set(unquoted(path), current);
      const quoted = /^(?:---|\+\+\+) "[ab]\/(.*)"$/.exec(line)?.[1];
      if (quoted !== undefined) files.set(unquoted(`"${quoted}"`), current);
    }
  }
  return files;
}

/**
 * Lines compared for one piece of evidence, beside its first one. A text made of the same lines again and again costs more;
 * it proves nothing.
 */
const comparisonsMax = 200_000;

/** Whether the diff changes `path`, and there holds `hunk`: a hunk's header, or lines that stand together. */
export function hasChange(diff: UnifiedDiff, path: string, hunk: string | undefined): boolean {
  const file = diff.get(path.replace(/^\.\//, ''));
  if (file === undefined) return false;
  const wanted = (hunk ?? '').split('\n').map((line) => line.trim());
  const lines = wanted.filter((line) => line !== '');
  const header = lines[0]?.startsWith('@@') === true ? lines.shift() : undefined;
  if (header !== undefined && !file.hunks.some((other) => rangesOf(other) === rangesOf(header))) return false;
  if (lines.length === 0) return true;
  const sought = lines.map((line) => ({ line, unmarked: line.slice(1).trim() }));
  const changed = file.lines.filter((line) => !isEmptyChange(line));
  let comparisons = 0;
  for (let at = 0; at + sought.length <= changed.length; at++) {
    let same = 0;
    while (same < sought.length && isLine(changed[at + same], sought[same])) same += 1;
    if (same === sought.length) return true;
    comparisons += same;
    if (comparisons > comparisonsMax) return false;
  }
  return false;
}

function isEmptyChange(line: string): boolean {
  const text = line.trim();
  return text === '' || text === '+' || text === '-';
}

interface Sought {
  readonly line: string;
  /** Without its mark. */
  readonly unmarked: string;
}

function isLine(marked: string | undefined, sought: Sought | undefined): boolean {
  if (marked === undefined || sought === undefined) return false;
  if (marked.trim() === sought.line) return true;
  const unmarked = marked.slice(1).trim();
  return unmarked === sought.line || unmarked === sought.unmarked;
}

/** `-1,2 +3,4` of `@@ -1,2 +3,4 @@ function x`. */
function rangesOf(header: string): string {
  if (!header.startsWith('@@')) return header;
  const end = header.indexOf('@@', 2);
  return header.slice(2, end < 0 ? undefined : end).trim();
}

/** The names in `diff --git a/x b/x`; for a binary or empty file they stand nowhere else. */
function pathsOfHeader(line: string): string[] {
  // `a/x b/x`: both names are as long.
  const names = line.slice('diff --git '.length);
  const middle = (names.length - 1) / 2;
  const [old, now] = [names.slice(0, middle), names.slice(middle + 1)];
  if (names[middle] === ' ' && old.startsWith('a/') && now.startsWith('b/') && old.slice(2) === now.slice(2)) {
    return [old.slice(2)];
  }
  return quotedIn(names).map((name) => unquoted(`"${name.slice(2)}"`));
}

/** What stands between quotes, escapes as they are. */
function quotedIn(text: string): string[] {
  const found: string[] = [];
  for (let open = text.indexOf('"'); open >= 0; ) {
    let close = open + 1;
    while (close < text.length && text[close] !== '"') close += text[close] === '\\' ? 2 : 1;
    if (close >= text.length) break;
    found.push(text.slice(open + 1, close));
    open = text.indexOf('"', close + 1);
  }
  return found;
}

/** Git quotes odd names as C does, bytes in octal. */
function unquoted(path: string): string {
  if (!path.startsWith('"')) return path;
  // Never longer than what was read, so it is written in the same place.
  const bytes = Buffer.from(path.slice(1, -1));
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0;
    if (byte === backslash && at + 1 < bytes.length) {
      const octal = octalAt(bytes, at + 1);
      at += octal === undefined ? 1 : 3;
      byte = octal ?? named.get(bytes[at]) ?? bytes[at] ?? 0;
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}

const backslash = 0x5c;
const named: ReadonlyMap<number | undefined, number> = new Map(
  [['n', '\n'] as const, ['t', '\t'] as const, ['r', '\r'] as const].map(([letter, meant]) => [
    letter.charCodeAt(0),
    meant.charCodeAt(0),
  ]),
);

/** The byte that three octal digits stand for; undefined if there are no three. */
function octalAt(bytes: Buffer, at: number): number | undefined {
  let value = 0;
  for (let n = at; n < at + 3; n++) {
    const digit = (bytes[n] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) return undefined;
    value = value * 8 + digit;
  }
  return value & 0xff;
}
