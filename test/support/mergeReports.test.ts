import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeReports } from './mergeReports.mjs';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

test('the reports of parts become one, and a part without a report is a file that failed', async () => {
  const folder = await makeTemporaryDirectory();
  const write = async (name: string, passed: number, total: number) => {
    const path = join(folder, name);
    const testResults = [{ name, status: 'passed', message: '', assertionResults: [] }];
    await writeFile(path, JSON.stringify({ numPassedTests: passed, numTotalTests: total, testResults }));
    return [name, path] as const;
  };
  const merged = mergeReports([
    await write('first', 5, 6),
    await write('real', 2, 2),
    ['editor', join(folder, 'none')],
  ]);
  expect([merged.numPassedTests, merged.numTotalTests]).toEqual([7, 8]);
  expect(merged.testResults.map(({ name, status }) => [name, status])).toEqual([
    ['first', 'passed'],
    ['real', 'passed'],
    ['part “editor”', 'failed'],
  ]);
});
