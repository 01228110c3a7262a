import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openVault } from '../../src/library.ts';
import { scenarioText } from '../support/scenarioRuns.ts';
import { axeProblems } from './support/axe.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld();

const asks = { finish: { outcome: 'needs-input', summary: 'Shall minutes be rounded up?' } };

/** What the sessions of this file do; a wait is long enough to see that they run. */
beforeAll(async () => {
  const { vault, scenario } = editor.world;
  const settings = `[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = ${JSON.stringify(scenario)}\n`;
  await writeFile(join(vault, 'daemon.toml'), settings);
  await writeFile(scenario, scenarioText({ work: [{ say: 'I look at the task.' }, { wait: '2s' }, asks] }));
});

const project = (window: EditorPage) => window.treeItem(/^Project duration,/);

test('the tree shows a plan with its phase and its counts of tasks', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window.treeItem(/^Project duration, phase work, ready, 2 ready, 1 blocked/).waitFor();
  await window.view('Inbox').getByText('Nothing needs your attention.').waitFor();
  await window.view('Sessions').getByText('No sessions have run').waitFor();
});

test('the tree shows a child plan below its project, and markup in its name as plain text', async () => {
  const window = await editor.window();
  await window.contextMenu(project(window), 'Create Plan…');
  await window.input('rounding $(trash) <b>');
  await window.input('Rounds what is left over');
  const child = window.treeItem(/^Plan rounding \$\(trash\) <b>, phase work, idle/);
  // With its first child the row can be opened.
  await project(window).and(window.page.locator('[aria-expanded]')).waitFor();
  await window.expand(project(window));
  await child.waitFor();
  await child.locator('.monaco-tl-row').hover();
  await window.page.locator('.monaco-hover:visible', { hasText: 'Rounds what is left over' }).waitFor();
  await window.page.keyboard.press('Escape');
});

test('a filter of plans outlives a reload, says how many plans fit, and can be cleared', async () => {
  const window = await editor.window();
  await window.viewAction('Plans', 'Filter Plans…');
  await window.pick('by a text');
  await window.input('no plan is called so');
  const empty = window.page.getByText('No plans match the filter.');
  await empty.waitFor();
  // What is shown stands in the head of the view, for the ear as well.
  await window.page.locator('.pane-header[aria-label*="“no plan is called so” · 0 of 2"]').waitFor();
  await window.reload();
  await window.activity('Ravel');
  await empty.waitFor();
  await window.command('Ravel: Clear Plan Filter');
  await project(window).waitFor();
  // The rows move up when the message above them goes, and a click on a row that moves meets another one.
  await empty.waitFor({ state: 'detached' });
});

test('a phase that is run from its row shows as running, and its question waits in the Inbox', async () => {
  const window = await editor.window();
  await window.inlineAction(project(window), 'Run Phase');
  await window.treeItem(/^Project duration, phase work, running/).waitFor();
  const session = window.treeItem(/^Session of duration, phase work, running/);
  await session.waitFor();
  await window.screenshot('trees-running');
  const question = window.treeItem(/^Question of duration, needs to know, Shall minutes be rounded up\?/);
  await question.waitFor();
  await window.treeItem(/^Project duration, phase work, asks you/).waitFor();
  await window.treeItem(/^Session of duration, phase work, waiting/).waitFor();
  // The badge, as it is heard and as it is seen.
  const tab = window.page.getByRole('tab', { name: 'Ravel - 1 item needs your attention' });
  await tab.locator('.badge-content', { hasText: '1' }).waitFor();
  await window.screenshotThemes('trees');
});

test('a person reads and answers a question by the keyboard alone', async () => {
  const window = await editor.window();
  await window.command('Explorer: Focus on Folders View');
  await window.command('Ravel: Focus on Inbox View');
  await window.page.getByRole('tree', { name: 'Inbox' }).and(window.page.locator(':focus')).waitFor();
  await window.keys('Home', 'Enter');
  const page = await window.webview('Question');
  await page.getByRole('textbox', { name: 'The answer' }).waitFor();
  await window.screenshotThemes('trees-question');
  expect(await axeProblems(window.page)).toEqual([]);
  await page.getByRole('textbox', { name: 'The answer' }).press('Tab');
  await page.getByRole('button', { name: 'Send Answer' }).press('Shift+Tab');
  await window.page.keyboard.type('Yes, always.');
  await window.page.keyboard.press('Tab');
  await window.page.keyboard.press('Enter');
  await page.getByText('continues.').waitFor();
  await window.screenshot('trees-answered');
  // The phase goes on by itself with another session.
  await window
    .treeItem(/^Session of duration, phase work/)
    .nth(1)
    .waitFor();
});

test('a click on a session opens its page', async () => {
  const window = await editor.window();
  await window
    .treeItem(/^Session of duration, phase work, waiting/)
    .first()
    .click();
  await (await window.webview()).getByText('Shall minutes be rounded up?').first().waitFor();
});

test('Quick Open finds the files of plans', async () => {
  const window = await editor.window();
  await window.keys('Control+P');
  await window.question().waitFor();
  await window.page.keyboard.type('backlog.yaml');
  await window
    .question()
    .getByRole('option', { name: /^backlog\.yaml/ })
    .first()
    .waitFor();
  await window.keys('Escape');
});

test('proposed plans are changed in their page and made as they then stand', async () => {
  const window = await editor.window();
  const { vault, environment, planDirectory } = editor.world;
  const client = await openVault({ vault, mode: 'client', environment });
  const text = '- Search\n  - Index the parts\n  - Find by a part\n- Say which part is wrong\n';
  await client.api.request('propose_plans', { under: 'duration/project-root', text, source: 'wishes.md' });
  await client.stop();
  await window.treeItem(/^Question of .*proposes plans/).click();
  const page = await window.webview('Question');
  await page.getByRole('textbox', { name: 'Lasting purpose' }).fill('Finds durations in a text');
  await page.getByRole('button', { name: 'Details of Find by a part' }).click();
  await page.getByRole('checkbox', { name: 'Index the parts' }).check();
  await window.screenshotThemes('question-plans');
  expect(await axeProblems(window.page)).toEqual([]);
  await page.getByRole('button', { name: 'Make These Plans' }).press('Enter');
  await window.treeItem(/^Plan search, /).waitFor();
  const backlog = await readFile(join(planDirectory, 'search', 'backlog.yaml'), 'utf8');
  expect(backlog).toMatch(/dependencies: *\[index-the-parts\]|dependencies:\s+- index-the-parts/);
});
