import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DiskFile } from '../../src/base/disk.ts';
import { type FileLine, readFileLines, readFileLinesBackwards } from '../../src/base/fileLines.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const chunkBytes = 256 * 1024;

async function readBoth(text: string, lineBytesMax = 1_000_000) {
  const path = join(await makeTemporaryDirectory(), 'lines');
  await writeFile(path, text);
  const file = await nodeDisk.open(path, 'read');
  try {
    const lines: (string | undefined)[] = [];
    const ends: number[] = [];
    for await (const some of readFileLines(file, 0, lineBytesMax)) {
      for (const { bytes, end } of some) {
        lines.push(bytes?.toString());
        ends.push(end);
      }
    }
    const backwards: string[] = [];
    for await (const line of readFileLinesBackwards(file, lineBytesMax)) backwards.push(line.toString());
    return { lines, ends, backwards };
  } finally {
    await file.close();
  }
}

describe('the lines of a file', () => {
  async function check(lines: readonly string[], rest = ''): Promise<void> {
    const found = await readBoth(`${lines.map((line) => `${line}\n`).join('')}${rest}`);
    expect(found.lines).toEqual(lines);
    expect(found.backwards).toEqual(lines.toReversed());
    let end = 0;
    expect(found.ends).toEqual(lines.map((line) => (end += line.length + 1)));
  }

  test('are none in an empty file', () => check([]));
  test('are those that end with a newline', () => check(['one', '', 'two'], 'torn'));
  test('are none in a file without a newline', () => check([], 'torn'));
  test('are whole if they cross the end of a chunk', () =>
    check(['a', 'b'.repeat(chunkBytes - 2), 'c'.repeat(3 * chunkBytes), 'd']));
  test('are whole if a chunk ends with a newline', () => check(['a'.repeat(chunkBytes - 1), 'b', 'c'], 'torn'));
  test('are whole if a chunk begins with a newline', () => check(['a'.repeat(chunkBytes), 'b']));
});

describe('many short lines', () => {
  const lineCount = 4_000;

  /** Between how many lines others had a turn. */
  async function check(read: (file: DiskFile) => AsyncIterable<unknown>, countOf: (item: unknown) => number) {
    const path = join(await makeTemporaryDirectory(), 'lines');
    await writeFile(path, '\n'.repeat(lineCount));
    const file = await nodeDisk.open(path, 'read');
    let [turn, turnOfLast, inTurn, most, count] = [0, 0, 0, 0, 0];
    let isOver = false;
    const takeTurn = () => {
      turn += 1;
      if (!isOver) setImmediate(takeTurn);
    };
    takeTurn();
    try {
      for await (const item of read(file)) {
        if (turn !== turnOfLast) [turnOfLast, inTurn] = [turn, 0];
        inTurn += countOf(item);
        count += countOf(item);
        most = Math.max(most, inTurn);
      }
    } finally {
      isOver = true;
      await file.close();
    }
    expect(count).toBe(lineCount);
    expect(most).toBeLessThanOrEqual(1_000);
  }

  test('leave others their turn', () =>
    check(
      (file) => readFileLines(file, 0, 1),
      (lines) => (lines as readonly FileLine[]).length,
    ));
  test('leave others their turn backwards', () =>
    check(
      (file) => readFileLinesBackwards(file, 1),
      () => 1,
    ));
});

test('a line that is too long is told as such, and the others are whole', async () => {
  const long = 'x'.repeat(2 * chunkBytes);
  const { lines, backwards } = await readBoth(`one\n${long}\ntwo\n`, chunkBytes);
  expect(lines).toEqual(['one', undefined, 'two']);
  expect(backwards).toEqual(['two', 'one']);
});
