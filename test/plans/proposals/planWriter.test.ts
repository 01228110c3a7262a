import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { sha256 } from '../../../src/base/files.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { backlogSchema } from '../../../src/model/backlog.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import {
  changeForPerson,
  changePlanFiles,
  clearAttributions,
  editPlanFile,
  isAttributed,
  withPlanLock,
} from '../../../src/plans/proposals/planWriter.ts';
import { readYaml } from '../../../src/yaml/yaml.ts';
import { failureOf } from '../../support/failureOf.ts';
import { backlogOf, makePlanWorld, type PlanWorld } from '../../support/planServices.ts';
import { bundleProgram } from '../../support/program.ts';
import { spawnProgram } from '../../support/spawnProgram.ts';
import { traceDisk } from '../../support/tracingDisk.ts';

function idsOf(world: PlanWorld): string[] {
  const place = { file: 'backlog.yaml', subject: world.plan };
  const { value } = readYaml(backlogSchema, world.planText('backlog.yaml') ?? '', place);
  return (value?.tasks ?? []).map((task) => task.id);
}

/** Replaces the backlog, as a verb does. */
const setBacklog = (world: PlanWorld, text: string | undefined) =>
  changePlanFiles(world.services, world.plan, () => ({ edits: new Map([['backlog.yaml', text]]), result: 'set' }));

describe('a change of plan files', () => {
  test('is made from fresh texts and returns its result', async () => {
    const world = await makePlanWorld();
    world.writePlan('backlog.yaml', '# mine\n');
    const result = await changePlanFiles(world.services, world.plan, (texts) => ({
      edits: new Map([['backlog.yaml', `${texts.get('backlog.yaml')}tasks: []\n`]]),
      result: [...texts.keys()].sort(),
    }));
    expect(result).toEqual([
      ...['backlog.yaml', 'dream-word-count', 'memory.yaml', 'phase.md', 'plan-state.md', 'session-log.yaml'],
    ]);
    expect(world.planText('backlog.yaml')).toBe('# mine\ntasks: []\n');
  });

  test('without a text removes the file', async () => {
    const world = await makePlanWorld();
    await setBacklog(world, undefined);
    expect(world.planText('backlog.yaml')).toBeUndefined();
  });

  test('of one file writes what it shall have, removes it, or leaves it as it is', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': 'tasks: []\n' } });
    const edit = (decide: (text: string | undefined) => string | undefined) =>
      editPlanFile(world.services, world.plan, 'backlog.yaml', decide);
    await edit((text) => `${text}# mine\n`);
    expect(world.planText('backlog.yaml')).toBe('tasks: []\n# mine\n');
    await edit((text) => {
      world.writePlan('backlog.yaml', '# saved\n');
      return text;
    });
    expect(world.planText('backlog.yaml')).toBe('# saved\n');
    await edit(() => undefined);
    await edit(() => undefined);
    expect(world.planText('backlog.yaml')).toBeUndefined();
    await edit((text) => text ?? '# new\n');
    expect(world.planText('backlog.yaml')).toBe('# new\n');
  });

  test('does not remove a file that was saved meanwhile', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': 'tasks: []\n' } });
    const remove = () =>
      changePlanFiles(world.services, world.plan, () => {
        world.writePlan('backlog.yaml', '# saved\n');
        return { edits: new Map([['backlog.yaml', undefined]]), result: undefined };
      });
    expect(await failureOf(remove)).toMatchObject({ code: 'yaml/changedMeanwhile' });
    expect(world.planText('backlog.yaml')).toBe('# saved\n');
  });

  test('by a verb is made again on top of a file that was saved in that moment', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': '# one\n' } });
    const seen: (string | undefined)[] = [];
    await changeForPerson(world.services, world.plan, (texts) => {
      const text = texts.get('backlog.yaml');
      if (seen.push(text) === 1) world.writePlan('backlog.yaml', '# one, saved\n');
      return { edits: new Map([['backlog.yaml', `${text}# two\n`]]), result: undefined };
    });
    expect(seen).toEqual(['# one\n', '# one, saved\n']);
    expect(world.planText('backlog.yaml')).toBe('# one, saved\n# two\n');
  });

  test('by a verb is not made again once one of its files was written', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': '# one\n', 'memory.yaml': '# one\n' } });
    let tries = 0;
    const both = () =>
      changeForPerson(world.services, world.plan, (texts) => {
        tries += 1;
        world.writePlan('memory.yaml', '# saved\n');
        const edits = ['backlog.yaml', 'memory.yaml'].map((file) => [file, `${texts.get(file as PlanFile)}# two\n`]);
        return { edits: new Map(edits as [PlanFile, string][]), result: undefined };
      });
    expect(await failureOf(both)).toMatchObject({ code: 'yaml/changedMeanwhile' });
    expect([tries, world.planText('memory.yaml')]).toEqual([1, '# saved\n']);
  });

  test('to the same text writes nothing', async () => {
    const written: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, path) => void (name === 'rename' && written.push(path)));
    const world = await makePlanWorld({ disk, plan: { 'backlog.yaml': 'tasks: []\n' } });
    await setBacklog(world, 'tasks: []\n');
    expect(written.filter((path) => path.includes('backlog'))).toEqual([]);
  });

  test('is refused for a missing plan and does not make it', async () => {
    const world = await makePlanWorld();
    rmSync(join(world.project, 'ravel/project-root'), { recursive: true });
    expect(await failureOf(() => setBacklog(world, 'x'))).toMatchObject({ code: 'plan/unknown', subject: world.plan });
    expect(existsSync(join(world.project, 'ravel/project-root'))).toBe(false);
  });

  test('does not overwrite what a person saved meanwhile', async () => {
    let world: PlanWorld | undefined;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name === 'open' && path.includes('.backlog.yaml.')) world?.writePlan('backlog.yaml', '# saved by Ada\n');
    });
    world = await makePlanWorld({ disk });
    const writing = world;
    expect(await failureOf(() => setBacklog(writing, 'tasks: []\n# mine\n'))).toMatchObject({
      code: 'yaml/changedMeanwhile',
    });
    expect(world.planText('backlog.yaml')).toBe('# saved by Ada\n');
    const names = readdirSync(join(world.project, 'ravel/project-root'));
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('concurrent changes of plan files', () => {
  test('wait for each other', async () => {
    const { services, plan } = await makePlanWorld();
    const log: string[] = [];
    const gate = createDeferred<void>();
    const inside = createDeferred<void>();
    const first = withPlanLock(services, plan, async () => {
      inside.resolve();
      await gate.promise;
      log.push('first');
    });
    await inside.promise;
    const second = withPlanLock(services, plan, async () => log.push('second'));
    gate.resolve();
    await Promise.all([first, second]);
    expect(log).toEqual(['first', 'second']);
  });

  test('are possible again after a failed one', async () => {
    const { services, plan } = await makePlanWorld();
    await expect(withPlanLock(services, plan, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withPlanLock(services, plan, async () => 'free')).toBe('free');
  });

  test('by two processes keep the tasks of both', { timeout: 60_000 }, async () => {
    const world = await makePlanWorld();
    const program = await bundleProgram(fileURLToPath(new URL('../../fixtures/taskAdder.ts', import.meta.url)));
    const add = async (name: string): Promise<string> => {
      const child = spawnProgram(process.execPath, [program]);
      onTestFinished(() => void child.kill('SIGKILL'));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect(await lines.next()).toMatchObject({ value: 'ready' });
      child.stdin.end(`${world.layout.root} ${world.plan} ${name} 12\n`);
      return String((await lines.next()).value);
    };
    expect(await Promise.all([add('one'), add('two')])).toEqual(['done', 'done']);
    const expected = ['one', 'two'].flatMap((name) => Array.from({ length: 12 }, (_, n) => `${name}-${n}`));
    expect(idsOf(world).sort()).toEqual(expected.sort());
  });
});

describe('attribution during a phase', () => {
  const [a, b, c] = ['one', 'two', 'three'].map((id) => backlogOf(id));

  /** Writes by verb or by editor, then checks whether the change from the first to the last text is attributed. */
  async function check(texts: readonly (readonly ['verb' | 'editor', string | undefined])[], expected: boolean) {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': a ?? '' } });
    await world.begin('reflect');
    for (const [by, text] of texts) {
      if (by === 'verb') await setBacklog(world, text);
      else world.writePlan('backlog.yaml', text ?? '');
    }
    const last = world.planText('backlog.yaml');
    const hashes = { before: sha256(a ?? ''), after: last === undefined ? undefined : sha256(last) };
    expect(await isAttributed(world.services, world.plan, 'backlog.yaml', hashes)).toBe(expected);
  }

  test('covers a file that only verbs changed', async () => {
    await check([['verb', b]], true);
    await check(
      [
        ['verb', b],
        ['verb', c],
      ],
      true,
    );
    await check(
      [
        ['verb', b],
        ['verb', a],
        ['verb', c],
      ],
      true,
    );
    await check([['verb', undefined]], true);
    await check(
      [
        ['verb', undefined],
        ['verb', c],
      ],
      true,
    );
  });

  test('is broken by a write that is not by a verb', async () => {
    await check([['editor', b]], false);
    await check(
      [
        ['verb', b],
        ['editor', c],
      ],
      false,
    );
    await check(
      [
        ['editor', b],
        ['verb', c],
      ],
      false,
    );
  });

  test('is kept per file and ends with the phase', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': a ?? '' } });
    await world.begin('reflect');
    await setBacklog(world, b);
    const hashes = { before: sha256(a ?? ''), after: sha256(b ?? '') };
    const ask = (file: string) => isAttributed(world.services, world.plan, file, hashes);
    expect([await ask('backlog.yaml'), await ask('memory.yaml')]).toEqual([true, false]);
    await clearAttributions(world.services, world.plan);
    expect(await ask('backlog.yaml')).toBe(false);
  });

  test('is not recorded when no phase runs', async () => {
    const world = await makePlanWorld();
    await setBacklog(world, b);
    expect(existsSync(world.layout.attributions(world.plan))).toBe(false);
  });
});
