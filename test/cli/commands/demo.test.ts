import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { runRavel } from '../../support/runProgram.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const run = promisify(execFile);

const resultSchema = z.object({
  project: z.string(),
  vault: z.string(),
  report: z.object({ stop: z.string(), phases: z.array(z.object({ phase: z.string(), end: z.string() })) }),
  tasks: z.object({ before: z.array(z.object({ id: z.string() })), after: z.array(z.object({ id: z.string() })) }),
  memory: z.object({ before: z.array(z.object({ id: z.string() })), after: z.array(z.object({ id: z.string() })) }),
});

async function demo(args: readonly string[]) {
  const home = await makeTemporaryDirectory();
  const temporary = join(home, 'tmp');
  await mkdir(temporary);
  const ran = await runRavel(['demo', ...args], { environment: { HOME: home, TMPDIR: temporary } });
  return { ...ran, home, left: await readdir(temporary) };
}

test('ravel demo runs a cycle that turns a red test green, merges memory and advances the backlog', async () => {
  const { code, stdout, stderr, left } = await demo(['--keep', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  const { project, report, tasks, memory } = z
    .object({ result: resultSchema })
    .parse(JSON.parse(lines.at(-1) ?? '')).result;
  expect(report.stop).toBe('cycle-ended');
  expect(report.phases).toEqual(
    ['work', 'analyse-work', 'reflect', 'dream', 'triage'].map((phase) => ({ phase, end: 'finished' })),
  );
  expect(tasks.before.map((task) => task.id)).toContain('parse-durations-of-several-parts');
  expect(tasks.after.map((task) => task.id)).toEqual([
    'refuse-parts-out-of-order',
    'format-milliseconds-as-a-duration',
  ]);
  expect(memory.after.map((entry) => entry.id)).toEqual([
    'runs-without-dependencies',
    'the-parser-checks-the-whole-text-before-it-sums',
  ]);
  expect(left).toHaveLength(1);
  await run(process.execPath, ['--test'], { cwd: project });
  const git = async (...args: string[]) => (await run('git', args, { cwd: project })).stdout.trim().split('\n');
  expect(await git('status', '--porcelain')).toEqual(['']);
  expect((await git('log', '--reverse', '--format=%s')).slice(0, 3)).toEqual([
    'Start a parser of durations',
    'Parse durations of several parts',
    'Show a duration of several parts in the README',
  ]);
  const events = lines.slice(0, -1).map((line) => JSON.parse(line).event.type);
  expect(events).toEqual(expect.arrayContaining(['phase.started', 'gate.judged', 'commit.made', 'state.merged']));
}, 90_000);

test('with experts it goes on until a question is answered without a session', async () => {
  const { code, stdout, stderr } = await demo(['--experts', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  const { asked } = JSON.parse(lines.at(-1) ?? '').result;
  expect(asked.learned).toBe('The parser checks the whole text before it sums');
  expect(asked.answer).toMatch(/^The whole text is tested first/);
  expect(asked.reusedFrom).toBe(asked.query);
  const events = lines.slice(0, -1).map((line) => JSON.parse(line).event);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'knowledge.candidate', state: 'added', title: asked.learned }),
  );
}, 90_000);

test.each([
  ['another harness', ['--harness', 'claude-code']],
  ['a vault of yours', ['--vault', 'mine']],
])('with experts and %s it is refused, and leaves nothing behind', async (_name, args) => {
  const { code, stderr, left } = await demo(['--experts', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain('The experts of the demo are scripted');
  expect(left).toEqual([]);
});

test('a demo that does not finish keeps its folder and says what to do', async () => {
  const scenario = join(await makeTemporaryDirectory(), 'short.yaml');
  await writeFile(scenario, 'version: 1\nphases:\n  work:\n    - say: I give up.\n');
  const { code, stdout, left } = await demo(['--scenario', scenario]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/Kept, because the run did not finish.*\n {2}rm -rf \/\S+\n/);
  expect(stdout).toContain(`\n  ravel retry duration --scenario ${scenario}\n  ravel dismiss duration\n`);
  expect(stdout).not.toContain('ravel run');
  expect(left).toHaveLength(1);
}, 90_000);

test.each([
  ['a missing scenario', ['--scenario', 'there-is-none.yaml'], 'there-is-none.yaml'],
  ['a missing harness', ['--harness', 'claude-code'], 'harness/missing'],
])(
  'a demo with %s leaves nothing behind',
  async (_name, args, said) => {
    const { code, stderr, left } = await demo(args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(said);
    expect(left).toEqual([]);
  },
  90_000,
);

test('a demo in a named vault keeps it with its project beside it, and a second one there is refused', async () => {
  const place = await makeTemporaryDirectory();
  const vault = join(place, 'vault');
  const { code, stdout, stderr, left } = await demo(['--vault', vault, '--quiet']);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('The cycle is complete.');
  expect((await stat(join(vault, 'ravel.toml'))).isFile()).toBe(true);
  expect(left).toEqual([]);
  const beside = (await readdir(place)).find((name) => name.startsWith('ravel-demo-')) ?? '';
  expect((await stat(join(place, beside, 'duration/.git'))).isDirectory()).toBe(true);
  const again = await demo(['--vault', vault]);
  expect(again).toMatchObject({ code: 2, left: [] });
  expect(again.stderr).toContain('has a project "duration" already');
}, 90_000);
