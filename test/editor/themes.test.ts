import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import type { RequestName } from '../../src/model/protocol.ts';
import type { runnerTabs } from '../../src/model/webview.ts';
import { startServer } from '../../src/server/server.ts';
import { openCore } from '../support/openCore.ts';
import { axeProblemsIn } from './support/axe.ts';
import { useEditorWorld } from './support/editorWorld.ts';
import { conflict, input, lost, plans } from './support/questionSamples.ts';
import { makeDecision, makeShare, makeSuggestion } from './support/routingSamples.ts';
import { openRunnerPage, type RunnerPageOptions } from './support/runnerPage.ts';
import { editorThemes, type ThemeName } from './support/themes.ts';

/**
 * Every page in every theme, judged by axe. The colours are those that a real editor gives its pages, asked once for each
 * theme; the pages then stand alone, because to show each of them in the editor in each theme would take minutes.
 */
const editor = useEditorWorld();
const pictures = fileURLToPath(new URL('../../test-results/', import.meta.url));
const themeNames = Object.keys(editorThemes) as ThemeName[];

/** What the editor sets on a page in a theme. */
interface Theme {
  readonly variables: string;
  readonly classes: string;
}

const themes = new Map<ThemeName, Theme>();
let core: Core;
let browser: Browser;
let stopServer: () => Promise<unknown>;

beforeAll(async () => {
  const { world } = editor;
  core = await openCore(world);
  const { api, socketPath } = core;
  const server = await startServer({ api, socketPath, disk: nodeDisk, clock: systemClock, log: silentLogger });
  stopServer = () => server.stop();
  await api.request('run_cycle', { plan: world.plan, harness: 'scripted', scenario: world.scenario });
  browser = editor.browser;
  const window = await editor.window();
  await window.activity('Ravel');
  await window
    .treeItem(/^Project duration/)
    .first()
    .click();
  await window.webview();
  for (const name of themeNames) themes.set(name, await readTheme(name));
});
afterAll(async () => {
  await stopServer?.();
  await core?.stop();
});

/** Switches the editor to a theme and reads what its page got. */
async function readTheme(name: ThemeName): Promise<Theme> {
  const window = await editor.window();
  const { setting, pressed } = editorThemes[name];
  await window.page.keyboard.press(pressed);
  const page = await window.webview();
  await page.locator(`body[data-vscode-theme-id="${setting}"]`).waitFor();
  return page
    .locator('body')
    .evaluate((body) => ({ variables: body.ownerDocument.documentElement.style.cssText, classes: body.className }));
}

const answersOfRouting: Readonly<Record<string, unknown>> = {
  suggestions: { suggestions: [1, 2, 3].map(makeSuggestion), file: '/v/routing.yaml' },
  routing_share: { days: makeShare(12) },
  routes: { routes: [makeDecision(1), makeDecision(2)] },
  routing: { pending: [], total: 0 },
};

function questionPage(first: { readonly approval: string }): Omit<RunnerPageOptions, 'width' | 'height'> {
  const all = [first, ...[input, lost, conflict, plans].filter((one) => one !== first)];
  return {
    view: { page: 'question', approval: first.approval as typeof input.approval },
    answer: async (name, params) =>
      name === 'approvals'
        ? { approvals: all, diagnostics: [] }
        : all.find(({ approval }) => approval === (params as { readonly approval: string }).approval),
  };
}

interface Shown extends Omit<RunnerPageOptions, 'width' | 'height'> {
  /** What is there once the page has what it shows. */
  readonly ready: string | RegExp;
  /** What is opened before the page is judged: buttons by their names. */
  readonly press?: readonly (string | RegExp)[];
}

const inPlan = (tab: (typeof runnerTabs)[number]): Pick<Shown, 'view' | 'answer'> => ({
  view: { plan: toQualifiedId(editor.world.plan), tab },
  answer: (name, params) => core.api.request(name as RequestName, params as never),
});

/** Each page, and each state of it that has controls of its own. */
const pages: Readonly<Record<string, () => Shown>> = {
  'plan, Session': () => ({ ...inPlan('session'), ready: /Session/ }),
  'plan, Given': () => ({ ...inPlan('given'), ready: 'Compare with' }),
  'plan, Changes': () => ({ ...inPlan('changes'), ready: /ommit/ }),
  'plan, History': () => ({ ...inPlan('history'), ready: 'Cycle 1' }),
  'plan, Backlog': () => ({ ...inPlan('backlog'), ready: /\d tasks?/, press: ['Add Task'] }),
  'plan, Memory': () => ({ ...inPlan('memory'), ready: /words/ }),
  'plan, Snapshots': () => ({ ...inPlan('snapshots'), ready: 'now' }),
  routing: () => ({
    view: { page: 'routing' },
    answer: async (name) => answersOfRouting[name],
    ready: 'Decisions',
    press: ['Reject…'],
  }),
  question: () => ({ ...questionPage(input), ready: 'Send Answer' }),
  'message without a receiver': () => ({ ...questionPage(lost), ready: 'Send to…' }),
  conflict: () => ({ ...questionPage(conflict), ready: 'Compare Both Sides' }),
  start: () => ({
    view: {
      page: 'start',
      needs: [
        { name: 'git', isReady: true, text: 'Git 2.47.3 is installed.' },
        { name: 'claude', isReady: false, text: 'Claude Code was not found.' },
      ],
    },
    answer: async () => ({}),
    ready: 'Claude Code was not found.',
  }),
  'proposed plans': () => ({ ...questionPage(plans), ready: 'Make These Plans', press: ['Details of Query it'] }),
};

test.each(Object.keys(pages))('axe finds nothing in a page of Ravel in five themes: %s', async (name) => {
  const { ready, press = [], ...options } = present(pages[name])();
  const { page, problems } = await openRunnerPage(browser, { ...options, width: 1000, height: 900 });
  page.setDefaultTimeout(15_000);
  await page.getByText(ready).first().waitFor();
  for (const button of press) await page.getByRole('button', { name: button }).first().click();
  const found: string[] = [];
  for (const theme of themeNames) {
    const { variables, classes } = present(themes.get(theme));
    await page.evaluate(
      ([style, className]) => {
        const { document } = globalThis as unknown as { readonly document: ThemedDocument };
        document.documentElement.style.cssText = style ?? '';
        document.body.className = className ?? '';
      },
      [variables, classes] as const,
    );
    if (process.env['RAVEL_PICTURES']) {
      await page.screenshot({ path: join(pictures, `page-${name.replaceAll(/\W+/g, '-')}-${theme}.png`) });
    }
    found.push(...(await axeProblemsIn(page.mainFrame())).map((problem) => `${theme}: ${problem}`));
  }
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

/** What of a document of a browser is used here, where the types of a browser are not known. */
interface ThemedDocument {
  readonly documentElement: { readonly style: { cssText: string } };
  readonly body: { className: string };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Nothing has this name.');
  return value;
}
