import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectRepository } from '../../../src/git/repository.ts';
import type { ReasoningPhase } from '../../../src/model/phase.ts';
import { reasoningPhases } from '../../../src/model/phase.ts';
import type { PromptText } from '../../../src/model/promptText.ts';
import { type PromptToken, phaseTokens } from '../../../src/model/promptTokens.ts';
import { defaultSettings } from '../../../src/model/settings.ts';
import { takeWorkBaseline } from '../../../src/plans/phases/preflight.ts';
import {
  chooseTask,
  type PromptMaterial,
  systemValues,
  promptValues as valuesOf,
} from '../../../src/plans/sessions/promptValues.ts';
import { loadBase } from '../../../src/plans/transaction.ts';
import { runStateSchema } from '../../../src/vault/runState.ts';
import { walkVault } from '../../../src/vault/walk.ts';
import {
  backlogOf,
  makePlanWorld,
  memoryOf,
  type PlanWorld,
  type PlanWorldOptions,
} from '../../support/planServices.ts';

/** The words and the data of each value, without the fences that come when a prompt is put together. */
async function promptValues(material: PromptMaterial): Promise<Record<PromptToken, string>> {
  const texts = Object.entries(await valuesOf(material)).map(([token, text]) => [token, plain(text)]);
  return Object.fromEntries(texts);
}

function plain(text: PromptText): string {
  return text.map((piece) => ('own' in piece ? piece.own : piece.data)).join('\n\n');
}

const received = (state: string) =>
  `  - { id: M-${state}, from: Demo/x, at: now, reason: Because, body: Hello, state: ${state} }\n`;

async function make(
  phase: ReasoningPhase,
  change?: (world: PlanWorld) => unknown,
  more: Pick<PlanWorldOptions, 'projects' | 'children'> = {},
) {
  const world = await makePlanWorld({
    ...more,
    plan: {
      'backlog.yaml': `${backlogOf('one', 'two')}received:\n${received('new')}${received('declined')}`,
      'memory.yaml': memoryOf({ a: 'First.' }),
    },
    source: { 'README.md': '# Greeter\n', 'a.txt': 'a\n' },
  });
  const repository = await inspectRepository(world.services.git, world.project);
  const work = await takeWorkBaseline(world.services, world.location, repository);
  await change?.(world);
  const { transaction, paths } = await world.begin(phase, { task: 'two' });
  const material: PromptMaterial = {
    ...{ services: world.services, location: world.location, transaction },
    ...{
      description: 'Greets people',
      memoryStyle: 'Short.',
      confined: 'In a sandbox.\n',
      earlierEnd: 'It failed before.',
    },
    base: await loadBase(world.services.disk, paths, phase),
    state: runStateSchema.parse({ baselines: { work } }),
    tools: [{ name: 'finish_phase', description: 'End the phase.', inputSchema: {} }],
    memory: defaultSettings.memory,
    plans: (await walkVault(world.services.disk, world.services.layout)).plans,
  };
  return { world, material };
}

const damagedReadmes: Readonly<Record<string, readonly [damage: (file: string) => unknown, why: string]>> = {
  'a link to a key beside the project': [(file) => symlinkSync('../.ssh/id_rsa', file), 'it is a link'],
  'a link to a secret in the project': [(file) => symlinkSync('.env', file), 'it is a link'],
  'a link to itself': [(file) => symlinkSync('README.md', file), 'it is a link'],
  'a link to an endless device': [(file) => symlinkSync('/dev/zero', file), 'it is a link'],
  'a folder': [(file) => mkdirSync(file), 'it is a folder'],
  'a pipe': [(file) => execFileSync('mkfifo', [file]), 'it is not a regular file'],
  'not UTF-8': [(file) => writeFileSync(file, Buffer.from([0x61, 0xff])), 'it is not UTF-8'],
};

test('a phase gets values for exactly its tokens', async () => {
  for (const phase of reasoningPhases) {
    const { material } = await make(phase);
    expect(Object.keys(await promptValues(material)).sort()).toEqual([...phaseTokens[phase]].sort());
  }
});

test('the system prompt names the plan, its description, the phase and the tools', async () => {
  const { material } = await make('work');
  const values = await systemValues(material);
  expect(Object.entries(values).map(([token, text]) => [token, plain(text)])).toEqual([
    ['DESCRIPTION', 'Greets people'],
    ['PHASE', 'work'],
    ['PLAN', 'Demo/project-root'],
    ['TOOLS', '- finish_phase: End the phase.'],
  ]);
});

describe('prompt values', () => {
  async function check(phase: ReasoningPhase, expected: object, change?: (world: PlanWorld) => unknown): Promise<void> {
    const { material } = await make(phase, change);
    expect(await promptValues(material)).toMatchObject(expected);
  }

  test('prompt values of work have the task and the number of waiting messages', async () => {
    await check('work', {
      ...{ ATTEMPT_NOTE: expect.stringContaining('It failed before.'), README: '# Greeter', RECEIVED: '1' },
      ...{ TASK: expect.stringMatching(/^id: two\n/), MEMORY: memoryOf({ a: 'First.' }) },
    });
  });

  test('prompt values of triage have the new messages whole', async () => {
    const { material } = await make('triage');
    const { RECEIVED } = await promptValues(material);
    expect(RECEIVED).toContain('M-new');
    expect(RECEIVED).not.toContain('M-declined');
  });

  test('prompt values of an analysis have the changes since work began, without plan state', async () => {
    const { material } = await make('analyse-work', (world) => {
      world.write('Demo/a.txt', 'changed\n');
      world.writePlan('backlog.yaml', backlogOf('one: done'));
    });
    const values = await promptValues(material);
    expect(values.DIFF).toContain('+changed');
    expect(values.DIFF).not.toContain('ravel/');
    expect(values.TREE_SNAPSHOT).toContain('a.txt');
    expect(values.TREE_SNAPSHOT).not.toContain('ravel/');
    expect(values.BACKLOG_TRANSITIONS).toBe('~ one: not_started → done\n- two: Title of two');
    expect(values.WORK_DIGEST).toBe('(no work session is on record)');
  });

  test('prompt values of an analysis have no change of a file that holds secrets by its name', async () => {
    const { material } = await make('analyse-work', (world) => {
      world.write('Demo/.env', 'TOKEN=canary-1\n');
      world.write('Demo/.ssh/config', 'canary-2\n');
      world.write('Demo/b.txt', 'new\n');
    });
    const { DIFF } = await promptValues(material);
    expect(DIFF).toContain('+new');
    expect(DIFF).not.toContain('canary');
    expect(DIFF).toMatch(/\(changes of 2 files are left out, since by their names they may hold secrets\)$/);
  });

  test('prompt values of an analysis name the files that were dirty before work', async () => {
    const { material, world } = await make('analyse-work');
    const dirty = [{ path: 'mine.txt', hash: 'x' }];
    world.write('Demo/mine.txt', 'mine\n');
    const state = { ...material.state, baselines: { work: { ...material.state.baselines.work, dirty } } };
    const { TREE_SNAPSHOT } = await promptValues({ ...material, state });
    expect(TREE_SNAPSHOT).toContain('Dirty before the work began:\n- mine.txt');
  });

  test('say so when their source is missing', async () => {
    await check('work', { README: '(the project has no README.md)' }, ({ git }) => git('rm', '--quiet', 'README.md'));
    await check('reflect', { MEMORY: '(the memory is empty)', LATEST_SESSION: '(no session is on record)' }, (world) =>
      world.removePlan('memory.yaml'),
    );
    await check('analyse-work', { DIFF: '(no change)', BACKLOG_TRANSITIONS: '(no change)' });
    await check('triage', { RECEIVED: '(nothing)' }, (world) => world.writePlan('backlog.yaml', backlogOf('one')));
  });

  test('are cut at 16000 characters and say how much is left out', async () => {
    const { material } = await make('work', (world) => world.write('Demo/README.md', 'x'.repeat(16_100)));
    const { README } = await promptValues(material);
    expect(README).toMatch(/^x{16000}\n\(\.\.\. 100 more characters are left out \.\.\.\)$/);
  });

  test.each(Object.entries(damagedReadmes))(
    'leave out a README that is %s, and say so',
    async (_what, [damage, why]) => {
      const README = `(the project's README.md is left out: ${why})`;
      await check('work', { README }, (world) => {
        world.write('.ssh/id_rsa', 'secret');
        world.write('Demo/.env', 'secret');
        rmSync(join(world.project, 'README.md'));
        return damage(join(world.project, 'README.md'));
      });
    },
  );

  test('read the beginning of a README of 400 MB, and no more', async () => {
    const { material, world } = await make('work');
    const file = join(world.project, 'README.md');
    writeFileSync(file, `${'x'.repeat(64 * 1024 - 1)}ä`);
    truncateSync(file, 400_000_000);
    const before = process.memoryUsage().rss;
    const { README } = await promptValues(material);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    expect(README).toMatch(/^x{16000}\n\(\.\.\. 49535 more characters are left out \.\.\.\)/);
    expect(README).toMatch(/\(README\.md has 400000000 bytes; only its beginning was read\)$/);
  });

  test.each(['work', 'triage'] as const)(
    'of %s name the plans that messages can be sent to, and how',
    async (phase) => {
      const { material } = await make(phase, undefined, { projects: ['Bank'], children: ['Demo/project-root/child'] });
      const { RELATED_PLANS } = await promptValues(material);
      expect(RELATED_PLANS).toContain('- Demo/project-root (this plan): What Demo is for\n');
      expect(RELATED_PLANS).toContain('- Demo/project-root/child: What Demo/project-root/child is for\n');
      expect(RELATED_PLANS).toContain('- Bank/project-root: What Bank is for\n');
      for (const target of ['target-plan', 'target-project', 'suggested-target-plan', 'target', 'auto']) {
        expect(RELATED_PLANS).toContain(`\`${target}\``);
      }
    },
  );

  test('explain message targets to a plan that is alone in its project', async () => {
    const { material } = await make('work');
    expect((await promptValues(material)).RELATED_PLANS).toContain('`target`: `auto`');
  });
});

test('the task of a work phase is the requested one, or else the best ready one', () => {
  const check = (backlog: string | undefined, asked: string | undefined, expected: object) => {
    const texts = new Map(backlog === undefined ? [] : [['backlog.yaml' as const, backlog]]);
    expect(chooseTask(texts, asked)).toEqual(expected);
  };
  check(backlogOf('one: done', 'two', 'three'), undefined, { id: 'two', ready: 2 });
  check(backlogOf('one', 'two'), 'two', { id: 'two', ready: 2 });
  check(backlogOf('one', 'two'), 'missing', { ready: 2 });
  check(backlogOf('one: done'), undefined, { ready: 0 });
  check(undefined, undefined, { ready: 0 });
});
