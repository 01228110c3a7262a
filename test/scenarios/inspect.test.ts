import { appendFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import type { Api } from '../../src/model/protocol.ts';
import { runHere } from '../support/commandHere.ts';
import { cycleScenario, makeCycleWorld, makeCycleWorldIn } from '../support/cycleWorld.ts';
import { openCore } from '../support/openCore.ts';
import { startCore, type World } from '../support/world.ts';

async function runCycle(world: World): Promise<Api> {
  const { core } = await startCore(world);
  await core.api.request('run_cycle', { plan: world.plan, harness: 'scripted', scenario: world.scenario });
  return core.api;
}

async function sessionOf(api: Api, plan: string, phase: string): Promise<string> {
  const { cycles } = await api.request('history', { plan });
  const record = cycles.flatMap(({ phases }) => phases).find((one) => one.phase === phase);
  return record?.session ?? `no session of ${phase}`;
}

const costly = cycleScenario.replace(
  '    - say:',
  '    - usage: { input-tokens: 700, output-tokens: 30, cost-usd: 0.25 }\n    - say:',
);

const interruptedWork = `version: 1
phases:
  work:
    - edit:
        path: farewell.mjs
        content: |
          export const farewell = 1;
    - edit: { path: greet.mjs, replace: "Hello \${name}", with: "Hello, \${name}" }
    - call: backlog_set_status
      with: { id: add-a-farewell, status: done }
    - exit: 3
`;

describe('a history', () => {
  test('lists every phase of a cycle with its cost and commits', async () => {
    const world = await makeCycleWorld({ scenario: costly });
    const api = await runCycle(world);
    const { cycles, total, next } = await api.request('history', { plan: world.plan });
    expect([total, next]).toEqual([1, undefined]);
    expect(cycles[0]).toMatchObject({ cycle: 1, isComplete: true });
    const phases = cycles[0]?.phases ?? [];
    expect(phases.map(({ phase, end, commits = [] }) => [phase, end, commits.length])).toEqual([
      ['work', 'finished', 0],
      ['analyse-work', 'finished', 0],
      ['git-commit-work', 'finished', 3],
      ['reflect', 'finished', 0],
      ['git-commit-reflect', 'finished', 1],
      ['dream', 'finished', 0],
      ['git-commit-dream', 'finished', 1],
      ['triage', 'finished', 0],
      ['git-commit-triage', 'finished', 1],
    ]);
    const [work] = phases;
    expect(work).toMatchObject({ harness: 'scripted', task: 'add-a-farewell', memoryWords: expect.any(Number) });
    expect(work).toMatchObject({ usage: { inputTokens: 700, outputTokens: 30 }, usd: 0.25, basis: 'scripted' });
    const environment = { ...world.environment, RAVEL_VAULT: world.vault };
    const told = await runHere(['history', 'greeter', '--cycles', '1'], { environment });
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toMatch(/^ +work +finished .* 730 +\$0\.25 /m);
    const refused = await runHere(['history', 'greeter', '--cycles', 'all'], { environment });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a number from 1 to 1000')]);
    expect(phases.every(({ durationMs = -1, startedAt }) => durationMs >= 0 && startedAt !== undefined)).toBe(true);
  });

  test('survives a new owner and a rename of the project', async () => {
    const world = await makeCycleWorld();
    const owner = await startCore(world);
    const { plan } = world;
    const options = { plan, harness: 'scripted', scenario: world.scenario } as const;
    await owner.core.api.request('run_phase', options);
    await owner.server.stop();
    await owner.core.stop();
    const { core } = await startCore(world);
    await core.api.request('run_phase', options);
    const phases = (await core.api.request('history', { plan })).cycles[0]?.phases ?? [];
    expect(phases.map(({ phase }) => phase)).toEqual(['work', 'analyse-work', 'git-commit-work']);
    const child = 'greeter/project-root/child';
    await core.api.request('create', { plan: child, description: 'Greets in other tongues' });
    expect((await core.api.request('history', { plan: child })).total).toBe(0);
    await core.api.request('rename_project', { project: 'greeter', to: 'hello' });
    expect((await core.api.request('history', { plan: 'hello' })).total).toBe(1);
  });
});

describe('after a cycle', () => {
  // One run serves all: they look at what it left, and the file that one of them changes no other reads.
  let root: string;
  let world: World;
  let core: Core;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'ravel-')));
    world = await makeCycleWorldIn(root);
    core = await openCore(world);
    await core.api.request('run_cycle', { plan: world.plan, harness: 'scripted', scenario: world.scenario });
  });

  afterAll(async () => {
    await core.stop();
    await rm(root, { recursive: true });
  });

  test('each input of a session can be read as it was, and a changed file is not shown', async () => {
    const { api } = core;
    const session = await sessionOf(api, world.plan, 'reflect');
    const page = await api.request('given', { plan: world.plan, session });
    expect(page).toMatchObject({ session, phase: 'reflect', harness: 'scripted', state: 'finished' });
    expect(page.given.some(({ name }) => name === 'prompt/MEMORY')).toBe(true);
    expect(page.given.some(({ name }) => name === 'tools/memory_add')).toBe(true);
    for (const [part, { name, bytes }] of page.given.entries()) {
      const { text = '', isCut } = await api.request('given_text', { plan: world.plan, session, part });
      expect([name, Buffer.byteLength(text), isCut]).toEqual([name, bytes, false]);
    }
    const newest = await api.request('given', { plan: world.plan });
    expect(newest.phase).toBe('triage');
    // A text that is no longer what its hash says is not shown as what was given.
    await writeFile(join(world.vault, 'runtime/sessions', session, 'system.md'), 'Something else');
    const changed = await api.request('given_text', { plan: world.plan, session, part: 0 });
    expect([changed.text, changed.isCut]).toEqual([undefined, false]);
  });

  test('the work session shows the commits of its cycle and a verdict on each claim', async () => {
    const { api } = core;
    const session = await sessionOf(api, world.plan, 'work');
    const { sets, claims, record } = await api.request('changes', { plan: world.plan, session });
    expect(sets.map(({ kind, title }) => [kind, title])).toEqual([
      ['commit', 'Say goodbye'],
      ['commit', 'Put a comma into the greeting'],
      ['commit', expect.stringMatching(/^Record the backlog of .* after work: /)],
    ]);
    expect(sets[0]?.files).toEqual([
      { path: 'farewell.mjs', status: 'added', added: 3, removed: 0 },
      { path: 'farewell.test.mjs', status: 'added', added: 5, removed: 0 },
    ]);
    expect(sets[1]?.files).toEqual([{ path: 'greet.mjs', status: 'changed', added: 1, removed: 1 }]);
    expect(claims.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['c1', 'evidenced'],
      ['c2', 'evidenced'],
      ['c3', 'unsupported'],
    ]);
    expect(claims[0]?.evidence).toEqual([{ kind: 'change', text: 'farewell.mjs export function farewell(name) {' }]);
    expect(record).toContain('Added farewell.mjs with a test');
    const file = { plan: world.plan, session, set: sets[1]?.set ?? '', path: 'greet.mjs' };
    expect((await api.request('changed_file', { ...file, side: 'before' })).text).toContain('Hello ${name}');
    expect((await api.request('changed_file', { ...file, side: 'after' })).text).toContain('Hello, ${name}');
    const added = { ...file, set: sets[0]?.set ?? '', path: 'farewell.mjs' };
    expect(await api.request('changed_file', { ...added, side: 'before' })).toMatchObject({ isThere: false });
  });

  test('a reflection shows its own commit and no claims, and memory entries list their words and sources', async () => {
    const { api } = core;
    const session = await sessionOf(api, world.plan, 'reflect');
    const { sets, claims } = await api.request('changes', { plan: world.plan, session });
    expect(sets).toHaveLength(1);
    expect(sets[0]?.files.map(({ path }) => path)).toContain('ravel/project-root/memory.yaml');
    expect(claims).toEqual([]);
    const { entries, words, dreamAtWords } = await api.request('memory', { plan: world.plan });
    expect(entries.map(({ id }) => id)).toEqual(['modules-are-esm', 'tests-run-with-node-test']);
    expect(entries.reduce((sum, entry) => sum + entry.words, 0)).toBe(words);
    expect(dreamAtWords).toBe(words + 10);
    expect(entries[1]).toMatchObject({ claims: ['c2'], sourceSession: session });
  });
});

describe('a long history', () => {
  const line = {
    session: '01HZY0000000000000000000S1',
    end: 'finished',
    summary: 'Done.',
    endedAt: '2026-01-02T03:04:05Z',
  };
  const cycle = ['work', 'reflect', 'git-commit-triage'].map((phase) => JSON.stringify({ phase, ...line }));

  async function makeLongHistory(cycles: number, last = '') {
    const world = await makeCycleWorld();
    const { core } = await startCore(world);
    const folder = join(world.vault, 'runtime/history');
    await mkdir(folder);
    const text = `${cycle.join('\n')}\n`.repeat(cycles) + last;
    const file = join(folder, `${segmentFromId(toQualifiedId(world.plan))}.jsonl`);
    await writeFile(file, text);
    return { api: core.api, plan: world.plan, file };
  }

  test('is listed in pages, the newest cycle first, and each page says where to continue', async () => {
    const { api, plan } = await makeLongHistory(120, `${cycle[0]}\n`);
    const numbers = async (asked: { limit?: number; before?: number }) => {
      const { cycles, next, total } = await api.request('history', { plan, ...asked });
      return [cycles[0]?.cycle, cycles.at(-1)?.cycle, next, total];
    };
    expect(await numbers({})).toEqual([121, 72, 72, 121]);
    expect(await numbers({ limit: 2 })).toEqual([121, 120, 120, 121]);
    expect(await numbers({ limit: 2, before: 120 })).toEqual([119, 118, 118, 121]);
    expect(await numbers({ limit: 100, before: 51 })).toEqual([50, 1, undefined, 121]);
    expect(await numbers({ before: 1 })).toEqual([undefined, undefined, undefined, 121]);
  });

  test('includes phases that were added after it was first read', async () => {
    const { api, plan, file } = await makeLongHistory(2000);
    expect((await api.request('history', { plan, limit: 1 })).total).toBe(2000);
    await appendFile(file, `${cycle[0]}\n`);
    expect((await api.request('history', { plan, limit: 1 })).total).toBe(2001);
  });

  test('skips a line of a newer version, and fails with the number of a damaged line', async () => {
    const newer = await makeLongHistory(1, '{"phase":"sleep","session":"x"}\n');
    expect((await newer.api.request('history', { plan: newer.plan })).cycles[0]?.phases).toHaveLength(3);
    const damaged = await makeLongHistory(1, '{"phase":\n{}\n');
    await expect(damaged.api.request('history', { plan: damaged.plan })).rejects.toThrow('Line 4');
  });
});

describe('without a finished session', () => {
  test('changes list the staged files and those of the project, and no other file can be read', async () => {
    const world = await makeCycleWorld({ scenario: interruptedWork });
    const { core } = await startCore(world);
    const { api } = core;
    const { plan } = world;
    await api.request('run_phase', { plan, harness: 'scripted', scenario: world.scenario });
    await symlink('/etc/hostname', join(world.project, 'link'));
    const page = await api.request('changes', { plan });
    expect(page).toMatchObject({ phase: 'work', state: 'failed', claims: [] });
    expect(page.sets.map(({ set, files }) => [set, files])).toEqual([
      ['staged', [{ path: 'backlog.yaml', status: 'changed', added: 1, removed: 1 }]],
      [
        'source',
        [
          { path: 'farewell.mjs', status: 'added', added: 1, removed: 0 },
          { path: 'greet.mjs', status: 'changed', added: 1, removed: 1 },
          { path: 'link', status: 'added', added: 1, removed: 0 },
        ],
      ],
    ]);
    const { session } = page;
    const read = (set: string, path: string, side: 'before' | 'after') =>
      api.request('changed_file', { plan, session, set, path, side });
    expect((await read('staged', 'backlog.yaml', 'after')).text).toContain('status: done');
    expect((await read('staged', 'backlog.yaml', 'before')).text).not.toContain('status: done');
    expect((await read('source', 'greet.mjs', 'before')).text).toContain('Hello ${name}');
    expect((await read('source', 'greet.mjs', 'after')).text).toContain('Hello, ${name}');
    expect((await read('source', 'link', 'after')).text).toBe('/etc/hostname');
    for (const [set, path] of [
      ['source', 'README.md'],
      ['source', '../vault/ravel.toml'],
      ['staged', '../transaction.json'],
      ['staged', 'memory.yaml/../../transaction.json'],
      ['0'.repeat(40), 'greet.mjs'],
    ] as const) {
      await expect(read(set, path, 'after')).rejects.toThrow('is not among these changes');
    }
    await expect(read('HEAD', 'greet.mjs', 'after')).rejects.toThrow('do not fit');
  });

  test('given says that the plan has had no session yet, and the history is empty', async () => {
    const world = await makeCycleWorld();
    const { core } = await startCore(world);
    await expect(core.api.request('given', { plan: world.plan })).rejects.toThrow('has had no session yet');
    await expect(core.api.request('given', { plan: world.plan, session: '../x' })).rejects.toThrow(
      'is not a session id',
    );
    expect(await core.api.request('history', { plan: world.plan })).toEqual({ cycles: [], total: 0 });
  });
});

test('the preview of a session names the file for which none would start', async () => {
  const world = await makeCycleWorld();
  const { core } = await startCore(world);
  expect((await core.api.request('context', { plan: world.plan })).problem).toBeUndefined();
  await world.writePlan('backlog.yaml', 'tasks: [\n');
  const { problem } = await core.api.request('context', { plan: world.plan });
  expect(problem).toMatchObject({
    severity: 'error',
    subject: world.plan,
    file: expect.stringContaining('backlog.yaml'),
  });
});
