import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureDirectory } from '../../../src/base/files.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { ReasoningPhase } from '../../../src/model/phase.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import {
  assertReadable,
  checkPlan,
  checkRepository,
  chooseHarness,
  chooseModel,
  takeWorkBaseline,
} from '../../../src/plans/phases/preflight.ts';
import { loadPlan } from '../../../src/vault/planStore.ts';
import { type RunState, updateRunState } from '../../../src/vault/runState.ts';
import { failureOf } from '../../support/failureOf.ts';
import { makePlanWorld } from '../../support/planServices.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;

describe('checkPlan', () => {
  async function check(
    changes: {
      plan?: Partial<Record<PlanFile, string>>;
      state?: Partial<RunState>;
      asked?: ReasoningPhase;
      retryOf?: string;
    },
    expected: object,
  ): Promise<void> {
    const { services, location } = await makePlanWorld({ plan: changes.plan ?? {} });
    const { asked, retryOf } = changes;
    await ensureDirectory(services.disk, services.layout.plans);
    await updateRunState(services, location.id, (old) => ({ ...old, ...changes.state }));
    const options = { ...(asked && { phase: asked }), ...(retryOf && { retryOf }) };
    const run = () => checkPlan(services, location, options);
    if ('code' in expected) expect(await failureOf(run)).toMatchObject(expected);
    else expect(await run()).toMatchObject(expected);
  }

  test('lets the plan run its own phase', async () => {
    await check({}, { phase: 'work' });
    await check({ asked: 'work' }, { phase: 'work' });
    await check({ plan: { 'phase.md': ' git-commit-work\n\n' } }, { phase: 'git-commit-work' });
  });

  test('refuses another phase', () => check({ asked: 'triage' }, { code: 'plan/wrongPhase' }));

  test('refuses a plan that waits for a person and says for what', async () => {
    const waiting = { phase: 'work', session, approval: session, kind: 'needs-input', reason: 'Which cat?' } as const;
    await check({ state: { waiting } }, { code: 'plan/waiting', message: expect.stringContaining('Which cat?') });
    const interrupted = { phase: 'work', session, reason: 'It crashed.', failed: false, at: 'now' } as const;
    const help = expect.stringContaining('ravel retry');
    await check(
      { state: { interrupted } },
      { code: 'plan/waiting', help, message: expect.stringContaining('crashed') },
    );
    await check({ state: { interrupted }, retryOf: 'It crashed.' }, { phase: 'work' });
  });

  test('refuses a plan whose phase or marker is unreadable', async () => {
    await check({ plan: { 'phase.md': 'sleep\n' } }, { code: 'plan/badPhase' });
    await check({ plan: { 'plan-state.md': '---\ndescription: x\n---\n' } }, { code: 'plan/badState' });
  });
});

describe('the files of a phase', () => {
  async function check(phase: ReasoningPhase, plan: Partial<Record<PlanFile, string>>, expected: string | undefined) {
    const { services, location } = await makePlanWorld({ plan });
    const loaded = await loadPlan(services.disk, location);
    const run = () => assertReadable(services, location, loaded, phase);
    if (expected === undefined) return run();
    expect(await failureOf(run)).toMatchObject({ code: expected, subject: location.id });
  }

  test('must be sound, while files of other phases need not be', async () => {
    await check('work', {}, undefined);
    await check('work', { 'backlog.yaml': 'tasks: [\n' }, 'yaml/syntax');
    await check('reflect', { 'backlog.yaml': 'tasks: [\n' }, undefined);
    await check('reflect', { 'memory.yaml': 'entries: 3\n' }, 'yaml/schema');
    await check('analyse-work', { 'memory.yaml': 'entries: 3\n' }, undefined);
    await check('reflect', { 'latest-session.yaml': 'id: "open\n' }, 'yaml/syntax');
    await check('reflect', { 'latest-session.yaml': 'form: of its own\n' }, undefined);
    await check('analyse-work', { 'latest-session.yaml': 'id: "open\n' }, undefined);
  });
});

describe('the repository of a plan', () => {
  test('must exist and be ready for commits', async () => {
    const { services, location } = await makePlanWorld();
    expect(await failureOf(() => checkRepository(services, location))).toMatchObject({ code: 'git/notARepository' });
    const ready = await makePlanWorld({ source: { 'a.txt': 'a\n' } });
    expect(await checkRepository(ready.services, ready.location)).toMatchObject({ branch: 'main', hasIdentity: true });
    await ready.git('checkout', '--quiet', '--detach');
    const problem = await failureOf(() => checkRepository(ready.services, ready.location));
    expect(problem).toMatchObject({ code: 'git/detachedHead', subject: ready.plan });
  });

  test('gives a baseline of HEAD, branch and dirty source files, without plan state', async () => {
    const { services, location, write, writePlan, git, project } = await makePlanWorld({
      source: { 'a.txt': 'a\n', 'gone.txt': 'x\n', 'clean.txt': 'c\n', 'ravelled.txt': 'r\n' },
    });
    write('Demo/a.txt', 'dirty\n');
    write('Demo/new.txt', 'new\n');
    write('Demo/ravelled.txt', 'dirty\n');
    rmSync(join(project, 'gone.txt'));
    writePlan('backlog.yaml', 'tasks: []\n# changed\n');
    const repository = await checkRepository(services, location);
    const baseline = await takeWorkBaseline(services, location, repository);
    expect(baseline).toMatchObject({ commit: (await git('rev-parse', 'HEAD')).trim(), branch: 'main' });
    const some = expect.any(String);
    expect(Object.fromEntries(baseline.dirty.map(({ path, hash }) => [path, hash]))).toEqual({
      ...{ 'a.txt': some, 'new.txt': some, 'ravelled.txt': some, 'gone.txt': null },
    });
    write('Demo/a.txt', 'dirtier\n');
    const later = await takeWorkBaseline(services, location, repository);
    const hashOf = (of: typeof baseline, file: string) => of.dirty.find(({ path }) => path === file)?.hash;
    expect(hashOf(later, 'a.txt')).not.toBe(hashOf(baseline, 'a.txt'));
    expect(hashOf(later, 'new.txt')).toBe(hashOf(baseline, 'new.txt'));
  });
});

describe('a flag overrides the plan, and the plan overrides the settings', () => {
  const marker = (more: string) => `---\nschema-version: 1\ndescription: Greets people\n${more}---\n`;
  const settings = {
    run: { harness: 'claude-code' },
    harnesses: { 'claude-code': { models: { default: 'shared', dream: 'shared-dream' } } },
  };

  async function make(more = '') {
    const { services, location } = await makePlanWorld({ settings, plan: { 'plan-state.md': marker(more) } });
    return { services, plan: await loadPlan(services.disk, location) };
  }

  test('for the harness', async () => {
    const plain = await make();
    expect(chooseHarness(plain.services, plain.plan, undefined)).toBe('claude-code');
    const own = await make('harness: scripted\n');
    expect(chooseHarness(own.services, own.plan, undefined)).toBe('scripted');
    expect(chooseHarness(own.services, own.plan, 'claude-code')).toBe('claude-code');
    const unknown = await make('harness: telepathy\n');
    const problem = await failureOf(async () => chooseHarness(unknown.services, unknown.plan, undefined));
    expect(problem).toMatchObject({ code: 'harness/missing', help: expect.stringContaining('claude-code, scripted') });
  });

  test('for the model, which also takes a phase’s own model over the default', async () => {
    const plain = await make();
    const own = await make('models:\n  default: own\n  work: own-work\n');
    const choose = ({ services, plan }: typeof plain, phase: ReasoningPhase) =>
      chooseModel(services, plan, 'claude-code', phase);
    expect([choose(plain, 'work'), choose(plain, 'dream')]).toEqual(['shared', 'shared-dream']);
    expect([choose(own, 'work'), choose(own, 'dream')]).toEqual(['own-work', 'own']);
    expect(chooseModel(plain.services, plain.plan, 'scripted', 'work')).toBeUndefined();
  });
});
