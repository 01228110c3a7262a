import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openVault } from '../../../src/library.ts';
import { addThreeProjects, cards } from '../../support/threeProjects.ts';
import type { EditorPage } from '../support/editorPage.ts';
import { useEditorWorld } from '../support/editorWorld.ts';

const accept = {
  call: 'accept_dispatch',
  with: {
    target_plan: cards,
    justification: 'What cards paid is given back there.',
    suggested_rule: { any: ['refund', 'chargeback'] },
  },
};

const editor = useEditorWorld({
  content: {
    name: 'shop',
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario: JSON.stringify({ version: 1, consultations: { route: [{ when: 'refund', steps: [accept] }] } }),
  },
  size: { width: 1400, height: 1100 },
});

/** Three projects and an expert; a session that is asked about a refund finds who makes them. */
beforeAll(async () => {
  await addThreeProjects(editor.world, { cards: 'Charges cards and gives back what they paid' });
});

async function send(window: EditorPage, target: string, body: string): Promise<void> {
  await window.vaultItem().waitFor();
  await window.command('Dispatch Task…');
  await window.pick(target);
  await window.input(body, { asks: /The work to do there/ });
  await window.input('A customer waits', { asks: /Why should it be done there/ });
}

async function ruleTargets(): Promise<string[]> {
  const text = await readFile(join(editor.world.vault, 'routing.yaml'), 'utf8');
  const { rules } = (parse(text) ?? {}) as { readonly rules?: readonly { readonly target: string }[] | null };
  return (rules ?? []).map(({ target }) => target);
}

test('a session finds the receiver of a message, and a person accepts the rule that it suggests', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await send(window, 'Let Ravel decide', 'Please refund order 7');
  await window
    .treeItem(/suggested rule/)
    .first()
    .click({ timeout: 60_000 });
  const thread = window.page.locator('.review-widget').filter({ hasText: 'Tested on past decisions' });
  await thread.first().waitFor();
  await window.screenshotThemes('projects-suggested');
  await thread.getByRole('button', { name: 'Accept Suggested Rule' }).click();
  await expect.poll(ruleTargets).toEqual([cards]);
});

test('the accepted rule routes the next message without a session', async () => {
  const window = await editor.window();
  await send(window, 'Let Ravel decide', 'The refund of order 8 never came');
  await window.expand(window.treeItem(/^Project bank,/));
  await window.treeItem(/^Plan cards, .*2 received/).waitFor();
  const { vault, environment } = editor.world;
  const opened = await openVault({ vault, mode: 'client', environment });
  const { routes } = await opened.api.request('routes', { limit: 2 }).finally(() => opened.stop());
  expect(routes).toMatchObject([
    { step: 'rules', consulted: [], outcome: { kind: 'routed', to: cards } },
    { step: 'level-2', consulted: [{ answer: 'accept' }], outcome: { kind: 'routed', to: cards } },
  ]);
});

test('an expert without an entry about a question says that it does not know', async () => {
  const window = await editor.window();
  await window.vaultItem().waitFor();
  await window.command('Ask Question…');
  await window.pick('expert:rust');
  await window.input('May a borrow outlive its owner?');
  const text = window.textEditor().locator('.view-lines');
  await text.filter({ hasText: /I\sdo\snot\sknow/ }).waitFor({ timeout: 30_000 });
  await window.screenshot('projects-expert');
});
