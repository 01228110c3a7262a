import Mocha from 'mocha';

/** One test as the host ran it. */
export interface HostTest {
  readonly title: string;
  readonly error?: string;
}

/** The suites by name. Each has a window and a vault of its own. */
const suites: Readonly<Record<string, () => Promise<unknown>>> = {
  extension: () => import('./extension.suite.ts'),
  trees: () => import('./trees.suite.ts'),
  start: () => import('./start.suite.ts'),
  agents: () => import('./agents.suite.ts'),
  editors: () => import('./editors.suite.ts'),
  tasks: () => import('./tasks.suite.ts'),
};

export const suiteNames: readonly string[] = Object.keys(suites);

/**
 * What the editor calls inside its extension host: runs a suite and prints one line for each test, which the outside
 * reads. Rejects when one failed.
 */
export async function runSuite(name: string): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: 'min' });
  mocha.suite.emit('pre-require', globalThis as never, '', mocha);
  await suites[name]?.();
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (one) => tell({ title: one.fullTitle() }));
    runner.on('fail', (one, error: Error) => tell({ title: one.fullTitle(), error: error.stack ?? error.message }));
  });
  if (failures > 0) throw new Error(`${failures} tests failed in the extension host.`);
}

function tell(result: HostTest): void {
  console.log(`ravel-test ${JSON.stringify(result)}`);
}
