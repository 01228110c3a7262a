import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/programs/**'],
    pool: 'forks',
    testTimeout: 20_000,
  },
});
