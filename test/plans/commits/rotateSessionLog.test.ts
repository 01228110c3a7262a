import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { yamlBytesMax } from '../../../src/base/yamlBounds.ts';
import { rotateSessionLog, sessionLogBytesMax } from '../../../src/plans/commits/rotateSessionLog.ts';
import { listLogParts, loadOlderSessions } from '../../../src/plans/sessionArchive.ts';
import { LockQueues } from '../../../src/vault/lockQueues.ts';
import { parseYaml } from '../../../src/yaml/yaml.ts';
import { everyCrashPoint } from '../../support/crashPoints.ts';
import { dyingServices } from '../../support/dyingServices.ts';
import { MemoryDisk } from '../../support/memoryDisk.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

/** A log of records with these numbers, of 4 KiB each. */
function logOf(from: number, to: number): string {
  const records = Array.from({ length: to - from }, (_, n) => {
    const id = from + n;
    const day = `2026-01-${String(1 + Math.floor(id / 30)).padStart(2, '0')}`;
    return `# of ${id}\n- id: s${id}\n  timestamp: ${day}T08:00:00Z\n  phase: work\n  body: |\n    ${'x'.repeat(4000)}\n`;
  });
  return `# mine\nsessions:\n${records.join('')}`;
}

const idsOf = (text = '') =>
  (
    (parseYaml(text, { file: 'a', subject: 'a' }).value as { sessions?: { id: string }[] } | undefined)?.sessions ?? []
  ).map(({ id }) => id);
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `s${from + n}`);

function partsOf(world: PlanWorld): string[] {
  return readdirSync(join(world.project, 'ravel/project-root')).filter((name) => /^session-log\..+\.yaml$/.test(name));
}

const makeLog = (text: string) => makePlanWorld({ plan: { 'session-log.yaml': text } });

describe('a session log', () => {
  test('that is small stays as it is', async () => {
    const world = await makeLog(logOf(0, 50));
    await rotateSessionLog(world.services, world.plan);
    expect(partsOf(world)).toEqual([]);
  });

  test('that is large keeps its newest records, and the others move to another file, byte for byte', async () => {
    const text = logOf(0, 70);
    const world = await makeLog(text);
    await rotateSessionLog(world.services, world.plan);
    const newer = world.planText('session-log.yaml') ?? '';
    expect(partsOf(world)).toEqual(['session-log.2026-01-02.yaml']);
    const older = world.planText('session-log.2026-01-02.yaml') ?? '';
    expect(idsOf(newer)).toEqual(numbers(54, 70));
    expect(`${older}${newer.replace('# mine\nsessions:\n', '')}`).toBe(text);
    expect((await loadOlderSessions(world.services, world.plan)).map(({ id }) => id)).toEqual(numbers(0, 54));
    expect(await loadOlderSessions(world.services, world.plan, 's5')).toMatchObject([{ id: 's5' }]);
  });

  test('never grows beyond its bound, however many sessions there are', async () => {
    const world = await makeLog(logOf(0, 10));
    for (let at = 10; at < 400; at += 30) {
      world.writePlan(
        'session-log.yaml',
        `${world.planText('session-log.yaml')}${logOf(at, at + 30).split('sessions:\n')[1]}`,
      );
      await rotateSessionLog(world.services, world.plan);
      expect((world.planText('session-log.yaml') ?? '').length).toBeLessThanOrEqual(sessionLogBytesMax);
    }
    const older = await loadOlderSessions(world.services, world.plan);
    expect([...older.map(({ id }) => id), ...idsOf(world.planText('session-log.yaml'))]).toEqual(numbers(0, 400));
  });

  test('too large to be edited is put aside as a whole', async () => {
    const text = `sessions:\n${'# x\n'.repeat(yamlBytesMax / 4)}`;
    const world = await makeLog(text);
    await rotateSessionLog(world.services, world.plan);
    const [part = ''] = partsOf(world);
    expect([world.planText('session-log.yaml'), world.planText(part)?.length]).toEqual([undefined, text.length]);
  });

  test('that cannot be read stays as it is, since the next append reports the problem', async () => {
    const text = `${logOf(0, 70)}: [\n`;
    const world = await makeLog(text);
    await rotateSessionLog(world.services, world.plan);
    expect([world.planText('session-log.yaml'), partsOf(world)]).toEqual([text, []]);
  });
});

test('a rotation that is cut short anywhere, by the power too, loses no record and puts none twice', async () => {
  const world = await makeLog(logOf(0, 70));
  const folder = join(world.project, 'ravel/project-root');
  const textOf = async (disk: MemoryDisk, name: string) => (await disk.readFile(join(folder, name))).toString();
  for (const cutsPower of [false, true]) {
    const { tried } = await everyCrashPoint<MemoryDisk>({
      what: 'the division of a session log',
      make: async () => MemoryDisk.copyOf(world.folder),
      async run(disk, { life, begin, tell }) {
        begin();
        await rotateSessionLog(dyingServices(world.services, disk, life), world.plan);
        tell();
      },
      async look(disk) {
        const services = { ...world.services, disk, lockQueues: new LockQueues() };
        const isDivided = (await listLogParts(services, world.plan)).length > 0;
        await rotateSessionLog(services, world.plan);
        const names = [...(await listLogParts(services, world.plan)), 'session-log.yaml'];
        const ids: string[] = [];
        for (const name of names) ids.push(...idsOf(await textOf(disk, name)));
        expect(ids).toEqual(numbers(0, 70));
        return { end: isDivided ? 'begun' : 'whole', times: 1, isOwed: true };
      },
      ...(cutsPower && { afterPowerCut: (disk: MemoryDisk, seed: number) => disk.afterPowerCut(seed) }),
    });
    expect(tried).toBeGreaterThan(5);
  }
});
