import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { RequestParams } from '../../src/model/protocol.ts';
import { failureOf } from '../support/failureOf.ts';
import { nextEvent, runPhase, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

const fixture = (form: string) => fileURLToPath(new URL(`../fixtures/plans/${form}`, import.meta.url));

function asked(plan: string, more: Partial<RequestParams<'import'>> = {}): RequestParams<'import'> {
  return { directory: fixture('yaml'), plan, description: 'The core of the shop', ...more };
}

test('an imported plan is there at once and is in the catalogue', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  const report = await core.api.request('import', asked(`${world.plan}/core`));
  expect(report).toMatchObject({ plan: 'greeter/project-root/core', tasks: 2, entries: 2, sessions: 1, dryRun: false });
  expect(await core.api.request('status', { plan: report.plan })).toMatchObject({
    description: 'The core of the shop',
    nextTask: { id: 'round-prices-half-up' },
    memoryEntries: 2,
  });
  expect(await readFile(join(world.vault, 'plan-catalog.md'), 'utf8')).toContain('The core of the shop');
});

test('a dry run leaves the vault unchanged', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  const report = await core.api.request('import', asked(`${world.plan}/core`, { dryRun: true }));
  expect(report).toMatchObject({ dryRun: true, tasks: 2 });
  expect((await core.api.request('list', {})).plans.map(({ plan }) => plan)).toEqual([world.plan]);
});

test('git sees every file of an imported plan, even originals with the names of views', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  const { files } = await core.api.request('import', asked(`${world.plan}/core`, { directory: fixture('markdown') }));
  const status = await world.git('status', '--porcelain', '--untracked-files=all', 'ravel/project-root/core');
  expect(status.trim().split('\n').sort()).toEqual(
    files.map(({ path }) => `?? ravel/project-root/core/${path}`).sort(),
  );
});

test('a project name imports into its root plan', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  expect(await core.api.request('import', asked('greeter'))).toMatchObject({ plan: world.plan });
  expect(await world.readPlan('memory.yaml')).toContain('prices-are-integers');
});

describe('an import is refused', () => {
  test.each([
    ['into a path below an expert', 'expert:rust/x'],
    ['into an expert', 'expert:rust'],
    ['into an invalid id', 'greeter/core'],
  ])('%s', async (_name, plan) => {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    expect(await failureOf(() => core.api.request('import', asked(plan)))).toMatchObject({ code: 'plan/badId' });
  });

  test('into a root plan that runs a phase', async () => {
    const world = await makeWorld({ scenario: scenarioText({ reflect: [{ say: 'Thinking.' }, { hang: true }] }) });
    const phase = await world.readPlan('phase.md');
    await world.writePlan('phase.md', 'reflect\n');
    const { core } = await startCore(world);
    const thinking = nextEvent(core, (event) => event.type === 'session.output');
    const run = runPhase(core, world);
    await thinking;
    // Its files are again as the adoption made them.
    await world.writePlan('phase.md', phase);
    expect(await failureOf(() => core.api.request('import', asked(world.plan)))).toMatchObject({ code: 'plan/busy' });
    await core.api.request('stop', { plan: world.plan });
    await run;
  });
});

test('one of two imports into the same plan wins, and its plan is whole', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  const other = await startCore(world, { role: 'local' });
  const results = await Promise.allSettled(
    [core, other.core].map(({ api }) => api.request('import', asked(`${world.plan}/core`))),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [lost] = results.filter((result) => result.status === 'rejected');
  expect(lost?.reason).toMatchObject({ code: 'plan/exists' });
  expect((await core.api.request('verify', {})).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('a folder inside the project can be imported', async () => {
  const world = await makeWorld();
  const directory = join(world.project, 'LLM_STATE/core');
  await cp(fixture('yaml'), directory, { recursive: true });
  const { core } = await startCore(world, { role: 'local' });
  expect(await core.api.request('import', asked(`${world.plan}/core`, { directory }))).toMatchObject({ tasks: 2 });
});
