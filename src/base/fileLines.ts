import { nextTurn } from './async.ts';
import type { DiskFile } from './disk.ts';
import { newline } from './units.ts';

/** A line of a file without its newline, and the byte behind that. */
export interface FileLine {
  /** Undefined if the line is longer than allowed. */
  readonly bytes: Buffer | undefined;
  readonly end: number;
}

/** Bytes that are read at once. */
const chunkBytes = 256 * 1024;
/** Few enough that a batch does not hold up other work: a chunk can hold as many lines as bytes. */
const linesAtOnce = 500;

/**
 * The lines of a file from a byte on at which one begins, a few at a time; what follows the last newline is left out.
 * Takes the memory of a chunk and of one line, however large the file is, and lets others have their turn at each chunk
 * and every few hundred lines.
 */
export async function* readFileLines(
  file: Pick<DiskFile, 'read'>,
  from: number,
  lineBytesMax: number,
): AsyncGenerator<readonly FileLine[], void, undefined> {
  let pieces: Buffer[] = [];
  let piecesBytes = 0;
  for (let position = from; ; ) {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const count = await file.read(buffer, position);
    if (count === 0) return;
    const chunk = buffer.subarray(0, count);
    let lines: FileLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
      const isTooLong = piecesBytes + at - start > lineBytesMax;
      const last = chunk.subarray(start, at);
      const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
      lines.push({ bytes: isTooLong ? undefined : bytes, end: position + at + 1 });
      [pieces, piecesBytes, start] = [[], 0, at + 1];
      if (lines.length < linesAtOnce) continue;
      yield lines;
      lines = [];
      await nextTurn();
    }
    piecesBytes += count - start;
    // What is too long already is only counted.
    if (piecesBytes > lineBytesMax) pieces = [];
    else if (start < count) pieces.push(chunk.subarray(start));
    position += count;
    if (lines.length > 0) yield lines;
  }
}

/** The same lines from the last one to the first, in the same turns; those that are longer than allowed are left out. */
export async function* readFileLinesBackwards(
  file: Pick<DiskFile, 'read' | 'size'>,
  lineBytesMax: number,
): AsyncGenerator<Buffer, void, undefined> {
  /** What is read of the line that is under way; undefined as long as no newline ends it, or once it is too long. */
  let rest: Buffer | undefined;
  for (let end = await file.size(); end > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end));
    const count = await file.read(chunk, end - chunk.length);
    // It became shorter while it was read.
    if (count < chunk.length) return;
    let lineEnd = chunk.length;
    let lineCount = 0;
    for (
      let at = chunk.lastIndexOf(newline);
      at !== -1;
      at = lineEnd === 0 ? -1 : chunk.lastIndexOf(newline, lineEnd - 1)
    ) {
      if (rest !== undefined) yield Buffer.concat([chunk.subarray(at + 1, lineEnd), rest]);
      rest = Buffer.alloc(0);
      lineEnd = at;
      lineCount += 1;
      if (lineCount % linesAtOnce === 0) await nextTurn();
    }
    if (rest !== undefined) rest = Buffer.concat([chunk.subarray(0, lineEnd), rest]);
    if (rest !== undefined && rest.length > lineBytesMax) rest = undefined;
    end -= count;
  }
  if (rest !== undefined) yield rest;
}
