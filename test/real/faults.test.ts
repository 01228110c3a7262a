import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import type { PhaseReport } from '../../src/model/requests/runs.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import type { ModelFault, ModelServer } from '../support/modelServer.ts';
import { startOwner } from '../support/ownerProcess.ts';
import { finishDone, formatScenario, goodReflection, type Steps, stateOf } from '../support/phaseWorld.ts';
import { processesOfSession } from '../support/sessionProcesses.ts';
import { type RunningWorld, startCore, type World } from '../support/world.ts';

interface Fault {
  readonly phase?: 'work' | 'reflect';
  readonly steps: Steps;
  readonly faults?: readonly ModelFault[];
  readonly settings?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Played extends RunningWorld {
  readonly world: World;
  readonly model: ModelServer;
  readonly report: PhaseReport;
  readonly outputs: readonly HarnessOutput[];
  readonly before: unknown;
}

/** Runs one phase with the real Claude Code, and checks that no process of its session is left. */
async function play({ phase = 'reflect', steps, faults, settings = '', environment }: Fault): Promise<Played> {
  const world = await makeCycleWorld({ settings: `${settings}\n${claudeSettings()}` });
  await world.writePlan('phase.md', `${phase}\n`);
  await world.write('wait.mjs', 'setInterval(() => undefined, 1000);\n');
  const before = await stateOf(world);
  const claude = await startClaudeWorld(
    world,
    formatScenario({ [phase]: steps }),
    faults === undefined ? {} : { faults },
  );
  const running = await startCore({ ...world, environment: { ...claude.environment, ...environment } });
  const report = await running.core.api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
  const outputs = running.events.flatMap((event) => (event.type === 'session.output' ? [event.output] : []));
  expect(await processesOfSession(report.session)).toEqual([]);
  return { ...running, world, model: claude.model, report, outputs, before };
}

/** Checks that the plan is as it was, nothing was merged, and the work of the session is kept aside. */
async function expectSetAside({ core, world, report, before }: Played): Promise<void> {
  expect(await stateOf(world)).toEqual(before);
  const { interrupted } = await core.api.request('status', { plan: world.plan });
  expect(interrupted).toMatchObject({ phase: report.phase, session: report.session, reason: report.summary });
  await readFile(join(interrupted?.directory ?? '', 'plan/memory.yaml'));
}

const done = { call: 'backlog_set_status', with: { id: 'add-a-farewell', status: 'done' } };
const apiError = { kind: 'status', status: 500, type: 'api_error' } as const;

describe('a phase finishes although its model', () => {
  const faults: Readonly<Record<string, { readonly fault: ModelFault; readonly retries: boolean }>> = {
    'is slow': { fault: { kind: 'slow', delayMs: 1500 }, retries: false },
    'is overloaded once': { fault: { kind: 'status', status: 429, type: 'rate_limit_error' }, retries: true },
    'fails once': { fault: apiError, retries: true },
    'stops in the middle of a message': { fault: { kind: 'cut' }, retries: true },
  };

  test.each(Object.entries(faults))('%s', { timeout: 60_000 }, async (_name, { fault, retries }) => {
    const { world, report, outputs } = await play({ steps: goodReflection, faults: [fault] });
    expect(report).toMatchObject({ end: 'finished', next: 'triage' });
    expect((await world.readPlan('memory.yaml')).match(/id: learned/g)).toHaveLength(1);
    expect(outputs.some((output) => output.kind === 'retry')).toBe(retries);
  });
});

describe('a phase ends unfinished, with its work kept aside, when', () => {
  const bad: Readonly<Record<string, Fault & { readonly end: string; readonly reason: RegExp }>> = {
    'the model fails every request': {
      steps: goodReflection,
      faults: Array(100).fill(apiError),
      environment: { CLAUDE_CODE_MAX_RETRIES: '2' },
      end: 'failed',
      reason: /^the session ended with code 1 without an accepted finish_phase/,
    },
    'the session ends without finish_phase': {
      steps: [...goodReflection.slice(0, 1), { say: 'That is all.' }],
      end: 'failed',
      reason: /^the session ended with code 0 without an accepted finish_phase/,
    },
    'the model never answers': {
      steps: goodReflection,
      faults: [{ kind: 'silence' }],
      settings: '[limits]\nsession-minutes = 0.05',
      end: 'interrupted',
      reason: /^the session reached its time limit$/,
    },
    'a command never ends': {
      phase: 'work',
      steps: [{ run: { command: 'node wait.mjs' } }, finishDone],
      settings: '[limits]\nsession-minutes = 0.08',
      end: 'interrupted',
      reason: /^the session reached its time limit$/,
    },
    'the model writes without end': {
      steps: [{ flood: { megabytes: 12, to: 'stdout' } }, goodReflection[0] ?? {}, { hang: true }],
      settings: '[limits]\nsession-output-mib = 4',
      end: 'failed',
      reason: /^the session wrote more output than its limit allows$/,
    },
  };

  test.each(Object.entries(bad))('%s', { timeout: 60_000 }, async (_name, { end, reason, ...fault }) => {
    const played = await play(fault);
    expect(played.report).toMatchObject({
      end,
      next: fault.phase ?? 'reflect',
      summary: expect.stringMatching(reason),
    });
    await expectSetAside(played);
  });

  test('the model fails every request, and each retry is reported', { timeout: 60_000 }, async () => {
    const { outputs } = await play({
      steps: goodReflection,
      faults: Array(100).fill(apiError),
      environment: { CLAUDE_CODE_MAX_RETRIES: '2' },
    });
    expect(outputs.flatMap((output) => (output.kind === 'retry' ? [output.attempt] : []))).toEqual([1, 2]);
    expect(outputs.at(-1)).toMatchObject({ kind: 'result', isError: true });
  });
});

describe('a session that tries to change what is not its own', () => {
  const memory = 'ravel/project-root/memory.yaml';

  /** Commands that write, and the verdict of the gate: refused, or a person is asked. */
  const commands: Readonly<Record<string, 'reject' | 'needs-approval'>> = {
    [`echo x > ${memory}`]: 'reject',
    [`echo x >> "${memory}"`]: 'reject',
    [`cd ravel && echo x > project-root/memory.yaml`]: 'reject',
    [`cp README.md ${memory}`]: 'reject',
    [`mv README.md ${memory}`]: 'reject',
    [`echo x | tee ${memory}`]: 'reject',
    [`sed -i s/ESM/CommonJS/ ${memory}`]: 'reject',
    [`rm -rf ravel`]: 'reject',
    [`ln -sf ../../README.md ${memory}`]: 'reject',
    [`bash -c 'echo x > ${memory}'`]: 'reject',
    [`cat <<END > ${memory}\nx\nEND`]: 'reject',
    [`cat README.md > $PWD/${memory}`]: 'reject',
    [`node -e "require('fs').writeFileSync('${memory}', 'x')"`]: 'needs-approval',
    [`python3 -c "open('${memory}', 'w').write('x')"`]: 'needs-approval',
    [`perl -e 'open(F, ">", "${memory}"); print F "x"'`]: 'needs-approval',
    'git commit --allow-empty -m mine': 'reject',
    'curl http://127.0.0.1:1/': 'needs-approval',
    'curl http://example.org/': 'reject',
  };

  test('through its shell is refused with the reason, and the session continues', { timeout: 120_000 }, async () => {
    const steps = [...Object.keys(commands).map((command) => ({ run: { command } })), done, finishDone];
    const { world, report, outputs, events, model } = await play({ phase: 'work', steps });
    const judged = events.flatMap((event) =>
      event.type === 'gate.judged' && event.subject !== undefined ? [[event.outcome, event.reason]] : [],
    );
    const outcomes = Object.keys(commands).map((command, index) => [command, judged[index]?.[0]]);
    expect(Object.fromEntries(outcomes)).toEqual(commands);
    const ended = outputs.flatMap((output) => (output.kind === 'toolEnded' ? [output] : []));
    for (const [index, [, reason]] of judged.entries()) {
      expect(ended[index]).toMatchObject({ isError: true, output: expect.stringContaining(reason ?? '') });
    }
    expect(model.mismatches).toEqual([]);
    expect(report).toMatchObject({ end: 'finished', next: 'analyse-work' });
    expect(await world.readPlan('memory.yaml')).toContain('id: esm-only');
    expect(await world.git('status', '--porcelain')).toBe('?? ravel/\n?? wait.mjs\n');
  });

  test('through its own tools is refused, and the session continues', { timeout: 60_000 }, async () => {
    const steps = [
      { edit: { path: memory, content: 'x\n' } },
      { edit: { path: '../elsewhere', content: 'x\n' } },
      { read: { path: '/etc/passwd' } },
      done,
      finishDone,
    ];
    const { world, report, outputs } = await play({ phase: 'work', steps });
    const ended = outputs.flatMap((output) => (output.kind === 'toolEnded' ? [output.isError] : []));
    expect(ended).toEqual([true, true, true, false, false]);
    expect(report).toMatchObject({ end: 'finished', next: 'analyse-work' });
    expect(await world.readPlan('memory.yaml')).toContain('id: esm-only');
  });

  /** The gate cannot see what a program of the project does; the change is noticed at the end of the phase. */
  const hidden: Readonly<Record<string, Steps>> = {
    'a script': [
      {
        edit: {
          path: 'tidy.mjs',
          content: `import { appendFileSync } from 'node:fs';\nappendFileSync('${memory}', '# x\\n');\n`,
        },
      },
      { run: { command: 'node tidy.mjs' } },
    ],
    'a script that its test starts': [
      {
        edit: {
          path: 'tidy.test.mjs',
          content: `import { execSync } from 'node:child_process';\nexecSync("echo '# x' | tee -a ${memory}");\n`,
        },
      },
      { run: { command: 'node --test' } },
    ],
  };

  test.each(Object.entries(hidden))('through %s waits for a person', { timeout: 60_000 }, async (_name, steps) => {
    const { core, world, report, events } = await play({ phase: 'work', steps: [...steps, done, finishDone] });
    expect(report).toMatchObject({ end: 'waiting', next: 'work', summary: expect.stringContaining('memory.yaml') });
    expect(events).toContainEqual(expect.objectContaining({ type: 'approval.opened', kind: 'unattributed-change' }));
    expect(events.filter((event) => event.type === 'state.merged' || event.type === 'commit.made')).toEqual([]);
    expect(await world.readPlan('phase.md')).toBe('work\n');
    expect(await world.readPlan('backlog.yaml')).not.toContain('done');
    const status = await core.api.request('status', { plan: world.plan });
    expect(status.waiting).toContain('memory.yaml');
  });
});

describe('fifty megabytes of output', () => {
  const flooding: Readonly<Record<string, Steps>> = {
    'from the model': [{ flood: { megabytes: 50, to: 'stdout' } }, done, finishDone],
    'from a command': [
      { edit: { path: 'flood.mjs', content: "for (let n = 0; n < 800; n++) console.log('x'.repeat(65535));\n" } },
      { run: { command: 'node flood.mjs' } },
      done,
      finishDone,
    ],
  };

  test.each(Object.entries(flooding))(
    '%s leave the owner below 200 MiB of memory',
    { timeout: 120_000 },
    async (_name, steps) => {
      const world = await makeCycleWorld({ settings: claudeSettings() });
      const { environment } = await startClaudeWorld(world, formatScenario({ work: steps }));
      const owner = await startOwner({ ...world, environment }, { harness: 'claude-code' });
      const report = await owner.ended;
      expect(report).toMatchObject({ end: 'finished', next: 'analyse-work' });
      expect(owner.events.filter((event) => event.type === 'session.output').length).toBeGreaterThan(4);
      expect(owner.peakMebibytes()).toBeLessThan(200);
    },
  );
});
