import { expect, test } from 'vitest';
import { makePipe } from '../support/gate.ts';
import { setScenario } from '../support/phaseWorld.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const message = (id: string, body: string) =>
  [
    `  - id: ${id}`,
    '    from: other/project-root',
    '    at: 2026-01-02T03:04:05Z',
    '    reason: It came up there',
    `    body: ${body}`,
    '    state: new',
  ].join('\n');

const backlog = `tasks:
  - id: add-a-farewell
    title: Add a farewell
    category: core
    status: not_started
    dependencies: []
received:
${message('01M7X4TZFWPVQT6PFG4SYTM4B1', 'Greet in Welsh as well.')}
${message('01M7X4TZFWPVQT6PFG4SYTM4B2', 'Paint the door.')}
`;

const editor = useEditorWorld({
  content: {
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    plan: { 'backlog.yaml': backlog },
  },
  size: { width: 1200, height: 900 },
});

/** The page of the plan, at a tab of it. */
async function openTab(name: string) {
  const window = await editor.window();
  await window.activity('Ravel');
  await window.inlineAction(window.treeItem(/^Project greeter/).first(), 'Open Plan');
  const page = await window.webview();
  await page.getByRole('tab', { name }).click();
  return { window, page };
}

test('the Backlog tab makes a task of a received message and declines another one, without triage', async () => {
  const { window, page } = await openTab('Backlog');
  const { world } = editor;
  await page.getByText('2 messages').click();
  const messages = page.getByRole('list', { name: 'Received messages' }).getByRole('listitem');
  const welsh = messages.filter({ hasText: 'Greet in Welsh as well.' });
  await welsh.getByRole('button', { name: 'Make a task' }).click();
  await window.screenshot('tab-backlog-received');
  await welsh.getByRole('button', { name: 'Make a task' }).click();
  await page.getByText('The title is missing.').waitFor();
  await welsh.getByRole('textbox', { name: 'Title' }).fill('Greet in Welsh');
  await welsh.getByRole('textbox', { name: 'Category' }).fill('core');
  await welsh.getByRole('button', { name: 'Make a task' }).click();
  await page.getByRole('button', { name: /^Greet in Welsh/ }).waitFor();
  await page.getByText('1 message', { exact: true }).waitFor();

  await messages.getByRole('button', { name: 'Decline' }).click();
  await messages.getByRole('textbox', { name: 'Reason' }).fill('There is no door here');
  await messages.getByRole('button', { name: 'Decline' }).click();
  await page.locator('ravel-received').waitFor({ state: 'detached' });
  const text = await world.readPlan('backlog.yaml');
  expect(text).toContain('task: greet-in-welsh');
  expect(text).toContain('declined_reason: There is no door here');
});

test('the Changes tab shows what a session changes while it runs', async () => {
  const { world } = editor;
  const gates = [await makePipe(world.project), await makePipe(world.project)] as const;
  await setScenario(world, {
    work: [
      { edit: { path: 'farewell.mjs', content: "export const farewell = 'Bye';\n" } },
      gates[0].wait,
      { edit: { path: 'wave.mjs', content: 'export const wave = 1;\n' } },
      { call: 'backlog_set_results', with: { id: 'add-a-farewell', body: 'The farewell is there.' } },
      { call: 'backlog_set_status', with: { id: 'add-a-farewell', status: 'done' } },
      gates[1].wait,
      { finish: { outcome: 'done', summary: 'A farewell was added.' } },
    ],
  });
  const { window, page } = await openTab('Backlog');
  await page.getByRole('button', { name: /^Add a farewell/ }).click();
  await page.getByRole('button', { name: 'Start work on it' }).click();
  await page.getByText('work runs: add-a-farewell').waitFor();
  await page.getByText('It can be started when work has ended.').waitFor();

  await page.getByRole('tab', { name: 'Changes' }).click();
  const source = page.getByRole('list', { name: 'In the project since work began' });
  await source.getByText('farewell.mjs').waitFor();
  expect(await source.getByText('wave.mjs').count()).toBe(0);
  gates[0].open();
  await source.getByText('wave.mjs').waitFor();
  const staged = page.getByRole('list', { name: 'Staged for the plan' });
  await staged.getByText('backlog.yaml').waitFor();
  await window.screenshotThemes('tab-changes-live');
  await staged.getByRole('button').first().click();
  await window.page.locator('.monaco-diff-editor').getByText('The farewell is there.').first().waitFor();
  await window.screenshot('tab-changes-live-diff');
  expect(await world.readPlan('backlog.yaml')).not.toContain('The farewell is there.');
  await window.command('View: Close Editor');

  gates[1].open();
  await page.getByRole('button', { name: 'Run analyse-work' }).waitFor();
  await page.getByRole('list', { name: 'Staged for the plan' }).waitFor({ state: 'detached' });
  expect(await world.readPlan('backlog.yaml')).toContain('The farewell is there.');
});
