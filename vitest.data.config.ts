import { defineConfig } from 'vitest/config';
import { findTestData } from './test/support/testData.ts';

const data = findTestData(import.meta.dirname);
// Without the data no test runs, and none counts as passed.
if (data.kind === 'absent') {
  process.stdout.write(`Not run on this machine: the tests over real data (${data.reason})\n`);
}

/** Tests over real plans, which are not part of the project: `npx vitest run -c vitest.data.config.ts`. */
export default defineConfig({
  test: {
    include: data.kind === 'found' ? ['test/data/**/*.test.ts'] : [],
    passWithNoTests: data.kind === 'absent',
    globalSetup: ['test/support/globalSetup.ts'],
    testTimeout: 120_000,
  },
});
