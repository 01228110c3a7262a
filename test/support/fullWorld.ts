import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { CycleReport } from '../../src/model/requests/runs.ts';
import { analysis, backlogOf, done, isVerb, onFirst, scenarioText, statusLines } from './scenarioRuns.ts';
import { makeWorld, type World } from './world.ts';

export interface FullWorld {
  readonly world: World;
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

/**
 * The world is not empty (design 7): the project is a part of a larger repository, in which a person has work of every
 * kind under way, and a hook adds a file to each commit.
 */
export async function makeFullWorld(plan: Readonly<Record<string, string>>): Promise<FullWorld> {
  const world = await makeWorld({
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
    plan,
    scenario: scenarioText({
      work: [{ edit: { path: 'greet.mjs', replace: 'Hello', with: 'Hello,' } }, done],
      'analyse-work': analysis(['Put a comma into the greeting', 'greet.mjs']),
      reflect: [
        { call: 'memory_add', with: { title: 'Greetings have a comma', body: 'A comma follows Hello.\n' } },
        done,
      ],
      dream: [done],
      triage: [done],
    }),
  });
  await world.git('-C', world.repository, 'add', 'packages/lib', 'packages/app/ravel');
  await world.git('commit', '--quiet', '-m', 'Library and plan');
  const base = (await world.git('rev-parse', 'HEAD')).trim();
  await world.hook('pre-commit', 'echo stamped > packages/app/stamp.txt && git add packages/app/stamp.txt');
  await makeDirty(world);
  const scenario = join(world.root, 'second.yaml');
  await writeFile(
    scenario,
    scenarioText({
      work: [{ edit: { path: 'second.mjs', content: 'export {};\n' } }, done],
      'analyse-work': analysis(['Add a second module', 'second.mjs']),
      reflect: [done],
      triage: [done],
    }),
  );
  return { world, second: { plan: `${world.plan}/second`, scenario }, base, before: await statusLines(world) };
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

  const memory = ['--', 'ravel/project-root/memory.yaml'];
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
