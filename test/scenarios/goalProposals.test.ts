import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { frenchProposal, makeGoalWorld, playGoals, proposing } from '../support/goalWorld.ts';
import { startCore, type World } from '../support/world.ts';

const goal = 'Greet people in the language that they speak';

function planFile(world: World, ...path: string[]): string {
  return readFileSync(join(world.planDirectory, ...path), 'utf8');
}

/** What was suggested beside the plans is told again, since accepting makes neither. */
const suggested =
  'Suggested as an expert: A linguist. Suggested as a rule: Messages about languages belong to languages.';

describe('a proposal', () => {
  const open = async (proposal: object = frenchProposal) => {
    const world = await makeGoalWorld([{ steps: proposing(proposal) }]);
    const { core } = await startCore(world);
    await core.api.request('plan_goal', { under: 'greeter', goal });
    return { world, core, page: await onlyApproval(core.api) };
  };

  test('is edited as one document, which is checked as the session was', async () => {
    const { world, core, page } = await open();
    const form = page.form ?? '';
    expect(parse(form)).toMatchObject({ plans: [{ slug: '.' }, { slug: 'languages' }, { slug: 'politeness' }] });
    const bad = form.replace('slug: politeness', 'slug: project-root');
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: bad }))).toMatchObject({
      ...{ code: 'gate/refused', message: expect.stringContaining('stands only once') },
    });
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: 'plans: [' }))).toMatchObject({
      code: 'approval/badDecision',
    });
    const text = form.replaceAll('German', 'Danish').replace('slug: politeness', 'slug: courtesy');
    await decide(core.api, page, 'edit', { text });
    expect(planFile(world, 'languages', 'backlog.yaml')).toContain('Greet in Danish');
    expect(existsSync(join(world.planDirectory, 'courtesy', 'plan-state.md'))).toBe(true);
    expect(existsSync(join(world.planDirectory, 'politeness'))).toBe(false);
  });

  test('can be accepted in part, and never without what its tasks need', async () => {
    const { world, core, page } = await open();
    const { approval, contentHash } = page;
    const accept = (...only: string[]) =>
      core.api.request('decide', { approval, contentHash, decision: 'accept', only });
    expect(await failureOf(() => accept('languges'))).toMatchObject({
      ...{ code: 'approval/badDecision', message: expect.stringContaining('no plan or task "languges"') },
    });
    expect(await failureOf(() => accept('greet-in-german'))).toMatchObject({
      ...{ code: 'gate/refused', message: expect.stringContaining('depends on "Read the greetings from a file"') },
    });
    expect(await accept('politeness', 'read-the-greetings-from-a-file')).toMatchObject({
      did: `Made 2 plans with 2 tasks. The rest of the proposal is dropped. ${suggested}`,
    });
    expect(parse(planFile(world, 'languages', 'backlog.yaml')).tasks).toHaveLength(1);
    expect(parse(planFile(world, 'backlog.yaml')).tasks).toEqual([]);
    const decision = parse(readFileSync(join(world.vault, 'decisions', `${approval}.yaml`), 'utf8'));
    expect(decision).toMatchObject({ decision: 'accept', only: ['politeness', 'read-the-greetings-from-a-file'] });
  });

  test('that is rejected makes nothing', async () => {
    const { world, core, page } = await open();
    expect(await decide(core.api, page, 'reject')).toMatchObject({ did: 'Nothing is made.' });
    expect(await world.git('status', '--porcelain', '--', 'ravel/project-root/languages')).toBe('');
  });

  test('whose plan was made meanwhile is refused with its name, and the rest can be accepted', async () => {
    const { world, core, page } = await open();
    await core.api.request('create', { plan: `${world.plan}/languages`, description: 'Another plan of that name' });
    await world.write('ravel/project-root/notes/mine.txt', 'mine\n');
    const now = await core.api.request('approval', { approval: page.approval });
    expect(now.shown).toMatch(/Look at this:\n- languages: there is a plan or a folder of this name/);
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({
      ...{
        code: 'gate/refused',
        message: expect.stringContaining('languages: there is a plan or a folder of this name'),
      },
    });
    const { approval, contentHash } = page;
    await core.api.request('decide', { approval, contentHash, decision: 'accept', only: ['politeness', '.'] });
    expect(planFile(world, 'languages', 'plan-state.md')).toContain('Another plan of that name');
    expect(existsSync(join(world.planDirectory, 'politeness', 'plan-state.md'))).toBe(true);
  });

  test('is merged with a plan that was edited meanwhile: what is there stays', async () => {
    const { world, core, page } = await open();
    const text =
      '# mine\ntasks:\n- id: name-the-languages-in-the-readme\n  title: Something else\n  category: docs\n  status: done\n  dependencies: []\n  results: Done.\n';
    await world.writePlan('backlog.yaml', text);
    await decide(core.api, page, 'accept');
    const after = planFile(world, 'backlog.yaml');
    expect(after.startsWith(text)).toBe(true);
    expect(parse(after).tasks.map(({ id }: { id: string }) => id)).toEqual([
      'name-the-languages-in-the-readme',
      'name-the-languages-in-the-readme-2',
    ]);
  });

  test('is not decided while a file that it adds to cannot be read', async () => {
    const { world, core, page } = await open();
    await world.writePlan('backlog.yaml', 'tasks: [\n');
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({
      ...{ code: 'gate/refused', message: expect.stringContaining('backlog.yaml') },
    });
    expect(existsSync(join(world.planDirectory, 'languages'))).toBe(false);
    expect((await core.api.request('approvals', {})).approvals).toHaveLength(1);
  });

  test('does not know of another one, and both stand', async () => {
    const { world, core } = await open();
    playGoals(world, [
      {
        steps: proposing({
          ...frenchProposal,
          plans: [{ ...frenchProposal.plans[2], slug: 'courtesy' }, frenchProposal.plans[0]],
        }),
      },
    ]);
    await core.api.request('plan_goal', { under: 'greeter', goal });
    const { approvals } = await core.api.request('approvals', {});
    expect(approvals).toHaveLength(2);
    const decided = await Promise.all(approvals.map((row) => decide(core.api, row, 'accept')));
    expect(decided.map(({ did }) => did)).toEqual([
      `Made 2 plans with 3 tasks and added 1 task to ${world.plan}. ${suggested}`,
      `Made 1 plan with 1 task. ${suggested}`,
    ]);
    expect(parse(planFile(world, 'backlog.yaml')).tasks).toHaveLength(1);
  });
});
