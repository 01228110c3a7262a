import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { VaultScanner } from '../../src/vault/vaultScanner.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { bundleProgram } from '../support/program.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(fileURLToPath(new URL('../../src/vault/scanWorker.ts', import.meta.url)));
});

async function makeScanner({ plans = 60, foldersMax = 10, ...options }: Record<string, unknown> = {}) {
  const folder = await makeTemporaryDirectory();
  const layout = new VaultLayout(writeLargeVault(folder, { plans: Number(plans), projects: 2, records: 2 }));
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => warnings.push(message) };
  // Long after the files were written; only then are their stamps trusted.
  const clock = { wallMs: () => Date.now() + 86_400_000 };
  const ports = { disk: nodeDisk, layout, clock, log, version: '1' };
  const make = (program: string | undefined) =>
    new VaultScanner({
      ...ports,
      foldersMax: Number(foldersMax),
      ...(program !== undefined && { program }),
      ...options,
    });
  const cached = () => (existsSync(layout.cache) ? readdirSync(layout.cache).sort() : []);
  return { folder, layout, warnings, cached, inThread: make(program), here: make(undefined), make };
}

describe('a scan in a worker thread finds the same as one in this thread', () => {
  test('for outlines and overviews, even from the cache', async () => {
    const { inThread, here, cached, warnings } = await makeScanner();
    expect(await inThread.outlines()).toEqual(await here.outlines());
    expect(await inThread.overviews()).toEqual(await here.overviews());
    await inThread.stop();
    expect(cached()).toEqual(['overviews']);
    // Again, from the cache.
    expect(await inThread.overviews()).toEqual(await here.overviews());
    expect(warnings).toEqual([]);
  });

  test('for what it has already, which is not told again', async () => {
    const { folder, inThread, here, make } = await makeScanner();
    const scan = async () => {
      const { plans, seen } = await inThread.overviews();
      // The mark of the cache comes after the findings.
      await inThread.stop();
      expect(seen.map(({ plan }) => plan)).toEqual(plans);
      return seen;
    };
    const first = await scan();
    const again = await scan();
    expect(again.every((one, n) => one === first[n])).toBe(true);
    // One that changed is told, and the others are still known.
    const { plan } = first[7] ?? {};
    writeFileSync(join(plan?.directory ?? '', 'backlog.yaml'), 'tasks: []\n');
    const changed = await scan();
    expect(changed).toEqual((await here.overviews()).seen);
    expect(changed.flatMap((one, n) => (one === first[n] ? [] : [n]))).toEqual([7]);
    expect((await scan()).every((one, n) => one === changed[n])).toBe(true);
    // Another program that writes the cache meanwhile may have seen other values.
    writeFileSync(join(folder, 'code-1/ravel/project-root/phase.md'), 'dream\n');
    const other = make(program);
    await other.overviews();
    await other.stop();
    expect(await scan()).toEqual((await here.overviews()).seen);
  });

  test('for verification, even from the cache', async () => {
    const { folder, layout, inThread, cached } = await makeScanner();
    writeFileSync(join(folder, 'code-0/ravel/project-root/backlog.yaml'), 'tasks: [\n');
    mkdirSync(join(folder, 'code-1/ravel/project-root/x/project-root'), { recursive: true });
    const expected = await verifyVault(nodeDisk, layout);
    expect(expected.diagnostics.length).toBeGreaterThan(1);
    for (let round = 0; round < 2; round++) {
      const done: number[] = [];
      const found = await inThread.verify((count, total) => done.push(count, total));
      expect(found).toEqual(expected);
      expect(done.slice(-2)).toEqual([60, 60]);
      await inThread.stop();
    }
    expect(cached()).toEqual(['verified']);
  });
});

test('a damaged cache is ignored and rewritten', async () => {
  const { layout, inThread, here } = await makeScanner();
  const file = join(layout.cache, 'overviews');
  await inThread.overviews();
  await inThread.stop();
  const damaged = readFileSync(file, 'utf8').replaceAll('"work"', '"nope"');
  writeFileSync(file, damaged);
  expect(await inThread.overviews()).toEqual(await here.overviews());
  await inThread.stop();
  expect(readFileSync(file, 'utf8')).not.toBe(damaged);
});

test('a small vault is scanned in this thread and leaves no cache', async () => {
  const { inThread, cached } = await makeScanner({ plans: 4 });
  expect((await inThread.overviews()).seen).toHaveLength(4);
  expect((await inThread.verify(() => undefined)).plans).toBe(4);
  await inThread.stop();
  expect(cached()).toEqual([]);
});

test.each(['with a missing worker program', 'with a worker program that throws'])(
  '%s the scan runs in this thread and a warning is logged',
  async (what) => {
    const { folder, make, here, warnings } = await makeScanner();
    const broken = join(folder, 'broken.mjs');
    if (what !== 'with a missing worker program') writeFileSync(broken, 'throw new Error("it broke");\n');
    const scanner = make(broken);
    expect(await scanner.overviews()).toEqual(await here.overviews());
    expect((await scanner.verify(() => undefined)).plans).toBe(60);
    expect(warnings).toHaveLength(2);
    await scanner.stop();
  },
);

test('an aborted scan ends its thread', async () => {
  const { inThread } = await makeScanner({ plans: 400 });
  const controller = new AbortController();
  const verified = inThread.verify(() => controller.abort(new Error('no longer wanted')), controller.signal);
  await expect(verified).rejects.toThrow('no longer wanted');
  await inThread.stop();
  await expect(inThread.overviews(controller.signal)).rejects.toThrow('no longer wanted');
});

test('verifying in a thread blocks this one for less than a quarter of its duration (99th percentile)', async () => {
  const { inThread } = await makeScanner({ plans: 1500 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startMs = performance.now();
  delay.enable();
  expect((await inThread.verify(() => undefined)).plans).toBe(1500);
  delay.disable();
  const tookMs = performance.now() - startMs;
  await inThread.stop();
  console.info(`verified in ${Math.round(tookMs)} ms; delays up to ${(delay.max / 1e6).toFixed(1)} ms`);
  expect(delay.percentile(99) / 1e6).toBeLessThan(tookMs / 4);
});
