/** The test files of one project, and how long it may take on two cores. `docs/design/testing.md` says what each one proves. */
export interface TestProject {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Seconds from its first file to its last. */
  readonly budgetSeconds: number;
}

export type ProjectName = 'unit' | 'core' | 'crash' | 'real' | 'editor';

/** Programs that the tests install, and tests over real data, which have a configuration of their own. */
const elsewhere = ['**/node_modules/**', 'test/programs/**', 'test/data/**'];

/** Folders of unit tests: they start no process and need nothing built, so they share threads and loaded modules. */
export const unitFolders: readonly string[] = [
  'access',
  'actors',
  'base',
  'cli',
  'documents',
  'experts',
  'gates',
  'goals',
  'imports',
  'knowledge',
  'model',
  'mutations',
  'notifications',
  'routing',
  'support',
  'ui',
  'vault',
  'webview',
  'yaml',
];

/** Files of those folders that belong to `core`, and why. */
export const notUnits: Readonly<Record<string, string>> = {
  'test/base/blockingDisk.test.ts': 'starts processes',
  'test/base/callThread.test.ts': 'starts threads',
  'test/base/idleThread.test.ts': 'starts threads',
  'test/base/nodeDisk.test.ts': 'starts processes',
  'test/base/runProcess.test.ts': 'starts processes',
  'test/cli/commands/demo.test.ts': 'starts the command line',
  'test/model/verbExamples.test.ts': 'opens vaults with git',
  'test/cli/commands/suggestions.test.ts': 'starts the command line',
  'test/cli/process.test.ts': 'starts the command line',
  'test/cli/secretPrompt.test.ts': 'starts the command line',
  'test/gates/tools/shell/shellFuzz.test.ts': 'runs bash in a sandbox',
  'test/model/jsonSchemas.test.ts': 'reads the built schemas',
  'test/model/spending.test.ts': 'sets the time zone, which no thread can',
  'test/knowledge/memory/memoryService.test.ts': 'starts threads',
  'test/vault/entryThread.test.ts': 'starts threads',
  'test/knowledge/search/vaultSearch.test.ts': 'starts the built thread',
  'test/model/notification.test.ts': 'sets the time zone, which no thread can',
  'test/notifications/deliver.test.ts': 'starts programs',
  'test/mutations/run.test.ts': 'starts processes',
  'test/routing/history/recentDecisions.test.ts': 'starts the built thread',
  'test/support/beside.test.ts': 'starts processes',
  'test/support/commandOptions.test.ts': 'starts processes',
  'test/support/foreignReaders.test.ts': 'measures what its process works, to which other threads add',
  'test/support/machine.test.ts': 'starts processes',
  'test/support/shellOracle.test.ts': 'runs bash in a sandbox',
  'test/support/temporaryRoot.test.ts': 'starts processes',
  'test/vault/adoption.test.ts': 'runs git',
  'test/vault/bootstrap.test.ts': 'runs git',
  'test/imports/importPlan.test.ts': 'imports ten megabytes, and stops at every change of the disk',
  'test/imports/sourceFolder.test.ts': 'runs git',
  'test/vault/lock.test.ts': 'starts processes',
  'test/vault/planLock.test.ts': 'starts processes',
  'test/vault/scan.test.ts': 'starts processes',
  'test/vault/vaultScanner.test.ts': 'starts the built scanner',
  'test/webview/bundle.test.ts': 'reads the built pages',
};

/** Files outside `test/crash` that stop an owner at every change of its disk. */
export const otherCrashes = [
  'test/actors/supervisorCrash.test.ts',
  'test/housekeeping/relocationsCrash.test.ts',
  'test/routing/steps/routerCrash.test.ts',
];

/** Folders that are a project by themselves, and what no project has. */
const ownFolders = ['crash', 'data', 'editor', 'programs', 'real'];

/** They run in this order, one project after another. */
export const testProjects: Readonly<Record<ProjectName, TestProject>> = {
  unit: {
    include: [
      ...unitFolders.map((folder) => `test/${folder}/**/*.test.ts`),
      'test/manifest.test.ts',
      'test/tidy.test.ts',
    ],
    exclude: [...elsewhere, ...Object.keys(notUnits), ...otherCrashes],
    budgetSeconds: 60,
  },
  core: {
    include: [
      `test/!(${[...unitFolders, ...ownFolders].join('|')})/**/*.test.ts`,
      'test/*.test.ts',
      ...Object.keys(notUnits),
    ],
    exclude: [...elsewhere, ...otherCrashes, 'test/manifest.test.ts', 'test/tidy.test.ts'],
    budgetSeconds: 330,
  },
  crash: { include: ['test/crash/**/*.test.ts', ...otherCrashes], exclude: elsewhere, budgetSeconds: 210 },
  real: { include: ['test/real/**/*.test.ts'], exclude: elsewhere, budgetSeconds: 180 },
  editor: { include: ['test/editor/**/*.test.ts'], exclude: elsewhere, budgetSeconds: 450 },
};

/** Whether a path below the project is a file of the unit tests. */
export function isUnitTest(path: string): boolean {
  if (path === 'test/manifest.test.ts' || path === 'test/tidy.test.ts') return true;
  const [, folder = ''] = path.split('/');
  const isApart = Object.hasOwn(notUnits, path) || otherCrashes.includes(path);
  return path.endsWith('.test.ts') && unitFolders.includes(folder) && !isApart;
}
