import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { PowerCut, PowerCutOrder } from '../fixtures/powerCut.ts';
import { testNeeding } from '../support/machine.ts';
import { bundleProgram } from '../support/program.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const packageRoot = resolve(import.meta.dirname, '../..');

testNeeding(
  ['Linux', 'root', 'a loop device'],
  'a power cut after any commit of the demo leaves both repositories as they were, with a clean index',
  async ({ signal }) => {
    const program = await bundleProgram(resolve(packageRoot, 'test/fixtures/powerCut.ts'));
    const order: PowerCutOrder = { directory: await makeTemporaryDirectory(), packageRoot };
    const args = ['--mount', '--propagation', 'private', process.execPath, program, JSON.stringify(order)];
    const { stdout } = await promisify(execFile)('unshare', args, { signal, killSignal: 'SIGKILL' });
    const cuts: readonly PowerCut[] = JSON.parse(stdout);
    expect(cuts.map(({ what }) => what)).toEqual([
      'the vault is made',
      'the project is adopted',
      ...['analyse-work', 'reflect', 'dream', 'triage'].map((phase) => `${phase} is committed`),
    ]);
    for (const { what, before, after } of cuts) {
      expect(after, what).toEqual(before);
      for (const { damage } of Object.values(after.repositories)) expect(damage, what).toBe('');
    }
    expect(cuts.at(-1)?.after.repositories).toMatchObject({ project: { status: '## main\n' }, vault: {} });
  },
);
