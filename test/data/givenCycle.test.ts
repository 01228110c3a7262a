import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { importInto } from '../support/fullWorld.ts';
import {
  cycleTask,
  expectSentAsAccounted,
  givenScript,
  namedFiles,
  readAccounted,
  smallBudget,
} from '../support/givenCycle.ts';
import { inProcessSessions } from '../support/inProcessSessions.ts';
import { openCore } from '../support/openCore.ts';
import { testDataPath } from '../support/testData.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** The real plan, with a task and the files that some of its entries name. */
async function makeRealWorld(settings = ''): Promise<World> {
  const made = await makeWorld({
    ...{ files: namedFiles, scenario: givenScript },
    settings: `${settings}${smallBudget}`,
  });
  const world = await importInto(made, testDataPath('ravel-lite-core'));
  await world.git('add', '.');
  await world.git('commit', '--quiet', '-m', 'The plan');
  const core = await openCore(world, { role: 'local' });
  await core.api.request('state', { plan: world.plan, verb: 'backlog/add', args: cycleTask });
  await core.stop();
  return world;
}

/** What each tool of a session answered, by its call. */
function answersOf(events: readonly RavelEvent[], session: string): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === 'session.output' && event.session === session && event.output.kind === 'toolEnded'
        ? [[event.output.callId, event.output.output] as const]
        : [],
    ),
  );
}

test('in a whole cycle of a real plan, context.json and what came later are what the program was given', async () => {
  const world = await makeRealWorld();
  /** What the program finds in its folder when it starts, by that folder. */
  const found = new Map<string, { readonly system: string; readonly prompt: string }>();
  const { core, events } = await startCore(world, {
    spawn(program, args, options) {
      const directory = args[3] ?? '';
      if (args.at(-2) === 'scripted') {
        const textOf = (name: string) => readFileSync(join(directory, name), 'utf8');
        found.set(directory, { system: textOf('system.md'), prompt: textOf('prompt.md') });
      }
      return inProcessSessions.spawn(program, args, options);
    },
  });
  const { plan, scenario } = world;
  const report = await core.api.request('run_cycle', { plan, scenario, harness: 'scripted' });
  expect(report.reason).toBe('the cycle is complete');
  expect(report.phases.map(({ phase }) => phase)).toEqual(['work', 'analyse-work', 'reflect', 'triage']);
  for (const { phase, session } of report.phases) {
    const { later, memory, tools, ...texts } = await readAccounted(world, session);
    expect(texts).toMatchObject(found.get(join(world.vault, 'runtime/sessions', session)) ?? {});
    expect(memory?.given).toBe({ work: 'relevant', triage: 'relevant', reflect: 'all', dream: 'all' }[phase as string]);
    const offered = events.flatMap((event) =>
      event.type === 'session.output' && event.session === session && event.output.kind === 'ready'
        ? event.output.tools.map((name) => `tools/${name}`)
        : [],
    );
    expect(tools.map(([name]) => name)).toEqual(offered.filter((name) => name !== 'tools/permit').toSorted());
    const answers = answersOf(events, session);
    expect([...answers].filter(([, text]) => text.includes("From the plan's memory")).map(([call]) => call)).toEqual(
      later.map(({ call }) => call),
    );
    for (const { call, text } of later) {
      expect(answers.get(call)?.endsWith(`\n\n${text}`)).toBe(true);
      expect(answers.get(call)?.split("From the plan's memory")).toHaveLength(2);
    }
    if (phase === 'work') expect(later.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash']);
    else expect(later).toEqual([]);
  }
});

test('so they are what the real Claude Code sent to its model', async () => {
  const world = await makeRealWorld(claudeSettings());
  const { model, environment } = await startClaudeWorld(world, givenScript);
  const { core } = await startCore({ ...world, environment }, { sessions: 'processes' });
  const report = await core.api.request('run_cycle', { plan: world.plan, harness: 'claude-code' });
  expect([report.reason, model.mismatches]).toEqual(['the cycle is complete', []]);
  await expectSentAsAccounted(world, report, model.requests);
});
