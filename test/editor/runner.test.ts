import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld();
const violations: string[] = [];
let window: EditorPage;

beforeAll(async () => {
  window = await editor.window();
  window.page.on('console', (message) => {
    if (/Content Security Policy|violates/i.test(message.text())) violations.push(message.text());
  });
  await window.activity('Ravel');
  await window.treeItem(/^Project duration/).click();
});

/** The page of the plan, once it shows it; after a reload that is when the vault is open again. */
async function runner(): Promise<FrameLocator> {
  await window.page.locator('iframe.webview.ready').first().waitFor({ timeout: 60_000 });
  const page = await window.webview();
  await page.getByRole('heading', { level: 1, name: 'duration/project-root' }).waitFor();
  return page;
}

const rows = (page: FrameLocator) => page.getByRole('article');

/** What a screen reader says of each row in the document. */
async function labels(page: FrameLocator): Promise<(string | null)[]> {
  const all = await rows(page).all();
  return Promise.all(all.map((row) => row.getAttribute('aria-label')));
}

/** What a checker of accessibility finds on the page, one line for each kind of finding. */
async function findings(page: FrameLocator): Promise<string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // The policy of the page lets no one add a script, so it comes as a part of what the test asks.
  const frame = await (await page.locator('body').elementHandle())?.ownerFrame();
  await frame?.evaluate(`${axe}; undefined`);
  const found: { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[] | undefined =
    await frame?.evaluate(`axe.run(document, { rules: { region: { enabled: false } } }).then((run) => run.violations)`);
  return (found ?? []).map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)].join('\n'));
}

describe('the page of a plan without a session', () => {
  test('says that there was no session and offers four ways to begin', async () => {
    const page = await runner();
    await page.getByText('This plan has had no session yet.').waitFor();
    for (const name of ['Run work', 'Run Cycle', 'Do It Myself', 'In Terminal']) {
      expect(await page.getByRole('button', { name }).isEnabled()).toBe(true);
    }
    expect(await page.locator('[aria-current="step"]').textContent()).toContain('work');
    await window.screenshotThemes('runner-empty');
  });

  test('offers the ready tasks for the next run', async () => {
    const page = await runner();
    await page.getByText('Options').click();
    await page.getByRole('combobox', { name: 'Task' }).click();
    await page.getByRole('option', { name: 'Parse durations of several parts' }).click();
    await window.screenshot('runner-options');
    await page.getByText('Options').click();
  });
});

describe('the page of a phase', () => {
  test('shows the session while the phase runs', async () => {
    const page = await runner();
    await page.getByRole('button', { name: 'Run work' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await rows(page).filter({ hasText: 'Let me see it fail first' }).waitFor();
    await window.screenshot('runner-live');
    await rows(page).filter({ hasText: 'work finished' }).waitFor();
    await page
      .getByRole('button', { name: 'Run reflect' })
      .or(page.getByRole('button', { name: 'Run analyse-work' }))
      .waitFor();
    await window.screenshotThemes('runner-done');
  });

  test('opens a tool call with its output', async () => {
    const page = await runner();
    const call = rows(page).filter({ hasText: 'node --test' }).first();
    await call.getByRole('button', { name: /node --test/ }).click();
    await call.getByRole('button', { name: 'Copy Output' }).waitFor();
    await window.screenshot('runner-call');
    await call.getByRole('button', { name: /node --test/ }).click();
  });

  test('is read by the keyboard alone', async () => {
    const page = await runner();
    await page.getByLabel('Filter the session').click();
    const focused = page.locator('[data-place]:focus');
    // Past the buttons beside the filter.
    for (let steps = 0; steps < 8 && (await focused.count()) === 0; steps++) await window.keys('Tab');
    await window.keys('Home');
    await focused.waitFor();
    expect(await focused.getAttribute('data-place')).toBe('0');
    await window.keys('ArrowDown', 'ArrowDown');
    expect(await focused.getAttribute('data-place')).toBe('2');
    const call = rows(page).filter({ hasText: 'node --test' }).first();
    for (
      const at = Number(await call.getAttribute('data-place'));
      Number(await focused.getAttribute('data-place')) !== at;
    ) {
      await window.keys('ArrowDown');
    }
    await window.keys('Enter');
    await call.getByRole('button', { name: 'Copy Output' }).waitFor();
    await window.keys('Escape');
    await call.getByRole('button', { name: 'Copy Output' }).waitFor({ state: 'hidden' });
    expect(await focused.count()).toBe(1);
  });

  test('finds one row by a word', async () => {
    const page = await runner();
    await page.getByLabel('Filter the session').click();
    await window.page.keyboard.type('anchored');
    await page.getByText('1 found').waitFor();
    expect(await rows(page).count()).toBe(1);
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.press('Delete');
    await rows(page).nth(2).waitFor();
  });

  test('opens the session as a document', async () => {
    const page = await runner();
    await page.getByRole('button', { name: 'Transcript' }).click();
    await window.tab(/\.md/).waitFor();
    await window.textEditor().getByText('# Session').first().waitFor();
  });

  test('shows the session again after its panel was hidden', async () => {
    await window.tab('duration').click();
    const page = await runner();
    await rows(page).filter({ hasText: 'work finished' }).waitFor();
  });

  test('shows the session again after a reload of the window', async () => {
    await window.reload();
    const page = await runner();
    await rows(page).filter({ hasText: 'work finished' }).waitFor();
  });

  test('shows the same rows once each after it was left and opened again as after a reload', async () => {
    const page = await runner();
    await page.getByRole('button', { name: 'Run analyse-work' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await window.openFile('daemon.toml');
    await window.tab('duration').click();
    const again = await runner();
    await rows(again).filter({ hasText: 'git-commit-work finished' }).waitFor();
    const live = await labels(again);
    await window.reload();
    const reloaded = await runner();
    await rows(reloaded).filter({ hasText: 'git-commit-work finished' }).waitFor();
    expect(live.length).toBeGreaterThan(3);
    expect(await labels(reloaded)).toEqual(live);
  });

  test('replays the session: paused, by single events and to its end', async () => {
    const page = await runner();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Pause replay' }).click();
    await page.getByRole('slider', { name: 'Position' }).fill('0');
    await page.getByText(/^1 of /).waitFor();
    await page.getByRole('button', { name: 'Next event' }).click();
    await page.getByText(/^2 of /).waitFor();
    await window.screenshot('runner-replay');
    await page.getByLabel('Speed').selectOption({ label: 'At once' });
    await page.getByRole('button', { name: 'Play replay' }).click();
    await rows(page).filter({ hasText: 'analyse-work finished' }).waitFor();
    await page.getByRole('button', { name: 'End Replay' }).click();
    await page.getByRole('button', { name: 'Replay', exact: true }).waitFor();
  });
});

describe('the page of a plan', () => {
  test('passes the checks of axe', async () => expect(await findings(await runner())).toEqual([]));
  test('does nothing that its policy forbids', () => expect(violations).toEqual([]));
});
