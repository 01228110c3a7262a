import { parseUnifiedDiff, type UnifiedDiff } from '../unifiedDiff.ts';

/** What a diff adds to one file. */
export interface AddedText {
  /** The file as it is called now. */
  readonly path: string;
  /** The added lines, one below the other. */
  readonly text: string;
  /** For each of them its number in the new file, from 1. */
  readonly lines: readonly number[];
}

/** A diff as the gate looks at it: what is new by file, and what was there before, all in one. */
export interface DiffTexts {
  readonly added: readonly AddedText[];
  readonly before: string;
}

type DiffFile = UnifiedDiff extends ReadonlyMap<string, infer File> ? File : never;

export function readDiff(diff: string): DiffTexts {
  const paths = new Map<DiffFile, string>();
  // Of a file's two names the new one comes last.
  for (const [path, file] of parseUnifiedDiff(diff)) paths.set(file, path);
  const added: AddedText[] = [];
  const before: string[] = [];
  for (const [file, path] of paths) {
    const one = addedTo(file, before);
    if (one.lines.length > 0) added.push({ path, ...one });
  }
  return { added, before: before.join('\n') };
}

function addedTo({ hunks, lines }: DiffFile, before: string[]): Omit<AddedText, 'path'> {
  const texts: string[] = [];
  const numbers: number[] = [];
  let left = 0;
  let number = 0;
  let hunk = 0;
  for (const line of lines) {
    const mark = line[0];
    if (mark === '\\') continue;
    if (left <= 0) {
      const header = hunks[hunk];
      hunk += 1;
      const [, oldCount = '1', start = '1', newCount = '1'] =
        /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header ?? '') ?? [];
      left = Number(oldCount) + Number(newCount);
      number = Number(start);
    }
    left -= mark === '+' || mark === '-' ? 1 : 2;
    if (mark === '+') {
      texts.push(line.slice(1));
      numbers.push(number);
    } else before.push(line.slice(1));
    if (mark !== '-') number += 1;
  }
  return { text: texts.join('\n'), lines: numbers };
}
