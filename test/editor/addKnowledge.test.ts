import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { pinning } from '../support/expertWorld.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld({ size: { width: 1280, height: 1000 } });
const passage = 'A server that is down needs fewer calls and not more.';

beforeAll(async () => {
  const { vault, scenario } = editor.world;
  const settings = `[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = ${JSON.stringify(scenario)}\n`;
  const statements = [{ title: 'Call less while a server is down', statement: 'Fewer calls help.', passage }];
  const files = {
    'daemon.toml': settings,
    'article.md': `# An article\n\n${passage}\n`,
    [pinning.path]: `---\ntitle: Pinning\ntags: [rust]\nconfidence: low\n---\n${pinning.passage}\n`,
    'knowledge/languages/rust/polling.md':
      '---\ntitle: Polling\ntags: [polling]\nrelated: ["[[Pinning]]"]\n---\nSee [[Pinning]].\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(vault, path)), { recursive: true });
    await writeFile(join(vault, path), text);
  }
  const horizon = [{ steps: [{ call: 'propose', with: { statements } }] }];
  await writeFile(scenario, JSON.stringify({ version: 1, phases: {}, consultations: { horizon } }));
});

const shownText = (window: EditorPage, text: RegExp) =>
  window.textEditor().locator('.view-lines').filter({ hasText: text }).waitFor({ timeout: 30_000 });

test('an entry is added by the keyboard, and opens for more', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  for (const view of ['Sessions', 'Tasks and Messages']) await window.collapseView(view);
  await window.expandView('Knowledge');
  await window.expand(window.treeItem(/^languages, 2$/));
  await window.command('Add Entry…');
  await window.input('Retries need a limit', { asks: /What stays true/ });
  await window
    .question({ asks: /Add “Retries need a limit” Where/ })
    .getByText('languages/rust')
    .waitFor();
  await window.screenshotThemes('knowledge-add-entry');
  await window.pick(/^techniques$/, { asks: /Add “Retries need a limit” Where/ });
  await window.pick(/^heuristic/, { asks: /Of Which Kind/ });
  await window.input('retry, network', { asks: /Tags with commas/ });
  await window.input('Without one, a client keeps a server down.', { asks: /The statement, in Markdown/ });
  await shownText(window, /title:\sRetries\sneed\sa\slimit[\s\S]*a\sclient\skeeps\sa\sserver\sdown/);
  await window.expand(window.treeItem(/^techniques, 1$/));
  await window.treeItem(/^Entry Retries need a limit, staged, low confidence, heuristic$/).waitFor();
});

test('a title that the vault has is refused in its words, and nothing is lost of the one that is there', async () => {
  const window = await editor.window();
  const file = join(editor.world.vault, 'knowledge/techniques/retries-need-a-limit.md');
  const before = await readFile(file, 'utf8');
  await window.command('View: Close All Editors');
  await window.command('Add Entry…');
  await window.input('Retries need a limit', { asks: /What stays true/ });
  await window.pick(/^techniques$/, { asks: /Where/ });
  await window.pick(/^reference/, { asks: /Of Which Kind/ });
  await window.input('', { asks: /Tags with commas/ });
  await window.input('Another text.', { asks: /The statement, in Markdown/ });
  await window
    .notification(/has this title already/)
    .first()
    .waitFor();
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('what links to an entry is shown from above it, and opens', async () => {
  const window = await editor.window();
  await window.treeItem(/^Entry Pinning/).click();
  const lens = window.page.locator('.codelens-decoration a').filter({ hasText: '2 links lead here' });
  await lens.waitFor({ timeout: 30_000 });
  await window.screenshotThemes('knowledge-links');
  await window.command('Show Links of Entry…');
  await window.pick(/^Polling/, { asks: /Links of “Pinning”/ });
  await shownText(window, /title:\sPolling/);
});

test('a link in the text of an entry leads to the entry that it names, by the keyboard', async () => {
  const window = await editor.window();
  await shownText(window, /See\s\[\[Pinning\]\]/);
  await window.keys('Control+End', 'ArrowUp', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'F12');
  await shownText(window, /title:\sPinning/);
});

test('the experts that come with Ravel are added from the empty view, with what they know', async () => {
  const window = await editor.window();
  await window.expandView('Experts');
  await window.view('Experts').getByRole('button', { name: 'Add Expert…' }).last().waitFor();
  await window.screenshotThemes('knowledge-no-experts');
  await window.command('Add Expert…');
  await window.pick(/^All 6 That Come With Ravel/, { asks: /Add Which Expert/ });
  for (const expert of ['distributed-systems', 'ffi', 'obsidian', 'research', 'rust', 'software-architect']) {
    await window.treeItem(new RegExp(`^Expert ${expert}`)).waitFor({ timeout: 60_000 });
  }
  await window.screenshotThemes('knowledge-experts-added');
});

test('an expert of one’s own is declared by the keyboard, and its file opens', async () => {
  const window = await editor.window();
  await window.command('Add Expert…');
  await window.pick(/^An Expert of Your Own/, { asks: /Add Which Expert/ });
  await window.input('network', { asks: /lower-case letters, digits and hyphens/ });
  await window.input('Knows what a network does to calls', { asks: /What it knows, in one sentence/ });
  await window.pick(/^techniques$/, { asks: /Which Entries Does It Answer From/ });
  await window.input('You are precise.', { asks: /Its persona/ });
  await shownText(window, /expert-id:\snetwork/);
  await window.treeItem(/^Expert network/).waitFor();
});

test('where the knowledge could grow is a page that is chosen by tag and leads to an entry', async () => {
  const window = await editor.window();
  await window.command('Explore Knowledge…');
  await window.pick('#polling', { asks: /Explore Which Knowledge/ });
  await shownText(window, /Where\sthe\sknowledge\scould\sgrow:\s#polling/);
  await shownText(window, /Tags\sthat\smay\sbelong\stogether/);
  await window.screenshotThemes('knowledge-explore');
});

test('ideas of an open text are staged, listed with their passages, and open', async () => {
  const window = await editor.window();
  await window.openFile('article.md');
  await window.command('Find Ideas in Text…');
  await window.pick(/^The open document/, { asks: /Find Ideas in Which Text/ });
  await window.pick(/^No expert/, { asks: /Read by Which Expert/ });
  await window
    .question({ asks: /Ideas: 1 Kept, 0 Refused/ })
    .getByText(passage)
    .waitFor();
  await window.screenshotThemes('knowledge-ideas');
  await window.pick(/^Call less/, { asks: /Ideas: 1 Kept/ });
  await shownText(window, /confidence:\sprospective/);
});
