import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { nextEvent, whenPrinted } from '../support/phaseWorld.ts';
import { analysis, backlogOf, done, type Step, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** A program that announces itself and ends when the other one has too. It watches the folder instead of polling. */
const meet = `import { existsSync, watch, writeFileSync } from 'node:fs';
const [own, other] = process.argv.slice(2);
const folder = process.env.HOME;
writeFileSync(\`\${folder}/\${own}.here\`, '');
const look = () => existsSync(\`\${folder}/\${other}.here\`) && process.exit(0);
watch(folder, look);
look();
`;

function cycle(own: string, other: string): string {
  const work: Step[] = [
    { say: 'Working.' },
    { run: { command: `node meet.mjs ${own} ${other}` } },
    { edit: { path: `${own}.txt`, content: `${own}\n` } },
    done,
  ];
  const rest = { reflect: [done], triage: [done] };
  return scenarioText({ work, 'analyse-work': analysis([`Add ${own}`, `${own}.txt`]), ...rest });
}

interface Runs {
  readonly world: World;
  readonly first: { readonly plan: string; readonly harness: 'scripted'; readonly scenario: string };
  readonly second: { readonly plan: string; readonly harness: 'scripted'; readonly scenario: string };
}

/** Two projects with a plan each, whose work phases wait for each other. */
async function makeTwoProjects(settings = ''): Promise<Runs & { readonly adopt: (core: Core) => Promise<void> }> {
  const files = { 'meet.mjs': meet };
  const plan = { 'backlog.yaml': backlogOf('one') };
  const world = await makeWorld({ files, plan, settings, scenario: cycle('first', 'second') });
  const project = join(world.root, 'other');
  await mkdir(project);
  await writeFile(join(project, 'meet.mjs'), meet);
  const git = (...args: string[]) => world.git('-C', project, ...args);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '-A');
  await git('commit', '--quiet', '-m', 'Start');
  const scenario = join(world.root, 'second.yaml');
  await writeFile(scenario, cycle('second', 'first'));
  return {
    world,
    first: { plan: world.plan, harness: 'scripted', scenario: world.scenario },
    second: { plan: 'other/project-root', harness: 'scripted', scenario },
    async adopt(core) {
      await core.api.request('adopt', { project, description: 'Another project' });
      await writeFile(join(project, 'ravel/project-root/backlog.yaml'), backlogOf('two'));
    },
  };
}

test('two plans of two projects run their cycles at the same time', { timeout: 60_000 }, async () => {
  const { world, first, second, adopt } = await makeTwoProjects();
  const { core, events } = await startCore(world);
  await adopt(core);
  const reports = await Promise.all([core.api.request('run_cycle', first), core.api.request('run_cycle', second)]);
  expect(reports).toMatchObject([{ stop: 'cycle-ended' }, { stop: 'cycle-ended' }]);
  expect(events.filter(({ type }) => type === 'run.queued')).toEqual([]);
});

test('a person can answer the question of one plan while another plan runs its cycle', {
  timeout: 60_000,
}, async () => {
  const { world, first, second, adopt } = await makeTwoProjects();
  const { core } = await startCore(world);
  await adopt(core);
  const started = whenPrinted(core, 'Working.');
  const running = core.api.request('run_cycle', first);
  await started;
  await writeFile(
    second.scenario,
    scenarioText({ work: [{ finish: { outcome: 'needs-input', summary: 'Which colour?' } }] }),
  );
  expect(await core.api.request('run_cycle', second)).toMatchObject({ stop: 'waiting' });
  const question = await onlyApproval(core.api);
  expect(await decide(core.api, question, 'accept', { text: 'Blue.' })).toMatchObject({ next: 'retry' });
  const { plans } = await core.api.request('list', {});
  expect(plans.map(({ running: runs }) => runs?.phase)).toEqual(['work', undefined]);
  // The first one's work ends once the second one's has begun again.
  await writeFile(second.scenario, cycle('second', 'first'));
  expect(await core.api.request('retry', second)).toMatchObject({ end: 'finished', next: 'analyse-work' });
  expect(await running).toMatchObject({ stop: 'cycle-ended' });
});

test('with max-active = 1 the second run waits and says why', { timeout: 60_000 }, async () => {
  const { world, first, second, adopt } = await makeTwoProjects('[actors]\nmax-active = 1\n');
  const { core, events } = await startCore(world);
  await adopt(core);
  const started = whenPrinted(core, 'Working.');
  const running = core.api.request('run_phase', first);
  await started;
  const queued = nextEvent(core, 'run.queued');
  const waiting = failureOf(() => core.api.request('run_phase', { ...second, phase: 'reflect' }));
  const event = await queued;
  expect(event).toMatchObject({
    actor: second.plan,
    reason: expect.stringContaining('are active, which is the limit'),
  });
  expect(event.phase).toBeUndefined();
  expect(await core.api.request('status', { plan: second.plan })).toMatchObject({ queued: event.reason });
  expect(events.filter(({ actor, type }) => actor === second.plan && type === 'phase.started')).toEqual([]);
  await core.api.request('stop', { plan: first.plan });
  expect((await running).end).toBe('interrupted');
  // Its turn came: only then does it see that phase.md names another phase.
  expect(await waiting).toMatchObject({ code: 'plan/wrongPhase' });
});

test('a run that waits for its turn can be stopped', { timeout: 60_000 }, async () => {
  const { world, first, second, adopt } = await makeTwoProjects('[actors]\nmax-active = 1\n');
  const { core } = await startCore(world);
  await adopt(core);
  const started = whenPrinted(core, 'Working.');
  const running = core.api.request('run_phase', first);
  await started;
  const queued = nextEvent(core, 'run.queued');
  const waiting = failureOf(() => core.api.request('run_phase', second));
  await queued;
  await core.api.request('stop', { plan: second.plan });
  expect(await waiting).toMatchObject({ code: 'run/stopped' });
  await core.api.request('stop', { plan: first.plan });
  await running;
});

test('two plans of one project work on its source one after the other, and reflect at the same time', {
  timeout: 60_000,
}, async () => {
  const world = await makeWorld({
    files: { 'meet.mjs': meet },
    plan: { 'backlog.yaml': backlogOf('one') },
    scenario: '',
  });
  const { core, events } = await startCore(world);
  const child = `${world.plan}/child`;
  await core.api.request('create', { plan: child, description: 'The second of two' });
  await world.writePlan('child/backlog.yaml', backlogOf('two'));
  const script = async (own: string, other: string) => {
    const scenario = join(world.root, `${own}.yaml`);
    const meeting = { run: { command: `node ${join(world.project, 'meet.mjs')} ${own} ${other}` } };
    const phases = { work: [{ edit: { path: `${own}.txt`, content: `${own}\n` } }, done], triage: [done] };
    const rest = { 'analyse-work': analysis([`Add ${own}`, `${own}.txt`]), reflect: [meeting, done] };
    await writeFile(scenario, scenarioText({ ...phases, ...rest }));
    return { harness: 'scripted', scenario } as const;
  };
  const first = { plan: world.plan, ...(await script('first', 'second')) };
  const second = { plan: child, ...(await script('second', 'first')) };
  const turn = nextEvent(core, 'run.queued').then(async ({ actor, reason }) => {
    const { plans } = await core.api.request('list', {});
    expect(plans.flatMap(({ plan, queued }) => (queued === undefined ? [] : [[plan, queued]]))).toEqual([
      [actor, reason],
    ]);
  });
  const reports = await Promise.all([core.api.request('run_cycle', first), core.api.request('run_cycle', second)]);
  await turn;
  expect((await core.api.request('list', {})).plans.filter(({ queued }) => queued !== undefined)).toEqual([]);
  expect(reports).toMatchObject([{ stop: 'cycle-ended' }, { stop: 'cycle-ended' }]);
  const [queued] = events.filter((event) => event.type === 'run.queued');
  expect(queued).toMatchObject({ phase: 'work' });
  expect([queued?.actor, queued?.behind].sort()).toEqual([world.plan, child]);
  expect(events.some((event) => event.type === 'diagnostic' && event.diagnostic.code === 'run/treeShared')).toBe(false);
});
