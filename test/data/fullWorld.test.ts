import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectFullWorld, type MemoryEdit, makeFullWorld, runFullWorld } from '../support/fullWorld.ts';
import { startCore } from '../support/world.ts';

const names = ['backlog.yaml', 'memory.yaml', 'session-log.yaml', 'latest-session.yaml'];

/** A real plan, imported as it is: a whole cycle changes only the records that it is about. */
test('a cycle of a real plan in a world that is not empty', async () => {
  const folder = process.env['RAVEL_TEST_DATA'];
  if (folder === undefined) throw new Error('Set RAVEL_TEST_DATA to a folder that holds YAML files.');
  const plan: Record<string, string> = {};
  for (const name of names) plan[name] = await readFile(join(folder, 'ravel-lite-core', name), 'utf8');
  const full = await makeFullWorld(plan);
  const { core } = await startCore(full.world);
  const task = { title: 'Put a comma into the greeting', category: 'core', description: 'It lacks one.\n' };
  await core.api.request('state', { plan: full.world.plan, verb: 'backlog/add', args: task });

  const edit = titleEdit(plan['memory.yaml'] ?? '');
  const reports = await runFullWorld(core, full, edit);
  await expectFullWorld(full, reports, edit);
  expect(reports[0]?.phases.map((phase) => phase.phase)).toContain('dream');

  const files = ['ravel/project-root/backlog.yaml', 'ravel/project-root/session-log.yaml'];
  const diff = await full.world.git('diff', '--unified=0', full.base, 'HEAD', '--', ...files);
  expect(diff).toContain('+- id: put-a-comma-into-the-greeting');
  expect(diff.split('\n').filter((line) => /^-(?!-- )/.test(line))).toEqual([]);
});

/** Another title for an entry in the middle, on a line that is there once. */
function titleEdit(memory: string): MemoryEdit {
  const titles = memory.split('\n').filter((line) => /^ +title: \w[^:#]*$/.test(line));
  const from = titles[titles.length >> 1] ?? '';
  expect(from).not.toBe('');
  return { from: from.trim(), to: `${from.trim()}, a person says` };
}
