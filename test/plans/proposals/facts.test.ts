import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { inspectRepository } from '../../../src/git/repository.ts';
import type { HarnessOutput } from '../../../src/model/harnessOutput.ts';
import { takeWorkBaseline } from '../../../src/plans/phases/preflight.ts';
import { gatherFacts, noFacts } from '../../../src/plans/proposals/facts.ts';
import { failureOf } from '../../support/failureOf.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';
import { failingDisk } from '../../support/tracingDisk.ts';

async function makeWorld() {
  const world = await makePlanWorld({ source: { 'a.txt': 'a\n', 'dirty.txt': 'clean\n' } });
  world.write('Demo/dirty.txt', 'dirty before\n');
  const repository = await inspectRepository(world.services.git, world.project);
  const baseline = await takeWorkBaseline(world.services, world.location, repository);
  return { world, baseline };
}

const none = { baseline: undefined, session: undefined };

function recordOf(...paths: readonly object[]): Map<'latest-session.yaml', string> {
  const claims = [{ id: 'c1', text: 'Claimed.', evidence: paths }];
  const record = { id: 'x', timestamp: 'now', phase: 'work', body: 'Worked.', claims };
  return new Map([['latest-session.yaml', stringify(record)]]);
}

test('facts have the source changes since work began, without plan state and files that were dirty before', async () => {
  const { world, baseline } = await makeWorld();
  world.write('Demo/a.txt', 'changed\n');
  world.write('Demo/new.txt', 'new\n');
  world.writePlan('backlog.yaml', 'tasks: []\n# changed\n');
  await world.git('commit', '--quiet', '--message=Change it', 'a.txt');
  const facts = await gatherFacts(world.services, world.location, { baseline, session: undefined }, new Map());
  expect(facts.changedPaths).toEqual(['a.txt', 'new.txt']);
  expect(facts.diff).toContain('+changed');
  expect(facts.diff).toContain('+new');
  expect(facts.diff).not.toContain('backlog');
  expect(facts.commits).toEqual([(await world.git('rev-parse', 'HEAD')).trim()]);
});

test('facts have the commands of the work session', async () => {
  const { world, baseline } = await makeWorld();
  const session = world.services.newUlid();
  const outputs: HarnessOutput[] = [
    { kind: 'toolStarted', callId: '1', tool: 'Bash', input: { command: 'node --test' } },
    { kind: 'toolEnded', callId: '1', output: 'ok', isError: false, exitCode: 0 },
  ];
  const path = world.layout.transcript(session);
  await mkdir(dirname(path), { recursive: true });
  const stamp = { at: '2026-01-02T03:04:05Z', actor: world.location.id };
  const lines = outputs.map((output, seq) =>
    JSON.stringify({ ...stamp, type: 'session.output', session, seq, output }),
  );
  await writeFile(path, `${lines.join('\n')}\n`);
  const facts = await gatherFacts(world.services, world.location, { baseline, session }, new Map());
  expect(facts.commands).toEqual([{ command: 'node --test', exitCode: 0 }]);
});

test('facts without a baseline or session cover the whole tree', async () => {
  const { world } = await makeWorld();
  const facts = await gatherFacts(world.services, world.location, none, new Map());
  expect(facts.changedPaths).toEqual(['a.txt', 'dirty.txt']);
});

describe('files named as evidence', () => {
  async function check(evidence: object, expected: string[], prepare?: (world: PlanWorld) => unknown): Promise<void> {
    const { world } = await makeWorld();
    world.write('outside.txt', 'outside\n');
    await prepare?.(world);
    const facts = await gatherFacts(world.services, world.location, none, recordOf(evidence));
    expect([...facts.existingFiles]).toEqual(expected);
  }

  test('exist when they are regular files of the project', async () => {
    await check({ file: 'a.txt' }, ['a.txt']);
    await check({ path: 'a.txt' }, ['a.txt']);
    await check({ file: './a.txt' }, ['a.txt']);
    await check({ file: 'missing.txt' }, []);
    await check({ file: 'a.txt/b.txt' }, []);
    await check({ file: 'x'.repeat(300) }, []);
    await check({ file: 'ravel' }, []);
    await check({ test: 'a.txt' }, []);
    await check({ file: 'link' }, [], (world) => symlink('a.txt', join(world.project, 'link')));
  });

  test('do not exist when they are outside the project', async () => {
    await check({ file: '../outside.txt' }, []);
    await check({ file: 'ravel/../../outside.txt' }, []);
  });

  test('fail on a disk error instead of counting as missing', async () => {
    const { world } = await makeWorld();
    const disk = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (_name, path) => path.endsWith('/a.txt') });
    const gather = () => gatherFacts({ ...world.services, disk }, world.location, none, recordOf({ file: 'a.txt' }));
    expect(await failureOf(gather)).toMatchObject({ code: 'disk/failed' });
  });

  test('are empty without a readable session record', async () => {
    const { world } = await makeWorld();
    const broken = new Map([['latest-session.yaml', 'id: [\n']] as const);
    expect((await gatherFacts(world.services, world.location, none, broken)).existingFiles.size).toBe(0);
    expect(noFacts.existingFiles.size).toBe(0);
  });
});
