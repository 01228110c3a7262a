import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { SessionRows } from '../../webview/session/sessionRows.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { describeOutcome } from '../support/describeOutcome.ts';
import { createNormaliser, formatEvents } from '../support/eventText.ts';
import type { OpenOptions } from '../support/openCore.ts';
import { openCore } from '../support/openCore.ts';
import {
  finishDone,
  formatScenario,
  goodReflection,
  makeReflectWorld,
  nextEvent,
  runOptionsOf,
  type Steps,
  whenPrinted,
} from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

type Kind = NonNullable<OpenOptions['sessions']>;

/** Runs one whole cycle; its events, and its files and commits. */
async function runCycle(sessions: Kind) {
  const world = await makeCycleWorld();
  const { core, events } = await startCore(world, { sessions });
  const { plan, scenario } = world;
  const report = await core.api.request('run_cycle', { plan, harness: 'scripted', scenario });
  expect(report.reason, sessions).toBe('the cycle is complete');
  const normalise = createNormaliser(world.root);
  return { events: formatEvents(events, normalise), outcome: normalise(await describeOutcome(world)) };
}

test('a cycle whose sessions are played inside the test process equals one whose sessions are processes', async () => {
  expect(await runCycle('inProcess')).toEqual(await runCycle('processes'));
});

test.each<Kind>(['inProcess', 'processes'])(
  'what a session did stands below the call that did it, once: %s',
  async (sessions) => {
    const steps: Steps = [
      { call: 'memory_add', with: { title: 'One', body: 'First.' } },
      { call: 'memory_add', with: { title: 'Two', body: 'Second.' } },
      { call: 'memory_delete', with: { id: 'nothing' }, expect: 'refused' },
      finishDone,
    ];
    const world = await makeReflectWorld(steps);
    const { core } = await startCore(world, { sessions });
    const { session } = await core.api.request('run_phase', runOptionsOf(world));
    const { events } = await core.api.request('transcript', { session });
    const rows = new SessionRows();
    rows.add(events);
    const shown = rows.rows.flatMap((row): unknown[] => {
      if (row.kind === 'tool') return [[row.tool, row.did ?? []]];
      return row.kind === 'mark' && /added|memory/.test(row.text) && row.tone !== 'plain' ? [row.text] : [];
    });
    expect(shown).toEqual([
      ['memory_add', ['added entry one']],
      ['memory_add', ['added entry two']],
      ['memory_delete', []],
      expect.stringMatching(/^memory\/delete refused: /),
      ['finish_phase', []],
      expect.stringMatching(/^Merged /),
    ]);
  },
);

const done = { call: 'backlog_set_status', with: { id: 'add-a-farewell', status: 'done' } };
const begin = { say: 'I begin.' };

interface Ending {
  readonly settings?: string;
  readonly isStopped?: boolean;
  /** Reflect unless told otherwise; only work runs commands. */
  readonly phase?: 'work';
}

/** Runs a phase of these steps, or ends it once its session has said that it begins; how its session ended. */
async function runToEnd(sessions: Kind, steps: Steps, { settings = '', isStopped = false, phase }: Ending) {
  const played = [begin, ...steps];
  const world =
    phase === undefined
      ? await makeReflectWorld(played, { settings })
      : await makeCycleWorld({ settings, scenario: formatScenario({ [phase]: played }) });
  const { core, events } = await startCore(world, { sessions });
  const said = whenPrinted(core, begin.say);
  const running = core.api.request('run_phase', runOptionsOf(world));
  if (isStopped) await said.then(() => core.api.request('stop', { plan: world.plan }));
  const { end, summary } = await running;
  const ended = events.find((event) => event.type === 'session.ended');
  const session = ended?.type === 'session.ended' ? ended : undefined;
  const directory = join(world.vault, 'runtime/sessions', session?.session ?? '');
  // A shell has a word of its own for how its program died.
  const says = summary?.replace(/; the end of its standard error: (?:Killed|Segmentation fault).*/, '');
  return {
    end,
    says,
    session: session?.end,
    exitCode: session?.exitCode,
    hasExit: existsSync(join(directory, 'exit')),
  };
}

test.each<[string, Steps, Ending?]>([
  ['finishes', goodReflection],
  ['exits with a code of its own', [{ exit: 3 }]],
  ['expects what does not come', [{ call: 'memory_delete', with: { id: 'nothing' } }]],
  ['dies of a signal', [{ crash: 'SIGSEGV' }]],
  ['dies of a signal that nothing catches', [{ crash: 'SIGKILL' }]],
  ['hangs and is stopped', [{ hang: true }], { isStopped: true }],
  ['waits for a command and is stopped', [{ run: { command: 'sleep 300' } }], { isStopped: true, phase: 'work' }],
  [
    'leaves a command behind',
    [{ run: { command: 'sleep 300 > /dev/null 2>&1 &' } }, done, finishDone],
    { phase: 'work' },
  ],
  [
    'says too much',
    [{ flood: { megabytes: 3, to: 'stdout' } }, { hang: true }],
    { settings: '[limits]\nsession-output-mib = 1\n' },
  ],
])('a session that %s ends the same inside the test process as in its own', async (_name, steps, more = {}) => {
  const played = await runToEnd('inProcess', steps, more);
  expect(played).toEqual(await runToEnd('processes', steps, more));
});

test('a session inside the test process outlives its owner, and the next owner adopts it', async () => {
  const steps: Steps = [begin, { wait: '300ms' }, ...goodReflection];
  const world = await makeReflectWorld(steps);
  const first = await openCore(world, { sessions: 'inProcess' });
  const said = whenPrinted(first, begin.say);
  // Nobody is told how a phase ends whose owner stops.
  void first.api.request('run_phase', runOptionsOf(world)).catch(() => undefined);
  await said;
  await first.stop();
  const second = await openCore(world, { sessions: 'inProcess' });
  onTestFinished(() => second.stop());
  const recovered = await nextEvent(
    second,
    'recovered',
    ({ outcome }: Extract<RavelEvent, { type: 'recovered' }>) => outcome !== 'reattached',
  );
  expect(recovered.outcome).toBe('finished');
  expect(await world.readPlan('phase.md')).toBe('triage\n');
});
