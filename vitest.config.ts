import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests over real data run by `vitest.data.config.ts`, which is told where the data lies.
    exclude: ['**/node_modules/**', 'test/programs/**', 'test/data/**'],
    globalSetup: ['test/support/globalSetup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
