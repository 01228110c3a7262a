import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { declaration } from '../support/expertDeclaration.ts';
import { pinning } from '../support/expertWorld.ts';
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
  await writeFile(scenario, JSON.stringify({ version: 1, phases: {}, consultations: { answer: [{ steps: answer }] } }));
});

const shownText = (window: EditorPage, text: RegExp) =>
  window.textEditor().locator('.view-lines').filter({ hasText: text }).waitFor({ timeout: 30_000 });

test('the Knowledge view lists the entries by axis, and a row opens its entry', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  for (const view of ['Sessions', 'Tasks and Messages']) await window.collapseView(view);
  await window.expandView('Knowledge');
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

test('above an entry stands how many answers rest on it, and a click lists them', async () => {
  const window = await editor.window();
  await window.treeItem(/^Entry Pinning/).click();
  const lens = window.page.locator('.codelens-decoration a').filter({ hasText: '1 answer rests on this entry' });
  await lens.waitFor({ timeout: 30_000 });
  await window.screenshot('knowledge-lens');
  await lens.click();
  await window.pick(/^When is it pinned/, { asks: 'Answers That Rest on This Entry' });
  await shownText(window, /Answer\sof\sexpert:rust/);
});

test('an open answer says what has changed since as soon as it changes', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem(/^Entry Pinning/), 'Confirm That Entry Still Holds');
  await shownText(window, /edited\ssince/);
});

test('an entry that a person archives with a reason leaves the view', async () => {
  const window = await editor.window();
  await window.contextMenu(window.treeItem(/^Entry Git keeps/), 'Archive Entry…');
  await window.input('It is in the manual', { asks: /answers no question there/ });
  await window.treeItem(/^Entry Git keeps/).waitFor({ state: 'detached' });
  expect(await window.treeItem(/^tools, /).count()).toBe(0);
});
