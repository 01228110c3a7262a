import { defineConfig } from 'vitest/config';

/** Tests over real plan files, which are not part of the project: `RAVEL_TEST_DATA=<folder> vitest -c vitest.data.config.ts`. */
export default defineConfig({
  test: {
    include: ['test/data/**/*.test.ts'],
    globalSetup: ['test/support/globalSetup.ts'],
    testTimeout: 120_000,
  },
});
