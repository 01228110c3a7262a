import { assert } from '../base/assert.ts';

/** A stretch of lines: the same on both sides, or removed, or added. */
interface Piece {
  readonly mark: ' ' | '-' | '+';
  readonly lines: readonly string[];
}

/** Lines around a change that are shown. */
const contextLines = 3;
/** With more changed lines, what lies between the first and the last of them counts as replaced as a whole. */
const changesMax = 1000;

/**
 * The hunks of a unified diff of two texts, without the lines that name the files; empty for equal texts. The fewest
 * changed lines, unless they are very many. Takes time in proportion to the lines and their changes.
 */
export function diffLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const pieces = compare(old, now);
  return hunksOf(pieces).flatMap(formatHunk);
}

/** A last line without a line end is another line than the same one with it. */
const noLineEnd = '\n\\ No newline at end of file';

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}${noLineEnd}`];
}

function compare(old: readonly string[], now: readonly string[]): Piece[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const [from, to] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  return [
    { mark: ' ', lines: old.slice(0, start) },
    ...(shortestEdit(from, to) ?? replaced(from, to)),
    { mark: ' ', lines: old.slice(old.length - end) },
  ];
}

function replaced(from: readonly string[], to: readonly string[]): Piece[] {
  return [
    { mark: '-', lines: from },
    { mark: '+', lines: to },
  ];
}

/** Myers, “An O(ND) Difference Algorithm and Its Variations”, 1986; undefined if it takes more than `changesMax` changes. */
function shortestEdit(from: readonly string[], to: readonly string[]): Piece[] | undefined {
  const max = Math.min(from.length + to.length, changesMax);
  // furthest[k + max + 1] is how far into `from` the path on diagonal k came.
  const furthest = new Int32Array(2 * max + 3);
  const rounds: Int32Array[] = [];
  for (let changes = 0; changes <= max; changes++) {
    rounds.push(furthest.slice(max + 1 - changes - 1, max + 1 + changes + 2));
    for (let k = -changes; k <= changes; k += 2) {
      const at = k + max + 1;
      const [above = 0, left = 0] = [furthest[at + 1], furthest[at - 1]];
      let x = k === -changes || (k !== changes && left < above) ? above : left + 1;
      while (x < from.length && x - k < to.length && from[x] === to[x - k]) x += 1;
      furthest[at] = x;
      if (x >= from.length && x - k >= to.length) return walkBack(rounds, from, to);
    }
  }
  return undefined;
}

/** `rounds[n]` is how far each diagonal came with fewer than n changes; its middle is diagonal 0. */
function walkBack(rounds: readonly Int32Array[], from: readonly string[], to: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let [x, y] = [from.length, to.length];
  for (let changes = rounds.length - 1; changes >= 0; changes--) {
    const round = rounds[changes];
    assert(round !== undefined, 'each round is kept');
    const reach = (k: number) => round[k + changes + 1] ?? 0;
    const k = x - y;
    const isInsertion = k === -changes || (k !== changes && reach(k - 1) < reach(k + 1));
    const before = isInsertion ? k + 1 : k - 1;
    const startX = changes === 0 ? 0 : reach(before) + (isInsertion ? 0 : 1);
    if (x > startX) pieces.push({ mark: ' ', lines: from.slice(startX, x) });
    [x, y] = [startX, startX - k];
    if (changes === 0) break;
    if (isInsertion) pieces.push({ mark: '+', lines: to.slice(y - 1, y) });
    else pieces.push({ mark: '-', lines: from.slice(x - 1, x) });
    if (isInsertion) y -= 1;
    else x -= 1;
  }
  return pieces.reverse();
}

interface Hunk {
  oldStart: number;
  newStart: number;
  readonly lines: { mark: Piece['mark']; line: string }[];
}

function hunksOf(pieces: readonly Piece[]): Hunk[] {
  const lines = pieces.flatMap(({ mark, lines: own }) => own.map((line) => ({ mark, line })));
  const changed = lines.flatMap(({ mark }, at) => (mark === ' ' ? [] : [at]));
  const hunks: Hunk[] = [];
  let [oldAt, newAt, at] = [0, 0, 0];
  const skipTo = (end: number) => {
    for (; at < end; at++) {
      if (lines[at]?.mark !== '+') oldAt += 1;
      if (lines[at]?.mark !== '-') newAt += 1;
    }
  };
  for (let n = 0; n < changed.length; ) {
    const first = changed[n] ?? 0;
    let last = first;
    while (n < changed.length && (changed[n] ?? 0) - last <= 2 * contextLines) {
      last = changed[n] ?? last;
      n += 1;
    }
    skipTo(Math.max(0, first - contextLines));
    const shown = lines.slice(at, last + contextLines + 1);
    hunks.push({ oldStart: oldAt, newStart: newAt, lines: shown });
    skipTo(at + shown.length);
  }
  return hunks;
}

function formatHunk({ oldStart, newStart, lines }: Hunk): string[] {
  const count = (other: Piece['mark']) => lines.filter(({ mark }) => mark !== other).length;
  const range = (start: number, length: number) => `${length === 0 ? start : start + 1},${length}`;
  return [
    `@@ -${range(oldStart, count('+'))} +${range(newStart, count('-'))} @@`,
    ...lines.flatMap(({ mark, line }) => `${mark}${line}`.split('\n')),
  ];
}
