import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { ApprovalPage } from '../../src/model/requests/approvals.ts';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { analysis, backlogOf, done, isVerb, onFirst, runPhase, scenarioText, titles } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const scenario = scenarioText({
  work: [
    { edit: { path: 'greet.mjs', content: 'export const greet = 1;\n' } },
    { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } },
    done,
  ],
  'analyse-work': analysis(['Greet with a number', 'greet.mjs']),
});

async function makeAttacked(): Promise<World & { readonly marks: () => string; readonly attack: () => void }> {
  const world = await makeWorld({ plan: { 'backlog.yaml': backlogOf('greet') }, scenario });
  const mark = join(world.root, 'mark');
  writeFileSync(mark, '');
  const canary = join(world.root, 'canary');
  writeFileSync(canary, `#!/bin/sh\necho ran >> '${mark}'\n`);
  chmodSync(canary, 0o755);
  return {
    ...world,
    marks: () => readFileSync(mark, 'utf8'),
    /** As any process can do it that a session started. */
    attack() {
      const config = readFileSync(join(world.project, '.git/config'), 'utf8');
      const settings = `[core]\n\tfsmonitor = ${canary}\n[filter "f"]\n\tclean = ${canary}\n[diff "f"]\n\ttextconv = ${canary}\n`;
      writeFileSync(join(world.project, '.git/config'), `${config}${settings}`);
      mkdirSync(join(world.project, '.git/hooks'), { recursive: true });
      for (const name of ['pre-commit', 'post-index-change', 'reference-transaction']) {
        writeFileSync(join(world.project, '.git/hooks', name), `#!/bin/sh\nexec ${canary}\n`, { mode: 0o755 });
      }
      writeFileSync(join(world.project, '.git/info/attributes'), '* filter=f diff=f\n');
    },
  };
}

async function workUnderAttack(world: Awaited<ReturnType<typeof makeAttacked>>, core: Core): Promise<ApprovalPage> {
  onFirst(core, isVerb('backlog/set-status'), world.attack);
  await runPhase(core, world);
  expect(await runPhase(core, world)).toMatchObject({ phase: 'analyse-work', end: 'waiting' });
  return onlyApproval(core.api);
}

test("a session's change to programs of others is asked about before the run continues, and none of them ran", async () => {
  const world = await makeAttacked();
  const { core } = await startCore(world);
  const page = await workUnderAttack(world, core);
  expect(page.kind).toBe('programs-changed');
  for (const name of ['.git/config', '.git/hooks/pre-commit', '.git/info/attributes'])
    expect(page.shown).toContain(name);
  expect(page.shown).toMatch(/\+ core\.fsmonitor = .*canary/);
  await core.api.request('doctor', {});
  await core.api.request('verify', {});
  await core.api.request('status', { plan: world.plan });
  expect(world.marks()).toBe('');

  await decide(core.api, page, 'reject');
  expect(await runPhase(core, world)).toMatchObject({ phase: 'analyse-work', end: 'waiting' });
  expect(world.marks()).toBe('');

  // A text was meant for another question.
  const asked = await onlyApproval(core.api);
  await expect(decide(core.api, asked, 'accept', { text: 'Descending.' })).rejects.toMatchObject({
    diagnostic: { code: 'approval/badDecision', message: 'This answer takes no text.' },
  });
  const decided = await decide(core.api, asked, 'accept');
  expect(decided.next).toBe('run');
  expect(await runPhase(core, world)).toMatchObject({ phase: 'analyse-work' });
  // What was accepted is the person's from here on, the hook and the filter included.
  expect(world.marks()).not.toBe('');
});

test('put back as they were, the files ask nothing any more, and the next owner knows', async () => {
  const world = await makeAttacked();
  const before = readFileSync(join(world.project, '.git/config'), 'utf8');
  const first = await startCore(world);
  const page = await workUnderAttack(world, first.core);
  await first.server.stop();
  await first.core.stop();
  const { core } = await startCore(world);
  expect(await onlyApproval(core.api)).toMatchObject({ approval: page.approval });
  expect(world.marks()).toBe('');
  await decide(core.api, page, 'reject');
  writeFileSync(join(world.project, '.git/config'), before);
  rmSync(join(world.project, '.git/hooks'), { recursive: true });
  rmSync(join(world.project, '.git/info/attributes'));
  expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
  expect(world.marks()).toBe('');
  expect(await titles(world)).toContain('Greet with a number');
});

test('what an analysis changed is asked before its commits, which are made once it is accepted', async () => {
  const world = await makeAttacked();
  const { core } = await startCore(world);
  await runPhase(core, world);
  onFirst(core, isVerb('commits/set'), () => {
    writeFileSync(join(world.project, '.git/info/attributes'), '*.md text\n');
  });
  expect(await runPhase(core, world)).toMatchObject({ end: 'waiting', next: 'git-commit-work' });
  expect(await titles(world)).not.toContain('Greet with a number');
  const page = await onlyApproval(core.api);
  expect(page.shown).toContain('.git/info/attributes is new');
  const { report } = await decide(core.api, page, 'accept');
  expect(report).toMatchObject({ end: 'finished', next: 'reflect' });
  expect(await titles(world)).toContain('Greet with a number');
});

test('what a hook of the commits changes is asked about before the next phase', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': backlogOf('greet') }, scenario });
  await world.hook('post-commit', 'echo evil > .envrc');
  const { core } = await startCore(world);
  await runPhase(core, world);
  expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
  expect(await runPhase(core, world)).toMatchObject({ phase: 'reflect', end: 'waiting' });
  const page = await onlyApproval(core.api);
  expect(page).toMatchObject({ kind: 'programs-changed', shown: expect.stringContaining('.envrc') as string });
});
