import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { parseScenario, type Scenario } from '../../src/harness/scenario.ts';
import { openVault } from '../../src/library.ts';
import { claudeCodeEnvironment } from '../support/claudeCode.ts';
import { claudeSettings } from '../support/claudeWorld.ts';
import { makePipe } from '../support/gate.ts';
import { startModelServer } from '../support/modelServer.ts';
import { formatScenario } from '../support/phaseWorld.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';

const backlog = `tasks:
  - id: add-a-farewell
    title: Add a farewell
    category: core
    status: not_started
    dependencies: []
    description: |
      Say goodbye.
`;

/** The session waits where `wait` stands. */
function workScenario(wait: object): Scenario {
  const source = formatScenario({
    work: [
      { say: 'I look at add-a-farewell first.' },
      { read: { path: 'greet.mjs' } },
      { run: { command: 'git push origin main' } },
      { ...wait },
      { edit: { path: 'farewell.mjs', content: "export const farewell = 'Bye';\n" } },
      { call: 'backlog_set_results', with: { id: 'add-a-farewell', body: 'The farewell is there.' } },
      { call: 'backlog_set_status', with: { id: 'add-a-farewell', status: 'done' } },
      { finish: { outcome: 'done', summary: 'A farewell was added.' } },
    ],
  });
  const { scenario } = parseScenario(source, 'scenario.yaml');
  if (scenario === undefined) throw new Error('The scenario cannot be read.');
  return scenario;
}

/** What is drawn without a graphics card is text that a test can read. */
const settings = { 'terminal.integrated.gpuAcceleration': 'off', 'terminal.integrated.scrollback': 5000 };

const configuration = join(tmpdir(), `ravel-claude-${process.pid}`);
const played = { scenario: workScenario({ say: 'Nothing waits.' }) };
const model = await startModelServer({
  get scenario() {
    return played.scenario;
  },
  get projectDirectory() {
    return editor.world.project;
  },
  purposeOf: () => 'work',
});

const editor = useEditorWorld({
  content: { settings: claudeSettings(), plan: { 'backlog.yaml': backlog } },
  settings,
  host: {
    environment: { ...claudeCodeEnvironment(configuration, model.url), PATH: process.env['PATH'] ?? '' },
  },
});
afterAll(async () => {
  await endTerminals();
  await model.close();
  await rm(configuration, { recursive: true, force: true });
});

/** The rows of the terminal that is shown. */
function rows({ page }: EditorPage): Locator {
  return page.locator('.terminal-wrapper.active .xterm-rows');
}

/** The keyboard is at the terminal. */
function focused({ page }: EditorPage): Promise<void> {
  return page.locator('.terminal-wrapper.active .xterm.focus').waitFor();
}

function typeIn(window: EditorPage, text: string): Promise<void> {
  return window.page.keyboard.type(text);
}

describe('a shell', () => {
  test('opens in the project of a plan and runs what is typed', async () => {
    const window = await editor.window();
    await window.statusBarItem(/This window runs the vault/).waitFor();
    await window.command('Open Shell in Project');
    await window.pick(editor.world.plan);
    await rows(window).waitFor();
    await window.command('Focus Terminal');
    await focused(window);
    await typeIn(window, 'echo "in $PWD"; stty size; seq 400\n');
    await rows(window).filter({ hasText: '400' }).waitFor();
    await typeIn(window, 'clear; basename "$PWD"; echo see README.md and $((6*7))\n');
    await rows(window).filter({ hasText: 'see README.md and 42' }).waitFor();
    expect(await rows(window).textContent()).toContain('greeter');
    await window.screenshotThemes('terminal-shell');
  });

  test('keeps its output when the window is reloaded, and takes input again', async () => {
    const window = await editor.window();
    await window.reload();
    await rows(window).filter({ hasText: 'see README.md and 42' }).waitFor();
    await window.command('Focus Terminal');
    await focused(window);
    await typeIn(window, 'echo again $((40+2))\n');
    await rows(window).filter({ hasText: 'again 42' }).waitFor();
  });

  test('has more rows in a maximized panel', async () => {
    const window = await editor.window();
    const height = async () => Number(/height (\d+)/.exec((await rows(window).textContent()) ?? '')?.[1]);
    // The shell says its size again whenever that changes.
    await typeIn(window, 'size() { clear; echo height $(stty size); }; trap size WINCH; size\n');
    await expect.poll(height).toBeGreaterThan(0);
    const before = await height();
    await window.command('View: Toggle Maximized Panel');
    await expect.poll(height).toBeGreaterThan(before + 5);
    await window.command('View: Toggle Maximized Panel');
  });

  test('opens the file and line that it printed', async () => {
    const window = await editor.window();
    await typeIn(window, 'clear; echo greet.mjs:2\n');
    const row = rows(window)
      .locator('div')
      .filter({ hasText: /^greet.mjs:2/ })
      .first();
    await row.waitFor();
    const box = await row.boundingBox();
    if (box === null) throw new Error('The row is not there.');
    const [x, y] = [box.x + 30, box.y + box.height / 2];
    await window.page.mouse.move(x, y + 100);
    await window.page.mouse.move(x, y, { steps: 3 });
    await window.page.getByText('Open greet.mjs').first().waitFor();
    await window.page.keyboard.down('Control');
    await window.page.mouse.click(x, y);
    await window.page.keyboard.up('Control');
    await window.tab('greet.mjs').waitFor();
    await window.statusBarItem(/Ln 2, Col 1/).waitFor();
  });

  test('shows in a second window, and both windows see what is typed there', async () => {
    const first = await editor.window();
    const second = await editor.anotherWindow();
    await second.statusBarItem(/this window follows it/).waitFor();
    await second.command('Focus Terminal');
    await focused(second);
    await typeIn(second, 'clear; echo from the second $((6*7))\n');
    await rows(second).filter({ hasText: 'from the second 42' }).waitFor();
    await rows(first).filter({ hasText: 'from the second 42' }).waitFor();
    await second.close();
  });
});

test('the real Claude Code works in a terminal and continues when the terminal is closed and reopened', {
  timeout: 240_000,
}, async () => {
  const { world } = editor;
  await signIn(world.project);
  const gate = await makePipe(world.project);
  played.scenario = workScenario(gate.wait);
  const window = await editor.window();
  await window.vaultItem().waitFor();
  await window.command('Open Work Session in Terminal');
  await window.pick(world.plan);
  await rows(window)
    .filter({ hasText: /greeter\/gate-/ })
    .waitFor({ timeout: 40_000 });
  await window.screenshotThemes('terminal-work');

  await window.command('Terminal: Kill the Active Terminal Instance');
  await window.notificationButton('continues without its terminal', 'Reopen');
  await rows(window)
    .filter({ hasText: /greeter\/gate-/ })
    .waitFor();
  gate.open();
  await rows(window)
    .filter({ hasText: /The phase work finished: A farewell was added/ })
    .waitFor({ timeout: 60_000 });
  await window.screenshot('terminal-finished');
  expect(model.mismatches).toEqual([]);
  expect(await world.readPlan('phase.md')).toBe('analyse-work\n');
  expect(await world.readPlan('backlog.yaml')).toContain('status: done');
});

/** They outlive the window, and the vault. */
async function endTerminals(): Promise<void> {
  const { api, stop } = await openVault({ vault: editor.world.vault, environment: editor.world.environment });
  const { terminals } = await api.request('terminals', {});
  for (const { terminal } of terminals) await api.request('close_terminal', { terminal });
  await stop();
}

/** What a person's own home holds once they have used the program: nothing is asked before the session begins. */
async function signIn(project: string): Promise<void> {
  const directory = join(configuration, 'claude');
  await mkdir(directory, { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['no-key-at-all'] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(join(directory, '.claude.json'), JSON.stringify(state));
}
