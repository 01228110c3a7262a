import { describe, expect, test } from 'vitest';
import { createDeferred, type Deferred } from '../../../src/base/async.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import { type QualifiedId, toQualifiedId } from '../../../src/model/id.ts';
import { sameTaskMax } from '../../../src/model/nextRun.ts';
import type { NextTask } from '../../../src/model/nextTasks.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import type { CycleReport, RunStop } from '../../../src/model/requests/runs.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts, type FakePorts } from '../fakePorts.ts';
import { sampleReport, sampleStatus, sampleUsage } from '../samples.ts';

const idOf = (plan: string): QualifiedId => toQualifiedId(`${plan}/project-root`);

function report(stop: RunStop): CycleReport {
  return { phases: [sampleReport({ usage: { ...sampleUsage, costUsd: 0.5 } })], stop, reason: `it is ${stop}` };
}

/** Plans with their tasks; a cycle that ends as complete takes the first task of its plan away. */
function makeVault(backlogs: Readonly<Record<string, readonly string[]>>) {
  const left = new Map(Object.entries(backlogs).map(([plan, tasks]) => [idOf(plan), [...tasks]]));
  const leftOut = { faulted: 1, running: 0, waiting: 0, paused: 0 };
  const next: FakeHandlers['next'] = () => {
    const tasks = [...left].flatMap(([plan, own]) =>
      own.map((id, at): NextTask => ({ plan, id, title: `Do ${id}`, unblocks: 0, phase: 'work', place: at + 1 })),
    );
    return { tasks, more: 0, plans: left.size, leftOut, diagnostics: [] };
  };
  return { next, done: (plan: string) => left.get(toQualifiedId(plan))?.shift() };
}

async function run(
  args: readonly string[],
  backlogs: Readonly<Record<string, readonly string[]>>,
  stopOf: (task: string) => RunStop | Error,
  handlers: FakeHandlers = {},
) {
  const vault = makeVault(backlogs);
  const asked: RequestParams<'run_cycle'>[] = [];
  const ports = await createFakePorts({
    next: vault.next,
    status: ({ plan }) => ({ ...sampleStatus(), plan: toQualifiedId(plan) }),
    run_cycle: (params) => {
      asked.push(params);
      const stop = stopOf(params.task ?? '');
      if (stop instanceof Error) throw stop;
      if (stop === 'cycle-ended') vault.done(params.plan);
      return report(stop);
    },
    ...handlers,
  });
  const code = await runCommandLine(['run', '--next', ...args], ports);
  return { code, asked, ports, stdout: ports.written.stdout, tasks: asked.map(({ task }) => task) };
}

const backlogs = { a: ['a1', 'a2'], b: ['b1'], c: ['c1'] };

describe('ravel run --next', () => {
  test('runs one cycle after the other in the order of the list, until nothing is ready', async () => {
    const { code, tasks, asked, stdout } = await run([], backlogs, () => 'cycle-ended');
    expect([code, tasks]).toEqual([0, ['a1', 'a2', 'b1', 'c1']]);
    expect(asked[0]).toEqual({ plan: idOf('a'), task: 'a1', cycles: 1 });
    expect(stdout).toMatch(/No further task can be started\. {2}4 cycles · \$2\.00\nPLAN +TASK +OUTCOME +COST +WHY\n/);
    expect(stdout).toMatch(/\na\/project-root +a2 +done +\$0\.50\n/);
    expect(stdout).toMatch(/Plans left out: 1 with a fault/);
  });

  test.each([
    ['failed', 1, 'failed'],
    ['interrupted', 1, 'interrupted'],
    ['waiting', 5, 'waits for you'],
    ['stopped', 5, 'stopped'],
    ['nothing-ready', 0, 'nothing ready'],
  ] as const)(
    'leaves a plan whose cycle is %s, continues with the others, and ends with %i',
    async (stop, code, words) => {
      const ran = await run([], backlogs, (task) => (task === 'a1' ? stop : 'cycle-ended'));
      expect([ran.code, ran.tasks]).toEqual([code, ['a1', 'b1', 'c1']]);
      expect(ran.stdout).toMatch(new RegExp(`\\na/project-root +a1 +${words} +\\$0\\.50 +it is ${stop}\\n`));
    },
  );

  test('leaves a plan that cannot begin, and says why', async () => {
    const busy = failure('plan/busy', 'a', 'A phase of a is running already.');
    const ran = await run([], backlogs, (task) => (task === 'a1' ? busy : 'cycle-ended'));
    expect([ran.code, ran.tasks]).toEqual([1, ['a1', 'b1', 'c1']]);
    expect(ran.stdout).toMatch(/ not started +A phase of a is running already\.\n/);
  });

  test('stops at a number of cycles', async () => {
    const { code, tasks, stdout } = await run(['--cycles', '2'], backlogs, () => 'cycle-ended');
    expect([code, tasks]).toEqual([0, ['a1', 'a2']]);
    expect(stdout).toMatch(/All cycles are done\. {2}2 cycles/);
  });

  const spending = (usd: number): FakeHandlers => ({
    spending: () => ({
      days: [{ day: '2026-01-02', plans: [], usd, estimatedUsd: 0, scriptedUsd: 0, sessions: 1, unknownSessions: 0 }],
      ...{ reservedUsd: 0, vaultUsdPerDay: 1, planUsdPerDay: 0, until: '' },
    }),
  });
  test('stops if the budget of the vault is spent', async () => {
    const { code, tasks } = await run([], backlogs, () => 'budget', spending(1));
    expect([code, tasks]).toEqual([4, ['a1']]);
  });
  test('continues with other plans if only one plan has spent its own', async () => {
    const stopOf = (task: string) => (task === 'a1' ? 'budget' : 'cycle-ended');
    const { code, tasks } = await run([], backlogs, stopOf, spending(0.5));
    expect([code, tasks]).toEqual([4, ['a1', 'b1', 'c1']]);
  });

  test('leaves a plan whose first task stays open cycle after cycle', async () => {
    const vault = makeVault({ a: ['stays'], b: ['b1'] });
    let cycles = 0;
    const ports = await createFakePorts({
      next: vault.next,
      status: () => sampleStatus(),
      run_cycle: ({ plan, task }) => {
        cycles += 1;
        if (task !== 'stays') vault.done(plan);
        return report('cycle-ended');
      },
    });
    expect(await runCommandLine(['run', '--next'], ports)).toBe(0);
    expect(cycles).toBe(sameTaskMax + 1);
  });

  test('runs as many plans at the same time as are allowed, and never a plan twice', async () => {
    const open = new Map<string, Deferred<CycleReport>>();
    let most = 0;
    const started = createDeferred<void>();
    const vault = makeVault(backlogs);
    const ports: FakePorts = await createFakePorts({
      next: vault.next,
      status: () => sampleStatus(),
      run_cycle: ({ plan, task = '' }) => {
        const deferred = createDeferred<CycleReport>();
        expect([...open.keys()].some((key) => key.startsWith(plan))).toBe(false);
        const key = `${plan} ${task}`;
        open.set(key, deferred);
        most = Math.max(most, open.size);
        if (open.size === 2) started.resolve();
        return deferred.promise.finally(() => open.delete(key));
      },
    });
    const ended = runCommandLine(['run', '--next', '--at-most', '2', '--cycles', '2'], ports);
    await started.promise;
    expect([...open.keys()]).toEqual([`${idOf('a')} a1`, `${idOf('b')} b1`]);
    for (const deferred of open.values()) deferred.resolve(report('cycle-ended'));
    expect([await ended, most]).toEqual([0, 2]);
  });

  test('stops every plan at the first interrupt, waits for them, and sums up', async () => {
    const stopped: string[] = [];
    const ending = createDeferred<CycleReport>();
    const ports: FakePorts = await createFakePorts({
      next: makeVault(backlogs).next,
      status: () => sampleStatus(),
      run_cycle: () => {
        queueMicrotask(() => ports.interrupt('SIGINT'));
        return ending.promise;
      },
      stop: ({ plan }) => {
        stopped.push(plan);
        ending.resolve(report('stopped'));
        return { stopped: true };
      },
    });
    expect(await runCommandLine(['run', '--next'], ports)).toBe(130);
    expect(stopped).toEqual([idOf('a')]);
    expect(ports.written.stdout).toMatch(/The run was interrupted\. {2}1 cycle · \$0\.50\n[\s\S]* stopped /);
  });

  test('names no task if phases of an earlier cycle come first', async () => {
    const asked: unknown[] = [];
    const row: NextTask = { plan: idOf('a'), id: 'a1', title: 'A', unblocks: 0, phase: 'triage', place: 1 };
    const leftOut = { faulted: 0, running: 0, waiting: 0, paused: 0 };
    const ports = await createFakePorts({
      next: () => ({ tasks: asked.length === 0 ? [row] : [], more: 0, plans: 1, leftOut, diagnostics: [] }),
      status: () => sampleStatus(),
      run_cycle: (params) => {
        asked.push(params);
        return report('cycle-ended');
      },
    });
    expect(await runCommandLine(['run', '--next', '--under', 'a', '--json'], ports)).toBe(0);
    expect(asked).toEqual([{ plan: idOf('a'), cycles: 1 }]);
    expect(JSON.parse(ports.written.stdout)).toMatchObject({
      result: { end: 'nothing-ready', cycles: [{ plan: idOf('a'), outcome: 'cycle-ended', usd: 0.5 }] },
    });
  });
});

test('an owner that leaves ends the run; what was done until then is said', async () => {
  const gone = failure('server/gone', '/vault', 'The owner is gone.');
  const ran = await run([], backlogs, (task) => (task === 'a2' ? gone : 'cycle-ended'));
  expect(ran.tasks).toEqual(['a1', 'a2']);
  expect(ran.code).not.toBe(0);
  expect(ran.stdout).toMatch(/\na\/project-root +a1 +done /);
  expect(ran.ports.written.stderr).toContain('server/gone');
});

describe('ravel run refuses', () => {
  test.each([
    [['--next', 'demo'], 'leave out the plan, or --next'],
    [['--next', '--phase', 'work'], 'leave out --phase'],
    [['--next', '--task', 'x'], 'leave out --task'],
    [['--next', '--by-hand'], 'leave out --by-hand'],
    [['--next', '--plans', 'a,b', '--under', 'c'], 'and not both'],
    [['--next', '--plans', 'a,,b'], 'with commas between them'],
    [['--next', '--at-most', '0'], 'from 1 to 1000'],
    [['demo', '--plans', 'a'], 'add --next'],
    [['demo', '--at-most', '2'], 'add --next'],
  ])('%j', async (args, text) => {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['run', ...args], ports)).toBe(2);
    expect(ports.written.stderr).toContain(text);
    expect(ports.asked).toEqual([]);
  });
});
