import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Real plans and other data that is not part of the project, or why it is not on this machine. */
export type TestData =
  | { readonly kind: 'found'; readonly folder: string }
  | { readonly kind: 'absent'; readonly reason: string };

const usualFolder = '../shared/data';

/**
 * Looks for the folder that `RAVEL_TEST_DATA` names, else for `../shared/data`; a relative path starts at `repository`. A
 * bundled caller lies elsewhere, so it names the repository itself.
 */
export function findTestData(
  repository: string,
  { RAVEL_TEST_DATA: named }: Readonly<Record<string, string | undefined>> = process.env,
): TestData {
  const folder = resolve(repository, named || usualFolder);
  if (existsSync(folder)) return { kind: 'found', folder };
  return { kind: 'absent', reason: `there is no folder ${folder}; name one in RAVEL_TEST_DATA` };
}

/** The path of something in that folder. Throws when it is not there: these tests run only when the folder is. */
export function testDataPath(name: string): string {
  const data = findTestData(resolve(import.meta.dirname, '../..'));
  if (data.kind === 'absent') throw new Error(`The test needs real data, but ${data.reason}.`);
  const path = join(data.folder, name);
  if (!existsSync(path)) throw new Error(`The test data in ${data.folder} lacks ${name}.`);
  return path;
}
