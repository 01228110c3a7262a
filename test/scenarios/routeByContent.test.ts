import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openCore } from '../support/openCore.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { makeWorld, startCore } from '../support/world.ts';

const parser = 'lang/project-root/parser';
const printer = 'lang/project-root/printer';
const unclosed = 'Report the column where an unclosed string starts';

/** Every verb with every object; both plans are about lines and brackets. */
const tasksOf: Readonly<Record<string, readonly string[]>> = {
  [parser]: [
    unclosed,
    ...tasks(
      ['Report an error for', 'Recover from', 'Read the tokens of', 'Look ahead at', 'Skip', 'Resolve', 'Accept'],
      [
        'a missing bracket',
        'an unclosed string',
        'a number with exponent',
        'an escape sequence',
        'a nested call',
        'an operator without operand',
        'a reserved word in a long line',
      ],
    ),
  ],
  [printer]: tasks(
    ['Indent', 'Break', 'Align', 'Keep comments beside', 'Leave a blank row after', 'Wrap', 'Measure the width of'],
    [
      'a long line at its last comma',
      'the bracket that a list ends with',
      'chained methods',
      'a table of constants',
      'the margin of a block',
      'an import group',
      'a paragraph of documentation',
    ],
  ),
};

function tasks(verbs: readonly string[], objects: readonly string[]): string[] {
  return verbs.flatMap((verb) => objects.map((object) => `${verb} ${object}`));
}

/** A project with two plans, another one that sends, and the settings as they are. */
async function makeLanguages() {
  const reject = { call: 'reject_dispatch', with: { reason: 'It is not ours.' } };
  const world = await makeWorld({
    name: 'shop',
    settings: '[run]\nharness = "scripted"\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario: JSON.stringify({ version: 1, consultations: { route: [{ steps: [reject] }] } }),
  });
  const core = await openCore(world, { role: 'local' });
  const project = join(world.root, 'lang');
  await mkdir(project);
  await core.api.request('adopt', { project, description: 'A small language' });
  for (const [plan, titles] of Object.entries(tasksOf)) {
    const { directory } = await core.api.request('create', { plan, description: 'Part of the language' });
    const rows = titles.map((title, at) => ({ id: `t${at}`, title, category: 'work', status: 'not_started' }));
    await writeFile(join(directory, 'backlog.yaml'), stringify({ 'schema-version': 1, tasks: rows }));
  }
  await core.stop();
  return world;
}

const named = { 'target-project': 'lang' } as const;
const clear = 'We forget the column where an unclosed string of a long line starts, and do not recover.';
const vague = 'A long line, a bracket.';

test('in a new vault, a message goes to the plan whose tasks it is about, without a session', async () => {
  const world = await makeLanguages();
  const { core, events } = await startCore(world);
  const message = { from: world.plan, ...named, reason: 'Seen today', body: clear } as const;
  const explained = await core.api.request('explain_route', { on: 'dispatch', ...message });
  expect(explained.outcome).toEqual({ kind: 'routed', to: parser });
  expect(explained.candidates[0]?.lines?.[0]).toEqual({ in: 'task t0', line: unclosed });
  const said = explained.steps.find(({ step }) => step === 'scores');
  expect(said).toMatchObject({ decided: true });
  expect(said?.text).toMatch(
    /^lang\/project-root\/parser has the best score, 0\.\d\d\. The best is ahead of the second by \d+ % of its score\. A lead of \d+ % decides, as tested on 99 tasks of plans and 0 earlier decisions\.$/,
  );
  const received = nextEvent(core, 'message.handled', (event) => event.messageType === 'dispatch');
  const sent = await core.api.request('dispatch', message);
  expect(await received).toMatchObject({ actor: parser });
  const { routes } = await core.api.request('routes', { message: sent.message });
  const { step, scoreLead, reasoning, candidates } = routes[0] ?? {};
  expect(step).toBe('scores');
  expect(scoreLead).toMatchObject({ tasks: 99, decisions: 0 });
  expect(scoreLead?.ahead).toBeGreaterThanOrEqual(scoreLead?.threshold ?? 1);
  expect(said?.text.endsWith(reasoning ?? '?')).toBe(true);
  expect(candidates?.[0]?.lines?.[0]).toEqual({ in: 'task t0', line: unclosed });
  expect(events.filter(({ type }) => type === 'session.started')).toEqual([]);
});

test('a message that two plans could take is asked about, and waits for a person', async () => {
  const world = await makeLanguages();
  const { core, events } = await startCore(world);
  const waits = nextEvent(core, 'message.routed');
  await core.api.request('dispatch', { from: world.plan, ...named, reason: 'Seen', body: vague });
  expect(await waits).toMatchObject({ outcome: { kind: 'waiting' } });
  expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
});
