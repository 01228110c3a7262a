import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { whenPrinted } from '../support/phaseWorld.ts';
import {
  analysis,
  approvals,
  backlogOf,
  done,
  retryPhase,
  runPhase,
  type Step,
  scenarioText,
} from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

describe('a command that needs a person’s approval', () => {
  const odd: Step = { run: { command: 'frobnicate --all' } };

  test('is asked about once, and an acceptance allows it once, in the retry too', async () => {
    const world = await makeWorld({
      plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
      scenario: scenarioText({ work: [odd, odd, { say: 'denied twice' }, { hang: true }] }),
    });
    const { core, events } = await startCore(world);
    const deniedTwice = whenPrinted(core, 'denied twice');
    const running = runPhase(core, world).catch(() => undefined);
    await deniedTwice;
    const page = await onlyApproval(core.api);
    expect(page).toMatchObject({ kind: 'tool-request', shown: expect.stringContaining('frobnicate --all') });
    expect(await decide(core.api, page, 'accept')).toMatchObject({ did: expect.stringContaining('once') });
    await core.api.request('stop', { plan: world.plan });
    await running;
    expect(events.filter(({ type }) => type === 'approval.opened')).toHaveLength(1);
    const verdict = events.find((event) => event.type === 'gate.judged' && event.outcome === 'needs-approval');
    expect(verdict).toMatchObject({ gate: 'command', subject: 'Bash', call: 'Bash frobnicate --all' });
    await writeFile(world.scenario, scenarioText({ work: [odd, odd, done] }));
    await retryPhase(core, world);
    const outputs = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
    );
    const denied = outputs.slice(0, 4).map((text) => /A person was asked/.test(text));
    expect(denied).toEqual([true, true, false, true]);
    expect(readdirSync(join(world.vault, 'runtime/grants'))).toEqual([]);
    expect(await approvals(world)).toEqual([]);
  });

  test.each([
    ['accept', {}, false],
    ['reject', { reason: 'Never that' }, true],
  ] as const)('waits for the decision with approval-wait-seconds: %s', async (word, more, isDenied) => {
    const world = await makeWorld({
      settings: '[gates]\napproval-wait-seconds = 60\n',
      plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
      scenario: scenarioText({ work: [odd, done] }),
    });
    const { core, events } = await startCore(world);
    const running = runPhase(core, world);
    await decide(core.api, await whenAsked(core), word, more);
    await running;
    const told = JSON.stringify(events.filter(({ type }) => type === 'session.output'));
    expect(told.includes('said no. They say: Never that')).toBe(isDenied);
    expect(told.includes('frobnicate: not found') || told.includes('command not found')).toBe(!isDenied);
  });

  async function whenAsked(core: Core) {
    await new Promise<void>((resolve) => {
      const listening = core.api.onEvent((event) => {
        if (event.type !== 'approval.opened') return;
        listening.dispose();
        resolve();
      });
    });
    return onlyApproval(core.api);
  }
});

describe('a pre-work program', () => {
  async function makeChecked(script: string, mode = 0o755): Promise<World> {
    const world = await makeWorld({
      plan: { 'backlog.yaml': backlogOf('first'), 'pre-work.sh': script },
      scenario: scenarioText({ work: [done] }),
    });
    await chmod(join(world.planDirectory, 'pre-work.sh'), mode);
    return world;
  }

  const checks = '#!/bin/sh\npwd > ran.txt\nenv > env.txt\necho checked\n';

  test('runs before work once it was accepted, and is asked about again when it changes', async () => {
    const world = await makeChecked(checks);
    const { core } = await startCore({ ...world, environment: { ...world.environment, SECRET: 'x' } });
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting', phase: 'work', next: 'work' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
    expect(existsSync(join(world.vault, 'runtime/staging'))).toBe(false);
    expect(await failureOf(() => runPhase(core, world))).toMatchObject({ code: 'plan/waiting' });
    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    const page = await onlyApproval(core.api);
    expect(page.shown).toContain('echo checked');
    expect(await decide(core.api, page, 'accept')).toMatchObject({ next: 'run' });
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'finished', next: 'analyse-work' });
    expect((await world.read('ran.txt')).trim()).toBe(world.project);
    expect(await world.read('env.txt')).not.toContain('SECRET');
    const output = join(world.vault, 'runtime/sessions', report.session, 'pre-work.log');
    expect(readFileSync(output, 'utf8')).toBe('checked\n');

    await world.writePlan('phase.md', 'work\n');
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    await world.writePlan('phase.md', 'work\n');
    await world.writePlan('pre-work.sh', `${checks}echo more\n`);
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
    const changed = await onlyApproval(core.api);
    await world.writePlan('pre-work.sh', `${checks}echo most\n`);
    expect(await failureOf(() => decide(core.api, changed, 'accept'))).toMatchObject({ code: 'approval/changed' });
    expect((await onlyApproval(core.api)).shown).toContain('echo most');
  });

  test('a pre-work program that fails keeps work from starting, and its output is reported', async () => {
    const world = await makeChecked('#!/bin/sh\necho the tests are red\nexit 3\n');
    const { core } = await startCore(world);
    await runPhase(core, world);
    await decide(core.api, await onlyApproval(core.api), 'accept');
    const problem = await failureOf(() => runPhase(core, world));
    expect(problem).toMatchObject({
      code: 'plan/preWorkFailed',
      message: expect.stringMatching(/code 3.*the tests are red/),
    });
    expect((await core.api.request('status', { plan: world.plan })).interrupted).toMatchObject({ phase: 'work' });
    expect(existsSync(join(world.vault, 'runtime/staging'))).toBe(false);
    await world.writePlan('pre-work.sh', '#!/bin/sh\nexit 0\n');
    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    expect(await decide(core.api, await onlyApproval(core.api), 'accept')).toMatchObject({ next: 'retry' });
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished' });
  });

  test('does not run if it is not executable, or before a phase other than work', async () => {
    const world = await makeChecked(checks, 0o644);
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
    await chmod(join(world.planDirectory, 'pre-work.sh'), 0o755);
    await writeFile(world.scenario, scenarioText({ 'analyse-work': analysis(['Do the work', '.']) }));
    expect(await runPhase(core, world)).toMatchObject({ phase: 'analyse-work', end: 'finished' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
  });

  test('is also asked about before a phase by hand', async () => {
    const world = await makeChecked(checks);
    const { core } = await startCore(world);
    const begin = () => core.api.request('begin_manual_run', { plan: world.plan });
    expect(await failureOf(begin)).toMatchObject({
      code: 'plan/waiting',
      help: expect.stringContaining('approvals show'),
    });
    await decide(core.api, await onlyApproval(core.api), 'accept');
    expect(await begin()).toMatchObject({ phase: 'work' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(true);
  });

  test('a pre-work program that is rejected does not run, and the next run asks again', async () => {
    const world = await makeChecked(checks);
    const { core } = await startCore(world);
    await runPhase(core, world);
    await decide(core.api, await onlyApproval(core.api), 'reject');
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
  });
});
