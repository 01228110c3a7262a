import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLines } from '../../src/model/lineDiff.ts';

/** Carries hunks out, and checks that they say what they replace. */
function applied(before: string, hunks: readonly string[]): string {
  const old = before === '' ? [] : before.split('\n');
  if (before.endsWith('\n')) old.pop();
  const result: string[] = [];
  let at = 0;
  let hasLineEnd = true;
  let isLastOld = false;
  for (const line of hunks) {
    const head = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line);
    const [mark, text] = [line.charAt(0), line.slice(1)];
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      while (at < start) result.push(old[at++] ?? '');
    } else if (mark === '\\') {
      if (!isLastOld) hasLineEnd = false;
    } else {
      if (mark !== '+') expect(old[at++]).toBe(text);
      if (mark !== '-') result.push(text);
      isLastOld = mark === '-';
    }
  }
  const isRestUntouched = at < old.length;
  result.push(...old.slice(at));
  const endsAsBefore = isRestUntouched ? before.endsWith('\n') : hasLineEnd;
  return result.length === 0 ? '' : `${result.join('\n')}${endsAsBefore ? '\n' : ''}`;
}

function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** By the table of longest common subsequences. */
function fewestChanges(from: readonly string[], to: readonly string[]): number {
  let row = to.map(() => 0);
  for (const line of from) {
    const next: number[] = [];
    for (const [n, other] of to.entries()) {
      next.push(line === other ? (row[n - 1] ?? 0) + 1 : Math.max(row[n] ?? 0, next[n - 1] ?? 0));
    }
    row = next;
  }
  return from.length + to.length - 2 * (row.at(-1) ?? 0);
}

describe('a diff of two texts', () => {
  test.each([
    ['equal', 'a\nb\n', 'a\nb\n', []],
    ['empty', '', '', []],
    ['a new text', '', 'a\nb\n', ['@@ -0,0 +1,2 @@', '+a', '+b']],
    ['a removed text', 'a\n', '', ['@@ -1,1 +0,0 @@', '-a']],
    ['one line', 'a\nb\nc\n', 'a\nx\nc\n', ['@@ -1,3 +1,3 @@', ' a', '-b', '+x', ' c']],
    [
      'a line end that is missing',
      'a\nb',
      'a\nb\n',
      ['@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b'],
    ],
  ])('%s', (_name, before, after, expected) => expect(diffLines(before, after)).toEqual(expected));

  test('has a hunk for each change that lies apart', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${n}\n`);
    const after = lines.with(5, 'five\n').with(30, 'thirty\n').join('');
    const heads = diffLines(lines.join(''), after).filter((line) => line.startsWith('@@'));
    expect(heads).toEqual(['@@ -3,7 +3,7 @@', '@@ -28,7 +28,7 @@']);
  });

  test('turns one text into the other, with the fewest changed lines', () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 }), fc.boolean())
      .map(([lines, hasEnd]) =>
        (lines.length === 0 || hasEnd ? lines.map((line) => `${line}\n`) : [lines.join('\n')]).join(''),
      );
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = diffLines(before, after);
        expect(applied(before, hunks)).toBe(after);
        const changed = hunks.filter((line) => /^[-+]/.test(line)).length;
        expect(changed).toBe(fewestChanges(linesWithEnds(before), linesWithEnds(after)));
      }),
      { numRuns: 2000 },
    );
  });

  test('of long texts with nothing in common replaces one with the other', () => {
    const text = (word: string) => Array.from({ length: 30_000 }, (_, n) => `${word} ${n}\n`).join('');
    expect(diffLines(text('old'), text('new'))).toHaveLength(60_001);
  });
});
