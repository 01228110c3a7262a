import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { failure } from '../../../src/model/codes.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import type { HarnessOutput } from '../../../src/model/harnessOutput.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { outputEvent, stamp } from '../../webview/events.ts';
import { startBrowser } from './editorPage.ts';
import { openRunnerPage, type RunnerPage } from './runnerPage.ts';

export const plan = stamp.actor;
export const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
export const approval = '01M7X4TZFWPVQT6PFG4SYTM4BQ' as Ulid;
export const noTasks = { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };

export interface Shown {
  readonly events: readonly RavelEvent[];
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>;
  /** What of the plan is not as usual. */
  readonly status?: object;
  readonly width?: number;
  readonly height?: number;
  /** The bundle of the editor's language; English unless told. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** A browser for a file of tests, and what opens a page in it. Call it once at the top of the file. */
export function useShownPages(): (shown: Shown) => ReturnType<typeof show> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  return (shown) => show(browser, shown);
}

/** A page that shows a session of these events. */
async function show(
  browser: Browser,
  { events, answers = {}, width = 900, height = 800, texts, ...changes }: Shown,
): Promise<RunnerPage & { readonly asked: unknown[] }> {
  const asked: unknown[] = [];
  const counts = { ready: 1, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
  const status = {
    ...{ plan, description: 'Greets people', phase: 'work', counts, faults: [], directory: '/v', project: '/p' },
    ...{ children: [], memoryEntries: 0, memoryWords: 0, running: { session, phase: 'work' } },
    ...changes.status,
  };
  const given: Readonly<Record<string, (params: never) => unknown>> = {
    status: () => status,
    spending: () => ({ days: [], reservedUsd: 0, vaultUsdPerDay: 5, planUsdPerDay: 0, until: '' }),
    state: () => ({ result: { tasks: [] }, summary: '' }),
    approvals: () => ({ approvals: [], diagnostics: [] }),
    transcript: ({ from }: { readonly from: number }) => ({ events: events.slice(from), next: events.length }),
    ...answers,
  };
  const runner = await openRunnerPage(browser, {
    ...{ view: { plan }, width, height, texts },
    async answer(name, params) {
      asked.push({ name, params });
      const answer = given[name];
      if (answer === undefined) throw failure('server/unknownRequest', name, `There is no request "${name}".`);
      return answer(params as never);
    },
  });
  await runner.page.getByRole('heading', { level: 1 }).waitFor();
  return Object.assign(runner, { asked });
}

export const keptDrafts = `JSON.parse(sessionStorage.getItem('state')).drafts`;

/** As the editor does it when the theme changes. */
export const setTheme = `
  document.documentElement.style.setProperty('--vscode-button-border', '#0000ff');
  document.documentElement.style.setProperty('--vscode-button-secondaryBorder', '#00ff00');
  document.body.className = 'vscode-light';
`;

/** The name of the control that the focus is in, however deep. */
export const focusedLabel = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return (element.getRootNode().host ?? element).textContent.trim();
})()`;

export const textEvents = (...texts: readonly string[]) =>
  texts.map((text, seq) => outputEvent(session, seq * 2, { kind: 'text', text }));
export const output = (seq: number, one: HarnessOutput) => outputEvent(session, seq, one);
