import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Confinement } from '../../src/model/confinement.ts';
import type { Ulid } from '../../src/model/id.ts';
import { outputEvent, stamp } from '../webview/events.ts';
import { startBrowser } from './support/editorPage.ts';
import { openRunnerPage } from './support/runnerPage.ts';

const plan = stamp.actor;
const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** The head of a plan's page and its tab “Given”, while a session with this sandbox runs. */
async function show(confinement: Confinement | undefined, running: object = { session, phase: 'work' }) {
  const counts = { ready: 1, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
  const told = confinement === undefined ? {} : { confinement };
  const status = {
    ...{ plan, description: 'Greets people', phase: 'work', counts, faults: [], directory: '/v', project: '/p' },
    ...{ children: [], memoryEntries: 0, memoryWords: 0, running: { ...running, ...told } },
  };
  const events = [outputEvent(session, 0, { kind: 'text', text: 'Hello.' })];
  const answers: Readonly<Record<string, unknown>> = {
    status,
    spending: { days: [], reservedUsd: 0, vaultUsdPerDay: 5, planUsdPerDay: 0, until: '' },
    state: { result: { tasks: [] }, summary: '' },
    approvals: { approvals: [], diagnostics: [] },
    transcript: { events, next: 1 },
    given: { plan, session, phase: 'work', given: [], recorded: null, reported: null, ...told },
    history: { cycles: [] },
  };
  const { page } = await openRunnerPage(browser, { view: { plan }, answer: async (name) => answers[name] });
  page.setDefaultTimeout(10_000);
  await page.getByText('Hello.').first().waitFor();
  await page.getByRole('tab', { name: 'Given' }).click();
  await page.getByText('What the model had been given').waitFor();
  return { page, places: [page.locator('ravel-header'), page.locator('ravel-given')] };
}

describe('the page of a plan says whether a session is', () => {
  const reason = 'bubblewrap is not installed.';
  const fix = '`sudo apt install bubblewrap`';
  const rights = 'your rights';
  test.each<[string, Confinement, readonly string[]]>([
    ['confined', { state: 'confined' }, ['confined']],
    ['unconfined, why, and how to fix it', { state: 'unconfined', reason, fix }, ['unconfined', rights, reason, fix]],
    ['unconfined and why', { state: 'unconfined', reason }, ['unconfined', rights, reason]],
  ])('%s', async (_name, confinement, parts) => {
    const { page, places } = await show(confinement);
    for (const place of places) {
      for (const part of parts) expect(await place.getByText(part).count()).toBeGreaterThan(0);
      expect((await place.getByText('unconfined').count()) > 0).toBe(confinement.state === 'unconfined');
    }
    await page.close();
  });

  test('neither, for a session that runs no commands and for a person at work', async () => {
    for (const running of [
      { session, phase: 'triage' },
      { session, phase: 'work', manual: true },
    ]) {
      const { page } = await show(undefined, running);
      expect(await page.getByText('confined').count()).toBe(0);
      await page.close();
    }
  });
});
