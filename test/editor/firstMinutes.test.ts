import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';
import { chooseFolder, folderBeside } from './support/folders.ts';

const editor = useEditorWorld({ content: 'none' });

async function repositoryBeside(name: string): Promise<string> {
  const folder = await folderBeside(editor, name, { 'price.js': 'export const round = Math.floor;\n' });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
  return folder;
}

/** Goes on with Tab until the button with this text has the keyboard, and presses it. */
async function tabTo(window: EditorPage, text: string): Promise<void> {
  const focused = window.page.locator(':focus');
  for (let steps = 0; steps < 80; steps++) {
    await window.keys('Tab');
    const told = await focused.evaluate((element) => element.getAttribute('aria-label') ?? element.textContent ?? '');
    if (told.includes(text)) return;
  }
  throw new Error(`Tab does not come to "${text}".`);
}

async function clearToasts(window: EditorPage): Promise<void> {
  await window.command('Notifications: Clear All Notifications');
  await window.page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'detached' });
  await window.question().waitFor({ state: 'hidden' });
}

/** A step of the walkthrough, as it is ticked off. */
function doneStep(window: EditorPage, title: string) {
  return window.page
    .locator('.getting-started-step', { hasText: title })
    .locator('.codicon-getting-started-step-checked, .codicon.complete');
}

test('the first page says what this machine has, and leads on by the keyboard', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window.page.getByText('what Ravel needs, and other ways to begin').click();
  const page = await window.webview();
  await page.getByRole('heading', { level: 1, name: 'Begin with Ravel' }).waitFor();
  await page.getByText(/Git \d+\.\d+.* is installed\./).waitFor();
  await page.getByText(/Claude Code .*(?:installed|not found)/).waitFor();
  await window.screenshotThemes('start-0-page');
  await page.getByRole('button', { name: 'Show the Five Steps' }).press('Enter');
  await window.page.locator('.getting-started-step').first().waitFor();
  await window.command('View: Close All Editors');
  await window.page.locator('.getting-started-step').first().waitFor({ state: 'detached' });
});

test('the walkthrough shows five steps', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window.page.getByRole('button', { name: 'Create Vault…' }).waitFor();
  await window.command('Ravel: Get Started');
  await window.page.locator('.getting-started-step').first().waitFor();
  expect(await window.page.locator('.getting-started-step .step-title').allInnerTexts()).toEqual([
    'Create or open a vault',
    'Adopt a project',
    'Make a plan from a goal',
    'Run the demo without a model',
    'Connect Claude Code',
  ]);
  await window.screenshotThemes('start-1-walkthrough');
});

test('a person creates a vault by the keyboard alone, and a wrong name is refused while it is typed', async () => {
  const window = await editor.window();
  const place = await folderBeside(editor, 'plans', { 'other.txt': '' });
  await window.command('Create Vault…');
  await chooseFolder(window, place);
  await window.question({ asks: 'Name of the new folder' }).waitFor();
  await window.page.keyboard.type('/');
  await window.question().getByText('The name of one folder').waitFor();
  await window.input('vault', { asks: 'Create Vault' });
  await window.notification('The vault "vault" is ready').waitFor();
  expect(await readFile(join(place, 'vault', 'ravel.toml'), 'utf8')).toContain('[vault]');
  await window.view('Sessions').getByText('No sessions have run').waitFor();
  expect(await window.page.getByRole('button', { name: 'Run Phase' }).count()).toBe(0);
  await window.screenshotThemes('start-2-vault');
});

test('Adopt Project refuses a folder without a repository in a toast that offers git init, and opens no dialog', async () => {
  const window = await editor.window();
  const plain = await folderBeside(editor, 'plain');
  await clearToasts(window);
  await window.command('Adopt Project…');
  await chooseFolder(window, plain);
  const toast = window.notification('a project needs a repository');
  await toast.waitFor();
  expect(await toast.getByRole('button', { name: 'Run git init in Terminal' }).count()).toBe(1);
  expect(await window.page.locator('.monaco-dialog-box').count()).toBe(0);
  await window.screenshot('start-3-no-repository');
  await clearToasts(window);
});

test('a person adopts a project and adds a task to its plan', async () => {
  const window = await editor.window();
  const shop = await repositoryBeside('shop');
  await window.command('Adopt Project…');
  await chooseFolder(window, shop);
  await window.input('The shop and its tests', { asks: 'What is shop for' });
  await window.notification('The vault has adopted shop').waitFor();
  await window.command('Add Task…');
  await window.input('Round prices half up', { asks: 'The work to do' });
  await window.pick('bug');
  await window.input('Totals are rounded down.', { asks: 'What must be true when it is done' });
  await window.activity('Ravel');
  await window.treeItem(/^Project shop.*1 ready/).waitFor();
  // No plan was selected: the first one is shown, and stays so.
  await window.treeItem(/Round prices half up/).waitFor();
  await window.page.getByRole('button', { name: 'Run Phase' }).waitFor();
  expect(await readFile(join(shop, 'ravel/project-root/backlog.yaml'), 'utf8')).toContain('round-prices-half-up');
  await window.screenshotThemes('start-4-task');
});

test('a person runs the demo without a model, watches it, and four steps of the walkthrough are done', async () => {
  const window = await editor.window();
  await clearToasts(window);
  await window.command('Ravel: Get Started');
  // The walkthrough opens the first step that is not done, and gives it the keyboard a moment later.
  const step = window.page.locator('.getting-started-step.expanded:focus');
  await step.filter({ hasText: 'Run the demo without a model' }).waitFor();
  await tabTo(window, 'Run the Demo');
  await window.keys('Enter');
  const dialog = window.page.locator('.monaco-dialog-box', { hasText: 'Run the demo?' });
  await dialog.waitFor();
  await dialog.locator(':focus').waitFor();
  await window.screenshot('start-5-question');
  await window.keys('Enter');
  await dialog.waitFor({ state: 'detached' });
  await window.tab('duration').waitFor();
  const page = await window.webview();
  await page.getByText('The test "several parts" should be red').waitFor();
  await page.getByText('The pattern is anchored to a single part').waitFor();
  await window.screenshot('start-6-live');
  await window.notification('The demo is complete').waitFor({ timeout: 60_000 });
  await window.screenshotThemes('start-7-complete');
  await window.command('Ravel: Get Started');
  const titles = [
    'Create or open a vault',
    'Adopt a project',
    'Make a plan from a goal',
    'Run the demo without a model',
  ];
  for (const title of titles) {
    await doneStep(window, title).waitFor();
  }
  await window.screenshotThemes('start-8-done');
});

test('Connect Claude Code says that the program cannot be started and offers three ways on', async () => {
  const window = await editor.window();
  await clearToasts(window);
  await window.command('Connect Claude Code');
  const toast = window.notification('Claude Code cannot be started');
  await toast.waitFor();
  expect(await toast.getByRole('button').allInnerTexts()).toEqual(
    expect.arrayContaining(['Install in Terminal', 'Choose Program…', 'How to Set It Up']),
  );
  await window.screenshotThemes('start-9-claude');
});

test('Run Doctor opens a report that names the next step', async () => {
  const window = await editor.window();
  await clearToasts(window);
  await window.command('Run Doctor');
  await window.tab('Ravel Doctor').waitFor();
  await window.textEditor().getByText('Connect Claude Code').first().waitFor();
  await window.screenshotThemes('start-10-doctor');
});
