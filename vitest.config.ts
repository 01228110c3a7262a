import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longestFirst.ts';

// Tests over real data run by `vitest.data.config.ts`, which is told where the data lies.
const elsewhere = ['**/node_modules/**', 'test/programs/**', 'test/data/**'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/globalSetup.ts'],
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: [...elsewhere, 'test/editor/**'],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        // A window and what it shows take both cores, so these run alone and one after another.
        test: {
          name: 'editor',
          include: ['test/editor/**/*.test.ts'],
          exclude: elsewhere,
          maxWorkers: 1,
          // Of two programs that know nothing of each other, one clicks and the other draws: a miss is tried once more.
          retry: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
