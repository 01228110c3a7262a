import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { linesOutside } from '../support/fences.ts';
import { analysis, done, runPhase, type Step, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** Of entries about as many kinds of cheese, one is about the task. */
const entries = [
  ...Array.from({ length: 60 }, (_, n) => ({
    id: `cheese-${n}`,
    title: `Cheese ${n} is kept cold`,
    body: `Cheese number ${n} is kept in the cellar, at nine degrees, since it spoils when it is warm. ${'It ripens. '.repeat(8)}`,
  })),
  {
    id: 'greet-trims',
    title: '`greet` trims names',
    body: 'The function `greet` in `greet.mjs` trims each name first.',
  },
];
const tasks = ['a', 'b', 'c'].map((id) => ({
  id,
  title: id === 'b' ? 'Let greet refuse an empty name' : `Other ${id}`,
  category: 'core',
  status: 'not_started',
  dependencies: id === 'c' ? ['b'] : [],
  description: id === 'a' ? 'Long. '.repeat(2000) : 'Short.',
}));

async function start(settings: string, steps: readonly Step[] = []) {
  const world = await makeWorld({
    settings: `[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n${settings}`,
    scenario: scenarioText({
      work: [...steps, { call: 'backlog_set_status', with: { id: 'b', status: 'done' } }, done],
    }),
    plan: { 'memory.yaml': formatYaml({ entries }), 'backlog.yaml': formatYaml({ tasks }) },
  });
  const { core, events } = await startCore(world);
  return { world, core, events };
}

async function promptOf(world: World, session: string | undefined): Promise<string> {
  return readFile(join(world.vault, 'runtime/sessions', session ?? '', 'prompt.md'), 'utf8');
}

describe('a work session whose plan has a large memory', () => {
  test('is given what fits its task in full, titles of others, a count, and verbs for the rest', async () => {
    const shows = [
      { call: 'memory_search', with: { text: 'empty name for `greet`' } },
      { call: 'memory_show', with: { id: ['cheese-1', 'Cheese 2 is kept cold'] } },
    ];
    const { world, core, events } = await start('[memory]\nbudget-kb = 2\n', shows);
    const { session, end } = await runPhase(core, world, { phase: 'work', task: 'b' });
    expect(end).toBe('finished');
    const prompt = await promptOf(world, session);
    expect(prompt).toContain('The function `greet` in `greet.mjs` trims each name first.');
    expect(prompt).toContain('The memory has 61 entries. Those that fit the task best:');
    expect(prompt).toMatch(/more entries: `memory_search` finds entries/);
    expect(Buffer.byteLength(prompt)).toBeLessThan(12_000);
    expect(prompt).toContain('The backlog has 3 tasks. In full, the task, and those that it is tied to:');
    expect(prompt).toContain('- a (not_started): Other a');
    const outputs = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? event.output.output : [],
    );
    expect(outputs[0]).toContain('greet-trims');
    expect(outputs[1]).toMatch(/cheese-1[\s\S]*cheese-2/);
  });

  test('is told what the memory has about a file once it touches it, and not again', async () => {
    const steps = [
      { read: { path: 'greet.mjs' } },
      { run: { command: 'cat greet.mjs' } },
      { read: { path: 'README.md' } },
    ];
    const { world, core, events } = await start('[memory]\nbudget-kb = 0\n', steps);
    const { session } = await runPhase(core, world, { phase: 'work', task: 'b' });
    const outputs = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? event.output.output : [],
    );
    expect(outputs[0]).toMatch(/^export function greet[\s\S]*From the plan's memory[\s\S]*trims each name first/);
    expect(outputs[1]).not.toContain('memory');
    expect(outputs[2]).not.toContain("From the plan's memory");
    const kept = await readFile(join(world.vault, 'runtime/sessions', session, 'given.jsonl'), 'utf8');
    expect(kept.trim().split('\n')).toHaveLength(1);
  });

  test('is given the same bytes for the same files', async () => {
    const prompts = [];
    for (let n = 0; n < 2; n += 1) {
      const { world, core } = await start('[memory]\nbudget-kb = 3\n');
      const { session } = await runPhase(core, world, { phase: 'work', task: 'b' });
      prompts.push((await promptOf(world, session)).replaceAll(world.root, ''));
    }
    expect(prompts[0]).toBe(prompts[1]);
  });

  test.each([
    ['the vault wants all of it', '[memory]\ngiven = "all"\nbudget-kb = 1\n'],
    ['it fits the budget', ''],
  ])('is given all of it where %s', async (_why, settings) => {
    const { world, core } = await start(settings);
    const { session } = await runPhase(core, world, { phase: 'work', task: 'b' });
    expect(await promptOf(world, session)).toContain(await world.readPlan('memory.yaml'));
  });

  test('is given only a count if the budget is 0, and its plan can say so', async () => {
    const { world, core } = await start('');
    const marker = await world.readPlan('plan-state.md');
    await world.writePlan('plan-state.md', marker.replace(/\n---\n/, '\nmemory: { budget-kb: 0 }\n---\n'));
    const { session } = await runPhase(core, world, { phase: 'work', task: 'b' });
    const prompt = await promptOf(world, session);
    expect(prompt).toContain('The memory has 61 entries. None of them is here in full.');
    expect(prompt).not.toContain('Cheese');
    expect(linesOutside(prompt)).toContain('61 more entries: `memory_search` finds entries by their words.');
  });
});

describe('what a session was given of its memory', () => {
  test('is shown entry by entry, with why, how it ranked, what came later, and how much of it was used', async () => {
    const steps = [
      { call: 'memory_show', with: { id: 'cheese-3' } },
      { read: { path: 'greet.mjs' } },
      { call: 'backlog_set_results', with: { id: 'b', body: 'As greet-trims says.' } },
    ];
    const { world, core } = await start('[memory]\nbudget-kb = 0.5\n', [{ read: { path: 'README.md' } }, ...steps]);
    const preview = await core.api.request('context', { plan: world.plan, task: 'b' });
    const { session } = await runPhase(core, world, { phase: 'work', task: 'b' });
    const page = await core.api.request('given', { plan: world.plan, session });
    expect(page.memory).toMatchObject({ given: 'relevant', count: 61, bytesMax: 500 });
    expect(page.memory?.entries[0]).toMatchObject({ id: 'greet-trims', place: 'full', rank: 1 });
    expect(page.memory?.entries[0]?.words).toContain('greet');
    expect(page.memory?.entries.at(-1)).toMatchObject({ place: 'left' });
    expect(page.later).toBeUndefined();
    expect(preview.prompt).toBe(await promptOf(world, session));
    const { cycles } = await core.api.request('history', { plan: world.plan });
    expect(cycles[0]?.phases.find(({ phase }) => phase === 'work')?.memory).toEqual({
      ...{ given: 2, later: 0, read: 1, used: 2 },
    });
  });

  test('has what came later byte for byte', async () => {
    const { world, core, events } = await start('[memory]\nbudget-kb = 0\n', [{ read: { path: 'greet.mjs' } }]);
    const { session } = await runPhase(core, world, { phase: 'work', task: 'b' });
    const page = await core.api.request('given', { plan: world.plan, session });
    expect(page.later).toMatchObject([
      { tool: 'Read', entries: [{ id: 'greet-trims', name: 'greet.mjs', whole: true }] },
    ]);
    const part = page.given.findIndex(({ name }) => name === 'later/1');
    const { text = '' } = await core.api.request('given_text', { plan: world.plan, session, part });
    const told = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? event.output.output : [],
    );
    expect(told[0]?.endsWith(text)).toBe(true);
    expect(Buffer.byteLength(text)).toBe(page.given[part]?.bytes);
  });
});

describe('a plan whose memory has a damaged entry', () => {
  const damaged = '- id: broken # mine\n  title:   [not, a, text]\n';
  const memory = `# By Ada\nentries:\n${damaged}- id: doors\n  title: Doors\n  body: There are two.\n`;

  test('runs its phases with the others, is told of it, and keeps every byte of it', async () => {
    const add = { call: 'memory_add', with: { title: 'Windows', body: 'There is one.' } };
    const world = await makeWorld({
      scenario: scenarioText({
        work: [
          { call: 'memory_list', with: {} },
          { edit: { path: 'greet.mjs', replace: 'Hello', with: 'Hello,' } },
          done,
        ],
        'analyse-work': analysis(['Add a comma', 'greet.mjs']),
        reflect: [add, { call: 'memory_set_title', with: { id: 'doors', title: 'Two doors' } }, done],
        triage: [done],
      }),
      plan: { 'memory.yaml': memory, 'backlog.yaml': formatYaml({ tasks }) },
    });
    const { core, events } = await startCore(world);
    const { plan, scenario } = world;
    const report = await core.api.request('run_cycle', { plan, scenario, harness: 'scripted' });
    expect(report.reason).toBe('the cycle is complete');
    const [work] = report.phases;
    const told = 'entry 1 ("broken"): ';
    expect(await promptOf(world, work?.session)).toContain(told);
    const page = await core.api.request('given', { plan, session: work?.session ?? '' });
    expect(page.memory).toMatchObject({ damaged: { count: 1, first: [{ at: 1, id: 'broken' }] } });
    const listed = events.find((event) => event.type === 'session.output' && event.output.kind === 'toolEnded');
    expect(JSON.stringify(listed)).toContain('doors');
    const after = await world.readPlan('memory.yaml');
    expect(after).toContain(damaged);
    expect(after).toMatch(/title: Two doors\n[\s\S]*id: windows/);
    const { diagnostics } = await core.api.request('verify', {});
    expect(diagnostics.find(({ file = '' }) => file.endsWith('memory.yaml'))).toMatchObject({
      ...{ code: 'yaml/schema', severity: 'warning', message: expect.stringContaining('Entry 1 ("broken")') },
    });
  });
});

test('a person who works by hand is given the part that fits the task, with the whole file beside it', async () => {
  const { world, core } = await start('[memory]\nbudget-kb = 2\n');
  const { directory } = await core.api.request('begin_manual_run', { plan: world.plan, phase: 'work', task: 'b' });
  const prompt = await readFile(join(directory, 'phase-prompt.readonly.md'), 'utf8');
  expect(prompt).toContain('The function `greet` in `greet.mjs` trims each name first.');
  expect(linesOutside(prompt).join('\n')).toMatch(/more entries: `memory\.yaml` in this folder has all of them/);
  expect(prompt).not.toContain('memory_search` finds entries by their words.');
  expect(await readFile(join(directory, 'memory.yaml'), 'utf8')).toBe(await world.readPlan('memory.yaml'));
});
