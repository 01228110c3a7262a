import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { Ulid } from '../../src/model/id.ts';
import { backlogIn } from '../support/backlogs.ts';
import { makeGate } from '../support/gate.ts';
import { listTree } from '../support/listTree.ts';
import { openCore } from '../support/openCore.ts';
import {
  finishDone,
  nextEvent,
  oneEntry,
  runOptionsOf,
  type ScenarioSteps,
  type Steps,
} from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

interface Alternative {
  readonly when?: string;
  readonly steps: Steps;
}

const answering = (text: string, ...citations: string[]): Steps => [
  { usage: { 'input-tokens': 100, 'cost-usd': 0.25 } },
  { call: 'answer', with: { text, citations } },
];

interface Family {
  readonly world: World;
  /** A second plan of the project, and the folder of its files. */
  readonly child: string;
  readonly childFolder: string;
}

/** A project with two plans. Every session that is not given a scenario of its own plays this one. */
async function makeFamily(answers: readonly Alternative[], phases: ScenarioSteps = {}): Promise<Family> {
  const world = await makeWorld({
    settings: '[run]\nharness = "scripted"\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry, 'backlog.yaml': backlogOf('first') },
  });
  play({ world }, answers, phases);
  const core = await openCore(world, { role: 'local' });
  const child = `${world.plan}/child`;
  const { directory } = await core.api.request('create', { plan: child, description: 'Minds the cats' });
  await core.stop();
  writeFileSync(join(directory, 'memory.yaml'), oneEntry);
  return { world, child, childFolder: directory };
}

function play({ world }: Pick<Family, 'world'>, answers: readonly Alternative[], phases: ScenarioSteps = {}): void {
  writeFileSync(world.scenario, JSON.stringify({ version: 1, phases, consultations: { answer: answers } }));
}

const ask = (core: Core, to: string, question: string, waitSeconds = 60) =>
  core.api.request('ask', { 'target-plan': to, question, 'wait-seconds': waitSeconds });

test('a person who asks a plan gets the answer of a fresh session, which changes nothing', async () => {
  const { world, child, childFolder } = await makeFamily([
    {
      when: 'How is it indented?',
      steps: [{ edit: { path: 'stolen.md', content: 'x' } }, ...answering('With tabs.', 'tabs')],
    },
    { steps: [{ call: 'decline', with: { reason: 'Nothing is written of it.' } }] },
  ]);
  const { core } = await startCore(world);
  const before = [listTree(world.project), listTree(childFolder)];
  const { query, answer } = await ask(core, child, 'How is it indented?');
  const said = { state: 'answered', text: 'With tabs.', citations: ['tabs'], by: child, from: 'person', usd: 0.25 };
  expect(answer).toMatchObject({ query, question: 'How is it indented?', ...said });
  expect([listTree(world.project), listTree(childFolder)]).toEqual(before);
  expect((await core.api.request('answer', { query })).answer).toEqual(answer);

  const { sessions } = await core.api.request('sessions', {});
  const [row] = sessions;
  const session = row?.session as Ulid;
  expect(row).toMatchObject({
    plan: child,
    phase: 'answer',
    harness: 'scripted',
    usd: 0.25,
    ended: { end: 'finished' },
  });
  expect(row?.running).toBeUndefined();
  const { given } = await core.api.request('given', { plan: child, session });
  expect(given.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['prompt/QUESTION', 'prompt/MEMORY', 'tools/answer']),
  );
  for (const [part, { name }] of given.entries()) {
    expect(await core.api.request('given_text', { plan: child, session, part }), name).toHaveProperty('text');
  }
  const prompt = readFileSync(join(world.vault, 'runtime/sessions', session, 'prompt.md'), 'utf8');
  expect(prompt).toContain('```question\nHow is it indented?');
  const { days } = await core.api.request('spending', {});
  expect(days[0]?.plans).toMatchObject([{ plan: child, usd: 0.25 }]);

  const nothing = await ask(core, child, 'Who feeds the cat?');
  expect(nothing.answer).toMatchObject({ state: 'refused', text: 'Nothing is written of it.' });
});

test('a plan that asks another plan sees in its backlog that the question was answered', async () => {
  const phases: ScenarioSteps = {
    reflect: [
      {
        call: 'message_ask',
        with: { 'target-plan': 'CHILD', reason: 'For the style', body: 'How is it indented?' },
      },
      finishDone,
    ],
  };
  const { world, child } = await makeFamily([], {});
  const text = JSON.stringify(phases).replaceAll('CHILD', child);
  play({ world }, [{ steps: answering('With tabs.', 'tabs') }], JSON.parse(text));
  const { core } = await startCore(world);
  const answered = nextEvent(core, 'query.answered');
  const replied = nextEvent(
    core,
    'message.handled',
    ({ actor, messageType }) => actor === world.plan && messageType === 'reply',
  );
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  expect(await answered).toMatchObject({ by: child, state: 'answered' });
  expect(await replied).toMatchObject({ outcome: { kind: 'done' } });
  const { dispatched = [] } = backlogIn(world.planDirectory);
  expect(dispatched).toMatchObject([{ to: child, kind: 'query', outcome: expect.stringContaining('answered') }]);
});

test('neither a running phase nor a slow question holds up what comes after it', async () => {
  const { world, child, childFolder } = await makeFamily([]);
  const gate = await makeGate(world.root);
  const phases: ScenarioSteps = {
    reflect: [{ call: 'answer', with: { text: 'x' }, expect: 'refused' }, gate.wait, finishDone],
  };
  const slow = { when: 'Why?', steps: [{ hang: true }] } as Alternative;
  play({ world }, [slow, { steps: answering('With tabs.') }], phases);
  const { core: first, server } = await startCore(world);
  const run = first.api.request('run_phase', runOptionsOf(world));
  await nextEvent(first, 'session.output');
  expect((await ask(first, world.plan, 'How is it indented?')).answer?.text).toBe('With tabs.');
  gate.open();
  expect(await run).toMatchObject({ end: 'finished' });

  const begun = nextEvent(first, 'session.started');
  const { query } = await ask(first, child, 'Why?', 0);
  expect(await begun).toMatchObject({ actor: child, phase: 'answer' });
  const received = nextEvent(first, 'message.handled', ({ messageType }) => messageType === 'dispatch');
  await first.api.request('dispatch', { 'target-plan': child, reason: 'Theirs', body: 'Feed the cat.' });
  await received;
  expect(backlogIn(childFolder).received).toMatchObject([{ body: 'Feed the cat.' }]);
  expect((await first.api.request('answer', { query })).answer).toBeUndefined();
  await server.stop();
  await first.stop();
  const local = await openCore(world, { role: 'local' });
  const left = (await local.api.request('answer', { query })).pending;
  expect(left?.state).toBe(`accepted by ${child}, and waits for an owner of the vault`);
  expect(left).not.toHaveProperty('session');
  await local.stop();

  play({ world }, [{ steps: answering('Because.') }]);
  const { core } = await startCore(world);
  const answer = (await core.api.request('answer', { query })).answer ?? (await nextEvent(core, 'query.answered'));
  expect(answer).toMatchObject({ query, state: 'answered' });
  expect((await core.api.request('answer', { query })).answer?.text).toBe('Because.');
});

test('ask returns at once when only the person who asked can decide who takes the question', async () => {
  const { world } = await makeFamily([]);
  const { core } = await startCore(world);
  const never = 3600;
  const { outcome, answer, query } = await core.api.request('ask', {
    target: 'auto',
    question: 'Who feeds the cat?',
    'wait-seconds': never,
  });
  expect([outcome?.kind, answer]).toEqual(['waiting', undefined]);
  const { approvals } = await core.api.request('approvals', {});
  expect(approvals.map(({ subject }) => subject)).toEqual([
    '“Who feeds the cat?”: where should this question from a person go?',
  ]);
  expect((await core.api.request('answer', { query })).pending?.state).toMatch(/^needs your decision/);
});
