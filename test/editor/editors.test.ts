import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld();

const backlog = 'projects/duration/project-root/backlog.yaml';

function onDisk(): Promise<string> {
  return readFile(join(editor.world.vault, backlog), 'utf8');
}

async function openBacklog(): Promise<EditorPage> {
  const window = await editor.window();
  await window.openFile(backlog);
  await window.page.getByText('Start task').first().waitFor();
  return window;
}

/** Puts the cursor at a line and column, which count from one. */
async function goTo(window: EditorPage, place: string): Promise<void> {
  await window.keys('Control+G');
  const input = window.question().locator('input.input').first();
  await input.fill(`:${place}`);
  await window.keys('Enter');
  await input.waitFor({ state: 'hidden' });
}

test('the editor underlines a wrong status while it is typed, and a quick fix corrects it by the keyboard', async () => {
  const window = await openBacklog();
  const before = await onDisk();
  const line = before.split('\n').findIndex((one) => one.includes('status: not_started')) + 1;
  await goTo(window, `${line}:${'  status: not_started'.length + 1}`);
  await window.keys('Backspace', 'Backspace');
  await window.page.locator('.squiggly-error').first().waitFor();
  await window.keys('Control+Shift+M');
  await window.page.locator('.markers-panel').getByText('is not a status; write').first().waitFor();
  await window.screenshotThemes('editors-problem');
  await window.keys('Control+Shift+M', 'Control+1');
  await window.keys('Control+.');
  const menu = window.page.locator('.action-widget');
  await menu.getByText('Replace with "not_started"').waitFor();
  await window.screenshot('editors-fix');
  await window.keys('Enter');
  await window.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  await window.keys('Control+S');
  await expect.poll(onDisk).toBe(before);
});

test('completion in a backlog offers the keys of a task with what they mean', async () => {
  const window = await openBacklog();
  await window.keys('Control+End');
  await window.page.keyboard.type('  resu');
  const list = window.page.locator('.suggest-widget');
  await list.getByText('results').first().waitFor();
  await window.keys('Control+Space');
  await window.page.locator('.suggest-details').getByText('The outcome.').waitFor();
  await window.screenshot('editors-completion');
  await window.keys('Escape', 'Escape');
  await window.command('File: Revert File');
  await expect.poll(() => window.tab('backlog.yaml').first().getAttribute('class')).not.toContain('dirty');
});

test('a file that changes on disk while a person edits it keeps both texts and offers to compare them', async () => {
  const window = await openBacklog();
  const before = await onDisk();
  await window.keys('Control+Home');
  await window.page.keyboard.type('# mine');
  await window.keys('Enter');
  await expect.poll(() => window.tab('backlog.yaml').first().getAttribute('class')).toContain('dirty');
  await writeFile(join(editor.world.vault, backlog), `# theirs\n${before}`);
  await window.notificationButton(/was changed on disk while you were editing it/, 'Compare');
  await window.tab(/on disk ↔ yours/).waitFor();
  await window.page.getByText('# theirs').first().waitFor();
  await window.screenshot('editors-compare');
  expect(await onDisk()).toBe(`# theirs\n${before}`);
  await window.command('View: Close Editor');
  // The editor does not watch what lies behind the link to a project, so it reads the file when it is told to revert.
  await writeFile(join(editor.world.vault, backlog), before);
  await window.openFile(backlog);
  await window.command('File: Revert File');
  await expect.poll(() => window.tab('backlog.yaml').first().getAttribute('class')).not.toContain('dirty');
  await window.page.locator('.view-line').filter({ hasText: '# mine' }).waitFor({ state: 'detached' });
});

test('"Start task" above a task runs it until it is done', async () => {
  // In a window of its own, whose extension has seen no text that was not saved.
  await (await editor.window()).close();
  const window = await openBacklog();
  await window.screenshotThemes('editors-lenses');
  await window.lens('Start task', 2);
  await expect.poll(onDisk, { timeout: 60_000 }).toContain('status: done');
});
