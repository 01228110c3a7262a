import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { passingRefusal } from '../../src/actors/refusal.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses, type RunProgram } from '../../src/harness/processTable.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { failureOf } from '../support/failureOf.ts';
import { spawnProgram } from '../support/spawnProgram.ts';
import { failingDisk, systemError, traceDisk } from '../support/tracingDisk.ts';

function start(program: string, args: readonly string[]): ChildProcess & { readonly pid: number } {
  const child = spawnProgram(program, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} did not start`);
  return Object.assign(child, { pid });
}

describe('the process table of this system', () => {
  const processes = createProcesses(nodeDisk);

  test('identifies this process the same way every time', async () => {
    const self = await processes.self();
    expect(self).toMatchObject((await processes.identify(process.pid)) ?? {});
    expect(self.pid).toBe(process.pid);
    expect(self).toEqual(await createProcesses(nodeDisk).self());
    expect(await processes.isAlive(self)).toBe(true);
  });

  test('identifies a process until it ends', async () => {
    const child = start(process.execPath, ['-e', 'process.stdin.resume(); console.log("up")']);
    await once(child.stdout ?? child, 'data');
    const identity = await processes.identify(child.pid);
    expect(identity?.pid).toBe(child.pid);
    if (identity === undefined) return;
    expect(await processes.isAlive(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await processes.isAlive(identity)).toBe(false);
    expect(await processes.identify(child.pid)).toBeUndefined();
  });

  test('does not take a recycled pid or an earlier boot for the same process', async () => {
    const self = await processes.self();
    expect(await processes.isAlive({ ...self, startTime: '1' })).toBe(false);
    expect(await processes.isAlive({ ...self, bootId: 'another' })).toBe(false);
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 31 - 1])('does not know a process %d', async (pid) => {
    expect(await processes.identify(pid)).toBeUndefined();
  });
});

describe('the process table of Linux', () => {
  const fields = (state: string) => `${state} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21`;
  const diskOf = (stat: string | Error): Disk => ({
    ...nodeDisk,
    readFile: async (path) => {
      if (path.endsWith('boot_id')) return Buffer.from('boot-1\n');
      if (stat instanceof Error) throw stat;
      return Buffer.from(stat);
    },
  });

  async function check(stat: string | Error, expected: string | undefined): Promise<void> {
    const identity = await createProcesses(diskOf(stat), { platform: 'linux' }).identify(42);
    expect(identity).toEqual(expected === undefined ? undefined : { pid: 42, startTime: expected, bootId: 'boot-1' });
  }

  test.each<[string, string | Error, string | undefined]>([
    ['reads the start time after a plain name', `42 (node) ${fields('S')}`, '4711'],
    ['reads the start time after a name with parentheses and blanks', `42 (a) R 1 (b c) ) ${fields('R')}`, '4711'],
    ['counts a zombie as ended', `42 (node) ${fields('Z')}`, undefined],
    ['counts a dead process as ended', `42 (node) ${fields('X')}`, undefined],
    ['counts a missing process as ended', systemError('ENOENT'), undefined],
    ['counts a process that ends while it is read as ended', systemError('ESRCH'), undefined],
    ['counts a process that ends before it is read as ended', '', undefined],
  ])('%s', (_name, stat, expected) => check(stat, expected));

  test.each(['EIO', 'EMFILE'])('does not take a lookup that fails with %s for an ended process', async (code) => {
    const error = await check(systemError(code), undefined).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'disk/failed', message: expect.stringContaining(code) });
    // No message becomes a dead letter by it.
    expect(passingRefusal(error, toQualifiedId('shop/project-root'))).toBe(error);
  });

  test('asks who it is until it knows, and then never again', async () => {
    const asked: string[] = [];
    const refused = new Set(['readFile', 'readLink']);
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      asked.push(path);
      // Each kind of question is refused once.
      if (refused.delete(path.endsWith('boot_id') ? 'boot' : name)) throw systemError('EMFILE');
    });
    refused.add('boot');
    const processes = createProcesses(disk, { platform: 'linux' });
    for (let tries = 0; tries < 3; tries++) {
      expect(await failureOf(processes.self)).toMatchObject({ code: 'disk/failed' });
    }
    const self = await processes.self();
    expect(self).toEqual(await createProcesses(nodeDisk, { platform: 'linux' }).self());
    asked.length = 0;
    expect(await processes.self()).toEqual(self);
    expect(asked).toEqual([]);
  });

  test('has no namespace if the system reports none', async () => {
    const disk = failingDisk(nodeDisk, { code: 'ENOENT', at: 1, matches: (name) => name === 'readLink' });
    expect((await createProcesses(disk, { platform: 'linux' }).self()).namespace).toBeUndefined();
  });
});

describe('the process table of macOS', () => {
  const run =
    (ps: string | undefined): RunProgram =>
    async (program) =>
      program.endsWith('ps') ? ps : '0A1B\n';

  test.each<[string, string | undefined, string | undefined]>([
    ['reads the start time of a process', 'Ss   Fri Nov  6 18:00:01 2026    \n', 'Fri Nov 6 18:00:01 2026'],
    ['counts a zombie as ended', 'Z+   Fri Nov  6 18:00:01 2026    \n', undefined],
    ['counts a failed lookup as ended', undefined, undefined],
    ['counts an empty answer as ended', '\n', undefined],
  ])('%s', async (_name, ps, startTime) => {
    const identity = await createProcesses(nodeDisk, { platform: 'darwin', run: run(ps) }).identify(42);
    expect(identity).toEqual(startTime === undefined ? undefined : { pid: 42, startTime, bootId: '0A1B' });
  });
});

test('a program of macOS that takes too long says nothing about the process', async () => {
  const late = () => Promise.reject(Object.assign(new Error('Command failed'), { killed: true, code: null }));
  const processes = createProcesses(nodeDisk, { platform: 'darwin', run: late });
  expect(await failureOf(() => processes.identify(42))).toMatchObject({ code: 'disk/failed' });
});

describe('the process table of other systems', () => {
  test('knows whether a pid is in use', async () => {
    const processes = createProcesses(nodeDisk, { platform: 'win32' });
    const self = await processes.self();
    expect(await processes.isAlive(self)).toBe(true);
    expect(await processes.identify(2 ** 31 - 1)).toBeUndefined();
  });
});
