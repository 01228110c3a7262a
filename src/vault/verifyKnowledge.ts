import { join } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { parseFrontmatter } from './frontmatter.ts';
import { type FoundBefore, findOnce, parseFound } from './stampedCache.ts';

/** Notes that are larger are not looked at; frontmatter has a limit of its own. */
const noteBytesMax = 1024 * 1024;

/**
 * What is wrong with the frontmatter of the notes below a knowledge folder; a note needs none. One that is as it was
 * before is not read again.
 */
export async function verifyKnowledge(disk: ReadingDisk, folder: string, before?: FoundBefore): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const directory = next;
    for (const { name, kind } of await listIfThere(disk, directory)) {
      const path = join(directory, name);
      if (name.startsWith('.')) continue;
      if (kind === 'directory') pending.push(path);
      if (kind === 'file' && name.endsWith('.md')) diagnostics.push(...(await verifyOnce(disk, path, before)));
    }
  }
  return diagnostics.sort((a, b) => ((a.file ?? '') < (b.file ?? '') ? -1 : 1));
}

async function verifyOnce(
  disk: ReadingDisk,
  file: string,
  before: FoundBefore | undefined,
): Promise<readonly Diagnostic[]> {
  if (before === undefined) return verifyNote(disk, file);
  // A key has no line end, and a file may be named with one.
  const order = { key: `note ${JSON.stringify(file)}`, paths: [file] };
  return parseFound(await findOnce(disk, before, order, async () => JSON.stringify(await verifyNote(disk, file))));
}

async function verifyNote(disk: ReadingDisk, file: string): Promise<readonly Diagnostic[]> {
  try {
    const text = (await readTextIfExists(disk, file, { bytesMax: noteBytesMax })) ?? '';
    return text.replace('\uFEFF', '').startsWith('---')
      ? parseFrontmatter(text, { file, subject: file }).diagnostics
      : [];
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return [error.diagnostic];
  }
}
