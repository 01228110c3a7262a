import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { declaration } from '../support/expertDeclaration.ts';
import { pinning } from '../support/expertWorld.ts';
import { leaveIngestion } from '../support/ingestionWorld.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld({ size: { width: 1280, height: 1000 } });
const id = '01JD0000000000000000000000';
const entry = `---\nid: ${id}\ntitle: Pinning\ntags: [rust]\nconfidence: medium\nstatus: staged\n---\n${pinning.passage}\n`;

beforeAll(async () => {
  const { vault, scenario } = editor.world;
  const citations = [{ entry: id, passage: pinning.passage }];
  const answer = [{ call: 'answer', with: { answer: pinning.answer, citations, confidence: 'high' } }];
  const settings = `[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = ${JSON.stringify(scenario)}\n`;
  const files = {
    'daemon.toml': settings,
    'experts/rust.md': declaration(),
    [pinning.path]: entry,
    'knowledge/tools/git.md': '---\ntitle: Git keeps what was committed\nconfidence: high\n---\nAlso after a reset.\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(vault, path)), { recursive: true });
    await writeFile(join(vault, path), text);
  }
  const consultations = {
    answer: [
      { when: 'On one thread.', steps: answer },
      { when: 'Who pins?', steps: [{ call: 'ask_back', with: { question: 'Which executor?' } }] },
      { steps: answer },
    ],
    // The expert does not decide, so a person has to.
    absorb: [{ steps: [] }],
  };
  await writeFile(scenario, JSON.stringify({ version: 1, phases: {}, consultations }));
  const near = [{ path: pinning.path, title: 'Pinning', score: 0.8 }];
  leaveIngestion(editor.world, { title: 'Pin late', body: 'A future is pinned at its first poll.', near });
});

const shownText = (window: EditorPage, text: RegExp) =>
  window.textEditor().locator('.view-lines').filter({ hasText: text }).waitFor({ timeout: 30_000 });

test('the Knowledge view lists the entries by axis, and a row opens its entry', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  for (const view of ['Sessions', 'Tasks and Messages']) await window.collapseView(view);
  await window.expandView('Knowledge');
  // What comes last into the view: the editor can forget what is below a row that opens while it draws all rows again.
  await window.treeItem(/^Waiting for You, 1$/).waitFor({ timeout: 60_000 });
  await window.expand(window.treeItem(/^languages, 1$/));
  await window.expand(window.treeItem(/^tools, 1$/));
  await window.treeItem(/^Entry Git keeps what was committed, high confidence, reference$/).waitFor();
  await window.screenshotThemes('knowledge-view');
  await window.treeItem(/^Entry Pinning, staged, medium confidence/).click();
  await shownText(window, /title:\sPinning/);
});

test('an expert that a person asks about a selection answers, and its answer rests on the entry', async () => {
  const window = await editor.window();
  await window.keys('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
  await window.command('Ask About Selection…');
  await window.pick(/^rust/, { asks: 'Ask Which Expert' });
  await window.input('When is it pinned?', { asks: /The selected text goes with/ });
  await shownText(window, new RegExp(pinning.answer.replaceAll(' ', '\\s').replaceAll('.', '\\.')));
  await window.command('View: Close All Editors');
  await window.expandView('Experts');
  await window.expand(window.treeItem(/^Expert rust/));
  const answer = window.treeItem(/^Question, When is it pinned\? .*answered from 1 entry$/);
  await answer.click();
  await shownText(window, /Answer\sof\sexpert:rust/);
  await window.screenshotThemes('knowledge-receipt');
});

test('above an entry stands how many answers rest on it, and its lens lists them', async () => {
  const window = await editor.window();
  await window.treeItem(/^Entry Pinning/).click();
  await window.page.locator('.codelens-decoration a').filter({ hasText: '1 answer rests on this entry' }).waitFor();
  await window.screenshot('knowledge-lens');
  await window.lens('1 answer rests on this entry');
  await window.pick(/^When is it pinned/, { asks: 'Answers That Rest on This Entry' });
  await shownText(window, /Answer\sof\sexpert:rust/);
});

test('an open answer says what has changed since as soon as it changes', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem(/^Entry Pinning/), 'Confirm That Entry Still Holds');
  await shownText(window, /edited\ssince/);
});

test('an open entry is superseded from above it, renamed and contradicted, by the keyboard', async () => {
  const window = await editor.window();
  await window.treeItem(/^Entry Pinning/).click();
  await shownText(window, /title:\sPinning/);
  await window.lens('Change entry…');
  await window
    .question({ asks: /Change “Pinning”/ })
    .getByText('Merge Entry…')
    .waitFor();
  await window.screenshotThemes('knowledge-change');
  await window.pick(/^Supersede Entry/, { asks: /Change “Pinning”/ });
  await window.pick(/^By a new statement/, { asks: /Supersede “Pinning”/ });
  await window.input('Pin a future before its first poll.', { asks: /new statement/ });
  await window.input('It was measured', { asks: /Why is it better/ });
  await shownText(window, /Superseded[\s\S]*It\swas\smeasured/);

  await window.command('Rename Entry…');
  await window.input('When to pin', { asks: /Rename “Pinning”/ });
  await window.treeItem(/^Entry When to pin, staged/).waitFor();

  await window.command('Contradict Entry…');
  await window.pick(/^Git keeps what was committed/, { asks: /Contradict “When to pin” by Which Entry/ });
  await window.input('One of them is wrong', { asks: /How do they contradict/ });
  await shownText(window, /contradicts:/);
});

test('what the vault refuses is said in its words', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem(/^Entry Git keeps/), 'Supersede Entry…');
  await window.pick(/^By another entry/, { asks: /Supersede “Git keeps/ });
  await window.pick(/^When to pin/, { asks: /by Which Entry/ });
  await window.input('It is newer', { asks: /Why is the other one better/ });
  await window
    .notification(/less certain/)
    .first()
    .waitFor();
});

test('an expert asks back, a person leaves it, and replies from the Inbox', async () => {
  const window = await editor.window();
  await window.expandView('Experts');
  await window.contextMenu(window.treeItem(/^Expert rust/), 'Ask Question…');
  await window.input('Who pins?', { asks: /Question to expert rust/ });
  await window.question({ asks: /Which executor/ }).waitFor();
  await window.keys('Escape');
  await window.expandView('Inbox');
  const row = window.view('Inbox').getByRole('treeitem', { name: /^expert:rust asks back, Which executor\?/ });
  await row.waitFor();

  await window.treeItem(/^Expert rust/).click();
  await shownText(window, /It\sasks\sback:\s“Which\sexecutor/);
  await shownText(window, /out\sof\sdate\sbecause/);
  await window.screenshotThemes('knowledge-expert');

  await row.click();
  await window.input('On one thread.', { asks: /Which executor/ });
  await shownText(window, new RegExp(pinning.answer.replaceAll(' ', '\\s').replaceAll('.', '\\.')));
  await row.waitFor({ state: 'detached' });
});

test('a page of an expert that is open follows what happens, and a person answers in its place', async () => {
  const window = await editor.window();
  await window.treeItem(/^Expert rust/).click();
  await shownText(window, /Every\squestion\shas\sits\sanswer/);
  const asked = window.treeItem(/^expert:rust asks back/).first();
  await window.command('Ask Question…');
  await window.pick(/^expert:rust/, { asks: 'Ask a Question' });
  await window.input('Who pins? Say it once more.', { asks: /Question to expert rust/ });
  await window.question({ asks: /Which executor/ }).waitFor();
  await window.keys('Escape');
  await shownText(window, /It\sasks\sback/);
  await asked.waitFor();
  await window.command('Answer for Plan or Expert…');
  await window.pick(/^Who pins\? Say it once more/, { asks: 'Answer Which Question' });
  await window.input('Whoever polls it.', { asks: /Answer in place of expert:rust/ });
  await shownText(window, /Whoever\spolls\sit/);
  await asked.waitFor({ state: 'detached' });
});

test('a learned statement that waits for a person is compared with its nearest entry', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem(/^Question, .*Pin late/), 'Compare with Nearest Entry…');
  const side = (text: RegExp) => window.page.locator('.monaco-diff-editor .view-lines').filter({ hasText: text });
  await side(/In\sthe\svault\salready/).waitFor();
  await side(/Learned,\sand\snot\sin\sthe\svault\syet\s*Pin\slate/).waitFor();
  await window.screenshotThemes('knowledge-nearest');
  await window.command('Show What Plans Learned…');
  await window.pick(new RegExp(editor.world.plan), { asks: 'What Plans Learned' });
  await shownText(window, /Pin\slate:\swaits\sfor\syou/);
  await window.screenshotThemes('knowledge-learned');
});

test('an entry that another program writes comes into the view, and leaves it with its file', async () => {
  // The editor watches files only some seconds after its start, so this is not the first test.
  const window = await editor.window();
  const file = join(editor.world.vault, 'knowledge', 'domains', 'clocks.md');
  await writeFile(file, '---\ntitle: Clocks\nconfidence: high\n---\nThey drift.\n');
  await window.treeItem(/^domains, 1$/).waitFor();
  await rm(file);
  await window.treeItem(/^domains, 1$/).waitFor({ state: 'detached' });
});

test('an entry that a person archives with a reason leaves the view, and one that is restored comes back', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem(/^Entry Git keeps/), 'Archive Entry…');
  await window.input('It is in the manual', { asks: /answers no question there/ });
  await window.treeItem(/^Entry Git keeps/).waitFor({ state: 'detached' });
  expect(await window.treeItem(/^tools, /).count()).toBe(0);
  await window.command('Restore Entry…');
  await window.pick(/^Git keeps/, { asks: /Restore Entry: Which Entry/ });
  await window.treeItem(/^tools, 1$/).waitFor();
});

test('an entry that a person deletes is asked about once more, and answers that quote it say that it is gone', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem(/^Entry When to pin/), 'Delete Entry…');
  await window.input('It names a customer', { asks: /only from git/ });
  await window.dialog(/Delete “When to pin”/, 'Delete');
  await window.treeItem(/^Entry When to pin/).waitFor({ state: 'detached' });
  await window.command('Show Answers of Experts…');
  await window.pick(/^When is it pinned/, { asks: 'Answers of Experts' });
  await shownText(window, /deleted\ssince/);
});
