import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useEditorWorld } from '../support/editorWorld.ts';

const memory = ['entries:', '  - id: greeting-tone', '    title: Greet politely', '    body: Say hello.', ''].join(
  '\n',
);

/** The session waits for a file, so that the person's edit surely comes between its copy and its end. */
const scenario = JSON.stringify({
  version: 1,
  phases: {
    reflect: [
      { say: 'The tone should be warmer.' },
      { call: 'memory_set_body', with: { id: 'greeting-tone', body: 'Say hello warmly.' } },
      { say: 'Waiting for other edits.' },
      { wait: { for: 'edited' } },
      { finish: { outcome: 'done', summary: 'The tone is warmer.' } },
    ],
  },
});

const editor = useEditorWorld({
  content: {
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario,
    plan: { 'memory.yaml': memory, 'phase.md': 'reflect\n' },
  },
});

test('a text that a person and a session both changed becomes a question, and the file holds the answer', async () => {
  const { world } = editor;
  const window = await editor.window();
  await window.activity('Ravel');
  await window.inlineAction(window.treeItem(/^Project greeter/).first(), 'Open Plan');
  const page = await window.webview();
  await page.getByRole('button', { name: 'Run reflect' }).click();
  await page.getByText('Waiting for other edits.').waitFor({ timeout: 30_000 });

  const file = join(world.planDirectory, 'memory.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('Say hello.', 'Say hello loudly.'));
  await world.write('edited', '');

  // It is asked on the page and in the inbox; no text is lost meanwhile.
  await page
    .getByRole('region', { name: /question/i })
    .or(page.locator('ravel-question'))
    .first()
    .waitFor({ timeout: 30_000 });
  expect(await readFile(file, 'utf8')).toContain('Say hello loudly.');
  await window.screenshotThemes('conflict');
  const question = window.view('Inbox').getByRole('treeitem').first();
  await question.waitFor();
  await question.click();
  await (await window.webview('Question')).getByRole('button', { name: 'Compare Both Sides' }).click();
  await window.tab(/Yours ↔ Session/).waitFor();
  await window.screenshot('conflict-open');
  await window.page
    .getByRole('button', { name: /^Answer Question: Accept/ })
    .first()
    .click();
  await window.pick(/session/i);
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 30_000 }).toContain('Say hello warmly.');
  await window
    .treeItem(/^Project greeter/)
    .first()
    .filter({ hasText: /triage|dream|git-commit/ })
    .waitFor({ timeout: 30_000 });
});
