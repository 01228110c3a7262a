import { expect, test } from 'vitest';
import { useEditorWorld } from '../support/editorWorld.ts';

const editor = useEditorWorld({ size: { width: 1440, height: 900 } });
const plan = 'duration/project-root';

test('a person runs a whole cycle from the page of a plan and watches it to its end', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window.inlineAction(window.treeItem(/^Project duration/).first(), 'Open Plan');
  const page = await window.webview();
  await page.getByRole('heading', { name: plan }).waitFor();
  await page.getByRole('button', { name: 'Run Cycle' }).click();
  // What a session says is there while it runs, not only afterwards.
  await page.getByText('Let me see it fail first').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await window.screenshot('cycle-live');
  await window
    .treeItem(/running/)
    .first()
    .waitFor();
  // The gate refuses the first dream, and says in place what would have been lost.
  await page.getByText('dreamLossless').first().waitFor({ timeout: 60_000 });
  await page.getByText('The dream would lose or change what the memory says.').first().waitFor();
  await window.screenshotThemes('cycle-refused');
  await page.getByRole('button', { name: 'Run work' }).waitFor({ timeout: 60_000 });
  await window.screenshotThemes('cycle-finished');
});

test('the cycle is committed, and its History tab names all five phases', async () => {
  const titles = (await editor.world.git('log', '--format=%s')).split('\n');
  expect(titles).toContain('Parse durations of several parts');
  const window = await editor.window();
  const page = await window.webview();
  await page.getByRole('tab', { name: 'History' }).click();
  for (const phase of ['work', 'analyse-work', 'reflect', 'dream', 'triage']) {
    await page.getByRole('tabpanel').getByText(phase, { exact: true }).first().waitFor();
  }
  await window.screenshot('cycle-history');
});
