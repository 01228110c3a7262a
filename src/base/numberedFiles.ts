import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { listIfThere } from './diskErrors.ts';

/** The path of the file of a folder with this number, from 1 on: `000001.jsonl` and so on. */
export function numberedFile(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(6, '0')}.jsonl`);
}

/** The numbers of such files in a folder, in their order. What else lies there is left alone. */
export async function listNumbers(disk: Pick<Disk, 'readDirectory'>, folder: string): Promise<number[]> {
  return (await listIfThere(disk, folder))
    .flatMap(({ name }) => (numbered.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((a, b) => a - b);
}

const numbered = /^\d{6,9}\.jsonl$/;
