import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinReports } from './joinReports.mjs';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

const part = (name: string, numPassedTests: number, success: boolean) =>
  JSON.stringify({ numPassedTests, numTotalTests: 3, success, testResults: [{ name }] });

test('the reports of the parts of a run become one, which counts the tests of all', async () => {
  const folder = await makeTemporaryDirectory();
  const [one, two, whole] = [join(folder, 'one'), join(folder, 'two'), join(folder, 'whole')];
  writeFileSync(one, part('a.test.ts', 3, true));
  writeFileSync(two, part('b.test.ts', 2, false));
  joinReports([one, two], whole);
  expect(JSON.parse(readFileSync(whole, 'utf8'))).toEqual({
    ...{ numPassedTests: 5, numTotalTests: 6, success: false },
    testResults: [{ name: 'a.test.ts' }, { name: 'b.test.ts' }],
  });
  expect([one, two].filter((file) => existsSync(file))).toEqual([]);
});

test('a part without a report leaves a run without one', async () => {
  const folder = await makeTemporaryDirectory();
  const [one, whole] = [join(folder, 'one'), join(folder, 'whole')];
  writeFileSync(one, part('a.test.ts', 3, true));
  joinReports([one, join(folder, 'two')], whole);
  expect(existsSync(whole)).toBe(false);
});
