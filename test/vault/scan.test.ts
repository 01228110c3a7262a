import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blockingDisk } from '../../src/base/blockingDisk.ts';
import type { ReadingDisk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { outlineOf, overviewOf, type PlanOverview } from '../../src/vault/planOverview.ts';
import { outlineVault, overviewOfVault } from '../../src/vault/scan.ts';
import { StampedCache } from '../../src/vault/stampedCache.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { traceDisk } from '../support/tracingDisk.ts';

const dayMs = 86_400_000;

/** A vault whose files were written long ago by the clock that the test sets. */
async function makeVault(plans = 40) {
  const folder = await makeTemporaryDirectory();
  const layout = new VaultLayout(writeLargeVault(folder, { plans, projects: 1, records: 2 }));
  const root = join(folder, 'code-0', 'ravel', 'project-root');
  let nowMs = Date.now() + dayMs;
  let cacheText = '';
  return {
    root,
    layout,
    setClock: (ms: number) => {
      nowMs = ms;
    },
    /** One scan as after a restart: the cache is written to text and read back. */
    async scan(disk: ReadingDisk = blockingDisk) {
      const read: string[] = [];
      const traced = traceDisk({ ...nodeDisk, ...disk }, (_n, name, path) => {
        if (name === 'readEach') read.push(path);
      });
      const cache = StampedCache.parse(cacheText, '1');
      const ports = { disk: traced, layout, wallMs: () => nowMs };
      const { plans: found, diagnostics, seen } = await overviewOfVault(ports, overviewOf, cache);
      cacheText = cache.format('1');
      const overviews = seen.map((text): PlanOverview => JSON.parse(text));
      return { read, diagnostics, ids: found.map(({ id }) => id), overviews, root: overviews[0] };
    },
  };
}

const marker = (description: string) => `---\nschema-version: 1\ndescription: ${description}\n---\n`;

test('outlineVault outlines every plan, sorted by id', async () => {
  const { layout } = await makeVault();
  const { plans, seen } = await outlineVault({ disk: nodeDisk, layout, wallMs: () => 0 }, outlineOf);
  expect(plans).toHaveLength(40);
  expect(plans.map(({ id }) => id)).toEqual(plans.map(({ id }) => id).toSorted());
  expect(JSON.parse(seen[0] ?? '')).toMatchObject({ description: /plan 0 of project 0/, phase: 'work' });
});

test('a second scan reads nothing and finds the same', async () => {
  const vault = await makeVault();
  const first = await vault.scan();
  expect(first.read).toHaveLength(40 * 3);
  const second = await vault.scan();
  expect(second.read).toEqual([]);
  expect(second.overviews).toEqual(first.overviews);
  expect(second.ids).toEqual(first.ids);
});

describe('the next scan finds an edit', () => {
  async function check(edit: (file: string) => void): Promise<void> {
    const vault = await makeVault(3);
    const file = join(vault.root, 'plan-state.md');
    writeFileSync(file, marker('What was'));
    await vault.scan();
    edit(file);
    const after = await vault.scan();
    expect(after.root?.description).toBe('What is!');
    expect(after.read).toHaveLength(3);
  }

  test('the next scan finds an edit of the same size', () => check((file) => writeFileSync(file, marker('What is!'))));

  test('the next scan finds an edit whose modification time was set back', () =>
    check((file) => {
      utimesSync(file, 1000, 1000);
      writeFileSync(file, marker('What is!'));
      utimesSync(file, 1000, 1000);
    }));

  test('by renaming a file with the old time over it', () =>
    check((file) => {
      writeFileSync(`${file}.new`, marker('What is!'));
      utimesSync(`${file}.new`, 1000, 1000);
      renameSync(`${file}.new`, file);
    }));

  test('by a longer text', () => check((file) => writeFileSync(file, `${marker('What is!')}More.\n`)));
});

test('a file that changed less than two seconds ago, or in the future, is read every time', async () => {
  const vault = await makeVault(2);
  for (const nowMs of [Date.now(), Date.now() - dayMs]) {
    vault.setClock(nowMs);
    await vault.scan();
    expect((await vault.scan()).read).toHaveLength(6);
  }
  vault.setClock(Date.now() + dayMs);
  await vault.scan();
  expect((await vault.scan()).read).toEqual([]);
});

test('a scan includes the run state from when it appears until it is removed', async () => {
  const vault = await makeVault(2);
  expect((await vault.scan()).root?.ran).toBeUndefined();
  mkdirSync(vault.layout.plans, { recursive: true });
  const file = join(vault.layout.plans, 'p0%2Fproject-root.yaml');
  writeFileSync(file, 'cycle: 1\n');
  expect((await vault.scan()).root?.ran).toMatchObject({ state: { cycle: 1 } });
  writeFileSync(file, 'cycle: 2\n');
  expect((await vault.scan()).root?.ran).toMatchObject({ state: { cycle: 2 } });
  rmSync(file);
  expect((await vault.scan()).root?.ran).toBeUndefined();
});

describe.each([
  ['blockingDisk', blockingDisk],
  ['nodeDisk', nodeDisk],
])('a scan through %s', (_name, disk) => {
  test('finds the faults of each plan', async () => {
    const vault = await makeVault(12);
    const at = (n: number, name: string) => join(vault.root, 'group-0', `plan-${n}`, name);
    rmSync(at(2, 'phase.md'));
    rmSync(at(3, 'backlog.yaml'));
    mkdirSync(at(3, 'backlog.yaml'));
    rmSync(at(4, 'backlog.yaml'));
    symlinkSync('backlog.yaml', at(4, 'backlog.yaml'));
    rmSync(at(5, 'backlog.yaml'));
    execFileSync('mkfifo', [at(5, 'backlog.yaml')]);
    truncateSync(at(6, 'backlog.yaml'), 1024 ** 3);
    writeFileSync(at(7, 'backlog.yaml'), new Uint8Array([0x74, 0xff, 0x0a]));
    writeFileSync(at(8, 'backlog.yaml'), '\ufefftasks: []\r\n');
    for (let round = 0; round < 2; round++) {
      const { ids, overviews } = await vault.scan(disk);
      const codes = (n: number) =>
        overviews[ids.findIndex((id) => id.endsWith(`/plan-${n}`))]?.faults.map(({ code }) => code);
      expect([2, 3, 4, 5, 6, 7, 8, 9].map(codes)).toEqual([
        ['plan/badPhase'],
        ['disk/failed'],
        ['disk/failed'],
        ['disk/failed'],
        ['disk/tooLarge'],
        ['yaml/encoding'],
        [],
        [],
      ]);
    }
  });

  test('shows each plan as before or after a concurrent change, and the next scan shows it as it is', async () => {
    const vault = await makeVault(40);
    const file = (n: number) => join(vault.root, 'group-0', `plan-${n}`, 'plan-state.md');
    let step = 0;
    const moving: ReadingDisk = {
      ...disk,
      readEach(paths, bytesMax) {
        step += 1;
        const n = 2 + (step % 28);
        if (step % 4 === 0) rmSync(file(n), { force: true });
        else if (step % 4 === 1) writeFileSync(file(n), marker(`Step ${step}`));
        else if (step % 4 === 2) appendFileSync(file(n), 'More.\n');
        else {
          writeFileSync(`${file(n)}.new`, marker(`Step ${step}`));
          renameSync(`${file(n)}.new`, file(n));
        }
        return disk.readEach(paths, bytesMax);
      },
    };
    vault.setClock(Date.now() + dayMs);
    expect((await vault.scan(moving)).overviews.length).toBeGreaterThan(10);
    for (let n = 2; n < 30; n++) writeFileSync(file(n), marker(`At rest ${n}`));
    const { ids, overviews } = await vault.scan(disk);
    for (let n = 2; n < 30; n++) {
      expect(overviews[ids.findIndex((id) => id.endsWith(`/plan-${n}`))]?.description).toBe(`At rest ${n}`);
    }
  });
});

test('an aborted scan ends', async () => {
  const { layout } = await makeVault(3);
  const signal = AbortSignal.abort(new Error('no longer wanted'));
  await expect(outlineVault({ disk: nodeDisk, layout, wallMs: () => 0, signal }, outlineOf)).rejects.toThrow('wanted');
});
