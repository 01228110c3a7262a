import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { makeGate } from '../support/gate.ts';
import { testNeeding } from '../support/machine.ts';
import { nextEvent, stateOf, whenPrinted } from '../support/phaseWorld.ts';
import { bundleProgram } from '../support/program.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { startCore } from '../support/world.ts';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(fileURLToPath(new URL('../fixtures/harness/unrulyClaude.ts', import.meta.url)));
});

const ls = { command: 'ls' };
const asksLs = { tool_name: 'Bash', input: ls };
const id = 'toolu_x';
const work = [
  { call: 'backlog_set_status', input: { id: 'add-a-farewell', status: 'done' } },
  { call: 'finish_phase', input: { outcome: 'done', summary: 'A farewell was added.' } },
];

/** A world whose Claude Code is a stand-in that plays these steps and asks only if they say so. */
async function makeUnrulyWorld(steps: readonly object[]) {
  const launcher = join(await makeTemporaryDirectory(), 'claude');
  await writeFile(launcher, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(launcher, 0o755);
  const world = await makeCycleWorld({ settings: `[harnesses.claude-code]\nprogram = ${JSON.stringify(launcher)}\n` });
  await world.write('play.json', JSON.stringify(steps));
  return world;
}

async function run(steps: readonly object[], options: { readonly sandbox?: true } = {}) {
  const world = await makeUnrulyWorld(steps);
  const before = await stateOf(world);
  const { core, events } = await startCore(world, options);
  const report = await core.api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
  return { world, core, events, report, before };
}

describe('a session whose program uses a tool without asking is ended, and its phase is not applied:', () => {
  const cases: Readonly<Record<string, readonly [readonly object[], string]>> = {
    'before it finishes': [[{ use: 'Bash', input: ls, id }, ...work], 'and Ravel was not asked about it'],
    'a tool that the gate has never heard of': [[{ use: 'Teleport', id }, ...work], 'the tool Teleport'],
    'after its phase was accepted': [[...work, { use: 'Bash', input: ls, id }], 'was not asked'],
    'without a word about how it ended': [[{ use: 'Bash', input: ls, id, ends: false }, ...work], 'whether it ran'],
    'one that was denied': [
      [
        {
          use: 'Bash',
          input: { command: 'git push' },
          id,
          defies: true,
          asks: { tool_name: 'Bash', input: { command: 'git push' }, tool_use_id: id },
        },
        ...work,
      ],
      'although it was denied',
    ],
    'with other input than it asked for': [
      [{ use: 'Bash', input: { command: 'cat .env' }, id, asks: { ...asksLs, tool_use_id: id } }, ...work],
      'other input',
    ],
  };

  test.each(Object.entries(cases))('%s', async (_name, [steps, problem]) => {
    const { world, core, events, report, before } = await run(steps);
    expect(report).toMatchObject({ end: 'failed', next: 'work', summary: expect.stringContaining(problem) });
    expect(report.summary).toContain(id);
    expect(await stateOf(world)).toEqual(before);
    expect(events.filter(({ type }) => type === 'state.merged' || type === 'commit.made')).toEqual([]);
    const told = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic] : []));
    expect(told).toMatchObject([
      { code: 'gate/uncovered', message: report.summary, help: expect.stringContaining('version') },
    ]);
    const { interrupted } = await core.api.request('status', { plan: world.plan });
    expect(interrupted).toMatchObject({ phase: 'work', reason: report.summary });
    const { events: kept } = await core.api.request('transcript', { session: report.session });
    expect(kept.at(-1)).toMatchObject({ type: 'phase.ended', summary: report.summary });
  });
});

async function runInTerminal(steps: readonly object[], options: { readonly sandbox?: true } = {}) {
  const world = await makeUnrulyWorld(steps);
  const { core, events } = await startCore(world, options);
  const ended = nextEvent(core, 'phase.ended');
  const size = { columns: 80, rows: 24 };
  await core.api.request('open_terminal', { kind: 'work', plan: world.plan, harness: 'claude-code', size });
  const { end, next, summary } = await ended;
  const told = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic] : []));
  return { end, next, summary, told: told.filter(({ severity }) => severity === 'error') };
}

describe('in a terminal, with the record of the conversation as the only source,', () => {
  const record = { keeps: 'file' };
  const asked = { use: 'Bash', input: ls, id, asks: { ...asksLs, tool_use_id: id } };
  const unasked = { use: 'Bash', input: ls, id };
  const forEver = { waitFor: 'what-nobody-makes' };

  test('a session finishes if each call was asked about', async () => {
    expect(await runInTerminal([record, asked, ...work])).toMatchObject({ end: 'finished', told: [] });
  });

  const cases: Readonly<Record<string, readonly [readonly object[], string, string]>> = {
    'at once when a call ran unasked': [[record, unasked, forEver], 'and Ravel was not asked about it', 'version'],
    'for a call after its phase was accepted': [[record, ...work, unasked, forEver], 'not asked', 'version'],
    'for a call that did not say how it ended': [
      [record, { ...unasked, ends: false }, ...work],
      'before it said whether it ran',
      'version',
    ],
    'when there is no record': [work, 'left no record', 'projects/'],
    'when its record cannot be read': [[{ keeps: 'folder' }, ...work], 'cannot be read: EISDIR', 'projects/'],
  };

  test.each(Object.entries(cases))('it is ended, and nothing is applied, %s', async (_name, [steps, problem, help]) => {
    const { told, ...how } = await runInTerminal(steps);
    expect(how).toMatchObject({ end: 'failed', next: 'work', summary: expect.stringContaining(problem) });
    expect(told).toMatchObject([{ code: 'gate/uncovered', message: how.summary, help: expect.stringContaining(help) }]);
  });
});

describe('in a sandbox, each command of a session', () => {
  const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;
  const outside = expect.stringContaining(`${id} of the tool Bash is not in the record of what the sandbox ran`);
  const judged = { use: 'Bash', input: ls, id, asks: { ...asksLs, tool_use_id: id } };
  const id2 = 'toolu_y';
  const src = { command: 'ls src' };
  const judgedToo = { use: 'Bash', input: src, id: id2, asks: { tool_name: 'Bash', input: src, tool_use_id: id2 } };

  testNeeding(needs, 'runs there', async () => {
    const steps = [{ ...judged, runs: 'ls' }, { ...judgedToo, runs: 'ls src' }, ...work];
    expect((await run(steps, { sandbox: true })).report).toMatchObject({ end: 'finished' });
  });

  const cases: Readonly<Record<string, readonly object[]>> = {
    'not at all': [judged, ...work],
    'with another text': [{ ...judged, runs: 'date' }, ...work],
    'in one run with another call': [{ ...judgedToo, runs: 'ls src' }, judged, ...work],
  };
  for (const [name, steps] of Object.entries(cases)) {
    testNeeding(needs, `or it is ended, and its phase is not applied: ${name}`, async () => {
      const { world, core, report, before } = await run(steps, { sandbox: true });
      expect(report).toMatchObject({ end: 'failed', next: 'work', summary: outside });
      expect(await stateOf(world)).toEqual(before);
      expect(await core.api.request('status', { plan: world.plan })).toMatchObject({ interrupted: { phase: 'work' } });
    });
  }

  testNeeding(needs, 'runs there in a terminal as well', async () => {
    const record = { keeps: 'file' };
    const heeds = await runInTerminal([record, { ...judged, runs: 'ls' }, ...work], { sandbox: true });
    expect(heeds).toMatchObject({ end: 'finished', told: [] });
    const ignores = await runInTerminal([record, judged, ...work], { sandbox: true });
    expect(ignores).toMatchObject({ end: 'failed', summary: outside, told: [{ code: 'gate/uncovered' }] });
  });

  testNeeding(needs, 'is looked for by the next owner as well', async () => {
    const ended = await takeOver([{ ...judged, runs: 'ls' }], [judgedToo], { sandbox: true });
    expect(ended).toMatchObject({
      end: 'failed',
      summary: expect.stringContaining(`${id2} of the tool Bash is not in the record`),
    });
  });
});

test('a session whose program asks about every tool finishes, whatever was denied', async () => {
  const push = { command: 'git push' };
  const { report } = await run([
    { use: 'Bash', input: ls, id, asks: { ...asksLs, tool_use_id: id } },
    { use: 'Bash', input: push, id: 'toolu_y', asks: { tool_name: 'Bash', input: push, tool_use_id: 'toolu_y' } },
    ...work,
  ]);
  expect(report).toMatchObject({ end: 'finished', next: 'analyse-work' });
});

test('each of 300 calls has its verdict, and the owner answers others meanwhile', {
  timeout: 120_000,
}, async () => {
  const count = 300;
  const steps = Array.from({ length: count }, (_, n) => {
    const input = { command: `echo ${n}`, description: 'x'.repeat(1000) };
    const call = `toolu_many_${n}`;
    return { use: 'Bash', input, id: call, asks: { tool_name: 'Bash', input, tool_use_id: call } };
  });
  const world = await makeUnrulyWorld([...steps, ...work]);
  const { core } = await startCore(world);
  const running = core.api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
  let [isOver, answered] = [false, 0];
  const ended = running.finally(() => {
    isOver = true;
  });
  for (; !isOver; answered++) await core.api.request('status', { plan: world.plan });
  const { session, end } = await ended;
  expect(end).toBe('finished');
  expect(answered).toBeGreaterThan(count / 10);
  const verdicts = await readFile(join(world.vault, 'runtime/sessions', session, 'verdicts.jsonl'), 'utf8');
  expect(verdicts.trim().split('\n')).toHaveLength(count);
  expect(verdicts.length).toBeLessThan(count * 250);
});

async function takeOver(
  before: readonly object[],
  after: readonly object[],
  options: { readonly sandbox?: true } = {},
) {
  const world = await makeUnrulyWorld([]);
  const gate = await makeGate(world.project);
  const waitFor = (gate.wait['wait'] as { for: string }).for.slice(world.project.length + 1);
  await world.write('play.json', JSON.stringify([...before, { say: 'Waiting.' }, { waitFor }, ...after, ...work]));
  const first = await startCore(world, options);
  const waiting = whenPrinted(first.core, 'Waiting.');
  const running = first.core.api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
  running.catch(() => undefined);
  await waiting;
  await first.server.stop();
  await first.core.stop();
  const next = await startCore(world, options);
  const ended = nextEvent(next.core, 'phase.ended');
  gate.open();
  return ended;
}

describe('the next owner of the vault', () => {
  test('knows the verdicts of the one before', async () => {
    const asked = { use: 'Bash', input: ls, id, asks: { ...asksLs, tool_use_id: id } };
    expect(await takeOver([asked], [])).toMatchObject({ phase: 'work', end: 'finished' });
  });

  test('finds the call that the owner before was not asked about', async () => {
    const ended = await takeOver([], [{ use: 'Bash', input: ls, id }]);
    expect(ended).toMatchObject({ phase: 'work', end: 'failed', summary: expect.stringContaining('was not asked') });
  });
});
