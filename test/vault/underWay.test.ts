import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import { type RunState, runStateSchema, saveRunState } from '../../src/vault/runState.ts';
import { forgetUnderWay, listUnderWay, recordUnderWay } from '../../src/vault/underWay.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const plan = toQualifiedId('Demo/project-root');
const deep = toQualifiedId(`Demo/project-root/${'a-long-name/'.repeat(16)}end`);

async function makePlansFolder() {
  const { layout } = await makeVaultFolder();
  mkdirSync(layout.plans, { recursive: true });
  return layout;
}

function stateWith(more: object): RunState {
  return runStateSchema.parse(more);
}

const running = { phase: 'reflect', step: 'session', session: '01M7X4TZFWPVQT6PFG4SYTM4BP', startedAt: 'now' };
const cycleRun = { cycles: 1, done: 0, cycleBefore: 0, startedAt: 'now', paused: true };

test('a plan that was noted is listed until it is forgotten, also one whose name is shortened', async () => {
  const { layout } = await makeVaultFolder();
  expect(await listUnderWay({ disk: nodeDisk, layout })).toBeUndefined();
  for (const one of [plan, deep, plan]) await recordUnderWay({ disk: nodeDisk, layout }, one);
  expect(await listUnderWay({ disk: nodeDisk, layout })).toEqual([plan, deep]);
  for (const one of [plan, plan]) await forgetUnderWay({ disk: nodeDisk, layout }, one);
  expect(await listUnderWay({ disk: nodeDisk, layout })).toEqual([deep]);
});

test('files of the index that name no plan are passed over', async () => {
  const { layout } = await makeVaultFolder();
  await recordUnderWay({ disk: nodeDisk, layout }, plan);
  writeFileSync(join(layout.underWay, 'no plan'), 'x');
  writeFileSync(join(layout.underWay, segmentFromId(deep)), 'Demo/project-root/other\n');
  writeFileSync(join(layout.underWay, '.Demo.0123456789abcdef.tmp'), '');
  mkdirSync(join(layout.underWay, 'Demo~folder'));
  expect(await listUnderWay({ disk: nodeDisk, layout })).toEqual([plan]);
});

test.each([
  ['runs', { running }],
  ['stands in a run of cycles', { cycleRun }],
])('is in the index before the run state says that a plan %s', async (_what, more) => {
  const layout = await makePlansFolder();
  const seen: boolean[] = [];
  const disk = traceDisk(nodeDisk, (_n, name) => {
    if (name === 'rename') seen.push(existsSync(layout.runState(plan)), existsSync(layout.underWayOf(plan)));
  });
  await saveRunState({ disk, layout }, plan, stateWith(more));
  // The index is put in its place first, the run state second.
  expect(seen).toEqual([false, false, false, true]);
});

test('a run state of which nothing is under way makes no index', async () => {
  const layout = await makePlansFolder();
  await saveRunState({ disk: nodeDisk, layout }, plan, stateWith({ cycle: 3 }));
  expect(readdirSync(layout.runtime)).not.toContain('under-way');
});
