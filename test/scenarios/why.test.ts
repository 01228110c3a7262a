import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { causeRows } from '../../src/model/causeTree.ts';
import type { RequestResults } from '../../src/model/protocol.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { finishDone, formatScenario, nextEvent, oneEntry } from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** A project with two plans, whose root plan is about to run its triage. */
async function makeTriage(): Promise<{ readonly world: World; readonly child: string; readonly core: Core }> {
  const world = await makeWorld({
    plan: { 'phase.md': 'triage\n', 'memory.yaml': oneEntry, 'backlog.yaml': backlogOf('first') },
  });
  const child = `${world.plan}/child`;
  const triage = [
    { call: 'message_dispatch', with: { 'target-plan': child, reason: 'It is theirs', body: 'Greet the cat.' } },
    { call: 'backlog_add', with: { title: 'Feed the cat', category: 'cats', description: 'Twice.' } },
    finishDone,
  ];
  await writeFile(world.scenario, formatScenario({ triage }));
  const local = await openCore(world, { role: 'local' });
  await local.api.request('create', { plan: child, description: 'Minds the cats' });
  await local.stop();
  const { core } = await startCore(world);
  return { world, child, core };
}

const runPhase = (core: Core, { plan, scenario }: Pick<World, 'plan' | 'scenario'>) =>
  core.api.request('run_phase', { plan, harness: 'scripted', scenario });

/** One line for each cause, indented below what led to it; commit ids, which differ in each run, are left out. */
function shown(trace: RequestResults['why']): string[] {
  return causeRows(trace).map(({ node, depth, how, isSubject }) => {
    const title = node.title.replaceAll(/\b[0-9a-f]{8}\b/g, '<commit>');
    return `${'  '.repeat(depth)}${how === undefined ? '' : `${how}: `}${title}${isSubject ? ' *' : ''}`;
  });
}

test('why leads from a task back to the session that sent it, and from a commit to its session', async () => {
  const { world, child, core } = await makeTriage();
  const why = (subject: string, plan?: string) =>
    core.api.request('why', { subject, ...(plan !== undefined && { plan }) });
  const handled = nextEvent(core, 'message.handled', (event) => event.actor === child);
  const { session, end, summary, commits } = await runPhase(core, world);
  expect(end, summary).toBe('finished');
  const { message } = await handled;
  const triage = `triage session of ${world.plan}`;
  const sent = `message from ${world.plan}: Greet the cat.`;
  const decided = `decision by its name: to ${child}`;

  const args = { id: message, title: 'Greet', category: 'cats' };
  const promoted = await core.api.request('state', { plan: child, verb: 'received/promote', args });
  const { task } = promoted.result as { readonly task: string };
  const chain = [triage, `  sent: ${sent}`, `    was routed by: ${decided}`];
  expect(shown(await why(task, child))).toEqual([...chain, `      was promoted to: task ${task} of ${child}: Greet *`]);
  expect(shown(await why(`${child}#${task}`))).toEqual(shown(await why(task, child)));

  // The same chain from the other end, and from its middle.
  expect(shown(await why(message))[1]).toBe(`  sent: ${sent} *`);
  const forward = shown(await why(`session:${session}`));
  expect(forward.slice(0, 4)).toEqual([
    `${triage} *`,
    `  sent: ${sent}`,
    `    was routed by: ${decided}`,
    `      was promoted to: task ${task} of ${child}: Greet`,
  ]);

  // The commits of a phase follow it, and say which session added what.
  const added = await why('feed-the-cat', world.plan);
  expect(shown(added)).toEqual([triage, `  added: task feed-the-cat of ${world.plan}: Feed the cat *`]);
  expect(added.gaps).toEqual([]);
  const [commit] = commits;
  expect(shown(await why(commit?.commit.slice(0, 10) ?? ''))[0]).toBe(triage);

  const fresh = { title: 'Comb the cat', category: 'cats' };
  await core.api.request('state', { plan: child, verb: 'backlog/add', args: fresh });
  const combed = await why('comb-the-cat', child);
  expect([shown(combed), combed.gaps]).toEqual([
    ['a person', `  added: task comb-the-cat of ${child}: Comb the cat *`],
    [],
  ]);

  await rm(join(world.vault, 'runtime', 'sessions'), { recursive: true });
  const { gaps, nodes } = await why(`session:${session}`);
  expect(gaps).toEqual([`The transcript of the session ${session} is gone: what sessions said is kept for 30 days.`]);
  expect(nodes.find(({ kind }) => kind === 'session')).toMatchObject({ plan: world.plan });
  await core.stop();
});

test('why takes no session for who added a task that a person, an import or an editor put there', async () => {
  const { world, core } = await makeTriage();
  const why = (subject: string) => core.api.request('why', { subject, plan: world.plan });
  const args = { title: 'Comb the cat', category: 'cats' };
  await core.api.request('state', { plan: world.plan, verb: 'backlog/add', args });
  const { end, summary } = await runPhase(core, world);
  expect(end, summary).toBe('finished');
  // The commit of the triage is the first that has all of them.
  expect(shown(await why('comb-the-cat'))).toEqual([
    'a person',
    `  added: task comb-the-cat of ${world.plan}: Comb the cat *`,
  ]);
  const first = await why('first');
  expect(shown(first)).toEqual([expect.stringMatching(/^\S/), expect.stringContaining(`committed: task first of `)]);
  expect(first.gaps).toEqual([expect.stringMatching(/^It was not recorded who added the task first; the commit /)]);

  const imported = await core.api.request('import', {
    directory: fileURLToPath(new URL('../fixtures/plans/yaml', import.meta.url)),
    plan: `${world.plan}/imported`,
    description: 'From elsewhere',
  });
  const { plan } = imported;
  const { result } = await core.api.request('state', { plan, verb: 'backlog/list', args: {} });
  const [task] = (result as { readonly tasks: readonly { readonly id: string }[] }).tasks;
  const trace = await core.api.request('why', { subject: task?.id ?? '', plan });
  expect([shown(trace)[0], shown(trace)[1], trace.gaps]).toEqual([
    'a person',
    expect.stringContaining('imported: '),
    [],
  ]);
  await core.stop();
});

test('why names the person who wrote a rule', async () => {
  const { world, child, core } = await makeTriage();
  const rule = { id: 'cats', target: child, any: ['cat'], origin: { by: 'ada', at: '2026-11-20T10:00:00Z' } };
  await writeFile(join(world.vault, 'routing.yaml'), `rules:\n- ${JSON.stringify(rule)}\n`);
  const trace = await core.api.request('why', { subject: 'cats' });
  expect(shown(trace)).toEqual(['ada', `  wrote: rule cats: to ${child} *`]);
  await core.stop();
});

test('why knows a message from a person while a session still looks for its receiver', async () => {
  const world = await makeWorld({
    settings: '[run]\nharness = "scripted"\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario: JSON.stringify({ version: 1, consultations: { route: [{ steps: [{ hang: true }] }] } }),
  });
  const { core } = await startCore(world);
  const asked = nextEvent(core, 'session.started');
  const sent = { target: 'auto', reason: 'It is needed', body: 'Greet the moon.' } as const;
  const { message } = await core.api.request('dispatch', sent);
  await asked;
  const trace = await core.api.request('why', { subject: message });
  expect(shown(trace)).toEqual(['a person', '  sent: message from a person: Greet the moon. *']);
  const [, node] = trace.nodes;
  expect(node?.detail).toBe('It is needed · on its way: a session looks for its receiver in the vault');
  expect([node?.at, trace.gaps]).toEqual([expect.stringContaining('T'), []]);
  await core.stop();
  // The same without an owner, when nothing works on it.
  const local = await openCore(world, { role: 'local' });
  const { nodes } = await local.api.request('why', { subject: message });
  expect(nodes[1]?.detail).toBe('It is needed · on its way: waits for an owner of the vault');
  await local.stop();
});

test('why refuses a subject that it does not know, and names what comes near', async () => {
  const { core, world } = await makeTriage();
  const subjects = ['nothing', '01M00000000000000000000001', 'deadbeef00', `${world.plan}#nothing`, 'session:nothing'];
  for (const subject of subjects) {
    const failure = await failureOf(() => core.api.request('why', { subject }));
    expect(failure, subject).toMatchObject({ code: 'routing/unknownSubject' });
    expect(failure.help, subject).not.toContain('Did you mean');
  }
  const meant = `Did you mean ${world.plan}#first?`;
  for (const subject of ['frist', 'fir', `${world.plan}#firts`, 'task:fist']) {
    expect((await failureOf(() => core.api.request('why', { subject }))).help, subject).toContain(meant);
  }
  await core.stop();
});
