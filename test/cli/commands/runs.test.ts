import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { RavelError } from '../../../src/base/errors.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic, failure } from '../../../src/model/codes.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { CycleReport, RunStop } from '../../../src/model/requests/runs.ts';
import { serve } from '../../server/socket.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakeApi } from '../../support/fakeApi.ts';
import { createFakePorts, type FakePorts, jsonLines } from '../fakePorts.ts';
import { sampleEvent, samplePlan, sampleReport, sampleRow, sampleSession, sampleStatus } from '../samples.ts';

const status: FakeHandlers = { status: () => sampleStatus() };

function cycle(stop: RunStop): CycleReport {
  return { phases: [sampleReport()], stop, reason: '' };
}

describe('the request of', () => {
  async function check(
    args: readonly string[],
    request: 'run_cycle' | 'run_phase' | 'retry',
    params: object,
  ): Promise<void> {
    const seen: unknown[] = [];
    const answer = (given: unknown) => {
      seen.push(given);
      return (request === 'run_cycle' ? cycle('cycle-ended') : sampleReport()) as never;
    };
    const ports = await createFakePorts({ ...status, [request]: answer });
    expect(await runCommandLine(args, ports)).toBe(0);
    expect(seen).toEqual([params]);
    expect(ports.asked).toEqual(['open /vault as owner', 'stop']);
  }

  const plan = samplePlan;
  test('ravel run is run_cycle', () => check(['run', 'demo'], 'run_cycle', { plan }));
  test('ravel run --cycles is run_cycle with a number', () =>
    check(['run', 'demo', '--cycles', '3'], 'run_cycle', { plan, cycles: 3 }));
  test('ravel run --phase is run_phase', () =>
    check(['run', 'demo', '--phase', 'reflect'], 'run_phase', { plan, phase: 'reflect' }));
  test('ravel run --phase compact is that of the dream', () =>
    check(['run', 'demo', '--phase', 'compact'], 'run_phase', { plan, phase: 'dream' }));
  test('ravel run with a task and a harness has both, and the scenario as a full path', () =>
    check(['run', 'demo', '--task', 't', '--harness', 'scripted', '--scenario', 's.yaml'], 'run_cycle', {
      plan,
      task: 't',
      harness: 'scripted',
      scenario: '/here/s.yaml',
    }));
  test('ravel retry is retry', () => check(['retry', 'demo'], 'retry', { plan }));
});

describe('ravel run refuses, before it starts,', () => {
  async function check(args: readonly string[], text: string): Promise<void> {
    const ports = await createFakePorts(status);
    expect(await runCommandLine(args, ports)).toBe(2);
    expect(ports.written.stderr).toContain(text);
    expect(ports.asked).toEqual([]);
  }

  test('an unknown phase', () =>
    check(['run', 'demo', '--phase', 'sleep'], '"sleep" is not a phase; name one of work, '));
  test('a commit phase', () => check(['run', 'demo', '--phase', 'git-commit-work'], 'runs by itself'));
  test('an unknown harness', () => check(['run', 'demo', '--harness', 'abacus'], 'there are claude-code, scripted'));
  test('a number of cycles below 1', () =>
    check(['run', 'demo', '--cycles', '0'], '"0" is not a whole number above 0'));
});

test('a paused run is told of once a phase begins, and not before a run that is refused', async () => {
  const paused: FakeHandlers = { status: () => sampleStatus({ paused: { done: 0, cycles: 1 } }) };
  const ports = await createFakePorts({
    ...paused,
    run_cycle: () => {
      for (const phase of ['work', 'reflect'] as const) {
        ports.api.emit(sampleEvent({ type: 'phase.started', phase, session: sampleSession }));
      }
      return cycle('cycle-ended');
    },
  });
  expect(await runCommandLine(['run', 'demo'], ports)).toBe(0);
  expect(
    `${ports.written.stdout}${ports.written.stderr}`.split('A run is paused here: 0 of 1 cycle done.'),
  ).toHaveLength(2);
  const refused = await createFakePorts({
    ...paused,
    run_cycle: () => {
      throw failure('plan/badState', samplePlan, 'The plan cannot be read.');
    },
  });
  expect(await runCommandLine(['run', 'demo'], refused)).not.toBe(0);
  expect(refused.written.stderr).not.toContain('paused');
});

test('a problem that refuses the run is told once, and the others before it', async () => {
  const broken = diagnostic('yaml/syntax', samplePlan, 'A list does not end.');
  const other = diagnostic('view/edited', samplePlan, 'A view was edited.');
  const ports = await createFakePorts({
    ...status,
    run_cycle: () => {
      for (const problem of [broken, other]) ports.api.emit(sampleEvent({ type: 'diagnostic', diagnostic: problem }));
      throw new RavelError(broken);
    },
  });
  expect(await runCommandLine(['run', 'demo'], ports)).not.toBe(0);
  const { stdout, stderr } = ports.written;
  expect([stdout.includes('A list does not end.'), stdout.includes('A view was edited.')]).toEqual([false, true]);
  expect(stderr.split('A list does not end.')).toHaveLength(2);
});

test.each<[RunStop, number]>([
  ['cycle-ended', 0],
  ['nothing-ready', 0],
  ['interrupted', 1],
  ['failed', 1],
  ['budget', 4],
  ['waiting', 5],
  ['stopped', 5],
])('a run that ends as %s exits with %i', async (stop, expected) => {
  const ports = await createFakePorts({ ...status, run_cycle: () => cycle(stop) });
  expect(await runCommandLine(['run', 'demo'], ports)).toBe(expected);
});

test('ravel retry that continues the run exits as that run ended', async () => {
  const ports = await createFakePorts({ ...status, retry: () => ({ ...sampleReport(), run: cycle('nothing-ready') }) });
  expect(await runCommandLine(['retry', 'demo'], ports)).toBe(0);
  expect(ports.written.stdout).toContain('No task in the backlog can be started.');
});

test('ravel run without a plan runs the only one, and fails if there are several or none', async () => {
  const run = async (plans: number) => {
    const rows = Array.from({ length: plans }, () => sampleRow());
    const ports = await createFakePorts({
      ...status,
      list: () => ({ plans: rows, diagnostics: [] }),
      run_cycle: () => cycle('cycle-ended'),
    });
    return { code: await runCommandLine(['run'], ports), stderr: ports.written.stderr };
  };
  expect(await run(1)).toEqual({ code: 0, stderr: '' });
  expect(await run(2)).toMatchObject({ code: 2, stderr: expect.stringContaining('The vault has 2 plans') });
  expect(await run(0)).toMatchObject({ code: 3 });
});

test('ravel run --json prints the events of its plan and then the result', async () => {
  const own = sampleEvent({ type: 'run.ended', reason: 'x' });
  const other = { ...own, actor: 'other/project-root' as typeof samplePlan };
  const ports: FakePorts = await createFakePorts({
    ...status,
    run_cycle: () => {
      ports.api.emit(own);
      ports.api.emit(other);
      return cycle('cycle-ended');
    },
  });
  await runCommandLine(['run', 'demo', '--json'], ports);
  expect(jsonLines(ports.written.stdout)).toEqual([{ event: own }, { result: cycle('cycle-ended') }]);
});

describe('an interrupted ravel run', () => {
  async function start(handlers: FakeHandlers): Promise<{ ports: FakePorts; code: Promise<number> }> {
    const started = createDeferred<void>();
    const ports = await createFakePorts({
      ...status,
      ...handlers,
      run_cycle: (params, signal) => {
        started.resolve();
        return handlers.run_cycle?.(params, signal) ?? new Promise(() => undefined);
      },
    });
    const code = runCommandLine(['run', 'demo'], ports);
    await started.promise;
    return { ports, code };
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'asks the run to stop at the first %s, prints its summary and exits with %i',
    async (signal, expected) => {
      const stopped = createDeferred<CycleReport>();
      const { ports, code } = await start({
        run_cycle: () => stopped.promise,
        stop: () => {
          stopped.resolve(cycle('stopped'));
          return { stopped: true };
        },
      });
      ports.interrupt(signal);
      expect(await code).toBe(expected);
      expect(ports.written.stdout).toContain('The run was stopped.');
      expect(ports.asked.at(-1)).toBe('stop');
    },
  );

  test('exits with 130 if the run fails because it was stopped', async () => {
    const stopped = createDeferred<CycleReport>();
    const { ports, code } = await start({
      run_cycle: () => stopped.promise,
      stop: () => {
        stopped.reject(failure('run/stopped', 'demo', 'Stopped.'));
        return { stopped: true };
      },
    });
    ports.interrupt('SIGINT');
    expect(await code).toBe(130);
  });

  test('leaves at once at the second signal', async () => {
    let aborted = false;
    const { ports, code } = await start({
      run_cycle: (_params, signal) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        return new Promise(() => undefined);
      },
      stop: () => new Promise(() => undefined),
    });
    ports.interrupt('SIGINT');
    ports.interrupt('SIGTERM');
    expect(await code).toBe(130);
    expect(aborted).toBe(true);
    expect(ports.written.stdout).toMatch(/\nLeft\.\n$/);
  });

  test('does not show the sessions that answer questions meanwhile, nor count them as what runs', async () => {
    const { ports, code } = await start({ stop: () => new Promise(() => undefined) });
    const given = { harness: 'scripted', givenBytes: 1, givenTokens: 1, reattached: false } as const;
    const session = '01ASKED0000000000000000000' as Ulid;
    ports.api.emit(sampleEvent({ type: 'session.started', session: sampleSession, phase: 'work', ...given }));
    ports.api.emit(sampleEvent({ type: 'session.started', session, phase: 'answer', ...given }));
    const output = { kind: 'text', text: 'I am asked something.' } as const;
    ports.api.emit(sampleEvent({ type: 'session.output', session, seq: 1, output }));
    ports.api.emit(sampleEvent({ type: 'session.ended', session, end: 'exited', durationMs: 1 }));
    ports.interrupt('SIGINT');
    ports.interrupt('SIGINT');
    await code;
    expect(ports.written.stdout).toContain(`Left. The session ${sampleSession} keeps running`);
    expect(ports.written.stdout).not.toMatch(/01ASKED|I am asked/);
  });

  test('says which session still runs, and how to end it', async () => {
    const { ports, code } = await start({ stop: () => new Promise(() => undefined) });
    const given = { harness: 'scripted', givenBytes: 1, givenTokens: 1, reattached: false } as const;
    ports.api.emit(sampleEvent({ type: 'session.started', session: sampleSession, phase: 'work', ...given }));
    ports.interrupt('SIGINT');
    ports.interrupt('SIGINT');
    await code;
    expect(ports.written.stdout).toContain(`Left. The session ${sampleSession} keeps running`);
    expect(ports.written.stdout).toContain(`\`ravel stop ${samplePlan}\` ends it`);
  });
});

const said = (seq: number) =>
  sampleEvent({
    type: 'session.output',
    session: sampleSession,
    seq,
    output: { kind: 'text', text: `said ${seq}` },
  });

describe('ravel run on a plan whose session runs already', () => {
  const running = { session: sampleSession, phase: 'reflect' } as const;

  test('shows what the session has said so far, and then what it says, each once', async () => {
    const ports = await createFakePorts({
      status: () => sampleStatus({ running }),
      transcript: ({ from = 0 }) => ({ events: [said(1), said(2)].slice(from), next: 2 }),
      run_cycle: () => {
        ports.api.emit(said(2));
        ports.api.emit(said(3));
        return cycle('cycle-ended');
      },
    });
    expect(await runCommandLine(['run', 'demo'], ports)).toBe(0);
    expect(ports.written.stdout.match(/said \d/g)).toEqual(['said 1', 'said 2', 'said 3']);
  });

  test('does not show it if another owner refuses the run', async () => {
    const server = await serve(
      createFakeApi({
        status: () => sampleStatus({ running }),
        transcript: () => ({ events: [said(1)], next: 1 }),
        run_cycle: () => {
          throw failure('plan/busy', samplePlan, 'A phase runs already.');
        },
      }),
    );
    const findOwner = async () => ({ socketPath: server.socketPath, pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    expect(await runCommandLine(['run', 'demo'], ports)).toBe(5);
    expect(ports.written.stdout).not.toContain('said');
    await server.stop();
  });
});

describe('ravel attach', () => {
  test('fails if the vault has no owner', async () => {
    const ports = await createFakePorts({});
    expect(await runCommandLine(['attach'], ports)).toBe(3);
    expect(ports.written.stderr).toContain('cli/noOwner');
  });

  test('starts with a table of the plans', async () => {
    const server = await serve(createFakeApi({ ...status, list: () => ({ plans: [sampleRow()], diagnostics: [] }) }));
    const findOwner = async () => ({ socketPath: server.socketPath, pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    const code = runCommandLine(['attach'], ports);
    await ports.printed('demo/project-root');
    ports.interrupt('SIGINT');
    expect(await code).toBe(130);
    expect(ports.written.stdout).not.toContain('The owner of the vault is gone');
    await server.stop();
  });

  test('ends and says so when the owner stops', async () => {
    const server = await serve(createFakeApi({ ...status, list: () => ({ plans: [sampleRow()], diagnostics: [] }) }));
    const findOwner = async () => ({ socketPath: server.socketPath, pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    const code = runCommandLine(['attach'], ports);
    await ports.printed('demo/project-root');
    await server.stop();
    expect(await code).toBe(0);
    expect(ports.written.stdout).toContain('The owner of the vault is gone');
  });

  test('shows what a running session has said so far, and then what it says, each once', async () => {
    const running = { session: sampleSession, phase: 'reflect' } as const;
    const owner = createFakeApi({
      ...status,
      list: () => ({ plans: [sampleRow({ running })], diagnostics: [] }),
      transcript: ({ from = 0 }) => {
        if (from === 0) owner.emit(said(2));
        if (from > 0) owner.emit(said(3));
        return { events: [said(1), said(2)].slice(from), next: 2 };
      },
    });
    const server = await serve(owner);
    const findOwner = async () => ({ socketPath: server.socketPath, pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    const code = runCommandLine(['attach'], ports);
    await ports.printed('said 3');
    ports.interrupt('SIGINT');
    expect(await code).toBe(130);
    expect(ports.written.stdout.match(/said \d/g)).toEqual(['said 1', 'said 2', 'said 3']);
    await server.stop();
  });

  test('with a plan and --json prints its events until the owner stops', async () => {
    const seen = sampleEvent({ type: 'run.ended', reason: 'seen' });
    const owner = createFakeApi({
      ...status,
      // The command asks for the plans behind its subscription.
      list: () => {
        owner.emit(seen);
        return { plans: [], diagnostics: [] };
      },
    });
    const server = await serve(owner);
    const findOwner = async () => ({ socketPath: server.socketPath, pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    const code = runCommandLine(['attach', 'demo', '--json'], ports);
    await ports.printed('run.ended');
    await server.stop();
    expect(await code).toBe(0);
    expect(jsonLines(ports.written.stdout)[0]).toEqual({ event: seen });
  });
});
