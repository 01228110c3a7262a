import { readFileSync, writeFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { CycleReport } from '../../src/model/requests/runs.ts';
import { openCore } from './openCore.ts';
import { analysis, backlogOf, done, isVerb, onFirst, scenarioText, statusLines } from './scenarioRuns.ts';
import { makeWorld, type World } from './world.ts';

export interface FullWorld {
  /** Its plan is the imported one. */
  readonly world: World;
  /** What the sessions of that plan do: the text of its scenario. */
  readonly script: string;
  /** Another plan of the same project, which runs at the same time. */
  readonly second: { readonly plan: string; readonly scenario: string };
  /** Commit of the plan as the cycle finds it. */
  readonly base: string;
  /** Status of the person's own files before anything runs. */
  readonly before: readonly string[];
}

/** What a person writes into one record of the memory while the plan reflects: one line for another. */
export interface MemoryEdit {
  readonly from: string;
  readonly to: string;
}

export interface FullWorldOptions {
  /** Text of daemon.toml. */
  readonly settings?: string;
}

/**
 * The world is not empty: the project is a part of a larger repository, in which a person has work of every kind under
 * way, and a hook adds a file to each commit. Its plan is one of an older program, from the folder `source`, and was
 * imported.
 */
export async function makeFullWorld(source: string, options: FullWorldOptions = {}): Promise<FullWorld> {
  const script = scenarioText({
    work: [{ edit: { path: 'greet.mjs', replace: 'Hello', with: 'Hello,' } }, done],
    'analyse-work': analysis(['Put a comma into the greeting', 'greet.mjs']),
    reflect: [
      { call: 'memory_add', with: { title: 'Greetings have a comma', body: 'A comma follows Hello.\n' } },
      done,
    ],
    dream: [done],
    triage: [done],
  });
  const project = await makeWorld({
    ...options,
    below: 'packages/app',
    files: {
      'greet.mjs': 'export const greeting = "Hello";\n',
      'dirty.txt': 'old\n',
      'staged.txt': 'old\n',
      'partly.txt': 'a\n',
      'moved.txt': 'moved\n',
      '../lib/dirty.txt': 'old\n',
      '../lib/staged.txt': 'old\n',
    },
    scenario: script,
  });
  const world = await importInto(project, source);
  await world.git('-C', world.repository, 'add', 'packages');
  await world.git('commit', '--quiet', '-m', 'Library and plans');
  const base = (await world.git('rev-parse', 'HEAD')).trim();
  await world.hook('pre-commit', 'echo stamped > packages/app/stamp.txt && git add packages/app/stamp.txt');
  await makeDirty(world);
  const second = { plan: `${project.plan}/second`, scenario: join(world.root, 'second.yaml') };
  await writeFile(
    second.scenario,
    scenarioText({
      work: [{ edit: { path: 'second.mjs', content: 'export {};\n' } }, done],
      'analyse-work': analysis(['Add a second module', 'second.mjs']),
      reflect: [done],
      triage: [done],
    }),
  );
  return { world, script, second, base, before: await statusLines(world) };
}

/** As its owner would: the folder lies in the project, where the older program had it. */
export async function importInto(world: World, source: string): Promise<World> {
  const directory = join(world.project, 'LLM_STATE/core');
  await cp(source, directory, { recursive: true });
  const plan = `${world.plan}/core`;
  const core = await openCore(world, { role: 'local' });
  await core.api.request('import', { directory, plan, description: 'The core of the greeter' });
  const { diagnostics } = await core.api.request('verify', {});
  await core.stop();
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { ...world, plan, planDirectory: join(world.planDirectory, 'core') };
}

async function makeDirty(world: World): Promise<void> {
  await world.git('mv', 'moved.txt', 'to.txt');
  await world.write('staged.txt', 'staged\n');
  await world.write('partly.txt', 'a\nb\n');
  await world.write('../lib/staged.txt', 'staged\n');
  await world.git('add', 'staged.txt', 'partly.txt', '../lib/staged.txt');
  await world.write('partly.txt', 'a\nb\nc\n');
  await world.write('dirty.txt', 'dirty\n');
  await world.write('notes.txt', 'new\n');
  await world.write('../lib/dirty.txt', 'dirty\n');
}

/** Runs a cycle of both plans at once, while a person edits one record of the first one's memory. */
export async function runFullWorld(
  core: Core,
  { world, second }: FullWorld,
  edit: MemoryEdit,
): Promise<readonly CycleReport[]> {
  await core.api.request('create', { plan: second.plan, description: 'Adds modules' });
  await world.writePlan('second/backlog.yaml', backlogOf('second-module'));
  onFirst(core, isVerb('memory/add'), () => {
    const path = join(world.planDirectory, 'memory.yaml');
    const text = readFileSync(path, 'utf8');
    expect(text.split(edit.from)).toHaveLength(2);
    writeFileSync(path, text.replace(edit.from, edit.to));
  });
  const { plan, scenario } = world;
  return Promise.all([
    core.api.request('run_cycle', { plan, harness: 'scripted', scenario }),
    core.api.request('run_cycle', { ...second, harness: 'scripted' }),
  ]);
}

/** Both cycles ended, and the person finds everything of theirs as it was. */
export async function expectFullWorld(
  { world, base, before }: FullWorld,
  reports: readonly CycleReport[],
  edit: MemoryEdit,
): Promise<void> {
  expect(reports.map((report) => report.reason)).toEqual(['the cycle is complete', 'the cycle is complete']);
  expect(await statusLines(world)).toEqual(before);

  const made = await world.git('log', '--reverse', '--format=%s', '--name-only', `${base}..HEAD`, '--', '.', ':!ravel');
  const commits = made
    .trim()
    .split(/\n(?=[A-Z])/)
    .map((text) => text.split('\n').filter((line) => line !== ''));
  const own = commits.map(([title, ...paths]) => [title, ...paths.filter((path) => !path.endsWith('/stamp.txt'))]);
  expect(own.toSorted()).toEqual([
    ['Add a second module', 'packages/app/second.mjs'],
    ['Put a comma into the greeting', 'packages/app/greet.mjs'],
  ]);
  expect(commits.flat().filter((path) => path.endsWith('/stamp.txt'))).toEqual(['packages/app/stamp.txt']);

  const memory = ['--', join(relative(world.project, world.planDirectory), 'memory.yaml')];
  const diff = await world.git('diff', '--unified=0', base, 'HEAD', ...memory);
  const lines = diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));
  expect(lines.filter((line) => line.startsWith('-'))).toEqual([expect.stringContaining(edit.from)]);
  const added = lines.filter((line) => line.startsWith('+'));
  expect(added[0]).toContain(edit.to);
  expect(added[1]).toContain('- id: greetings-have-a-comma');
  expect(added.length).toBeLessThan(8);

  await world.git('commit', '--quiet', '--no-verify', '-m', 'By the person');
  const names = await world.git('show', '--format=', '--name-status', '--no-renames', 'HEAD');
  expect(names.trim().split('\n')).toEqual(
    [
      'M\tpackages/app/partly.txt',
      'M\tpackages/app/staged.txt',
      'D\tpackages/app/moved.txt',
      'A\tpackages/app/to.txt',
      'M\tpackages/lib/staged.txt',
    ].toSorted((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1)),
  );
  expect(await world.git('show', 'HEAD:./partly.txt')).toBe('a\nb\n');
}
