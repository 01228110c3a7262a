import { defineConfig } from 'vitest/config';
import { useTemporaryRoot } from './test/support/temporaryRoot.ts';
import { findTestData } from './test/support/testData.ts';

useTemporaryRoot();

const data = findTestData(import.meta.dirname);
// Without the data no test runs, and none counts as passed.
if (data.kind === 'absent') {
  process.stdout.write(`Not run on this machine: the tests over real data (${data.reason})\n`);
}

/** For scripts that count. */
const report = process.env['RAVEL_TEST_REPORT'];
const jsonReport: [string, Record<string, unknown>][] = report === undefined ? [] : [['json', { outputFile: report }]];

/** Tests over real plans, which are not part of the project: `npx vitest run -c vitest.data.config.ts`. */
export default defineConfig({
  test: {
    include: data.kind === 'found' ? ['test/data/**/*.test.ts'] : [],
    passWithNoTests: data.kind === 'absent',
    reporters: ['default', ...jsonReport],
    globalSetup: ['test/support/globalSetup.ts'],
    testTimeout: 120_000,
  },
});
