import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useEditorWorld } from './support/editorWorld.ts';

/** The hands of the other tests, tried on what the editor itself has. */
const editor = useEditorWorld();

test('a page driver opens views and rows and takes an entry of a menu', async () => {
  const window = await editor.window();
  await window.activity('Explorer');
  await window.activity('Explorer');
  await window.expandView('Outline');
  await window.collapseView('Outline');
  await window.expand(window.treeItem('experts'));
  const entries = await window.openMenu(window.treeItem('daemon.toml'));
  expect(entries).toContain('Copy Path');
  await window.keys('Escape');
  await window.contextMenu(window.treeItem('daemon.toml'), 'Open to the Side');
  await window.tab('daemon.toml').first().waitFor();
});

test('a page driver runs a command of the palette and answers its questions', async () => {
  const window = await editor.window();
  await window.command('Change Language Mode');
  await window.pick('Markdown', { asks: 'Select Language Mode' });
  await window.statusBarItem('Markdown').waitFor();
  // The branch is shown once the editor has found the repository.
  await window.statusBarItem('main').first().waitFor();
  await window.command('Git: Create Branch...');
  await window.input('other', { asks: 'branch name' });
  await window.statusBarItem('other').first().waitFor();
});

test('a page driver opens a file, types into it and saves it', async () => {
  const window = await editor.window();
  await window.openFile('ravel.toml');
  await window.textEditor().click();
  await window.keys('Control+Home');
  await window.page.keyboard.type('# hello');
  await window.keys('Enter', 'Control+S');
  await expect.poll(() => readFile(join(editor.folder, 'ravel.toml'), 'utf8')).toContain('# hello\n');
});

test('a page driver answers a dialog', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem('Plans.md'), 'Delete Permanently');
  await window.dialog(/delete/, 'Cancel');
});

/** The list of processes raises no event; on a busy machine an extension host takes its time to start. */
const processes = { timeout: 90_000 };

test('a reloaded window shows its views again, and a second window has an extension host until it closes', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window.view('Plans').waitFor();
  await window.reload();
  await window.view('Plans').waitFor();
  const second = await editor.anotherWindow();
  await second.activity('Ravel');
  await expect.poll(() => editor.host.extensionHosts(), processes).toHaveLength(2);
  await second.close();
  await expect.poll(() => editor.host.extensionHosts(), processes).toHaveLength(1);
});

test('the editor starts an extension host again after a crash', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  const before = await editor.host.extensionHosts();
  for (const pid of before) process.kill(pid, 'SIGKILL');
  const after = () => editor.host.extensionHosts();
  await expect.poll(after, processes).toSatisfy((now: number[]) => now.length === 1 && now[0] !== before[0]);
});
