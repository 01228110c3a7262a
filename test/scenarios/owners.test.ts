import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { socketPathBytesMax } from '../../src/server/socketPath.ts';
import { runHere } from '../support/commandHere.ts';
import { makeGitProject } from '../support/gitProject.ts';
import { formatScenario, goodReflection } from '../support/phaseWorld.ts';
import { type Ran, type RunningProgram, startRavel } from '../support/runProgram.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const startersCount = 8;

describe('eight daemons started on one vault', () => {
  const deadPid = () => spawnSync(process.execPath, ['--version']).pid;
  const processes = createProcesses(nodeDisk);

  /** Who wrote the newest lock file that the daemons find. */
  const leftovers: Readonly<Record<string, () => Promise<object | undefined>>> = {
    'no lock': async () => undefined,
    'the lock of a dead process': async () => ({ ...(await processes.self()), pid: deadPid() }),
    'the lock of a pid that another process now has': async () => ({ ...(await processes.self()), startTime: '1' }),
    'the lock of an earlier boot': async () => ({ ...(await processes.self()), bootId: 'before' }),
  };

  test.each(Object.entries(leftovers))(
    'leave exactly one owner when they find %s',
    { timeout: 60_000 },
    async (_name, leftover) => {
      const vault = join(await makeTemporaryDirectory(), 'vault');
      const environment = { RAVEL_VAULT: vault, HOME: vault };
      expect((await runHere(['init', vault], { environment })).code).toBe(0);
      const identity = await leftover();
      if (identity !== undefined) {
        const lock = { generation: 7, ...identity, socket: join(vault, 'runtime/daemon.sock') };
        const path = join(vault, 'runtime/daemon.lock.7');
        await writeFile(path, JSON.stringify(lock));
        // Of another boot one is taken for alive as long as its lock is young.
        await utimes(path, 0, 0);
      }
      const starters = Array.from({ length: startersCount }, () => startRavel(['daemon', '--json'], { environment }));
      const { owners, losers } = await sortOut(starters, vault);
      expect(owners).toHaveLength(1);
      const [owner] = owners;
      for (const { code, stdout } of losers) {
        expect(code).toBe(5);
        expect(JSON.parse(stdout)).toMatchObject({
          error: { code: 'vault/owned', message: expect.stringContaining(`process ${owner?.child.pid}`) },
        });
      }
      const status = await runHere(['status', '--json'], { environment });
      expect(JSON.parse(status.stdout)).toMatchObject({ result: { plans: [] } });
      const locks = (await readdir(join(vault, 'runtime'))).filter((name) => name.startsWith('daemon.lock.'));
      expect(locks).toHaveLength(1);
      expect(JSON.parse(await readFile(join(vault, 'runtime', locks[0] ?? ''), 'utf8'))).toMatchObject({
        pid: owner?.child.pid,
      });
      owner?.child.kill('SIGTERM');
      expect((await owner?.ended)?.code).toBe(0);
    },
  );

  /** Resolves once all but one have ended and that one answers. */
  async function sortOut(
    starters: readonly RunningProgram[],
    vault: string,
  ): Promise<{ owners: readonly RunningProgram[]; losers: readonly Ran[] }> {
    const losers: Ran[] = [];
    const ended = new Set<RunningProgram>();
    await new Promise<void>((resolve, reject) => {
      for (const starter of starters) {
        starter.ended.then((ran) => {
          losers.push(ran);
          ended.add(starter);
          if (ended.size === startersCount - 1) resolve();
        }, reject);
      }
    });
    // Another one may have won and be about to end: it does not answer then.
    const hello = await runHere(['status', '--json'], { environment: { RAVEL_VAULT: vault, HOME: vault } });
    expect(hello.code).toBe(0);
    return { owners: starters.filter((starter) => !ended.has(starter)), losers };
  }
});

test('a vault whose path is too long for a Unix socket is served through a shorter one', {
  timeout: 60_000,
}, async () => {
  const root = await makeTemporaryDirectory();
  const parent = join(root, 'a-folder-with-a-long-name-'.repeat(3), 'and-another-one-below-it-'.repeat(3));
  await mkdir(parent, { recursive: true });
  const vault = join(parent, 'vault'.padEnd(20, '-'));
  expect(Buffer.byteLength(join(vault, 'runtime/daemon.sock'))).toBeGreaterThanOrEqual(200);
  const project = await makeGitProject({ files: { 'README.md': '# Greeter\n' }, below: 'Greeter' });
  const environment = { ...project.environment, RAVEL_VAULT: vault, TMPDIR: root };
  const ravel = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere([...args, '--json'], { environment });
    const last = stdout.trimEnd().split('\n').at(-1) ?? '';
    expect([args[0], code, stderr]).toEqual([args[0], 0, '']);
    return JSON.parse(last).result;
  };
  await ravel('init', vault);
  await ravel('adopt', project.directory, '--description', 'Greets people');
  await project.write('ravel/project-root/phase.md', 'reflect\n');
  const scenario = join(root, 'scenario.yaml');
  await writeFile(scenario, formatScenario({ reflect: goodReflection }));

  const daemon = startRavel(['daemon'], { environment });
  await daemon.printed(`Serving ${vault} at `);
  const lock = (await readdir(join(vault, 'runtime'))).find((name) => name.startsWith('daemon.lock.')) ?? '';
  const { socket } = JSON.parse(await readFile(join(vault, 'runtime', lock), 'utf8'));
  expect(socket.startsWith(join(root, 'ravel-'))).toBe(true);
  expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(socketPathBytesMax);
  const report = await ravel('run', 'Greeter', '--phase', 'reflect', '--harness', 'scripted', '--scenario', scenario);
  expect(report).toMatchObject({ phase: 'reflect', end: 'finished', next: 'triage' });
  expect(await project.read('ravel/project-root/memory.yaml')).toContain('id: learned');
  daemon.child.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});
