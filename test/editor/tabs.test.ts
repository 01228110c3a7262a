import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { startServer } from '../../src/server/server.ts';
import { openCore } from '../support/openCore.ts';
import { axeProblems } from './support/axe.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld({ size: { width: 1200, height: 900 } });
const child = 'duration/project-root/quiet';
const problems: string[] = [];
const heard = new WeakSet<Page>();

beforeAll(async () => {
  const { world } = editor;
  const core = await openCore(world);
  const { api, socketPath } = core;
  // The tools of a session ask the owner by its socket.
  const server = await startServer({ api, socketPath, disk: nodeDisk, clock: systemClock, log: silentLogger });
  const { plan } = world;
  await api.request('run_cycle', { plan, harness: 'scripted', scenario: world.scenario });
  await api.request('create', { plan: child, description: 'Was never run' });
  await server.stop();
  await core.stop();
  await growHistory(world.vault);
});

/** The same cycle a few times more, as in a vault that has run for long. */
async function growHistory(vault: string): Promise<void> {
  const folder = join(vault, 'runtime/history');
  const [file = ''] = await readdir(folder);
  const cycle = await readFile(join(folder, file), 'utf8');
  for (let n = 2; n <= 14; n++) {
    const grown = cycle
      .trimEnd()
      .split('\n')
      .map((line, at) => {
        const record = JSON.parse(line);
        const usage = record.usage && { ...record.usage, inputTokens: 3000 + ((n * at * 997) % 9000) };
        return JSON.stringify({
          ...record,
          cycle: n,
          ...(usage && { usage, usd: 0.1 + ((n * at) % 7) / 10 }),
          memoryWords: 60 + n * 15,
        });
      });
    await appendFile(join(folder, file), `${grown.join('\n')}\n`);
  }
}

async function openTab(name: string, plan = 'duration') {
  const window = await editor.window();
  if (!heard.has(window.page)) {
    heard.add(window.page);
    window.page.on('console', (message) => {
      if (/Content Security Policy|violates/i.test(message.text())) problems.push(message.text());
    });
  }
  const title = plan === child ? 'quiet' : plan;
  if (!(await window.tab(title).isVisible())) {
    await window.activity('Ravel');
    if (plan === child) await window.expand(window.treeItem(/^Project duration/).first());
    await window
      .treeItem(plan === child ? /quiet/ : /^Project duration/)
      .first()
      .click();
  }
  await window.tab(title).click();
  const page = await window.webview();
  await page.getByRole('heading', { level: 1, name: plan === 'duration' ? 'project-root' : 'quiet' }).waitFor();
  await page.getByRole('tab', { name }).click();
  return { window, page };
}

/** A picture in each theme, and what axe finds in it: colours are legible in one theme and not in another. */
async function look(window: EditorPage, name: string): Promise<void> {
  for (const theme of ['light', 'contrast', 'dark'] as const) {
    await window.setTheme(theme);
    await window.screenshot(`${name}-${theme}`);
    expect([theme, await axeProblems(window.page)]).toEqual([theme, []]);
  }
}

describe('the page of a plan that never ran', () => {
  test.each([
    ['Given', 'No session of this plan has started yet'],
    ['Changes', 'nothing has changed'],
    ['History', 'No phase of this plan has ended yet'],
    ['Backlog', 'There are no tasks yet'],
    ['Memory', 'Nothing has been learned yet'],
  ])('says in the tab %s that it is empty', async (name, text) => {
    const { page } = await openTab(name, child);
    await page.getByText(text).waitFor();
  });
});

describe('the page of a plan after a cycle', () => {
  test('shows in Given the parts of the prompt, and those that only another session had', async () => {
    const { window, page } = await openTab('Given');
    await page.getByText('What the model had been given when the triage session started').waitFor();
    await page.getByText('The tasks of the plan').click();
    const text = page.getByRole('region', { name: 'Text of BACKLOG' });
    await text.filter({ hasText: 'tasks:' }).waitFor();
    await look(window, 'tab-given');
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page
      .getByRole('option', { name: /^work of cycle/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Only in the other session' }).waitFor();
    expect(await page.getByText('new', { exact: true }).count()).toBeGreaterThan(0);
  });

  test('shows in Changes the commits, and opens a file in the diff editor', async () => {
    const { window, page } = await openTab('History');
    await page
      .getByRole('button', { name: /^work finished/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('heading', { name: /^Claims and their evidence/ }).waitFor();
    await look(window, 'tab-changes');
    const file = page.getByTitle('Open the changes').first();
    const path = (await file.locator('.wide').textContent())?.trim() ?? '';
    await file.click();
    await window.tab(path).waitFor();
    await window.page.locator('.monaco-diff-editor').getByText('matchAll').first().waitFor();
    await window.screenshot('tab-changes-diff');
    await window.command('View: Close Editor');
  });

  test('shows in History 14 cycles and the figures of the charts, and opens a session', async () => {
    const { window, page } = await openTab('History');
    await page.getByRole('heading', { name: '14 cycles' }).waitFor();
    await page.getByText('Show the figures').first().click();
    const figures = page.getByRole('region', { name: 'Figures of Tokens by phase' });
    expect(await figures.getByRole('row').count()).toBe(15);
    await page.getByText('Show the figures').first().click();
    await look(window, 'tab-history');
    await page
      .getByRole('button', { name: /^reflect finished/ })
      .first()
      .click();
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Session' }).waitFor();
  });

  test('searches, edits and deletes an entry in Memory', async () => {
    const { window, page } = await openTab('Memory');
    const { world } = editor;
    const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
    await entries.first().waitFor();
    const count = await entries.count();
    await look(window, 'tab-memory');
    const title = (await entries.first().locator('.wide').first().textContent())?.trim() ?? '';
    await page.getByRole('textbox', { name: 'Find in memory' }).fill(title);
    await page.getByText(`of ${count} entries`).waitFor();
    await entries.first().getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('It was put into other words.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It was put into other words.').waitFor();
    expect(await world.readPlan('memory.yaml')).toContain('It was put into other words.');
    await entries.first().getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`Delete “${title}”?`).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByText('of 1 ')
      .or(page.getByText(`0 of ${count - 1} `))
      .first()
      .waitFor();
    expect(await world.readPlan('memory.yaml')).not.toContain('It was put into other words.');
  });
});

test('every tab fits a column of 320 pixels', async () => {
  const { window } = await openTab('History');
  await window.command('View: Close Primary Side Bar');
  await window.page.setViewportSize({ width: 320, height: 1000 });
  for (const name of ['Given', 'Changes', 'History', 'Backlog', 'Memory']) {
    const { page } = await openTab(name);
    await page.locator('p[role=status]', { hasText: 'Loading' }).waitFor({ state: 'hidden' });
    const tab = page.locator(`ravel-${name.toLowerCase()}`);
    expect([name, await tab.evaluate((one) => one.scrollWidth - one.clientWidth)]).toEqual([name, 0]);
    await window.screenshot(`tab-narrow-${name.toLowerCase()}`);
  }
  await window.page.setViewportSize({ width: 1200, height: 900 });
});

describe('the tab Backlog', () => {
  test('adds a task, finds it, blocks it and deletes it', async () => {
    const { window, page } = await openTab('Backlog');
    const { world } = editor;
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Say how long a year is');
    await page.getByRole('textbox', { name: 'Category' }).fill('words');
    await page.getByRole('textbox', { name: 'Description' }).fill('It has <b>365</b> days, as a rule.');
    await window.screenshot('tab-backlog-add');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const task = page.getByRole('button', { name: /^Say how long a year is/ });
    await task.waitFor();
    await page.getByRole('textbox', { name: 'Filter tasks' }).fill('YEAR long');
    await page.getByText('1 of 3 tasks').waitFor();
    await task.click();
    await page.getByText('It has <b>365</b> days').waitFor();
    await look(window, 'tab-backlog');
    await page.getByRole('combobox', { name: 'Status of the task' }).click();
    await page.getByRole('option', { name: 'blocked' }).click();
    await page.getByRole('textbox', { name: 'Why is it blocked?' }).fill('Nobody counted');
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('Nobody counted').first().waitFor();
    expect(await world.readPlan('backlog.yaml')).toContain('blocked_reason: Nobody counted');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Delete this task?').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No tasks match the filter.').waitFor();
    expect(await world.readPlan('backlog.yaml')).not.toContain('Say how long');
    await page.getByRole('textbox', { name: 'Filter tasks' }).fill('');
  });

  test('goes from row to row by the keyboard and draws fewer than 200 of ten thousand tasks', async () => {
    const { page, window } = await openTab('Backlog');
    const tasks = Array.from({ length: 10_000 }, (_, n) => {
      const needs = n === 0 ? '[]' : `[t${n - 1}]`;
      return `  - id: t${n}\n    title: Task ${n}\n    category: many\n    status: not_started\n    dependencies: ${needs}\n`;
    });
    await editor.world.writePlan('backlog.yaml', `tasks:\n${tasks.join('')}`);
    await page.getByText('10,000 tasks').waitFor();
    const focused = page.locator('[data-place]:focus');
    await page.getByRole('button', { name: /^Ready/ }).focus();
    await window.keys('ArrowDown');
    await focused.filter({ hasText: /Task 0\b/ }).waitFor();
    await window.keys('End');
    await focused.filter({ hasText: 'Task 9999' }).waitFor();
    expect(await page.locator('[data-place]').count()).toBeLessThan(200);
    await window.keys('Home');
    await page
      .getByRole('button', { name: /^Ready/ })
      .and(focused)
      .waitFor();
    await window.keys('Enter');
    await page.getByRole('button', { name: /^Ready/, expanded: false }).waitFor();
    await window.screenshot('tab-backlog-large');
  });
});

test('no tab breaks the content security policy of the page', () => expect(problems).toEqual([]));
