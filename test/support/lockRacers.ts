import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { bundleProgram } from './program.ts';

/** A process that takes locks as the fixture `lockRacer.ts` is told. */
export interface LockRacer {
  readonly child: ChildProcess & { readonly pid: number };
  readonly ask: (command: string) => Promise<string>;
}

/** Call it inside a test; the processes end with it. */
export async function startLockRacers(count: number, isolation: 'none' | 'container' = 'none'): Promise<LockRacer[]> {
  const program = await bundleProgram(fileURLToPath(new URL('../fixtures/lockRacer.ts', import.meta.url)));
  return Promise.all(Array.from({ length: count }, () => startRacer(program, isolation)));
}

/** In a container all that is seen are the processes of that container. */
const inContainer = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

async function startRacer(path: string, isolation: 'none' | 'container'): Promise<LockRacer> {
  const [program = '', ...args] = [...(isolation === 'container' ? inContainer : []), process.execPath, path];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
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
