import { defineConfig } from 'vitest/config';
import { editorLack } from './test/editor/support/editorLack.ts';
import { Budgets } from './test/support/budgets.ts';
import { Covered } from './test/support/covered.ts';
import { LongestFirst } from './test/support/longestFirst.ts';
import { NotRun } from './test/support/notRun.ts';
import { testProjects } from './test/support/projects.ts';
import { useTemporaryRoot } from './test/support/temporaryRoot.ts';

useTemporaryRoot();

/** Builds what these tests start as programs. */
const globalSetup = ['test/support/globalSetup.ts'];

/** Files that start programs share their processes too, with what those have loaded. */
const sharedProcesses = {
  globalSetup,
  setupFiles: ['test/support/smallWorker.ts'],
  pool: 'forks' as const,
  isolate: false,
};

const { unit, core, crash, real, editor } = testProjects;
const filesOf = ({ include, exclude }: typeof unit) => ({ include: [...include], exclude: [...exclude] });

/** Why this machine cannot run the tests of the editor; the last line of a whole run says so. */
const lack = editorLack();

/** For scripts that count. */
const report = process.env['RAVEL_TEST_REPORT'];
const jsonReport: [string, Record<string, unknown>][] = report === undefined ? [] : [['json', { outputFile: report }]];

const editorProject = {
  extends: true as const,
  test: {
    name: 'editor',
    ...filesOf(editor),
    globalSetup: [...globalSetup, 'test/editor/support/sharedHosts.ts'],
    pool: 'forks' as const,
    isolate: false,
    // A window and what it shows take both cores: with two of them, keys and clicks came too late.
    maxWorkers: 1,
    sequence: { groupOrder: 5 },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

export default defineConfig({
  test: {
    reporters: ['default', ...jsonReport, new Budgets(), new Covered(), new NotRun({ editorLack: lack })],
    sequence: { sequencer: LongestFirst },
    // For `npm run test:coverage`, whose result `Covered` judges.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'webview/**/*.ts'],
      reporter: ['json-summary'],
      reportsDirectory: 'test-results/coverage',
    },
    // One more than two cores: a file of `core` waits for a timer or a time limit in a tenth of its time, one with the real
    // program in a sixth of it, and meanwhile the two others are at work.
    maxWorkers: 3,
    // Kept beside the packages: a run of one file then spends its time on that file.
    experimental: { fsModuleCache: true },
    // A failure in a log shows both values whole.
    chaiConfig: { truncateThreshold: 0 },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One project after another: each has the whole machine, so its time can be held against its budget.
    projects: [
      {
        extends: true,
        // No module holds state, which a check enforces, so files share their loaded modules.
        test: {
          name: 'unit',
          ...filesOf(unit),
          pool: 'threads',
          isolate: false,
          // They wait for nothing.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'core', ...filesOf(core), ...sharedProcesses, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { name: 'crash', ...filesOf(crash), ...sharedProcesses, sequence: { groupOrder: 3 } },
      },
      {
        extends: true,
        test: { name: 'real', ...filesOf(real), ...sharedProcesses, sequence: { groupOrder: 4 } },
      },
      ...(lack === undefined ? [editorProject] : []),
    ],
  },
});
