import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { emptyProposal } from '../../src/model/planProposal.ts';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { makeCommandWorld, placeFile } from '../support/commandWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeGoalWorld } from '../support/goalWorld.ts';
import { openCore } from '../support/openCore.ts';
import { startCore } from '../support/world.ts';

const list = '# Greetings of the world\n\n- Languages\n  - [x] English\n  - German\n  - French\n- Fix the tests\n';

test('a Markdown list in a file becomes a proposal without a session, and a person accepts it', async () => {
  const world = await makeGoalWorld();
  const { core } = await startCore(world);
  const { subject, notes, ...proposed } = await core.api.request('propose_plans', {
    under: 'greeter',
    text: list,
    source: 'list.md',
  });
  expect(proposed).toMatchObject({ kind: 'new-plans', plans: 2, tasks: 3, refused: 0 });
  expect(subject).toBe(`Greetings of the world (under ${world.plan})`);
  expect(notes).toEqual(['1 ticked item left out.']);
  expect((await core.api.request('sessions', {})).sessions).toEqual([]);
  await decide(core.api, await onlyApproval(core.api), 'accept');
  const tasks = parse(readFileSync(join(world.planDirectory, 'languages/backlog.yaml'), 'utf8')).tasks;
  expect(tasks.map(({ title }: { readonly title: string }) => title)).toEqual(['German', 'French']);
  // It was a person who wrote them.
  const why = await core.api.request('why', { subject: `${world.plan}/languages#german` });
  expect(JSON.stringify(why.nodes)).toContain('person');
});

test('an empty proposal waits for what a person writes, and is refused as it stands', async () => {
  const world = await makeGoalWorld();
  const { core } = await startCore(world);
  const proposed = await core.api.request('propose_plans', { under: 'greeter' });
  expect(proposed).toMatchObject({ kind: 'new-plans', plans: 1, refused: 0, under: world.plan });
  expect((await core.api.request('sessions', {})).sessions).toEqual([]);
  const refused = await failureOf(async () => decide(core.api, await onlyApproval(core.api), 'accept'));
  expect(refused).toMatchObject({ code: 'gate/refused', message: expect.stringContaining('is empty') });
  const text = JSON.stringify({ description: 'Wave', plans: [{ slug: '.', tasks: [{ title: 'Wave goodbye' }] }] });
  await decide(core.api, await onlyApproval(core.api), 'edit', { text });
  const tasks = parse(readFileSync(join(world.planDirectory, 'backlog.yaml'), 'utf8')).tasks;
  expect(tasks).toMatchObject([{ title: 'Wave goodbye' }]);
});

test('a suggestion that a person left in a proposal is told again when its plans are made', async () => {
  const world = await makeGoalWorld();
  const { core } = await startCore(world);
  const suggestions = { expert: 'A linguist', rule: 'Messages about waving come here.' };
  const text = JSON.stringify({ description: 'Wave', plans: [{ slug: '.', tasks: [{ title: 'Wave' }] }], suggestions });
  await core.api.request('propose_plans', { under: 'greeter', text });
  expect((await decide(core.api, await onlyApproval(core.api), 'accept')).did).toBe(
    `Added 1 task to ${world.plan}. Suggested as an expert: A linguist. Suggested as a rule: Messages about waving come here.`,
  );
});

test('a proposal under a plan that has children, files and folders of others takes no name of theirs', async () => {
  const world = await makeGoalWorld();
  await world.write('ravel/project-root/notes/mine.txt', 'mine\n');
  const { core } = await startCore(world);
  const text = '- Notes\n  - Write one\n  - Write another\n';
  const refused = await core.api.request('propose_plans', { under: 'greeter', text }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'gate/refused', message: expect.stringContaining('choose another name') });
  expect(readFileSync(join(world.planDirectory, 'notes/mine.txt'), 'utf8')).toBe('mine\n');
});

test('the command reads a file, standard input and an editor, and keeps what was written until it is a proposal', async () => {
  const world = await makeCommandWorld();
  const owner = await openCore(world);
  const core = {
    open: async () => ({
      ...{ api: owner.api, socketPath: owner.socketPath, sessionSocketPath: owner.sessionSocketPath },
      stop: async () => undefined,
    }),
  };
  try {
    await placeFile(world, 'list.md', list);
    const fromFile = await world.run(['ravel', 'plan', '--from', 'list.md'], { core });
    expect(fromFile).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 plans with 3 tasks; nothing is written yet.'),
    });
    const issues = JSON.stringify([{ number: 3, title: 'Say goodbye', body: '', labels: [] }]);
    const fromForge = await world.run(['ravel', 'plan', '--under', 'greeter/project-root/fresh', '--from', '-'], {
      core,
      stdin: issues,
    });
    expect(fromForge.stdout).toContain('1 issue as tasks (under greeter/project-root/fresh)');

    let file = '';
    const write =
      (text: string) =>
      async ([path = '']: readonly string[]) => {
        file = path;
        expect(readFileSync(path, 'utf8')).toBe(emptyProposal);
        await writeFile(path, text);
        return 0;
      };
    const unchanged = await world.run(['ravel', 'plan', '--empty'], { core, edit: write(emptyProposal) });
    expect(unchanged).toMatchObject({ code: 0, stdout: expect.stringContaining('so nothing is proposed.') });
    expect(existsSync(file)).toBe(false);
    const bad = await world.run(['ravel', 'plan', '--empty', '--under', world.plan], {
      core,
      edit: write('description: x\nplans: []\n'),
    });
    expect(bad).toMatchObject({ code: 4, stderr: expect.stringContaining('The proposal has no plan.') });
    expect(bad.stderr.replace(/\s+/g, ' ')).toContain('Your text is kept in');
    expect(bad.stderr.replace(/\s+/g, ' ')).toContain(`--under ${world.plan}`);
    expect(readFileSync(file, 'utf8')).toBe('description: x\nplans: []\n');
    // What is kept is the person's, so the test removes it.
    rmSync(dirname(file), { recursive: true });
    const good = await world.run(['ravel', 'plan', '--empty'], { core, edit: write('- Wave\n') });
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('1 plan with 1 task') });
    expect(existsSync(file)).toBe(false);
    expect((await owner.api.request('approvals', {})).approvals).toHaveLength(3);
  } finally {
    await owner.stop();
  }
});

test.each([
  [['plan'], 'Give one of these'],
  [['plan', 'A goal', '--empty'], 'Give one of these'],
  [['plan', 'A goal', '--project', 'greeter', '--under', 'greeter'], 'Give --project or --under'],
  [['plan', '--from', 'missing.md'], 'There is no file'],
  [['plan', '--harness', 'unknown', 'A goal'], 'Allowed choices are'],
])('%j is refused with what to do', async (words, reason) => {
  const world = await makeCommandWorld();
  const { code, stderr } = await world.run(['ravel', ...words]);
  expect(code).not.toBe(0);
  expect(stderr.replace(/\s+/g, ' ')).toContain(reason);
});

test('adopting and creating name the next step, and warn of a description that says nothing', async () => {
  const world = await makeCommandWorld();
  await placeFile(world, '../other.txt', '');
  const created = await world.run(['ravel', 'create', 'greeter/project-root/waving', '--description', 'Waving']);
  expect(created.stdout).toContain('The description "Waving" only repeats a name.');
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(world.root, 'shop'));
  const adopted = await world.run([
    'ravel',
    'adopt',
    join(world.root, 'shop'),
    '--description',
    'Sells things to people',
  ]);
  expect(adopted.stdout).toMatch(/\n {2}ravel plan "GOAL" --under shop\/project-root {3,}proposes plans and tasks\n/);
  expect(adopted.stdout).not.toContain('only repeats');
});
