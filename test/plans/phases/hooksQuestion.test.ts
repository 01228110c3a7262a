import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/base/files.ts';
import type { HarnessName } from '../../../src/model/harnesses.ts';
import type { ReasoningPhase } from '../../../src/model/phase.ts';
import { loadApproval, openApproval } from '../../../src/plans/approvals/approvals.ts';
import { recordDecision } from '../../../src/plans/approvals/decisions.ts';
import { requestOf } from '../../../src/plans/approvals/phaseQuestion.ts';
import { type HookFile, hooksQuestion } from '../../../src/plans/phases/hooksQuestion.ts';
import { updateRunState } from '../../../src/vault/runState.ts';
import { failureOf } from '../../support/failureOf.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

const letIn = { harnesses: { 'claude-code': { 'setting-sources': 'project' } } };
const hooks = JSON.stringify({
  hooks: {
    PreToolUse: [{ hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/tools/check.sh --fast' }] }],
    Stop: [{ hooks: [{ type: 'command', command: 'node ./tools/after.mjs && echo ../outside.sh' }] }],
  },
});

interface Start {
  readonly phase?: ReasoningPhase;
  readonly harness?: HarnessName;
}

async function pathsAsked(world: PlanWorld, { phase = 'work', harness = 'claude-code' }: Start = {}) {
  const question = await hooksQuestion(world.services, { location: world.location, phase, harness });
  return (question?.details as { files: HookFile[] } | undefined)?.files.map(({ path }) => path);
}

function makeHooks(world: PlanWorld): void {
  world.write('Demo/.claude/settings.json', hooks);
  world.write('Demo/.claude/hooks/own.sh', 'echo own\n');
  world.write('Demo/tools/check.sh', 'echo check\n');
  world.write('Demo/tools/after.mjs', '');
  world.write('Demo/tools/unused.sh', '');
  world.write('outside.sh', '');
}

describe('hooks in the settings of a repository', () => {
  test('need approval together with the scripts they name, when project settings are let in', async () => {
    const world = await makePlanWorld({ settings: letIn });
    makeHooks(world);
    const all = ['.claude/hooks/own.sh', '.claude/settings.json', 'tools/after.mjs', 'tools/check.sh'];
    expect(await pathsAsked(world)).toEqual(all);
    expect(await pathsAsked(world, { phase: 'analyse-work' })).toEqual(all);
    for (const phase of ['reflect', 'dream', 'triage'] as const)
      expect(await pathsAsked(world, { phase })).toBeUndefined();
    expect(await pathsAsked(world, { harness: 'scripted' })).toBeUndefined();
  });

  test('need no approval when project settings stay out or do not exist', async () => {
    const world = await makePlanWorld();
    makeHooks(world);
    expect(await pathsAsked(world)).toBeUndefined();
    expect(await pathsAsked(await makePlanWorld({ settings: letIn }))).toBeUndefined();
  });

  test('can be unreadable as text or name broken links', async () => {
    const world = await makePlanWorld({ settings: letIn });
    world.write('Demo/.claude/settings.json', new Uint8Array([0xff, 0xfe]));
    world.write('Demo/.claude/settings.local.json', JSON.stringify({ hooks: { x: `gone.sh ${'x'.repeat(3000)}` } }));
    symlinkSync('/nowhere', join(world.project, 'gone.sh'));
    const question = await hooksQuestion(world.services, {
      location: world.location,
      phase: 'work',
      harness: 'claude-code',
    });
    const { files = [] } = (question?.details ?? {}) as { files?: HookFile[] };
    expect(files.map(({ path, text }) => [path, text !== undefined])).toEqual([
      ['.claude/settings.json', false],
      ['.claude/settings.local.json', true],
    ]);
  });
});

describe('a file of settings that could hold up the owner stops the phase, and says why:', () => {
  test.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'disk/failed', 'is not a regular file'],
    ['a device', (path: string) => symlinkSync('/dev/zero', path), 'disk/failed', 'is not a regular file'],
    ['4 GB', (path: string) => makeLarge(path, 4e9), 'disk/tooLarge', 'has 4000000000 bytes'],
  ])('%s', async (_name, make, code, message) => {
    const world = await makePlanWorld({ settings: letIn });
    mkdirSync(join(world.project, '.claude'));
    make(join(world.project, '.claude/settings.local.json'));
    const error = await failureOf(() => pathsAsked(world));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  test('as does a script of 4 GB that settings name', async () => {
    const world = await makePlanWorld({ settings: letIn });
    world.write('Demo/.claude/settings.json', '{"command": "./large"}');
    makeLarge(join(world.project, 'large'), 4e9);
    expect(await failureOf(() => pathsAsked(world))).toMatchObject({ code: 'disk/tooLarge' });
  });

  test('what a link leads to outside of the project is compared and not shown', async () => {
    const world = await makePlanWorld({ settings: letIn });
    world.write('settings.json', 'a key');
    mkdirSync(join(world.project, '.claude'));
    symlinkSync('../../settings.json', join(world.project, '.claude/settings.json'));
    const question = await hooksQuestion(world.services, {
      location: world.location,
      phase: 'work',
      harness: 'claude-code',
    });
    expect(question?.details).toMatchObject({ files: [{ path: '.claude/settings.json', sha256: sha256('a key') }] });
    expect(JSON.stringify(question)).not.toContain('a key');
  });

  function makeLarge(path: string, bytes: number): void {
    writeFileSync(path, '');
    truncateSync(path, bytes);
  }
});

describe('an approved pre-work script', () => {
  async function allow(world: PlanWorld) {
    const start = { location: world.location, phase: 'work', harness: 'scripted' } as const;
    const question = await hooksQuestion(world.services, start);
    if (question === undefined) throw new Error('a question was expected');
    const about = { plan: world.plan, phase: 'work', session: world.services.newUlid() } as const;
    const id = await openApproval(world.services, requestOf(about, question));
    const approval = await loadApproval(world.services, id);
    if (approval !== undefined) await recordDecision(world.services, approval, { decision: 'accept' });
    const { hash } = question.details as { hash: string };
    await world.services.disk.makeDirectory(world.layout.plans).catch(() => undefined);
    await updateRunState(world.services, world.plan, (old) => ({ ...old, hooks: [{ approval: id, hash }] }));
    return id;
  }

  const asked = (world: PlanWorld) => pathsAsked(world, { harness: 'scripted' });
  const script = 'ravel/project-root/pre-work.sh';

  async function makeScript(): Promise<PlanWorld> {
    const world = await makePlanWorld();
    chmodSync(world.write(`Demo/${script}`, '#!/bin/sh\n'), 0o755);
    expect(await asked(world)).toEqual([script]);
    return world;
  }

  test('runs as long as its content is the approved one', async () => {
    const world = await makeScript();
    await allow(world);
    expect(await asked(world)).toBeUndefined();
    world.write(`Demo/${script}`, '#!/bin/sh\nrm x\n');
    expect(await asked(world)).toEqual([script]);
    world.write(`Demo/${script}`, '#!/bin/sh\n');
    expect(await asked(world)).toBeUndefined();
  });

  test('needs approval again without its decision file, even if the run state still has it', async () => {
    const world = await makeScript();
    const id = await allow(world);
    rmSync(world.layout.decision(id));
    expect(await asked(world)).toEqual([script]);
  });

  test('is not asked about when it cannot be executed', async () => {
    const world = await makeScript();
    chmodSync(join(world.project, script), 0o644);
    expect(await asked(world)).toBeUndefined();
    rmSync(join(world.project, script));
    symlinkSync('nowhere', join(world.project, script));
    expect(await asked(world)).toBeUndefined();
  });
});
