import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openVault } from '../../src/library.ts';
import type { Api } from '../../src/model/protocol.ts';
import {
  commented,
  decided,
  fillSuggestionWorld,
  letWait,
  payments,
  readRules,
  refunds,
  search,
} from '../support/suggestionWorld.ts';
import { axeProblems } from './support/axe.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

/** What a session answers that is asked where a message about delivery goes. */
const scenario = `version: 1
consultations:
  route:
    - when: delivery
      steps:
        - call: accept_dispatch
          with:
            target_plan: ${search}
            justification: Whatever is about delivery is looked up there
            suggested_rule: { any: [delivery] }
`;

const editor = useEditorWorld({
  content: {
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario,
  },
  size: { width: 1400, height: 1100 },
});

beforeAll(async () => {
  const { world } = editor;
  const history = [
    ...[1, 2, 3, 4].map((n) => decided(`Please refund order ${n}`, payments)),
    decided('The invoice of Ada is missing', payments, { step: 'rules', rules: ['invoices'] }),
    decided('Find the refund page', search),
  ];
  await fillSuggestionWorld(world, { rules: commented, history });
  const messages = history.slice(0, 2).map(({ message }) => message);
  await letWait(world, { ...refunds, messages });
  await letWait(world, { ...refunds, rule: { id: 'pages', any: ['page'], target: search }, messages });
  await letWait(world, { ...refunds, rule: { id: 'orders', any: ['order'], target: search }, messages });
});

function onDisk(): Promise<string> {
  return readRules(editor.world);
}

async function ruleIds(): Promise<string[]> {
  const { rules: list } = parse(await onDisk()) as { readonly rules: readonly { readonly id: string }[] };
  return list.map(({ id }) => id);
}

/** Asks the owner of the vault, which is the window, as a command line would. */
async function withVault<T>(work: (api: Api) => Promise<T>): Promise<T> {
  const opened = await openVault({ vault: editor.world.vault, mode: 'client', environment: editor.world.environment });
  try {
    return await work(opened.api);
  } finally {
    await opened.stop();
  }
}

/** A window that shows the first suggestion in its place, with its thread open. */
async function review(): Promise<EditorPage> {
  const window = await editor.window();
  await window.vaultItem().waitFor();
  await window.command('Review Suggested Rules');
  await window.tab('routing.yaml').first().waitFor();
  await thread(window).first().waitFor();
  return window;
}

function thread(window: EditorPage) {
  return window.page.locator('.review-widget').filter({ hasText: 'Tested on past decisions' });
}

test('a suggested rule waits in the inbox and opens at its place in routing.yaml', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window
    .treeItem(/suggested rule/)
    .first()
    .click();
  await window.tab('routing.yaml').first().waitFor();
  await thread(window).getByText('went to greeter/project-root/search').first().waitFor();
  await window.keys('Control+J');
  await window.page
    .getByText(/^Suggested: refund/)
    .first()
    .waitFor();
  await window.page.getByText('Decided 1 message').waitFor();
  await window.screenshotThemes('routing-thread');
});

test('Preview Suggested Rule compares the file with the rule to the file as it is', async () => {
  const window = await review();
  await thread(window).getByRole('button', { name: 'Preview Suggested Rule' }).click();
  await window.tab(/With the rule: /).waitFor();
  const after = window.page.locator('.editor.modified .view-line');
  await after.filter({ hasText: '# Things are found' }).waitFor();
  await after.filter({ hasText: /id:\srefunds/ }).waitFor();
  await window.screenshot('routing-preview');
  await window.command('View: Close Editor');
});

test('a rule that contradicts a decision lists it in a dialog, and Cancel leaves the rules as they are', async () => {
  const window = await review();
  await thread(window).getByRole('button', { name: 'Accept Suggested Rule' }).click();
  const dialog = window.page.locator('.monaco-dialog-box');
  await dialog.getByText(/went to greeter\/project-root\/search/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await ruleIds()).toEqual(['invoices', 'find']);
});

test('a suggested rule that a person edits is checked while it is typed and saved as it was written', async () => {
  const window = await review();
  await window.keys('Control+Alt+H', 'e');
  await window.tab(/ravel-answer/).waitFor();
  await window.page.getByText('Save Rule').first().waitFor();
  await window.keys('Control+End');
  await window.page.keyboard.type('  none: [find]');
  await window.keys('Enter');
  await window.page.keyboard.type('on: sometimes');
  await window.page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
  await window.screenshot('routing-form');
  for (const _letter of 'sometimes') await window.keys('Backspace');
  await window.page.keyboard.type('dispatch');
  await window.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  await window.page.getByText('Save Rule').first().click();
  await expect.poll(ruleIds).toHaveLength(3);
  expect(await onDisk()).toContain('# Things are found');
  await window.tab(/ravel-answer/).waitFor({ state: 'detached' });
});

test('a suggested rule that a person rejects by the keyboard with a reason loses its thread', async () => {
  const window = await review();
  await window.keys('Control+Alt+H', 'r');
  await window.input('Said twice', { asks: 'Why not' });
  await thread(window).first().waitFor({ state: 'detached' });
  expect(await ruleIds()).toHaveLength(3);
});

test('Accept Anyway adds a rule that contradicts a decision, by the keyboard', async () => {
  const window = await review();
  await window.keys('Control+Alt+H', 'a');
  const dialog = window.page.locator('.monaco-dialog-box');
  await dialog
    .getByText(/went to greeter\/project-root\/payments/)
    .first()
    .waitFor();
  await window.screenshot('routing-anyway');
  await dialog.getByRole('button', { name: 'Accept Anyway' }).and(window.page.locator(':focus')).waitFor();
  await window.keys('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(ruleIds).toContain('orders');
  await window.page.getByText(/^Suggested: order/).waitFor({ state: 'detached' });
});

test('an accepted rule that a session suggested routes the next message without a session', async () => {
  const window = await editor.window();
  const send = (body: string) =>
    withVault((api) => api.request('dispatch', { target: 'auto', reason: 'It is late', body }));
  await send('The delivery to Ada never came');
  // The row of the rule that was accepted before may still be there.
  await window
    .treeItem(/suggested rule.*delivery/i)
    .first()
    .waitFor({ timeout: 60_000 });
  await review();
  await window.page
    .getByText(/^Suggested: tasks about delivery/)
    .first()
    .waitFor();
  await window.screenshotThemes('routing-lenses');
  await window.keys('Control+Alt+H', 'a');
  await expect.poll(ruleIds).toHaveLength(5);
  const { message, outcome } = await send('Another delivery was late');
  expect(outcome).toEqual({ kind: 'routed', to: search });
  const { routes } = await withVault((api) => api.request('routes', { message }));
  expect(routes).toMatchObject([{ step: 'rules', consulted: [], body: 'Another delivery was late' }]);
});

test('the Routing page shows decisions and a chart, and axe finds no problem in three themes', async () => {
  const window = await editor.window();
  await window.vaultItem().waitFor();
  await window.command('Open Routing');
  const page = await window.webview('Routing');
  await page.getByText(/messages routed since/).waitFor();
  await page.getByText('Another delivery was late').waitFor();
  await page.locator('ravel-chart').first().waitFor();
  for (const theme of ['light', 'contrast', 'dark'] as const) {
    await window.setTheme(theme);
    await window.screenshot(`routing-panel-${theme}`);
    expect([theme, await axeProblems(window.page)]).toEqual([theme, []]);
  }
});
