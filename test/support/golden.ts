import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/**
 * Compares a text with the one kept in `test/fixtures/`. With UPDATE_GOLDEN=1 in the environment the kept text is
 * replaced instead, to be read in review.
 */
export async function expectGolden(text: string, name: string): Promise<void> {
  const file = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
  if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(file, text);
  expect(text).toBe(await readFile(file, 'utf8'));
}
