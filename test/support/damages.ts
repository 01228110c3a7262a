import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/** What can stand in the place of a file that was sound, and be no such file any more. Nothing may be there before. */
export const damages: Readonly<Record<string, (file: string) => void>> = {
  'bytes that are no UTF-8': (file) => writeFileSync(file, Buffer.from([0x6b, 0xff, 0xfe, 0x0a])),
  'a folder': (file) => mkdirSync(file),
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a link to itself': (file) => symlinkSync(basename(file), file),
  'more than can be read': (file) => writeFileSync(file, `a: ${'x'.repeat(70 * 1024 * 1024)}\n`),
  'a bomb': (file) => writeFileSync(file, 'a: &a [x]\nb: [*a, *a]\n'),
  nothing: (file) => writeFileSync(file, ''),
};
