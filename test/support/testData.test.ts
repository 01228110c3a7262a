import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';
import { findTestData } from './testData.ts';

describe('findTestData', () => {
  test.each([
    ['takes the folder that RAVEL_TEST_DATA names', { RAVEL_TEST_DATA: '../named' }, 'named'],
    ['takes ../shared/data beside the repository without RAVEL_TEST_DATA', {}, 'shared/data'],
    ['takes ../shared/data when RAVEL_TEST_DATA is empty', { RAVEL_TEST_DATA: '' }, 'shared/data'],
  ])('%s', async (_title, environment, found) => {
    const place = await makeTemporaryDirectory();
    for (const folder of ['repository', 'named', 'shared/data']) await mkdir(join(place, folder), { recursive: true });
    const data = findTestData(join(place, 'repository'), environment);
    expect(data).toEqual({ kind: 'found', folder: join(place, found) });
  });

  test('says which folder is missing, and does not look for another', async () => {
    const place = await makeTemporaryDirectory();
    for (const folder of ['repository', 'shared/data']) await mkdir(join(place, folder), { recursive: true });
    const data = findTestData(join(place, 'repository'), { RAVEL_TEST_DATA: '../other' });
    expect(data).toEqual({
      kind: 'absent',
      reason: `there is no folder ${join(place, 'other')}; name one in RAVEL_TEST_DATA`,
    });
  });
});
