/** One changed file of a unified diff: its header lines of hunks, and its lines with their marks. */
interface DiffFile {
  readonly hunks: string[];
  readonly lines: string[];
}

/** Changed files by path, old and new names alike. */
export type UnifiedDiff = ReadonlyMap<string, DiffFile>;

export function parseUnifiedDiff(diff: string): UnifiedDiff {
  const files = new Map<string, DiffFile>();
  let current: DiffFile = { hunks: [], lines: [] };
  let oldLines = 0;
  let newLines = 0;
  for (const line of diff.split('\n')) {
    if (oldLines > 0 || newLines > 0) {
      current.lines.push(line);
      // Inside a hunk its own counts say where it ends, so a changed line that looks like a header misleads nobody.
      if (line.startsWith('-') || line.startsWith(' ') || line === '') oldLines -= 1;
      if (line.startsWith('+') || line.startsWith(' ') || line === '') newLines -= 1;
      continue;
    }
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

/** Lines compared for one piece of evidence. A text made of the same lines again and again costs more; it proves nothing. */
const looksMax = 1_000_000;

/** Whether the diff changes `path`, and there holds `hunk`: a hunk's header, or lines that stand together. */
export function hasChange(diff: UnifiedDiff, path: string, hunk: string | undefined): boolean {
  const file = diff.get(path.replace(/^\.\//, ''));
  if (file === undefined) return false;
  const wanted = (hunk ?? '').split('\n').map((line) => line.trim());
  const lines = wanted.filter((line) => line !== '');
  const header = lines[0]?.startsWith('@@') === true ? lines.shift() : undefined;
  if (header !== undefined && !file.hunks.some((other) => rangesOf(other) === rangesOf(header))) return false;
  if (lines.length === 0) return true;
  const changed = file.lines.filter((line) => line.trim() !== '' && line.trim() !== '+' && line.trim() !== '-');
  let looks = 0;
  return changed.some((_, at) =>
    lines.every((line, offset) => {
      looks += 1;
      return looks <= looksMax && isLine(changed[at + offset], line);
    }),
  );
}

function isLine(marked: string | undefined, wanted: string): boolean {
  if (marked === undefined) return false;
  return (
    marked.trim() === wanted || marked.slice(1).trim() === wanted || marked.slice(1).trim() === wanted.slice(1).trim()
  );
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
  const bytes: number[] = [];
  const body = path.slice(1, -1);
  for (let at = 0; at < body.length; at++) {
    const escaped = body.charAt(at) === '\\' ? /^\\(?:([0-7]{3})|(.))/.exec(body.slice(at)) : null;
    if (escaped === null) {
      bytes.push(...Buffer.from(body.charAt(at)));
    } else {
      const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
      const [whole, octal, letter = ''] = escaped;
      bytes.push(...(octal === undefined ? Buffer.from(named[letter] ?? letter) : [Number.parseInt(octal, 8)]));
      at += whole.length - 1;
    }
  }
  return Buffer.from(bytes).toString('utf8');
}
