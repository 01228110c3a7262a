import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createChores } from '../../src/housekeeping/chores.ts';
import { ManualClock } from '../support/manualClock.ts';
import { openCore } from '../support/openCore.ts';
import { makePlanWorld } from '../support/planServices.ts';
import { makeWorld } from '../support/world.ts';

const dayMs = 86_400_000;
const ulid = '01M0A9XQYJ6N8K3T5V7W9Y1Z2A';
const hex = '0123456789ab';

/** Runs each chore once in a vault with these files, each so many days old; checks which of them are left. */
async function check(files: Readonly<Record<string, number>>, expected: readonly string[]) {
  const world = await makePlanWorld({ source: { 'a.txt': 'a' } });
  const { services, locate, plan } = world;
  const nowMs = services.clock.wallMs();
  for (const [file, days] of Object.entries(files)) {
    const path = join(world.folder, file);
    const seconds = (nowMs - days * dayMs) / 1000;
    await mkdir(dirname(path), { recursive: true });
    if (file.endsWith('/')) await mkdir(path);
    else await writeFile(path, 'x'.repeat(1000));
    await utimes(path, seconds, seconds);
    if (file.includes('runtime/sessions/')) await utimes(dirname(path), seconds, seconds);
  }
  const location = await locate(plan);
  const chores = createChores(services, { all: async () => ({ plans: [location], diagnostics: [] }) }, () => false);
  const signal = new AbortController().signal;
  const reports = [];
  for (const { run } of chores) reports.push(await run(signal));
  expect(Object.keys(files).filter((file) => existsSync(join(world.folder, file)))).toEqual(expected);
  return reports;
}

const vault = 'vault';
const planFolder = 'Demo/ravel/project-root';

test('old sessions go, young ones stay, and both are counted', async () => {
  const old = `${vault}/runtime/sessions/${ulid}/spool`;
  const young = `${vault}/runtime/sessions/${ulid.replace('01M', '01N')}/spool`;
  const [report] = await check({ [old]: 31, [young]: 29 }, [young]);
  expect(report).toEqual({ removed: 1, bytes: 1000, problems: [] });
});

test('of half-written files only those of Ravel go, and only once they are a day old', () =>
  check(
    {
      [`${vault}/runtime/plans/.p.yaml.${hex}.tmp`]: 2,
      [`${vault}/runtime/.ledger.jsonl.${hex}.tmp`]: 0.9,
      [`${vault}/runtime/grants/Demo/.${ulid}.json.${hex}.tmp`]: 2,
      [`${vault}/runtime/questions/Demo/.${ulid}.json.${hex}.tmp`]: 2,
      [`${vault}/runtime/questions/Demo/.${ulid}.yaml.${hex}.tmp`]: 0.9,
      [`${vault}/runtime/programs/.Demo.json.${hex}.tmp`]: 2,
      [`${vault}/runtime/hooks/0123/.pre-commit.${hex}.tmp`]: 2,
      [`${planFolder}/.backlog.yaml.${hex}.tmp`]: 2,
      [`${planFolder}/.backlog.yaml.${ulid}.tmp`]: 90,
      [`${planFolder}/.mine.txt.${hex}.tmp`]: 90,
      [`${planFolder}/backlog.yaml.tmp`]: 90,
    },
    [
      `${vault}/runtime/.ledger.jsonl.${hex}.tmp`,
      `${vault}/runtime/questions/Demo/.${ulid}.yaml.${hex}.tmp`,
      `${planFolder}/.backlog.yaml.${ulid}.tmp`,
      `${planFolder}/.mine.txt.${hex}.tmp`,
      `${planFolder}/backlog.yaml.tmp`,
    ],
  ));

test('locks of earlier owners and indexes of killed commits go with them', () =>
  check(
    {
      [`${vault}/runtime/plans/gone.lock.3`]: 2,
      'Demo/.git/ravel-index-m1abc-0/': 8,
      'Demo/.git/ravel-index-m2abc-0/': 6,
      'Demo/.git/index.lock': 90,
    },
    ['Demo/.git/ravel-index-m2abc-0/', 'Demo/.git/index.lock'],
  ));

test('the messages of a plan whose phase runs wait for the next time', async () => {
  const received = Array.from({ length: 80 }, (_, n) => ({
    ...{ id: `note-${n}`, from: 'person', at: '2026-01-01T00:00:00Z', reason: 'Why', body: 'x'.repeat(4000) },
    ...{ state: 'declined', declined_reason: 'No' },
  }));
  const before = stringify({ tasks: [], received });
  const world = await makePlanWorld({ plan: { 'backlog.yaml': before } });
  const location = await world.locate(world.plan);
  const busy = new Set([world.plan]);
  const directory = { all: async () => ({ plans: [location], diagnostics: [] }) };
  const chores = createChores(world.services, directory, (plan) => busy.has(plan));
  const archive = () => chores[1]?.run(new AbortController().signal);
  await archive();
  expect(world.planText('backlog.yaml')).toBe(before);
  busy.clear();
  await archive();
  expect(world.planText('backlog.yaml')?.length).toBeLessThan(before.length);
});

test('an owner tidies its vault by itself, unless its settings say by then that it shall not', async () => {
  const tidy = async (settings: string, later: string) => {
    const world = await makeWorld({ settings: `[run]\nharness = "scripted"\n${settings}` });
    const session = join(world.vault, 'runtime/sessions', ulid);
    await mkdir(session, { recursive: true });
    await utimes(session, 1, 1);
    const kept = createDeferred<void>();
    const disk: Disk = {
      ...nodeDisk,
      async rename(from, to) {
        await nodeDisk.rename(from, to);
        if (to.endsWith('housekeeping.json')) kept.resolve();
      },
    };
    const clock = new ManualClock();
    const core = await openCore(world, { disk, clock, verifiesItself: true });
    await writeFile(join(world.vault, 'daemon.toml'), `[run]\nharness = "scripted"\n${later}`);
    await core.api.request('settings', {});
    const before = clock.scheduled;
    clock.advance(5 * 60_000);
    if (later === '') await kept.promise;
    const { checks } = await core.api.request('doctor', {});
    await core.stop();
    expect([before > clock.scheduled, existsSync(session)]).toEqual([true, later !== '']);
    return checks.filter(({ check }) => check === 'stale-files').map(({ message }) => message);
  };
  const off = '[retention]\nautomatic = false\n';
  const removed = 'Stale files were last removed at 2026-01-02T03:09:05Z: 1, with 0.0 MiB.';
  const isOff = 'Stale files are not removed automatically: retention.automatic is off.';
  expect(await tidy('', off)).toContainEqual(isOff);
  expect(await tidy(off, '')).toContainEqual(removed);
});
