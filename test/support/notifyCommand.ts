import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from './world.ts';

/** What the program of a person gets on its standard input (docs/settings.md). */
export interface SentNotification {
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly command: string;
  readonly plan?: string;
  readonly id?: string;
}

/** Lets the person of a world be told by a program that keeps what it gets; resolves to a reader of that, oldest first. */
export async function recordNotifications({ root, environment }: World): Promise<() => Promise<SentNotification[]>> {
  const file = join(root, 'told.jsonl');
  await writeFile(file, '');
  const folder = join(environment['HOME'] ?? '', '.config', 'ravel');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.toml'), `[notify]\ncommand = ["sh", "-c", "cat >> ${file}"]\n`);
  return async () =>
    (await readFile(file, 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
}
