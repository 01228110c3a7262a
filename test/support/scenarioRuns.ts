import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { RequestParams } from '../../src/model/protocol.ts';
import type { PhaseReport } from '../../src/model/requests/runs.ts';
import type { World } from './world.ts';

/** One step of a scenario, as its file writes it. */
export type Step = Readonly<Record<string, unknown>>;

/** The text of a scenario. */
export function scenarioText(phases: Readonly<Record<string, readonly Step[]>>): string {
  return `${JSON.stringify({ version: 1, phases }, undefined, 2)}\n`;
}

export const done: Step = { finish: { outcome: 'done', summary: 'It is done.' } };

/** A session record and a commit for each list of paths, as an analysis writes them. */
export function analysis(...commits: readonly (readonly [message: string, ...paths: string[]])[]): Step[] {
  const entries = commits.map(([message, ...paths]) => ({ paths, message }));
  return [
    { call: 'session_set_latest', with: { title: 'A session', body: '- What was to be done is done.\n' } },
    { call: 'commits_set', with: { commits: entries } },
    done,
  ];
}

/** A backlog with tasks that are ready, in this order. */
export function backlogOf(...ids: readonly string[]): string {
  const tasks = ids.map((id) =>
    [
      `  - id: ${id}`,
      `    title: ${id.replaceAll('-', ' ')}`,
      '    category: core',
      '    status: not_started',
      '    dependencies: []',
      '    description: |',
      '      Do it.',
      '',
    ].join('\n'),
  );
  return `tasks:\n${tasks.join('')}`;
}

/** A memory with one entry for each title. */
export function memoryOf(entries: Readonly<Record<string, string>>): string {
  const records = Object.entries(entries).map(
    ([id, body]) => `  - id: ${id}\n    title: About ${id}\n    body: |\n      ${body}\n`,
  );
  return `entries:\n${records.join('')}`;
}

export function runPhase(
  core: Core,
  world: World,
  more: Partial<RequestParams<'run_phase'>> = {},
): Promise<PhaseReport> {
  const { plan, scenario } = world;
  return core.api.request('run_phase', { plan, harness: 'scripted', scenario, ...more });
}

export function retryPhase(core: Core, world: World): Promise<PhaseReport> {
  const { plan, scenario } = world;
  return core.api.request('retry', { plan, harness: 'scripted', scenario });
}

/** Does something the first time that such an event is told; the session waits for the answer to its call meanwhile. */
export function onFirst(core: Core, isIt: (event: RavelEvent) => boolean, act: () => void): void {
  const listening = core.api.onEvent((event) => {
    if (!isIt(event)) return;
    listening.dispose();
    act();
  });
}

/** Resolves at the next such event. */
export function nextEvent(core: Core, isIt: (event: RavelEvent) => boolean): Promise<void> {
  return new Promise((resolve) => onFirst(core, isIt, resolve));
}

/** Whether an event tells of a verb that a session used. */
export function isVerb(verb: string): (event: RavelEvent) => boolean {
  return (event) => event.type === 'session.verb' && event.verb === verb && event.applied;
}

/** Lines of the person's status for the whole repository, without those of plans. */
export async function statusLines(world: World): Promise<string[]> {
  const text = await world.git('-C', world.repository, 'status', '--porcelain=v2', '--untracked-files=all');
  return text.split('\n').filter((line) => line !== '' && !/ (?:\S+\/)?ravel\//.test(line));
}

/** Titles of the history, oldest first. */
export async function titles(world: World): Promise<string[]> {
  return (await world.git('log', '--reverse', '--format=%s')).trim().split('\n');
}

export interface OpenApproval {
  readonly kind: string;
  readonly subject: string;
  readonly details: unknown;
}

/** Everything that waits for a person in the vault. */
export async function approvals(world: World): Promise<OpenApproval[]> {
  const folder = join(world.vault, 'runtime/approvals');
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.sort().map(async (name) => parse(await readFile(join(folder, name), 'utf8'))));
}

/** The plan is where it stood: same phase, nothing runs, nothing waits. */
export async function expectUntouched(core: Core, world: World, phase: string): Promise<void> {
  const status = await core.api.request('status', { plan: world.plan });
  expect(status.running).toBeUndefined();
  expect(status.waiting).toBeUndefined();
  expect(status.interrupted).toBeUndefined();
  expect(await world.readPlan('phase.md')).toBe(`${phase}\n`);
}
