import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import {
  analysis,
  approvals,
  backlogOf,
  done,
  retryPhase,
  runPhase,
  scenarioText,
  titles,
} from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const child = toQualifiedId('greeter/project-root/child');

async function makeTwoPlans(): Promise<World> {
  const world = await makeWorld({
    plan: { 'phase.md': 'reflect\n' },
    scenario: scenarioText({
      reflect: [
        { call: 'memory_add', with: { title: 'Learned', body: 'Something.' } },
        { finish: { outcome: 'done', summary: 'Learned something.' } },
      ],
    }),
  });
  const { core } = await startCore(world);
  await core.api.request('create', { plan: child, description: 'The greetings of children' });
  await core.stop();
  return world;
}

async function writeRunState(world: World, plan: string, text: string): Promise<void> {
  const file = new VaultLayout(world.vault).runState(toQualifiedId(plan));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

describe('a vault with two plans', () => {
  test.each([
    ['a run state that is not YAML', 'cycle: [\n'],
    ['a running phase whose transaction.json is not JSON', 'running'],
  ])('opens although one has %s, and runs the other', async (_name, text) => {
    const world = await makeTwoPlans();
    const session = '01M7X4TZFWPVQT6PFG4SYTM4BP';
    const running = `running: { phase: reflect, step: session, session: ${session}, harness: scripted, startedAt: now }\n`;
    await writeRunState(world, child, text === 'running' ? running : text);
    const layout = new VaultLayout(world.vault);
    const staging = layout.stagingOf(child, 'reflect', session as never);
    await mkdir(staging, { recursive: true });
    await writeFile(join(staging, 'transaction.json'), 'no JSON');
    await mkdir(join(layout.sessions, session), { recursive: true });
    await writeFile(join(layout.sessions, session, 'host.json'), '{}');
    const { core } = await startCore(world);
    expect((await runPhase(core, world)).end).toBe('finished');
    const { plans } = await core.api.request('list', {});
    expect(plans.map(({ plan }) => plan)).toEqual([world.plan, child]);
    expect(plans[1]?.running).toBeUndefined();
    // Either its fault is shown, or its phase was interrupted and waits for a person.
    expect(plans[1]?.faults.length === 1 || plans[1]?.waiting !== undefined).toBe(true);
  });
});

describe('a question from a session', () => {
  const asking = scenarioText({ reflect: [{ finish: { outcome: 'needs-input', summary: 'Which one?' } }] });

  test('is removed when its phase is dismissed', async () => {
    const world = await makeWorld({ plan: { 'phase.md': 'reflect\n' }, scenario: asking });
    const { core } = await startCore(world);
    expect((await runPhase(core, world)).end).toBe('waiting');
    expect(await approvals(world)).toHaveLength(1);
    await core.api.request('dismiss', { plan: world.plan });
    expect(await approvals(world)).toEqual([]);
  });

  test('is asked again, exactly once, when a retry reaches it', async () => {
    const world = await makeWorld({ plan: { 'phase.md': 'reflect\n' }, scenario: asking });
    const { core, events } = await startCore(world);
    await runPhase(core, world);
    expect((await retryPhase(core, world)).end).toBe('waiting');
    expect(await approvals(world)).toHaveLength(1);
    const opened = (event: RavelEvent) => event.type === 'approval.opened';
    expect(events.filter(opened)).toHaveLength(2);
  });
});

describe('a retry that cannot start', () => {
  test('keeps the baseline of the first try, whose edits are committed in the end', async () => {
    const edit = { edit: { path: 'greet.mjs', content: 'export const greet = () => 1;\n' } };
    const world = await makeWorld({
      plan: { 'backlog.yaml': backlogOf('one') },
      scenario: scenarioText({ work: [edit, { exit: 1 }], 'analyse-work': analysis(['Greet', 'greet.mjs']) }),
    });
    const { core } = await startCore(world);
    expect((await runPhase(core, world)).end).toBe('failed');
    const { plan } = world;
    const missing = { plan, harness: 'scripted', scenario: join(world.root, 'missing.yaml') } as const;
    await expect(core.api.request('retry', missing)).rejects.toMatchObject({ code: 'harness/noScenario' });
    expect((await core.api.request('status', { plan })).interrupted?.phase).toBe('work');
    await writeFile(world.scenario, scenarioText({ work: [done], 'analyse-work': analysis(['Greet', 'greet.mjs']) }));
    expect((await retryPhase(core, world)).end).toBe('finished');
    expect((await runPhase(core, world)).end).toBe('finished');
    expect(await titles(world)).toContain('Greet');
  });
});
