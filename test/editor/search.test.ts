import { expect, test } from 'vitest';
import { formatYaml } from '../../src/yaml/yaml.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const entries = [
  { id: 'refunds', title: 'Refunds wait for a slot', body: 'The queue is `RefundQueue`.' },
  { id: 'tills', title: 'Tills ask the server', body: 'Each night, for the time. '.repeat(20) },
];
const editor = useEditorWorld({
  content: { plan: { 'memory.yaml': formatYaml({ entries }) } },
  host: { workspaceTrust: true },
});

/** Opens the search from the palette and types; nothing here touches the mouse. */
async function search(window: EditorPage, query: string) {
  await window.command('Search Vault…');
  const asked = window.question({ asks: 'Words, names from the code' });
  await asked.waitFor();
  await window.page.keyboard.type(query);
  return asked;
}

const first = (asked: Awaited<ReturnType<typeof search>>) => asked.getByRole('option').first();

/** As it is shown: the editor writes the spaces of a text as those that do not break. */
const shownText = (window: EditorPage, text: RegExp) =>
  window.textEditor().locator('.view-lines').filter({ hasText: text }).waitFor();

test('in Restricted Mode, what a person types finds entries, and Enter opens the file at the entry', async () => {
  const window = await editor.window();
  await window.statusBarItem(/Restricted Mode: you can read the vault/).waitFor();
  const asked = await search(window, 'refu');
  await first(asked).filter({ hasText: 'Refunds wait for a slot' }).waitFor();
  await window.page.keyboard.type('nds slot');
  await first(asked).filter({ hasText: 'The queue is `RefundQueue`.' }).waitFor();
  await window.keys('Enter');
  await window.tab('memory.yaml').first().waitFor();
  await shownText(window, /id:\srefunds/);
});

test('Escape closes it, and nothing is opened', async () => {
  const window = await editor.window();
  await window.command('View: Close All Editors');
  const asked = await search(window, 'tills');
  await first(asked).waitFor();
  await window.keys('Escape');
  await asked.waitFor({ state: 'hidden' });
  expect(await window.page.locator('.editor-group-container').getByRole('tab').count()).toBe(0);
});

test('the keyboard goes down to the second entry', async () => {
  const window = await editor.window();
  const asked = await search(window, 'server slot');
  await asked.getByRole('option').nth(1).waitFor();
  const second = await asked.getByRole('option').nth(1).getAttribute('aria-label');
  await window.keys('ArrowDown');
  expect(await asked.locator('.monaco-list-row.focused').getAttribute('aria-label')).toBe(second);
  await window.keys('Escape');
});

test('words that stand nowhere say so', async () => {
  const window = await editor.window();
  const asked = await search(window, 'submarine');
  await asked.filter({ hasText: /No match among/ }).waitFor();
  await window.keys('Escape');
});

test('the button of the list, by the keyboard, shows what gave the score', async () => {
  const window = await editor.window();
  const asked = await search(window, 'refund slot');
  await first(asked).filter({ hasText: 'Refunds' }).waitFor();
  const button = asked.getByRole('button', { name: 'Explain the Score of the Selected Entry' }).first();
  await button.focus();
  await window.keys('Enter');
  await shownText(window, /Search:\srefund\sslot[\s\S]*in\sall/);
});

test('in a window that is trusted the same is found', async () => {
  const window = await editor.window();
  await window.command('Workspaces: Manage Workspace Trust');
  await window.page.getByRole('button', { name: 'Trust', exact: true }).click();
  await window.statusBarItem(/This window runs the vault/).waitFor();
  const asked = await search(window, 'RefundQueue');
  await first(asked).filter({ hasText: 'Refunds wait for a slot' }).waitFor();
  await window.keys('Enter');
  await window.tab('memory.yaml').first().waitFor();
});
