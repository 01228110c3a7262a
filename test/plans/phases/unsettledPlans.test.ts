import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { segmentFromId, toQualifiedId } from '../../../src/model/id.ts';
import { findUnsettledPlans, mayBeUnsettled } from '../../../src/plans/phases/unsettledPlans.ts';
import { PlanDirectory } from '../../../src/plans/planDirectory.ts';
import { createPlan } from '../../../src/vault/planCreation.ts';
import { makeVaultFolder } from '../../support/vaultFolder.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP';
const quiet = `cycle: 12\nbaselines: {}\nworkSession: ${session}\nlast:\n  phase: triage\n  session: ${session}\n`;
const plan = toQualifiedId('Demo/project-root');
const deep = toQualifiedId(`Demo/project-root/${'a-long-name/'.repeat(16)}end`);

async function makePlans(state: string | Uint8Array, of = plan) {
  const { layout, folder } = await makeVaultFolder(['Demo']);
  if (of === deep) await createPlan({ disk: nodeDisk, layout, id: deep, description: 'A plan far down' });
  mkdirSync(layout.plans, { recursive: true });
  writeFileSync(layout.runState(toQualifiedId('Other/project-root')), 'cycle: 1\n');
  writeFileSync(layout.runState(of), state);
  const ports = { services: { disk: nodeDisk, layout }, directory: new PlanDirectory(nodeDisk, layout) };
  const check = async () => {
    const found = await findUnsettledPlans(ports, new AbortController().signal);
    expect((await mayBeUnsettled(ports, of)) ? [of] : []).toEqual(found);
    return found;
  };
  return { layout, folder, ports, check };
}

describe('a plan that an earlier owner left', () => {
  test.each([
    ['runs', `${quiet}running:\n  phase: reflect\n`],
    ['is in a run of cycles', `${quiet}cycleRun:\n  cycles: 1\n`],
    ['runs, as a person wrote it by hand', `{ "r\\u0075nning": { phase: reflect } }`],
    ['has a run state that is no text', new Uint8Array([0xff, 0x5c])],
  ])('is found where it %s', async (_what, state) => {
    expect(await (await makePlans(state)).check()).toEqual([plan]);
  });

  test('is found by its staging, though its run state is at rest', async () => {
    const { layout, check } = await makePlans(quiet);
    mkdirSync(join(layout.staging, segmentFromId(plan)), { recursive: true });
    expect(await check()).toEqual([]);
    mkdirSync(join(layout.staging, segmentFromId(plan), `triage-${session}`));
    expect(await check()).toEqual([plan]);
  });

  test('is found by the notes of its last session', async () => {
    const { layout, check } = await makePlans(quiet);
    expect(await check()).toEqual([]);
    mkdirSync(join(layout.sessions, session), { recursive: true });
    writeFileSync(join(layout.sessions, session, 'notes.jsonl'), '{}\n');
    expect(await check()).toEqual([plan]);
  });

  test('is found though its name is shortened', async () => {
    expect(await (await makePlans('running: {}\n', deep)).check()).toEqual([deep]);
  });
});

test('a plan that never ran has nothing left, nor has a vault without run states', async () => {
  const { ports } = await makePlans(quiet);
  expect(await mayBeUnsettled(ports, toQualifiedId('Demo/project-root/never'))).toBe(false);
  const { layout } = await makeVaultFolder();
  const empty = { services: { disk: nodeDisk, layout }, directory: new PlanDirectory(nodeDisk, layout) };
  expect(await findUnsettledPlans(empty, new AbortController().signal)).toEqual([]);
});
