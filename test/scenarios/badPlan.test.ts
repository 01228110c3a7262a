import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { runHere } from '../support/commandHere.ts';
import { failureOf } from '../support/failureOf.ts';
import { makePipe } from '../support/gate.ts';
import {
  approvals,
  backlogOf,
  done,
  expectUntouched,
  isVerb,
  memoryOf,
  nextEvent,
  onFirst,
  retryPhase,
  runPhase,
  type Step,
  scenarioText,
} from '../support/scenarioRuns.ts';
import { failingDisk } from '../support/tracingDisk.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const memory = `# Kept by Ada\n${memoryOf({ doors: 'There are two doors.', windows: 'There is one window.' })}`;

const learn: Step = { call: 'memory_add', with: { title: 'Learned', body: 'Something new.\n' } };

/** A plan that is about to run `phase`; its session plays `steps` and finishes. */
function makePlanWorld(
  phase: 'reflect' | 'triage' | 'work',
  steps: readonly Step[],
  plan: Readonly<Record<string, string>> = {},
): Promise<World> {
  return makeWorld({
    plan: { 'phase.md': `${phase}\n`, 'backlog.yaml': backlogOf('first', 'second'), 'memory.yaml': memory, ...plan },
    scenario: scenarioText({ [phase]: [...steps, done] }),
  });
}

describe('a plan', () => {
  interface Broken {
    readonly name: string;
    readonly file: string;
    readonly content: string | Buffer | undefined;
    readonly code: string;
    readonly sentence: RegExp;
    readonly phase?: 'work' | 'reflect';
  }

  const laughs = ['a: &a [x, x]', 'b: &b [*a, *a]', 'c: &c [*b, *b]', 'entries: [*c]', ''].join('\n');
  const table: readonly Broken[] = [
    {
      name: 'an unknown phase in phase.md',
      file: 'phase.md',
      content: 'reflekt\n',
      code: 'plan/badPhase',
      sentence: /^phase\.md holds "reflekt", which is not a phase; the phases are work, /,
    },
    {
      name: 'an empty phase.md',
      file: 'phase.md',
      content: '',
      code: 'plan/badPhase',
      sentence: /^phase\.md is empty; /,
    },
    {
      name: 'no plan-state.md',
      file: 'plan-state.md',
      content: undefined,
      code: 'plan/unknown',
      sentence: /^There is no plan/i,
    },
    {
      name: 'a broken memory',
      file: 'memory.yaml',
      content: 'entries:\n  - id: [\n',
      code: 'yaml/syntax',
      sentence: /./,
    },
    {
      name: 'a missing memory',
      file: 'memory.yaml',
      content: undefined,
      code: 'plan/missingFile',
      sentence: /^memory\.yaml is missing\.$/,
    },
    {
      name: 'a memory that is not UTF-8',
      file: 'memory.yaml',
      content: Buffer.concat([Buffer.from(memory), Buffer.from([0x23, 0xff, 0xfe, 0x0a])]),
      code: 'yaml/encoding',
      sentence: /UTF-8/,
    },
    {
      name: 'a memory indented by tabs',
      file: 'memory.yaml',
      content: 'entries:\n\t- id: a\n',
      code: 'yaml/syntax',
      sentence: /tab/i,
    },
    {
      name: 'a memory that is a YAML bomb',
      file: 'memory.yaml',
      content: laughs,
      code: 'yaml/bomb',
      sentence: /anchor|alias/i,
    },
    {
      name: 'two memory entries of one id',
      file: 'memory.yaml',
      content: `${memory}  - id: doors\n    title: Again\n    body: x\n`,
      code: 'yaml/duplicateId',
      sentence: /doors/,
    },
    {
      name: 'a broken latest-session.yaml',
      file: 'latest-session.yaml',
      content: 'id: "unclosed\n',
      code: 'yaml/syntax',
      sentence: /./,
    },
    {
      name: 'a broken backlog before work',
      file: 'backlog.yaml',
      content: 'tasks: {\n',
      code: 'yaml/syntax',
      sentence: /./,
      phase: 'work',
    },
  ];

  test.each(table)(
    'with $name is refused before a session starts, and runs once it is repaired',
    async ({ file, content, code, sentence, phase = 'reflect' }) => {
      const world = await makePlanWorld(phase, []);
      const path = join(world.planDirectory, file);
      const sound = existsSync(path) ? readFileSync(path) : undefined;
      if (content === undefined) rmSync(path);
      else await writeFile(path, content);
      const { core } = await startCore(world);
      const problem = await failureOf(() => runPhase(core, world));
      expect(problem.code).toBe(code);
      expect(problem.message).toMatch(sentence);
      expect(problem.help).not.toBe('');
      if (content === undefined) expect(existsSync(path)).toBe(false);
      else expect(readFileSync(path)).toEqual(Buffer.from(content));
      expect(existsSync(join(world.vault, 'runtime/staging'))).toBe(false);
      if (sound === undefined) rmSync(path);
      else await writeFile(path, sound);
      await expectUntouched(core, world, phase);
      expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    },
  );

  test('with a memory that the system refuses to open is refused, and runs once it opens', async () => {
    const world = await makePlanWorld('reflect', []);
    let denied = true;
    const disk = failingDisk(nodeDisk, {
      code: 'EACCES',
      at: 1,
      forEver: true,
      matches: (name, path) =>
        denied && /^(open|readFile|readEach)$/.test(name) && path.endsWith('project-root/memory.yaml'),
    });
    const { core } = await startCore(world, { disk });
    const problem = await failureOf(() => runPhase(core, world));
    expect(problem).toMatchObject({ code: 'disk/denied', message: expect.stringContaining('memory.yaml') });
    denied = false;
    await expectUntouched(core, world, 'reflect');
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
  });
});

describe('a memory with Windows line ends and a byte order mark', () => {
  const windows = `\ufeff${memory.replaceAll('\n', '\r\n')}`;

  test('keeps both when an entry is added', async () => {
    const world = await makePlanWorld('reflect', [learn], { 'memory.yaml': windows });
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    const after = await world.readPlan('memory.yaml');
    expect(after.startsWith(windows)).toBe(true);
    const added = after.slice(windows.length);
    expect(added).toContain('- id: learned\r\n');
    expect(added.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('stays the same to the byte when nothing is added', async () => {
    const world = await makePlanWorld('reflect', [], { 'memory.yaml': windows });
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    expect(await world.readPlan('memory.yaml')).toBe(windows);
  });
});

describe('a plan that disappears while its phase runs', () => {
  test.each(['reflect', 'work'] as const)(
    'is not created again if it was deleted during %s, and finishes once it is back',
    async (phase) => {
      const step = phase === 'reflect' ? learn : resultsOfFirst;
      const world = await makePlanWorld(phase, [step]);
      const copy = join(world.root, 'copy');
      await cp(world.planDirectory, copy, { recursive: true });
      const { core, events } = await startCore(world);
      onFirst(core, isAnyVerb, () => rmSync(world.planDirectory, { recursive: true }));
      const problem = await failureOf(() => runPhase(core, world));
      expect(problem.code).toBe('plan/gone');
      expect(problem.message).toMatch(/^The plan greeter\/project-root is gone: /);
      expect(existsSync(world.planDirectory)).toBe(false);
      const last = events.findLast(({ type }) => type !== 'actor.changed');
      expect(last).toMatchObject({ type: 'phase.ended', end: 'interrupted' });
      expect(readdirSync(join(world.vault, 'runtime/interrupted'))).toHaveLength(1);

      await cp(copy, world.planDirectory, { recursive: true });
      expect((await core.api.request('status', { plan: world.plan })).interrupted?.reason).toBe(problem.message);
      expect(await retryPhase(core, world)).toMatchObject({ end: 'finished' });
      const file = phase === 'reflect' ? 'memory.yaml' : 'backlog.yaml';
      expect(await world.readPlan(file)).toContain('Something new.');
    },
  );

  test('leaves its new folder alone if it was renamed, and finishes once it is back', async () => {
    const world = await makePlanWorld('reflect', [learn]);
    const elsewhere = join(world.project, 'ravel/renamed');
    const { core, events } = await startCore(world);
    onFirst(core, isVerb('memory/add'), () => renameSync(world.planDirectory, elsewhere));
    expect((await failureOf(() => runPhase(core, world))).code).toBe('plan/gone');
    expect(existsSync(world.planDirectory)).toBe(false);
    expect(readFileSync(join(elsewhere, 'memory.yaml'), 'utf8')).toBe(memory);
    expect(readFileSync(join(elsewhere, 'phase.md'), 'utf8')).toBe('reflect\n');

    renameSync(elsewhere, world.planDirectory);
    const started = countSessions(events);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'triage' });
    expect(countSessions(events)).toBe(started);
    expect(await world.readPlan('memory.yaml')).toContain('id: learned');
  });
});

const resultsOfFirst: Step = { call: 'backlog_set_results', with: { id: 'first', body: 'Something new.\n' } };

function isAnyVerb(event: RavelEvent): boolean {
  return event.type === 'session.verb' && event.applied;
}

function countSessions(events: readonly RavelEvent[]): number {
  return events.filter((event) => event.type === 'session.started').length;
}

/** Saves a file of the plan as a person does in an editor. */
function save(world: World, file: string, change: (text: string) => string): void {
  const path = join(world.planDirectory, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('an edit while the phase runs', () => {
  test('an edit while the phase runs of another record is merged, and no other line differs', async () => {
    const world = await makePlanWorld('reflect', [learn]);
    await world.git('add', '-A');
    await world.git('commit', '--quiet', '-m', 'Plan');
    const { core, events } = await startCore(world);
    onFirst(core, isVerb('memory/add'), () => {
      save(world, 'memory.yaml', (text) => text.replace('one window', 'one window, and a skylight'));
    });
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'triage' });
    expect(events.find((event) => event.type === 'state.merged')).toMatchObject({ personEdited: ['memory.yaml'] });
    const diff = await world.git('show', '--format=', '--unified=0', 'HEAD', '--', 'ravel/project-root/memory.yaml');
    const changed = diff.split('\n').filter((line) => /^[+-](?![+-])/.test(line));
    expect(changed.slice(0, 2)).toEqual(['-      There is one window.', '+      There is one window, and a skylight.']);
    expect(changed.slice(2, 4)).toEqual(['+  - id: learned', '+    title: Learned']);
    expect(changed.slice(2).every((line) => line.startsWith('+'))).toBe(true);
  });

  const rewrite: Step = { call: 'memory_set_body', with: { id: 'doors', body: 'There are three doors.\n' } };

  async function runIntoConflict(core: Core, world: World): Promise<string> {
    let edited = '';
    onFirst(core, isVerb('memory/set-body'), () => {
      save(world, 'memory.yaml', (text) => {
        edited = text.replace('two doors', 'four doors');
        return edited;
      });
    });
    const sentence = 'The session and a person changed the same thing in memory.yaml.';
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting', next: 'reflect', summary: sentence });
    expect(await world.readPlan('memory.yaml')).toBe(edited);
    expect(await world.readPlan('phase.md')).toBe('reflect\n');
    const [question] = await approvals(world);
    expect(question).toMatchObject({ kind: 'merge-conflict' });
    const details = JSON.stringify(question?.details);
    for (const side of ['two doors', 'three doors', 'four doors']) expect(details).toContain(side);
    expect(await failureOf(() => runPhase(core, world))).toMatchObject({ code: 'plan/waiting' });
    return edited;
  }

  test('an edit while the phase runs of the same field waits; once it is undone, a retry applies the proposal without a new session', async () => {
    const world = await makePlanWorld('reflect', [rewrite]);
    const { core, events } = await startCore(world);
    await runIntoConflict(core, world);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    await world.writePlan('memory.yaml', memory);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'triage' });
    expect(countSessions(events)).toBe(1);
    expect(await world.readPlan('memory.yaml')).toBe(memory.replace('two doors', 'three doors'));
    const status = await core.api.request('status', { plan: world.plan });
    expect(status.waiting).toBeUndefined();
  });

  test('an edit while the phase runs of the same field stays if the conflict is dismissed, and the phase can run again', async () => {
    const world = await makePlanWorld('reflect', [rewrite]);
    const { core } = await startCore(world);
    const edited = await runIntoConflict(core, world);
    await core.api.request('dismiss', { plan: world.plan });
    await expectUntouched(core, world, 'reflect');
    expect(await world.readPlan('memory.yaml')).toBe(edited);
    expect(readdirSync(join(world.vault, 'runtime/interrupted'))).toHaveLength(1);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    expect(await world.readPlan('memory.yaml')).toContain('three doors');
  });

  test('an edit while the phase runs that makes a cycle of dependencies with the session’s waits, and neither change is lost', async () => {
    const dependency: Step = { call: 'backlog_set_dependencies', with: { id: 'first', dependencies: ['second'] } };
    const world = await makePlanWorld('triage', [dependency]);
    const { core, events } = await startCore(world);
    const edited = backlogOf('first', 'second').replace(/(id: second[\s\S]*?dependencies: )\[\]/, '$1[first]');
    onFirst(core, isVerb('backlog/set-dependencies'), () => save(world, 'backlog.yaml', () => edited));
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'waiting', next: 'triage' });
    expect(report.summary).toMatch(/^The session's changes and a person's do not go together: .*first.*second/);
    expect(await approvals(world)).toMatchObject([{ kind: 'merge-conflict' }]);
    expect(await world.readPlan('backlog.yaml')).toBe(edited);
    expect(await world.readPlan('phase.md')).toBe('triage\n');
    await world.writePlan('backlog.yaml', backlogOf('first', 'second'));
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'work' });
    expect(countSessions(events)).toBe(1);
    expect(await world.readPlan('backlog.yaml')).toMatch(/id: first[\s\S]*- second[\s\S]*id: second/);
  });

  test('an edit while the phase runs of phase.md is obeyed, and what the session learned is kept', async () => {
    const world = await makePlanWorld('reflect', [learn]);
    const { core } = await startCore(world);
    onFirst(core, isVerb('memory/add'), () => save(world, 'phase.md', () => 'analyse-work\n'));
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'analyse-work', commits: [] });
    expect(await world.readPlan('phase.md')).toBe('analyse-work\n');
    expect(await world.readPlan('memory.yaml')).toContain('id: learned');
    await expectUntouched(core, world, 'analyse-work');
  });
});

describe('a change to the plan during work', () => {
  /** A test that `node --test` runs: the one shell command that work may use without asking. */
  const runsTests: Step = { run: { command: 'node --test' } };

  test('by a person’s state command needs no approval', async () => {
    const world = await makePlanWorld('work', [runsTests, resultsOfFirst]);
    const gate = await makePipe(world.root);
    const waits = `import { readFileSync } from 'node:fs';\nreadFileSync(${JSON.stringify(gate.path)});\n`;
    await world.write('wait.test.mjs', waits);
    const { core, events } = await startCore(world);
    const toolStarted = nextEvent(core, isToolStart);
    const run = runPhase(core, world);
    await toolStarted;
    const args = ['state', 'memory', 'set-title', world.plan, 'doors', 'Doors of the house'];
    const ran = await runHere(args, { environment: { ...world.environment, RAVEL_VAULT: world.vault } });
    expect(ran).toMatchObject({ code: 0 });
    gate.open();
    expect(await run).toMatchObject({ end: 'finished', next: 'analyse-work' });
    expect(events.some((event) => event.type === 'approval.opened')).toBe(false);
    expect(await world.readPlan('memory.yaml')).toBe(memory.replace('About doors', 'Doors of the house'));
    expect(await world.readPlan('backlog.yaml')).toContain('Something new.');
  });

  test('through the session’s shell waits for a person, and work can run again once it is undone', async () => {
    const world = await makePlanWorld('work', [runsTests, resultsOfFirst]);
    const file = join(world.planDirectory, 'memory.yaml');
    await world.write(
      'changeUnattributed.test.mjs',
      `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(file)}, '# mine\\n');\n`,
    );
    const { core } = await startCore(world);
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'waiting', next: 'work' });
    expect(report.summary).toContain('memory.yaml');
    expect(await approvals(world)).toMatchObject([{ kind: 'unattributed-change' }]);
    expect(await world.readPlan('phase.md')).toBe('work\n');
    expect(await world.readPlan('backlog.yaml')).toBe(backlogOf('first', 'second'));
    await world.write('changeUnattributed.test.mjs', '');
    await world.writePlan('memory.yaml', memory);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'analyse-work' });
    expect(await world.readPlan('memory.yaml')).toBe(memory);
  });
});

function isToolStart(event: RavelEvent): boolean {
  return event.type === 'session.output' && event.output.kind === 'toolStarted';
}
