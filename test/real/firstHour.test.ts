import { expect, test } from 'vitest';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { firstHourGoal, firstHourProject, firstHourScenario } from '../support/firstHour.ts';
import { recordNotifications } from '../support/notifyCommand.ts';
import { type Ran, runRavel } from '../support/runProgram.ts';
import { makeWorld, type World } from '../support/world.ts';

/** A model's last word is a text. */
const word = { say: 'That is all.' };

const question = 'Is a space between the parts allowed?';
const answer = 'No, never.';
/** What the person makes of the first task, and the id that it has then. */
const edited = 'Parse durations of many parts';
const task = 'parse-durations-of-many-parts';

const { phases, consultations } = firstHourScenario;

/** Where the session works is the copy of a rehearsal, or the project. */
const writePage = { run: { command: `mkdir -p docs && echo 'What was done.' > docs/${task}.md` } };
const works = phases.work.map((step) => ('edit' in step ? writePage : step));
const asks = [{ finish: { outcome: 'needs-input', summary: question } }];

/** What the model plays: every session says a last word. */
function spoken(work: readonly object[]): string {
  const ended = Object.entries({ ...phases, work }).map(([phase, steps]) => [phase, [...steps, word]]);
  const plan = consultations.plan.map(({ steps }) => ({ steps: [...steps, word] }));
  return JSON.stringify({ version: 1, consultations: { plan }, phases: Object.fromEntries(ended) });
}

/** The command line of the person, while the model of work sessions plays `work`. */
async function openShell(world: World, work: readonly object[]) {
  const { model, environment } = await startClaudeWorld(world, spoken(work), { task });
  const EDITOR = `sed -i 's/Parse durations of several parts/${edited}/'`;
  const ravel = async (...args: string[]): Promise<Ran> => {
    const ran = await runRavel(args, { environment: { ...environment, EDITOR, RAVEL_VAULT: world.vault } });
    expect(model.mismatches).toEqual([]);
    return ran;
  };
  return { model, ravel };
}

/** What `--json` says at the end. */
const resultOf = ({ stdout }: Ran) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '').result;

test('the first hour with the real Claude Code leads from a goal to a result, and its one question is told once', {
  timeout: 300_000,
}, async () => {
  const world = await makeWorld({ name: 'duration', files: firstHourProject, settings: claudeSettings() });
  const { plan } = world;
  const told = await recordNotifications(world);
  const before = await openShell(world, works);

  // A goal becomes a proposal, and nothing of it is written.
  const backlog = await world.readPlan('backlog.yaml');
  const planned = await before.ravel('plan', firstHourGoal);
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('1 plan with 2 tasks') });
  const shown = await before.ravel('approvals', 'show');
  expect(shown.stdout).toContain('Parse durations of several parts');
  expect(await world.readPlan('backlog.yaml')).toBe(backlog);

  // The person edits a task, and what they accept is in the plan.
  expect(await before.ravel('approvals', 'edit')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Added 2 tasks[\s\S]*ravel rehearse/),
  });
  expect(await world.readPlan('backlog.yaml')).toContain(`id: ${task}\n`);
  expect(resultOf(await before.ravel('next', '--json')).tasks).toMatchObject([{ id: task, title: edited }, {}]);

  // A rehearsal shows what would happen. It neither changes nor tells anything.
  const toldBefore = await told();
  const head = await world.git('rev-parse', 'HEAD');
  const rehearsed = resultOf(await before.ravel('rehearse', 'duration', '--harness', 'claude-code', '--json'));
  expect(rehearsed).toMatchObject({
    ...{ harness: 'claude-code', questions: [], report: { stop: 'cycle-ended' } },
    ...{ files: [{ path: `docs/${task}.md`, status: 'added' }], tasks: [{ id: task, change: 'changed' }] },
  });
  expect([await world.git('rev-parse', 'HEAD'), await told()]).toEqual([head, toldBefore]);

  // The real run asks, and the person is told once, with the command that shows the question.
  const asking = await openShell(world, asks);
  const ran = await asking.ravel('run', 'duration');
  expect(ran).toMatchObject({ code: 5, stdout: expect.stringContaining(question) });
  const questions = async () => (await told()).filter((one) => one.kind === 'question' && one.plan === plan);
  const [first] = await questions();
  expect(first).toMatchObject({ text: expect.stringContaining(question) });
  const [, ...show] = (first?.command ?? '').split(' ');
  expect((await asking.ravel(...show)).stdout).toContain(question);

  // The answer is given to the next session, and the run goes on to its end.
  const after = await openShell(world, works);
  const answered = await after.ravel('approvals', 'accept', first?.id ?? '', '--answer', answer, '--run');
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('The cycle is complete.') });
  expect(JSON.stringify(after.model.requests[0]?.messages)).toContain(answer);
  expect(await questions()).toEqual([first]);
  expect((await told()).at(-1)).toMatchObject({ kind: 'run-ended', plan });

  // What came of it.
  const history = await after.ravel('history', 'duration');
  expect(history.stdout).toMatch(/total +complete[\s\S]*work +waiting[\s\S]*work +finished/);
  const [commit] = (await world.git('log', '--format=%h', '--', 'docs')).trim().split('\n');
  expect(history.stdout).toMatch(new RegExp(`${commit}.*\\n.*Write a page about a task`));
  expect((await after.ravel('changes', `${commit}`)).stdout).toMatch(
    new RegExp(`git-commit-work [\\s\\S]*A docs/${task}\\.md[\\s\\S]*\\n\\+What was done\\.\\n`),
  );
  expect(await world.readPlan('backlog.yaml')).toMatch(new RegExp(`id: ${task}\\n[\\s\\S]*status: done`));
});
