import { readdirSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  decide,
  decisions,
  doors,
  makeConflictWorld,
  onlyApproval,
  runIntoConflict,
} from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { runRavel } from '../support/runProgram.ts';
import {
  approvals,
  backlogOf,
  done,
  expectUntouched,
  isVerb,
  onFirst,
  retryPhase,
  runPhase,
  scenarioText,
} from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

describe('a merge conflict', () => {
  test.each([
    ['accept', 'session', /three doors/],
    ['accept', 'person', /four doors/],
  ] as const)(
    '%sed with the side of the %s applies that side, keeps the rest of the session, and commits it',
    async (word, option, side) => {
      const world = await makeConflictWorld();
      const { core, events } = await startCore(world);
      const page = await runIntoConflict(core, world);
      expect(page.shown).toMatch(
        /memory\.yaml › entries › doors › body[\s\S]*two doors[\s\S]*three doors[\s\S]*four doors/,
      );
      const decided = await decide(core.api, page, word, { option, reason: 'I counted' });
      expect(decided).toMatchObject({ report: { end: 'finished', next: 'triage', commits: [{}] } });
      const memory = await world.readPlan('memory.yaml');
      expect(memory).toMatch(side);
      expect(memory).toContain('id: learned');
      expect(await approvals(world)).toEqual([]);
      expect(await decisions(world)).toMatchObject([
        {
          id: page.approval,
          decision: 'accept',
          option,
          reason: 'I counted',
          kind: 'merge-conflict',
          details: page.details,
        },
      ]);
      expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
      expect(events.map(({ type }) => type)).toContain('approval.decided');
      expect((await world.git('-C', world.vault, 'log', '-1', '--format=%s')).trim()).toBe(
        'Record a decision: merge-conflict',
      );
    },
  );

  test('edited in the person’s editor applies what they wrote', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const editor = join(world.root, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "/result:/,\\$s/four doors/a dozen doors/" "$1"\n');
    await chmod(editor, 0o755);
    const ran = await runRavel(['approvals', 'edit', world.plan], {
      environment: { ...world.environment, RAVEL_VAULT: world.vault, EDITOR: editor },
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(await world.readPlan('memory.yaml')).toMatch(/a dozen doors[\s\S]*id: learned/);
    expect(await decisions(world)).toMatchObject([{ id: page.approval, decision: 'edit' }]);
    expect(readdirSync(join(world.root, 'home')).filter((name) => name.startsWith('ravel-'))).toEqual([]);
  });

  test('is not decided by an edit that the gates refuse', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const text = page.form?.replace(/result:[\s\S]*$/, 'result: [no, text]\n');
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: text ?? '' }))).toMatchObject({
      code: 'gate/refused',
    });
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: 'conflicts: []\n' }))).toMatchObject({
      code: 'approval/badDecision',
    });
    expect(await decisions(world)).toEqual([]);
    expect(await onlyApproval(core.api)).toEqual(page);
    expect(await decide(core.api, page, 'edit', { text: page.form ?? '' })).toMatchObject({
      report: { end: 'finished' },
    });
    expect(await world.readPlan('memory.yaml')).toContain('four doors');
  });

  test('a merge conflict that is rejected drops the phase as dismiss does', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    expect(await decide(core.api, page, 'reject')).toMatchObject({ next: 'run' });
    await expectUntouched(core, world, 'reflect');
    expect(await world.readPlan('memory.yaml')).toBe(doors.replace('two doors', 'four doors'));
    expect(await decisions(world)).toMatchObject([{ decision: 'reject' }]);
  });

  test('a merge conflict that has changed is asked about under a new id, and needs a retry once it is settled', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    await world.writePlan('memory.yaml', doors.replace('two doors', 'five doors'));
    const problem = await failureOf(() => decide(core.api, page, 'accept', { option: 'session' }));
    const anew = await onlyApproval(core.api);
    expect(problem).toMatchObject({ code: 'approval/changed', message: expect.stringContaining(anew.approval) });
    expect(anew.approval).not.toBe(page.approval);
    expect(anew.shown).toContain('five doors');
    expect(await failureOf(() => decide(core.api, page, 'accept', { option: 'session' }))).toMatchObject({
      code: 'approval/unknown',
    });
    await world.writePlan('memory.yaml', doors);
    expect(await failureOf(() => decide(core.api, anew, 'accept', { option: 'person' }))).toMatchObject({
      ...{ code: 'approval/changed', help: expect.stringContaining('ravel retry') },
    });
    expect(await decisions(world)).toEqual([]);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished' });
    expect(await decisions(world)).toMatchObject([{ id: anew.approval, decision: 'retry' }]);
    expect(await world.readPlan('memory.yaml')).toContain('three doors');
  });

  test('is not decided if its file was changed by hand or another version of it was shown', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const seen = { ...page, contentHash: 'another' };
    expect(await failureOf(() => decide(core.api, seen, 'reject'))).toMatchObject({ code: 'approval/changed' });
    await writeFile(page.file, (await readFile(page.file, 'utf8')).replaceAll('four doors', 'ten doors'));
    const problem = await failureOf(() => decide(core.api, page, 'accept', { option: 'person' }));
    expect(problem).toMatchObject({ code: 'approval/changed', message: expect.stringContaining('by hand') });
    expect(await decisions(world)).toEqual([]);
  });
});

test('two changes that are valid alone but not together have no sides to accept, and can be rejected', async () => {
  const depend = { call: 'backlog_set_dependencies', with: { id: 'first', dependencies: ['second'] } };
  const world = await makeWorld({
    plan: { 'phase.md': 'triage\n', 'backlog.yaml': backlogOf('first', 'second') },
    scenario: scenarioText({ triage: [depend, done] }),
  });
  const { core } = await startCore(world);
  const edited = backlogOf('first', 'second').replace(/(id: second[\s\S]*?dependencies: )\[\]/, '$1[first]');
  let saved: Promise<void> = Promise.resolve();
  onFirst(core, isVerb('backlog/set-dependencies'), () => {
    saved = world.writePlan('backlog.yaml', edited);
  });
  expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
  await saved;
  const page = await onlyApproval(core.api);
  expect(page).toMatchObject({ options: [], decisions: ['reject'], shown: expect.stringMatching(/^- /) });
  const problem = await failureOf(() => decide(core.api, page, 'accept', { option: 'session' }));
  expect(problem).toMatchObject({ code: 'approval/badDecision', help: expect.stringContaining('ravel retry') });
  await decide(core.api, page, 'reject');
  await expectUntouched(core, world, 'triage');
});
