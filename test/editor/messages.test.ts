import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openVault } from '../../src/library.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld({ size: { width: 1280, height: 1000 } });

/** Every plan that is asked answers this, and none takes a message without a receiver. */
beforeAll(async () => {
  const { vault, scenario } = editor.world;
  const settings = `[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = ${JSON.stringify(scenario)}\n`;
  const answer = [{ call: 'answer', with: { text: 'Minutes are rounded up.', citations: [] } }];
  await writeFile(join(vault, 'daemon.toml'), settings);
  const route = [{ call: 'reject_dispatch', with: { reason: 'Nobody here does that' } }];
  const consultations = { answer: [{ steps: answer }], route: [{ steps: route }] };
  await writeFile(scenario, JSON.stringify({ version: 1, phases: {}, consultations }));
});

const project = (window: EditorPage) => window.treeItem(/^Project duration,/);
const child = (window: EditorPage) => window.treeItem(/^Plan rounding,/);

test('the Tasks view shows the three tasks of the selected plan', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window.contextMenu(project(window), 'Create Plan…');
  await window.input('rounding');
  await window.input('Rounds what is left over');
  await project(window).and(window.page.locator('[aria-expanded]')).waitFor();
  await window.expand(project(window));
  await child(window).waitFor();
  await window.collapseView('Sessions');
  await project(window).click();
  await window.activity('Ravel');
  await window.treeItem(/^Tasks, 3$/).waitFor();
  await window.screenshotThemes('messages-tasks');
});

test('a task that a person drops on a plan is dispatched to it with a reason', async () => {
  const window = await editor.window();
  const task = window.treeItem(/^Task .*, ready/).first();
  const title = (await task.getAttribute('aria-label'))?.replace(/^Task (.*), ready.*$/, '$1') ?? '';
  await task.dragTo(child(window));
  await window.input('It rounds', { asks: /Why should it be done there/ });
  await window.treeItem(/^Plan rounding, .*1 received/).waitFor();
  await child(window).click();
  const received = window.treeItem(new RegExp(`^Received from duration, ${title}`));
  await received.waitFor();
  await window.screenshotThemes('messages-received');
});

test('a message that a person declines from its row tells its sender the reason', async () => {
  const window = await editor.window();
  await window.inlineAction(window.treeItem(/^Received from duration,/), 'Decline Received Message');
  await window.input('Nothing is left over', { asks: /The sender gets it/ });
  await window.treeItem(/^Received from duration,/).waitFor({ state: 'detached' });
  await project(window).click();
  await window.expand(window.treeItem(/^Sent, 1$/));
  await window.treeItem(/^Sent to .*rounding, declined: Nothing is left over/).waitFor();
  await window.screenshotThemes('messages-sent');
});

test('Explain Why It Is Here opens a text that says who sent the message and how it was routed', async () => {
  const window = await editor.window();
  await window.inlineAction(window.treeItem(/^Sent to .*rounding, declined/), 'Explain Why It Is Here');
  const text = window.textEditor().locator('.view-lines');
  // The editor writes the spaces of a text as those that do not break.
  await text.filter({ hasText: /Why:\smessage\sfrom\sduration/ }).waitFor();
  await text.filter({ hasText: /was\srouted\sby\sdecision\sby\sits\sname/ }).waitFor();
  await window.screenshotThemes('messages-why');
});

test('the answer to a question to a plan opens in an editor', async () => {
  const window = await editor.window();
  await window.contextMenu(project(window), 'Ask Question…');
  await window.input('How are minutes rounded?');
  const text = window.textEditor().locator('.view-lines');
  await text.filter({ hasText: /Minutes\sare\srounded\sup\./ }).waitFor({ timeout: 30_000 });
  await window.screenshotThemes('messages-answer');
});

test('a message without a receiver goes to the plan that a person names by the keyboard', async () => {
  const window = await editor.window();
  const { vault, environment } = editor.world;
  // The window owns the vault; another process sends this from a terminal.
  const client = await openVault({ vault, mode: 'client', environment });
  await client.api.request('dispatch', { target: 'auto', reason: 'It is late', body: 'Count the half hours twice' });
  await client.stop();
  await window
    .treeItem(
      /^Question of the vault, needs a receiver, “Count the half hours twice” \(because: It is late\): where should this task from a person go/,
    )
    .waitFor();
  await window.command('Answer Question: Accept…');
  await window.pick(/Count the half hours/, { asks: 'Accept What a Question Proposes' });
  const receivers = window.question({ asks: 'Choose the receiver' }).getByRole('option');
  await receivers.filter({ hasText: 'Rounds what is left over' }).waitFor();
  await window.screenshot('messages-receiver');
  await window.pick('duration/project-root/rounding', { asks: 'Choose the receiver' });
  await window.treeItem(/needs a receiver/).waitFor({ state: 'detached' });
  await window.treeItem(/^Plan rounding, .*1 received/).waitFor();
  await child(window).click();
  await window.treeItem(/^Received from a person, Count the half hours twice/).waitFor();
});

test('the files of both plans hold what became of the messages', async () => {
  const { planDirectory } = editor.world;
  const sender = await readFile(join(planDirectory, 'backlog.yaml'), 'utf8');
  const receiver = await readFile(join(planDirectory, 'rounding', 'backlog.yaml'), 'utf8');
  expect(sender).toMatch(/outcome: .*declined: Nothing is left over/);
  expect(receiver).toMatch(/state: declined/);
  expect(receiver).toContain('Count the half hours twice');
});
