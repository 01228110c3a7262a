import { join } from 'node:path';
import type { Disk, DiskFile } from '../../base/disk.ts';
import { ifThere } from '../../base/diskErrors.ts';
import { readFileLines } from '../../base/fileLines.ts';
import { writeFully } from '../../base/files.ts';
import { isNestedTooDeep, parseJson } from '../../base/json.ts';
import { loadHostRecord, sessionFiles } from '../hostRecord.ts';

/** Longer lines are never read as output. */
const lineBytesMax = 16 * 1024 * 1024;

/**
 * Masks what a session's program wrote, once the session has ended: while it runs, the program itself writes these files.
 * A line that is JSON stays JSON, and there are as many lines as before, so that they are read to the same outputs;
 * only a line that cannot be masked as JSON, since it nests too deep or has a secret as a number of too many digits, is
 * masked as text.
 */
export async function maskOutput(disk: Disk, directory: string, withoutSecrets: <T>(value: T) => T): Promise<void> {
  // A session of a person has no such record, and no output.
  const record = await loadHostRecord(disk, directory).catch(() => undefined);
  if (record?.state !== 'ended') return;
  const files = [sessionFiles.spool, sessionFiles.stderr].map((name) => join(directory, name));
  // Each for itself: what keeps one from being masked need not keep the other.
  const done = await Promise.allSettled(files.map((path) => maskLines(disk, path, withoutSecrets)));
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

async function maskLines(disk: Disk, path: string, withoutSecrets: <T>(value: T) => T): Promise<void> {
  const file = await ifThere(path, () => disk.open(path, 'read'));
  if (file === undefined) return;
  const temporary = `${path}.masked`;
  let isChanged = false;
  let end = 0;
  try {
    await disk.unlink(temporary).catch(() => undefined);
    const masked = await disk.open(temporary, 'exclusive', 0o600);
    try {
      for await (const lines of readFileLines(file, 0, lineBytesMax)) {
        for (const { bytes, end: lineEnd } of lines) {
          end = lineEnd;
          const before = bytes?.toString('utf8');
          const after = before === undefined ? '' : maskLine(before, withoutSecrets);
          isChanged ||= after !== before;
          await writeFully(masked, Buffer.from(`${after}\n`));
        }
      }
      const rest = await readFrom(file, end);
      const after = withoutSecrets(rest);
      isChanged ||= after !== rest;
      await writeFully(masked, Buffer.from(after));
      await masked.sync();
    } finally {
      await masked.close();
    }
    if (isChanged) await disk.rename(temporary, path);
    else await disk.unlink(temporary);
  } catch (error) {
    // A stale file does no harm, and what went wrong first is what the caller wants to know.
    await disk.unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/** What follows the last line: a program that was killed has not ended it. */
async function readFrom(file: DiskFile, from: number): Promise<string> {
  const bytes = Buffer.alloc(Math.min((await file.size()) - from, lineBytesMax));
  return bytes.subarray(0, await file.read(bytes, from)).toString('utf8');
}

function maskLine(line: string, withoutSecrets: <T>(value: T) => T): string {
  const value = parseJson(line);
  // Of what nests deeper, masking keeps no more than a mark.
  if (value === undefined || isNestedTooDeep(value) || hidesDigits(line, withoutSecrets)) return withoutSecrets(line);
  const masked = withoutSecrets(value);
  return masked === value ? line : JSON.stringify(masked);
}

/** Whether a secret of digits is a number that JSON reads as another one, so that it is not found in the value. */
function hidesDigits(line: string, withoutSecrets: <T>(value: T) => T): boolean {
  const runs = line.match(/\d{16,}/g) ?? [];
  return runs.some((run) => withoutSecrets(run) !== run && String(Number(run)) !== run);
}
