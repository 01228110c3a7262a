import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { ManualRun } from '../../src/model/requests/manualRuns.ts';
import { jsonLines } from '../cli/fakePorts.ts';
import { decide, decisions, makeConflictWorld, onlyApproval, runIntoConflict } from '../support/approvalWorld.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { describeOutcome } from '../support/describeOutcome.ts';
import { createNormaliser, formatEvents } from '../support/eventText.ts';
import { failureOf } from '../support/failureOf.ts';
import { expectGolden } from '../support/golden.ts';
import { openedFiles, type Round, runManually, startManually } from '../support/manualRunWorld.ts';
import { makeReflectWorld, oneEntry, runOptionsOf, stateOf } from '../support/phaseWorld.ts';
import { approvals } from '../support/scenarioRuns.ts';
import { startCore, type World } from '../support/world.ts';

const learned = `  - id: learned
    title: Learned
    body: |
      Something.
`;

const begin = (core: Core, { plan }: World, takeOver = false): Promise<ManualRun> =>
  core.api.request('begin_manual_run', { plan, takeOver });

const finish = (core: Core, { plan, session }: ManualRun, unchanged = false) =>
  core.api.request('finish_manual_run', { plan, session, outcome: 'done', summary: 'Learned something.', unchanged });

const save = (run: ManualRun, file: string, text: string) => writeFile(join(run.directory, file), text);
const read = (run: ManualRun, file: string) => readFile(join(run.directory, file), 'utf8');

describe('a whole cycle by hand', () => {
  const goodbye = "export const farewell = 'Goodbye';\n";
  const results = 'status: done\n    results: The farewell is there.';
  const claims = `claims:
  - id: c1
    text: farewell.mjs is there
    evidence:
      - path: farewell.mjs
`;
  const commits = 'commits:\n  - paths: [farewell.mjs]\n    message: Say goodbye\n';
  const entry = `  - id: goodbye
    title: Goodbye
    body: |
      The farewell is in farewell.mjs.
    claims: [c1]
`;
  const merged = `entries:
  - id: modules-are-esm
    title: Modules are ESM only
    body: |
      All modules are ESM with the suffix \`.mjs\`; there must be no CommonJS.
`;
  const doneTask = / {2}- id: add-a-farewell\n(?: {4}.*\n)*/;

  async function roundsOf(world: World, phase: string): Promise<readonly Round[]> {
    switch (phase) {
      case 'work':
        return [
          {
            save: { [join(world.project, 'farewell.mjs')]: goodbye, 'backlog.yaml': ['status: not_started', results] },
          },
        ];
      case 'analyse-work':
        return [{ save: { 'latest-session.yaml': ['claims: []\n', claims], 'commits.yaml': commits } }];
      case 'reflect':
        return [{ save: { 'memory.yaml': (await world.readPlan('memory.yaml')) + entry } }];
      case 'dream':
        return [{ save: { 'memory.yaml': merged + entry } }];
      default: {
        const backlog = await world.readPlan('backlog.yaml');
        const without = backlog.replace(doneTask, '').replace('dependencies: [add-a-farewell]', 'dependencies: []');
        return [{ save: { 'backlog.yaml': without } }];
      }
    }
  }

  test('leaves the recorded events, files and commits', async () => {
    const world = await makeCycleWorld();
    const { events } = await startCore(world);
    for (const phase of ['work', 'analyse-work', 'reflect', 'dream', 'triage']) {
      const ran = await runManually(world, await roundsOf(world, phase), '--finish', '--summary', `Did ${phase}.`);
      expect({ code: ran.code, last: jsonLines(ran.stdout).at(-1) }).toMatchObject({
        code: 0,
        last: { result: { phase, end: 'finished' } },
      });
    }
    expect(await openedFiles(world)).toEqual([
      'backlog.yaml dispatches.yaml queries.yaml phase-prompt.readonly.md',
      'backlog.yaml latest-session.yaml commits.yaml phase-prompt.readonly.md',
      'memory.yaml dispatches.yaml queries.yaml phase-prompt.readonly.md',
      'memory.yaml phase-prompt.readonly.md',
      'backlog.yaml memory.yaml dispatches.yaml queries.yaml phase-prompt.readonly.md',
    ]);
    const normalise = createNormaliser(world.root);
    await expectGolden(formatEvents(events, normalise), 'scenarios/manualRun.events.txt');
    await expectGolden(normalise(await describeOutcome(world)), 'scenarios/manualRun.files.txt');
  });
});

describe('a phase that is begun by hand', () => {
  test('gives copies to edit, and its other files and the prompt as read-only files', async () => {
    const world = await makeCycleWorld();
    const { core } = await startCore(world);
    const run = await begin(core, world);
    expect(run).toMatchObject({ phase: 'work', task: 'add-a-farewell', reopened: false, project: world.project });
    expect(run.reading.map((file) => basename(file))).toEqual(['memory.yaml']);
    for (const file of [...run.reading, run.prompt]) expect(await modeOf(file)).toBe(0o444);
    const prompt = await readFile(run.prompt, 'utf8');
    expect(prompt).toContain('by hand');
    expect(prompt).toContain('Say goodbye as politely as hello.');
    expect(prompt).not.toContain('{{');
  });
});

/** The permissions; a try to write would prove nothing, for root can write anything. */
async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

describe('a refused finish by hand', () => {
  const whole = oneEntry.replace('Indent with tabs.', 'Indent with 4 spaces, never with tabs.');
  const lossy = oneEntry.replace('Indent with tabs.', 'Indent with spaces, never with tabs.');
  const shorter = oneEntry.replace('Indent with tabs.', 'Indent with 4 spaces and never with tabs.');
  const makeDreamWorld = () => makeReflectWorld([], { plan: { 'phase.md': 'dream\n', 'memory.yaml': whole } });

  test('names its findings and leaves the phase open, time after time', async () => {
    const world = await makeDreamWorld();
    const { core } = await startCore(world);
    const run = await begin(core, world);
    await save(run, 'memory.yaml', lossy);
    for (let attempt = 0; attempt < 5; attempt++) {
      const refused = await finish(core, run);
      expect(refused).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('The entry "tabs" loses') });
    }
    expect(await world.readPlan('memory.yaml')).toBe(whole);
    await save(run, 'memory.yaml', shorter);
    expect(await finish(core, run)).toMatchObject({ outcome: 'ended', report: { end: 'finished', next: 'triage' } });
  });

  test('is an error for a script, and the edits are there the next time', async () => {
    const world = await makeDreamWorld();
    await startCore(world);
    const refused = await runManually(world, [{ save: { 'memory.yaml': lossy } }], '--finish');
    expect(refused).toMatchObject({ code: 4, stderr: '' });
    expect(jsonLines(refused.stdout).at(-1)).toMatchObject({ error: { code: 'gate/refused' } });
    const fixed = await runManually(
      world,
      [{ save: { 'memory.yaml': ['with spaces, never', 'with 4 spaces and never'] } }],
      '--finish',
    );
    expect(fixed.code).toBe(0);
    expect(await world.readPlan('memory.yaml')).toBe(shorter);
  });
});

describe('a phase that is open by hand', () => {
  test('refuses every other run of its plan, and names its session', async () => {
    const world = await makeReflectWorld([]);
    const { core } = await startCore(world);
    const { session } = await begin(core, world);
    for (const request of ['run_phase', 'run_cycle', 'retry'] as const) {
      const problem = await failureOf(() => core.api.request(request, runOptionsOf(world)));
      expect(problem).toMatchObject({
        code: 'plan/busy',
        message: expect.stringContaining(`by hand (session ${session})`),
      });
    }
    expect((await core.api.request('status', { plan: world.plan })).running).toMatchObject({ session, manual: true });
    expect(
      await failureOf(() => core.api.request('begin_manual_run', { plan: world.plan, phase: 'triage' })),
    ).toMatchObject({
      code: 'plan/wrongPhase',
    });
  });

  test('is not finished without a change unless the person says so', async () => {
    const world = await makeReflectWorld([]);
    const { core } = await startCore(world);
    const run = await begin(core, world);
    expect(await failureOf(() => finish(core, run))).toMatchObject({ code: 'run/nothingChanged' });
    expect(await finish(core, run, true)).toMatchObject({ outcome: 'ended', report: { end: 'finished' } });
    expect(await failureOf(() => finish(core, run, true))).toMatchObject({ code: 'run/notManual' });
  });

  test('names the source that was changed if the plan does not know of it', async () => {
    const world = await makeCycleWorld();
    await writeFile(join(world.project, 'draft.txt'), 'Before.\n');
    await writeFile(join(world.project, 'kept.txt'), 'Before.\n');
    const { core } = await startCore(world);
    const run = await begin(core, world);
    expect(await failureOf(() => finish(core, run))).toMatchObject({
      message: 'You changed neither the source nor a file of the plan.',
    });
    await writeFile(join(world.project, 'farewell.mjs'), '');
    await writeFile(join(world.project, 'draft.txt'), 'After.\n');
    expect(await failureOf(() => finish(core, run))).toMatchObject({
      code: 'run/nothingChanged',
      message: 'You changed the source (draft.txt, farewell.mjs), but the task "add-a-farewell" is as it was before.',
      help: expect.stringContaining('Set the status of the task in backlog.yaml'),
    });
    for (const name of ['a', 'b']) await writeFile(join(world.project, `${name}.mjs`), '');
    expect(await failureOf(() => finish(core, run))).toMatchObject({
      message: expect.stringContaining('(a.mjs, b.mjs, draft.txt, 1 more file)'),
    });
  });

  test('leaves its plan as it was when it is dropped, and keeps the edits elsewhere', async () => {
    const world = await makeReflectWorld([]);
    const before = await stateOf(world);
    const { core } = await startCore(world);
    const run = await begin(core, world);
    await save(run, 'memory.yaml', oneEntry + learned);
    expect(await core.api.request('drop_manual_run', { plan: world.plan, session: run.session })).toEqual({
      dropped: run.session,
    });
    expect(await stateOf(world)).toEqual(before);
    const status = await core.api.request('status', { plan: world.plan });
    expect([status.running, status.interrupted, status.phase]).toEqual([undefined, undefined, 'reflect']);
    const kept = run.directory.replace('/staging/', '/interrupted/');
    expect(await readFile(join(kept, 'memory.yaml'), 'utf8')).toContain('id: learned');
    expect((await begin(core, world)).reopened).toBe(false);
  });

  test('is also dropped by dismiss', async () => {
    const world = await makeReflectWorld([]);
    const { core } = await startCore(world);
    const { session } = await begin(core, world);
    expect(await core.api.request('dismiss', { plan: world.plan })).toEqual({ dismissed: session });
  });

  test('is merged with changes made to the plan’s own file meanwhile', async () => {
    const world = await makeReflectWorld([]);
    const { core, events } = await startCore(world);
    const run = await begin(core, world);
    await save(run, 'memory.yaml', oneEntry + learned);
    await world.writePlan('memory.yaml', oneEntry.replace('Indent with tabs.', 'Indent with tabs, two wide.'));
    expect(await finish(core, run)).toMatchObject({ report: { end: 'finished' } });
    const memory = await world.readPlan('memory.yaml');
    expect(memory).toContain('two wide');
    expect(memory).toContain('id: learned');
    expect(events).toContainEqual(expect.objectContaining({ type: 'state.merged', personEdited: ['memory.yaml'] }));
  });

  test('refuses to finish until a new note has been shown', async () => {
    const world = await makeReflectWorld([]);
    const { core } = await startCore(world);
    const run = await begin(core, world);
    await save(run, 'memory.yaml', oneEntry + learned);
    await core.api.request('send', { to: world.plan, type: 'note', text: 'Mind the tabs.' });
    const told = { outcome: 'refused', reason: expect.stringContaining('Mind the tabs.') };
    expect(await finish(core, run)).toMatchObject(told);
    expect(await finish(core, run)).toMatchObject({ outcome: 'ended', report: { end: 'finished' } });
  });

  test('waits if the person ends it with a question', async () => {
    const world = await makeReflectWorld([]);
    const { core } = await startCore(world);
    const { plan, session } = await begin(core, world);
    const asked = { plan, session, outcome: 'needs-input', summary: 'Which style is meant?' } as const;
    expect(await core.api.request('finish_manual_run', asked)).toMatchObject({ report: { end: 'waiting' } });
  });
});

describe('a phase by hand that is cut off', () => {
  test('by a killed terminal stays open with every edit, and the next owner can finish it', async () => {
    const world = await makeReflectWorld([]);
    const program = await startManually(world, [{ save: { 'memory.yaml': oneEntry + learned }, hang: true }]);
    await program.printed('saved');
    program.child.kill('SIGKILL');
    // A terminal that is closed ends its editor too.
    process.kill(Number(await readFile(join(world.root, 'pid'), 'utf8')), 'SIGKILL');
    await program.ended;
    const { core } = await startCore(world);
    expect((await core.api.request('list', {})).plans[0]?.running).toMatchObject({ phase: 'reflect', manual: true });
    expect((await failureOf(() => core.api.request('run_phase', runOptionsOf(world)))).code).toBe('plan/busy');
    const run = await begin(core, world);
    expect(run.reopened).toBe(true);
    expect(await read(run, 'memory.yaml')).toContain('id: learned');
    expect(await finish(core, run)).toMatchObject({ report: { end: 'finished' } });
    expect(await world.readPlan('memory.yaml')).toContain('id: learned');
  });

  test('by an orderly stop of its owner stays open with every edit', async () => {
    const world = await makeReflectWorld([]);
    const first = await startCore(world);
    const run = await begin(first.core, world);
    await save(run, 'memory.yaml', oneEntry + learned);
    await first.server.stop();
    await first.core.stop();
    const { core } = await startCore(world);
    expect(await begin(core, world)).toMatchObject({ session: run.session, reopened: true });
    expect(await finish(core, run)).toMatchObject({ report: { end: 'finished' } });
  });
});

describe('taking over by hand', () => {
  test('continues from the staged files of the failed session, and tells why it failed', async () => {
    const world = await makeReflectWorld([
      { call: 'memory_add', with: { title: 'Learned', body: 'Something.' } },
      { exit: 1 },
    ]);
    const { core } = await startCore(world);
    expect((await core.api.request('run_phase', runOptionsOf(world))).end).toBe('failed');
    expect(await failureOf(() => begin(core, world))).toMatchObject({ code: 'plan/waiting' });
    const run = await begin(core, world, true);
    expect(await read(run, 'memory.yaml')).toContain('id: learned');
    expect(await readFile(run.prompt, 'utf8')).toContain('without an accepted finish_phase');
    expect(await finish(core, run)).toMatchObject({ report: { end: 'finished' } });
    expect(await world.readPlan('memory.yaml')).toContain('id: learned');
  });

  test('continues from the edits of a stopped phase by hand, and keeps what changed in the plan meanwhile', async () => {
    const world = await makeReflectWorld([], { plan: { 'phase.md': 'triage\n' } });
    const { core } = await startCore(world);
    const first = await begin(core, world);
    await save(first, 'memory.yaml', oneEntry + learned);
    expect(await core.api.request('stop', { plan: world.plan })).toEqual({ stopped: true });
    expect((await core.api.request('status', { plan: world.plan })).interrupted?.phase).toBe('triage');
    await world.writePlan('memory.yaml', oneEntry.replace('Indent with tabs.', 'Indent with tabs, two wide.'));
    const run = await begin(core, world, true);
    expect(await read(run, 'memory.yaml')).toContain('id: learned');
    expect(await finish(core, run)).toMatchObject({ report: { end: 'finished' } });
    const memory = await world.readPlan('memory.yaml');
    expect([memory.includes('two wide'), memory.includes('id: learned')]).toEqual([true, true]);
  });

  const isAnswered = async (core: Core, world: World, approval: string) => {
    // The file is gone, and not merely hidden by its answer.
    expect(await approvals(world)).toEqual([]);
    expect(await decisions(world)).toMatchObject([{ id: approval, decision: 'retry' }]);
    expect(await failureOf(() => core.api.request('approval', { approval }))).toMatchObject({
      code: 'approval/decided',
    });
    expect((await core.api.request('status', { plan: world.plan })).waiting).toBeUndefined();
  };

  test('answers the question of a merge conflict, which the person settles in their files', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const { approval } = await runIntoConflict(core, world);
    const run = await begin(core, world, true);
    await isAnswered(core, world, approval);
    const staged = await read(run, 'memory.yaml');
    expect(staged).toMatch(/three doors[\s\S]*id: learned/);
    await save(run, 'memory.yaml', staged.replace('three doors', 'four doors'));
    expect(await finish(core, run)).toMatchObject({ report: { end: 'finished', next: 'triage' } });
    expect(await world.readPlan('memory.yaml')).toMatch(/four doors[\s\S]*id: learned/);
    await isAnswered(core, world, approval);
  });

  test('asks about a merge conflict again if the person leaves it as it was', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const { approval } = await runIntoConflict(core, world);
    const run = await begin(core, world, true);
    expect(await finish(core, run)).toMatchObject({ report: { end: 'waiting' } });
    const anew = await onlyApproval(core.api);
    expect([anew.approval === approval, anew.kind]).toEqual([false, 'merge-conflict']);
    expect(await decide(core.api, anew, 'accept', { option: 'session' })).toMatchObject({
      report: { end: 'finished' },
    });
    expect(await world.readPlan('memory.yaml')).toMatch(/three doors[\s\S]*id: learned/);
  });

  test('answers the question of a session, and shows it in the prompt', async () => {
    const world = await makeReflectWorld([
      { call: 'memory_add', with: { title: 'Learned', body: 'Something.' } },
      { finish: { outcome: 'needs-input', summary: 'Which style is meant?' } },
    ]);
    const { core } = await startCore(world);
    expect((await core.api.request('run_phase', runOptionsOf(world))).end).toBe('waiting');
    const { approval } = await onlyApproval(core.api);
    const run = await begin(core, world, true);
    await isAnswered(core, world, approval);
    expect(await readFile(run.prompt, 'utf8')).toContain('Which style is meant?');
    expect(await read(run, 'memory.yaml')).toContain('id: learned');
    expect(await finish(core, run)).toMatchObject({ report: { end: 'finished', next: 'triage' } });
    expect(await world.readPlan('memory.yaml')).toContain('id: learned');
  });

  test('is refused if no phase is unfinished', async () => {
    const world = await makeReflectWorld([]);
    const { core } = await startCore(world);
    expect(await failureOf(() => begin(core, world, true))).toMatchObject({ code: 'plan/notInterrupted' });
  });
});

test('with --no-editor a script is told which phase is open, and it stays open', async () => {
  const world = await makeReflectWorld([]);
  const { core } = await startCore(world);
  const ran = await runManually(world, [], '--no-editor');
  expect({ code: ran.code, last: jsonLines(ran.stdout).at(-1) }).toMatchObject({
    code: 5,
    last: { result: { open: {} } },
  });
  await core.api.request('dismiss', { plan: world.plan });
});
