import { describe, expect, test } from 'vitest';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import {
  expectFullWorld,
  type FullWorld,
  type FullWorldOptions,
  type MemoryEdit,
  makeFullWorld,
  runFullWorld,
} from '../support/fullWorld.ts';
import { openCore } from '../support/openCore.ts';
import { statusLines } from '../support/scenarioRuns.ts';
import { testDataPath } from '../support/testData.ts';
import { startCore } from '../support/world.ts';

/** The real plans, and whether the first cycle of each has a dream phase. */
const plans: readonly [name: string, dreams: boolean][] = [
  ['ravel-lite-core', false],
  ['markdown-plan', true],
];

describe.each(plans)('the real plan %s, imported into a subfolder of a larger repository,', (name, dreams) => {
  test('runs a cycle that changes only the records that belong to it', async () => {
    const full = await makeWorldOf(name);
    await addTask(full);
    const { core } = await startCore(full.world);
    const edit = titleEdit(await full.world.read('ravel/project-root/core/memory.yaml'));
    const reports = await runFullWorld(core, full, edit);
    await expectFullWorld(full, reports, edit);
    expect(reports[0]?.phases.some(({ phase }) => phase === 'dream')).toBe(dreams);

    const files = ['backlog.yaml', 'session-log.yaml'].map((file) => `ravel/project-root/core/${file}`);
    const diff = await full.world.git('diff', '--unified=0', full.base, 'HEAD', '--', ...files);
    expect(diff).toContain('+- id: put-a-comma-into-the-greeting');
    const removed = diff.split('\n').filter((line) => /^-(?!-- )/.test(line));
    // The cycle writes the first record of a log that was empty.
    expect(removed.filter((line) => line !== '-sessions: []')).toEqual([]);
  });

  test('runs a cycle with the real Claude Code', async () => {
    const full = await makeWorldOf(name, { settings: claudeSettings() });
    await addTask(full);
    const { model, environment } = await startClaudeWorld(full.world, full.script);
    const { core } = await startCore({ ...full.world, environment });
    const report = await core.api.request('run_cycle', { plan: full.world.plan, harness: 'claude-code' });
    expect(model.mismatches).toEqual([]);
    expect(report.reason).toBe('the cycle is complete');
    expect(await statusLines(full.world)).toEqual(full.before);
    expect(await full.world.git('show', '--format=%s', '--name-only', 'HEAD', '--', 'ravel')).toContain('after triage');
    expect(await full.world.read('ravel/project-root/core/memory.yaml')).toContain('- id: greetings-have-a-comma\n');
  });
});

function makeWorldOf(name: string, options?: FullWorldOptions): Promise<FullWorld> {
  return makeFullWorld(testDataPath(name), options);
}

/** Adds a task that is ready, even when every other task of the plan waits. */
async function addTask({ world }: FullWorld): Promise<void> {
  const core = await openCore(world, { role: 'local' });
  const args = { title: 'Put a comma into the greeting', category: 'core', description: 'It lacks one.\n' };
  await core.api.request('state', { plan: world.plan, verb: 'backlog/add', args });
  await core.stop();
}

/** Changes the title of an entry in the middle of the file. */
function titleEdit(memory: string): MemoryEdit {
  const titles = memory.split('\n').filter((line) => /^ +title: \w[^:#]*$/.test(line));
  const from = titles[titles.length >> 1] ?? '';
  expect(from).not.toBe('');
  return { from: from.trim(), to: `${from.trim()}, a person says` };
}
