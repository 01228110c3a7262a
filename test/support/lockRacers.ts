import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { bundleProgram } from './program.ts';
import { spawnProgram } from './spawnProgram.ts';

/** A process that takes locks as the fixture `lockRacer.ts` is told. */
export interface LockRacer {
  readonly child: ChildProcess & { readonly pid: number };
  readonly ask: (command: string) => Promise<string>;
}

/** Call it inside a test; the processes end with it. */
export async function startLockRacers(count: number, place: RacerPlace = 'anywhere'): Promise<LockRacer[]> {
  const program = await bundleProgram(fileURLToPath(new URL('../fixtures/lockRacer.ts', import.meta.url)));
  return Promise.all(Array.from({ length: count }, () => startRacer(program, place)));
}

type RacerPlace = 'anywhere' | 'container' | 'fewDescriptors';

const wrappers: Readonly<Record<RacerPlace, readonly string[]>> = {
  anywhere: [],
  // All that is seen are the processes of that container.
  container: ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
  fewDescriptors: ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'],
};

async function startRacer(path: string, place: RacerPlace): Promise<LockRacer> {
  const [program = '', ...args] = [...wrappers[place], process.execPath, path];
  const child = spawnProgram(program, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid } = child;
  if (pid === undefined) throw new Error('a racer did not start');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('a racer ended early');
    return line.value;
  };
  expect(await next()).toBe('ready');
  const ask = (command: string) => {
    child.stdin.write(`${command}\n`);
    return next();
  };
  return { child: Object.assign(child, { pid }), ask };
}
