import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createDeferred } from '../../src/base/async.ts';
import type { ConsultationRequest, ConsultationTool } from '../../src/harness/consultation.ts';
import type { ConsultationCost } from '../../src/harness/consultations.ts';
import { listMembers } from '../../src/harness/terminate.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import { ownWords } from '../../src/model/promptText.ts';
import { failureOf } from '../support/failureOf.ts';
import { ports, processes } from '../support/sessions.ts';

import {
  answer,
  type ConsultationWorld,
  consult,
  keeping,
  makeConsultationWorld,
  nextUlid,
  noSignal,
  plan,
} from './consultationWorld.ts';

test('a consultation answers by its tool, is booked and ends', async () => {
  const { report, taken, events, booked, request } = await consult(
    `- say: I look.\n- usage: { input-tokens: 9, cost-usd: 0.5 }\n${answer('yes')}`,
  );
  expect(taken).toEqual(['yes']);
  expect(report).toMatchObject({ end: 'exited', model: 'scenario', output: 'I look.', usage: { costUsd: 0.5 } });
  const told = events.filter(({ type }) => type !== 'session.output');
  expect(told).toMatchObject([
    { type: 'session.started', actor: plan, phase: 'route', harness: 'scripted', reattached: false },
    { type: 'session.verb', verb: 'answer', applied: true, summary: 'taken: yes' },
    { type: 'session.ended', end: 'exited' },
  ]);
  const { session } = request;
  expect(booked).toMatchObject([{ payer: 'vault', session, purpose: 'route', model: 'scenario' }]);
});

test('the folder of a consultation has its prompts and a list of its inputs, without its token', async () => {
  const { directoryOf, request } = await consult(answer('yes'));
  const read = (name: string) => readFile(join(directoryOf(request.session), name), 'utf8');
  expect(await read('prompt.md')).toBe('Where does this go?\n\n{{MEMORY}} and $& stay as they are\n');
  expect(await read('system.md')).toBe('Asked: route\n\n- `answer`: Answers.\n');
  const { given } = JSON.parse(await read('context.json'));
  expect(given.map(({ name }: { name: string }) => name)).toContain('tools/answer');
  expect(given.find(({ name }: { name: string }) => name === 'prompt/QUESTION')).toMatchObject({ bytes: 34 });
  expect(JSON.stringify([await read('context.json'), await read('consultation.json')])).not.toContain('token-');
});

test('a call that does not fit is refused, and the session can correct it', async () => {
  const steps = `- { call: answer, with: { words: 3 }, expect: refused }\n- { call: finish_phase, with: { outcome: done, summary: x }, expect: refused }\n${answer('no')}\n  expect: refused\n${answer('maybe')}\n${answer('yes')}`;
  const { taken, events, report } = await consult(steps);
  expect(taken).toEqual(['no', 'maybe', 'yes']);
  const verbs = events.flatMap((event) => (event.type === 'session.verb' ? [[event.verb, event.applied]] : []));
  const refusals = [
    ['answer', false],
    ['finish_phase', false],
    ['answer', false],
  ];
  expect(verbs).toEqual([...refusals, ['answer', true], ['answer', true]]);
  expect(report.end).toBe('exited');
  // Refused calls are kept with the texts of the session.
  expect(report.output).toContain('answer {"words":3}: state/badArguments');
});

test('arguments can be written with hyphens, as in the files of plans', async () => {
  const taken: string[] = [];
  const args = z.object({ target_plan: z.string() });
  const call: ConsultationTool['call'] = async (given) => {
    taken.push(args.parse(given).target_plan);
    return { text: 'taken', isError: false, ends: true };
  };
  await consult('- { call: answer, with: { target-plan: a } }', { tools: [{ ...keeping().tool, args, call }] });
  expect(taken).toEqual(['a']);
});

test('a call after the answer is refused', async () => {
  const { taken } = await consult(`${answer('yes')}\n${answer('also')}\n  expect: refused`);
  expect(taken).toEqual(['yes']);
});

test('a consultation has no tool that writes files', async () => {
  const steps = `- edit: { path: a.ts, content: mine }\n- edit: { path: b.ts, content: mine }\n- run: { command: touch c.ts }\n- read: { path: a.ts }\n${answer('yes')}`;
  const world = await makeConsultationWorld(steps);
  const { project } = world;
  const report = await world.consultations.run(world.ask({ projectDirectory: project }), noSignal);
  expect(report.end).toBe('exited');
  expect(await readdir(project)).toEqual(['a.ts']);
  expect(await readFile(join(project, 'a.ts'), 'utf8')).toBe('export {};\n');
  const outputs = world.events.flatMap((event) => (event.type === 'session.output' ? [event.output] : []));
  const ends = outputs.flatMap((output) => (output.kind === 'toolEnded' ? [output.isError] : []));
  expect(ends).toEqual([true, true, true, false, false]);
});

describe('a consultation ends without an answer', () => {
  const rows: readonly (readonly [string, string, object, object])[] = [
    ['when it just ends', '- say: Nothing.', {}, { end: 'exited', output: 'Nothing.' }],
    ['when it crashes', '- crash: SIGSEGV', {}, { end: 'crashed' }],
    ['when it is killed', '- crash: SIGKILL', {}, { end: 'crashed' }],
    [
      'when its output passes the byte limit',
      '- flood: { megabytes: 64, to: stdout }',
      { 'session-output-mib': 1 },
      { end: 'byteLimit' },
    ],
    ['when it passes the cost limit', '- usage: { cost-usd: 3 }\n- hang: true', {}, { end: 'costLimit' }],
  ];
  test.each(rows)('%s', async (_name, steps, limits, expected) => {
    const { report, taken, events } = await consult(steps, {}, limits);
    expect(report).toMatchObject(expected);
    expect(taken).toEqual([]);
    expect(report.output.length).toBeLessThanOrEqual(64 * 1024);
    expect(events.at(-1)).toMatchObject({ type: 'session.ended' });
  });

  test('when it passes its time limit', async () => {
    const { report } = await consult('- hang: true', { timeMs: 1500 });
    expect(report.end).toBe('timeLimit');
  });
});

test('a consultation that stays after its answer is ended after the grace period and counts as answered', async () => {
  const { report, taken } = await consult(`${answer('yes')}\n- hang: true`, {}, { 'exit-grace-seconds': 0.1 });
  expect(taken).toEqual(['yes']);
  expect(report.end).toBe('stopped');
});

/** What a program tells of a call that was not judged. */
const began = { kind: 'toolStarted', tool: 'Read', callId: 'x', input: { file_path: '/etc/hosts' } };
const ended = { kind: 'toolEnded', callId: 'x', isError: false, output: 'localhost' };
const linesOf = (outputs: readonly object[]) => outputs.map((output) => `${JSON.stringify(output)}\n`).join('');

describe('a consultation whose program used a tool that was not judged is ended, and its answer is not used:', () => {
  const goesOn = `${answer('maybe')}\n- hang: true`;
  const rows: readonly (readonly [string, string, readonly object[], string, string])[] = [
    ['at once, for a call that ran', goesOn, [began, ended], 'stopped', 'was not asked about it'],
    ['at its end, for a call that only began', answer('yes'), [began], 'exited', 'before it said whether it ran'],
  ];
  test.each(rows)('%s', async (_name, steps, outputs, end, problem) => {
    const world = await makeConsultationWorld(steps);
    const { taken, tool } = keeping();
    const spool = (session: Ulid) => join(world.directoryOf(session), 'spool');
    const request: ConsultationRequest = world.ask({
      // A session that is not ended at once reaches this limit and ends as `timeLimit`.
      timeMs: 10_000,
      tools: [
        {
          ...tool,
          call: async (args, closing) => {
            await appendFile(spool(request.session), linesOf(outputs));
            return tool.call(args, closing);
          },
        },
      ],
    });
    const failed = await failureOf(() => world.consultations.run(request, noSignal));
    expect(failed).toMatchObject({ code: 'gate/uncovered', message: expect.stringContaining(problem) });
    expect(taken).toHaveLength(1);
    expect(world.events.at(-1)).toMatchObject({ type: 'session.ended', end });
    expect(await listMembers(ports, { pid: -1, session: request.session })).toEqual([]);
    expect([world.booked.length, [...world.reserved]]).toEqual([1, []]);
  });
});

/** Starts a consultation and waits until its tool is called; the call stays open. */
async function underWay(world: ConsultationWorld, signal: AbortSignal = noSignal) {
  const called = createDeferred<AbortSignal>();
  const tool: ConsultationTool = {
    ...keeping().tool,
    call: (_args, closing) => {
      called.resolve(closing);
      return new Promise((_resolve, reject) => closing.addEventListener('abort', () => reject(closing.reason)));
    },
  };
  const request = world.ask({ tools: [tool] });
  const report = world.consultations.run(request, signal);
  report.catch(() => undefined);
  return { request, report, closing: await called.promise };
}

test('cancelling a consultation ends its processes and its open call', async () => {
  const world = await makeConsultationWorld(answer('yes'));
  const stop = new AbortController();
  const { request, report, closing } = await underWay(world, stop.signal);
  stop.abort(new Error('no longer wanted'));
  expect(await report).toMatchObject({ end: 'stopped' });
  expect(closing.aborted).toBe(true);
  expect(await listMembers(ports, { pid: -1, session: request.session })).toEqual([]);
});

test('a consultation whose outputs cannot be told is ended before its caller hears of it', async () => {
  const onEvent = (event: RavelEvent) => {
    if (event.type === 'session.output') throw new RangeError('too deep');
  };
  const world = await makeConsultationWorld('- hang: true', {}, { onEvent });
  const request = world.ask();
  await expect(world.consultations.run(request, noSignal)).rejects.toThrow('too deep');
  expect(await listMembers(ports, { pid: -1, session: request.session })).toEqual([]);
});

test('a stopping owner ends its consultations and starts no more', async () => {
  const world = await makeConsultationWorld(answer('yes'));
  const { request, report } = await underWay(world);
  await world.consultations.stop();
  await expect(report).rejects.toMatchObject({ code: 'run/stopped' });
  expect(await listMembers(ports, { pid: -1, session: request.session })).toEqual([]);
  const asked = failureOf(() => world.consultations.run(world.ask(), noSignal));
  expect(await asked).toMatchObject({ code: 'run/stopped' });
});

test('the next owner ends a consultation of a dead owner and books its cost once', async () => {
  const world = await makeConsultationWorld(`- usage: { cost-usd: 0.5 }\n${answer('yes')}`);
  const { request, report } = await underWay(world);
  const { session } = request;
  const booked: ConsultationCost[] = [];
  const next = world.next(booked);
  await next.endOrphan(session);
  expect(await listMembers(ports, { pid: -1, session })).toEqual([]);
  expect(booked).toMatchObject([{ payer: 'vault', session, usage: { costUsd: 0.5 }, model: 'scenario' }]);
  await report;
  await next.endOrphan(session);
  await next.endOrphan(nextUlid() as Ulid);
  expect(booked).toHaveLength(1);
});

describe('the next owner learns whether a call of a consultation was not judged:', () => {
  const rows: readonly (readonly [string, readonly object[], object | undefined])[] = [
    ['no other call', [], undefined],
    ['one that ran', [began, ended], { code: 'gate/uncovered', message: expect.stringContaining('was not asked') }],
    ['one that only began', [began], { code: 'gate/uncovered' }],
    ['one that its program refused', [began, { ...ended, isError: true, ran: false }], undefined],
  ];
  test.each(rows)('%s', async (_name, outputs, doubt) => {
    const world = await makeConsultationWorld(`- read: { path: a.ts }\n${answer('yes')}`);
    const { request, report } = await underWay(world);
    await appendFile(join(world.directoryOf(request.session), 'spool'), linesOf(outputs));
    const next = world.next();
    const found = await next.endOrphan(request.session);
    if (doubt === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(doubt);
    // It stays so for an owner that comes after it has ended.
    expect(await world.next().endOrphan(request.session)).toEqual(found);
    await Promise.allSettled([report]);
  });
});

test('a consultation takes calls only with its own token and from its own owner', async () => {
  const world = await makeConsultationWorld(answer('yes'));
  const { request } = await underWay(world);
  const call = { id: 'c', tool: 'answer', args: { text: 'yes' } };
  const other = nextUlid();
  for (const [session, token] of [
    [request.session, 'wrong'],
    [other, 'token'],
  ] as const) {
    expect(await failureOf(() => world.consultations.call(session, token, call))).toMatchObject({
      code: 'session/badToken',
    });
    expect(() => world.consultations.tools(session, token)).toThrow('No running session');
  }
  expect(() => world.next().tools(request.session, 'token')).toThrow('No running session');
});

test('a repeated call has one effect and one answer', async () => {
  const world = await makeConsultationWorld('- hang: true');
  const { taken, tool } = keeping();
  const request = world.ask({ tools: [tool] });
  const stop = new AbortController();
  const report = world.consultations.run(request, stop.signal);
  await world.firstOutput;
  const call = () =>
    world.consultations.call(request.session, 'token', { id: 'c', tool: 'answer', args: { text: 'yes' } });
  const results = await Promise.all([call(), call()]);
  expect([...results, await call()]).toEqual(Array(3).fill({ text: 'taken: yes', isError: false }));
  expect(taken).toEqual(['yes']);
  stop.abort(new Error('enough'));
  await report;
});

test('the end of a consultation whose program cannot be started says why', async () => {
  const world = await makeConsultationWorld(answer('yes'), {}, { claude: '/no/such/program/claude' });
  const problem = await failureOf(() => world.consultations.run(world.ask(), noSignal));
  expect(world.events.at(-1)).toMatchObject({ type: 'session.ended', end: 'crashed', notStarted: problem.message });
});

describe('a consultation is not started', () => {
  const rows: readonly (readonly [string, Partial<ConsultationRequest>, string])[] = [
    ['when its scenario has no steps for its purpose', { purpose: 'facts' }, 'harness/badScenario'],
    ['when its prompt lacks a value', { prompt: { file: 'prompt.md', values: {} } }, 'prompt/badToken'],
    [
      'when its prompt does not use a value',
      { system: { file: 'system.md', values: { PLAN: ownWords('x') } } },
      'prompt/badToken',
    ],
  ];
  test.each(rows)('%s', async (_name, changes, code) => {
    const world = await makeConsultationWorld(answer('yes'));
    const request = world.ask(changes);
    expect(await failureOf(() => world.consultations.run(request, noSignal))).toMatchObject({ code });
    expect([world.events, [...world.reserved], world.booked]).toEqual([[], [], []]);
    expect(existsSync(join(world.directoryOf(request.session), 'host.json'))).toBe(false);
  });
});

test('at most four consultations of a purpose run at once, and other purposes do not wait for them', async () => {
  const world = await makeConsultationWorld(answer('yes'));
  const stop = new AbortController();
  const routes = await Promise.all(Array.from({ length: 4 }, () => underWay(world, stop.signal)));
  const fifth = world.consultations.run(world.ask(), stop.signal);
  fifth.catch(() => undefined);
  const { tool, taken } = keeping();
  expect(await world.consultations.run(world.ask({ purpose: 'check', tools: [tool] }), noSignal)).toMatchObject({
    end: 'exited',
  });
  expect(taken).toEqual(['yes']);
  expect(world.events.filter(({ type }) => type === 'session.started')).toHaveLength(5);
  stop.abort(new Error('enough'));
  await expect(fifth).rejects.toThrow('enough');
  await Promise.all(routes.map(({ report }) => report));
  expect(await processes.self()).toBeDefined();
});
