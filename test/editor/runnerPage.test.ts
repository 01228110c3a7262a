import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import type { HarnessOutput, RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import { outputEvent, stamp } from '../webview/events.ts';
import { startBrowser } from './support/editorPage.ts';
import { openRunnerPage, type RunnerPage } from './support/runnerPage.ts';

const plan = stamp.actor;
const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const approval = '01M7X4TZFWPVQT6PFG4SYTM4BQ' as Ulid;
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

interface Shown {
  readonly events: readonly RavelEvent[];
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>;
  readonly width?: number;
}

/** A page that shows a session of these events. */
async function show({ events, answers = {}, width = 900 }: Shown): Promise<RunnerPage & { readonly asked: unknown[] }> {
  const asked: unknown[] = [];
  const counts = { ready: 1, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
  const status = {
    ...{ plan, description: 'Greets people', phase: 'work', counts, faults: [], directory: '/v', project: '/p' },
    ...{ children: [], memoryEntries: 0, memoryWords: 0, running: { session, phase: 'work' } },
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
    ...{ view: { plan }, width },
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

const said = (...texts: readonly string[]) =>
  texts.map((text, seq) => outputEvent(session, seq * 2, { kind: 'text', text }));
const output = (seq: number, one: HarnessOutput) => outputEvent(session, seq, one);

describe('the text of a session', () => {
  const attacks = [
    '<script>document.title = "attacked"</script>',
    '<img src="http://elsewhere.test/a.png" onerror="document.title = \'attacked\'">',
    '![a](http://elsewhere.test/a.png)',
    '<iframe src="http://elsewhere.test/"></iframe>',
    '<svg><animate onbegin="document.title = \'attacked\'" attributeName="x" dur="1s"></svg>',
    '<style>* { display: none }</style>',
    '<form action="http://elsewhere.test/"><button>Run</button></form>',
    '<math><mtext><table><mglyph><style><img src=x onerror="document.title = \'attacked\'">',
    '<a href="javascript:document.title = \'attacked\'">a</a>',
    '<b style="position: fixed; inset: 0">over everything</b>',
    '<ravel-question></ravel-question>',
  ];
  const links = [
    '[a](javascript:alert(1))',
    '[b](command:workbench.action.quit)',
    '[c](file:///etc/passwd)',
    '[d](data:text/html,x)',
    '[e](vbscript:x)',
  ];

  test('runs nothing, loads nothing and hides nothing', async () => {
    const events = said(attacks.join('\n\n'), links.join(' '), 'the **end**');
    const { page, problems, opened } = await show({ events });
    const reached: string[] = [];
    page.on('request', (request) => reached.push(request.url()));
    await page.getByText('the end').waitFor();
    expect(await page.title()).toBe('Phase Runner');
    expect(
      await page.locator('.said :is(script, img, iframe, svg, style, form, math, ravel-question, [style])').count(),
    ).toBe(0);
    expect(await page.locator('.said a[href]').count()).toBe(0);
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    expect(await page.getByText('<script>document.title').count()).toBe(1);
    expect([reached, problems, opened]).toEqual([[], [], []]);
    await page.close();
  });

  test('opens links only through the editor', async () => {
    const { page, opened } = await show({ events: said('See [the page](https://example.org/a?b=c).') });
    await page.getByRole('link', { name: 'the page' }).click();
    await page.getByRole('link', { name: 'the page' }).press('Enter');
    const target = { kind: 'link', url: 'https://example.org/a?b=c' };
    expect(opened).toEqual([target, target]);
    expect(page.url()).toBe('http://page.test/');
    await page.close();
  });

  test('shows the beginning of a line of five million letters, and the editor opens all of it', async () => {
    const long = 'x'.repeat(5_000_000);
    const { page, opened } = await show({
      events: [
        output(0, { kind: 'toolStarted', tool: 'Bash', callId: '1', input: { command: 'cat' } }),
        output(1, { kind: 'toolEnded', callId: '1', isError: false, output: long, exitCode: 0 }),
        output(2, { kind: 'text', text: long }),
      ],
    });
    await page.getByRole('button', { name: /Bash cat/ }).click();
    await page.getByRole('button', { name: 'Open All in an Editor' }).first().click();
    expect(opened).toEqual([{ kind: 'text', path: 'output.txt', text: long }]);
    expect((await page.locator('lit-virtualizer').textContent())?.length).toBeLessThan(100_000);
    await page.close();
  });

  test('drops terminal colours and marks that turn the direction of text', async () => {
    const escapeCode = String.fromCharCode(27);
    const { page } = await show({ events: said(`${escapeCode}[31mred${escapeCode}[0m and \u202etxt.exe`) });
    await page.getByText('red and txt.exe', { exact: true }).waitFor();
    await page.close();
  });
});

describe('a question', () => {
  const page = {
    ...{ approval, kind: 'needs-input', plan, subject: 'Which greeting?', createdAt: stamp.at, options: [] },
    ...{ decisions: ['accept', 'reject'], contentHash: 'h1', asks: 'A session wants to know.', shown: 'Hello or hi?' },
    answers: [
      { decision: 'accept', text: 'the answer', does: 'Goes on with it.' },
      { decision: 'reject', does: 'Drops it.' },
    ],
    ...{ details: {}, file: '/v/a.json' },
  };

  test('is answered in the page, but not without a text', async () => {
    const runner = await show({
      events: said('one'),
      answers: {
        approvals: () => ({ approvals: [page], diagnostics: [] }),
        approval: () => page,
        decide: () => ({ approval, plan, decision: 'accept', did: 'Gave your answer.' }),
      },
    });
    await runner.page.getByText('Hello or hi?').waitFor();
    await runner.page.getByRole('button', { name: 'Accept' }).click();
    await runner.page.getByText('Write the answer first.').waitFor();
    await runner.page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    await runner.page.getByRole('button', { name: 'Accept' }).click();
    await runner.page.getByText('Gave your answer.').waitFor();
    const params = { approval, decision: 'accept', contentHash: 'h1', text: 'Hi' };
    expect(runner.asked).toContainEqual({ name: 'decide', params });
    await runner.page.close();
  });

  test('with a subject that repeats its text shows the text once', async () => {
    const subject = `work of ${plan}: Hello or hi?`;
    const runner = await show({
      events: said('one'),
      answers: {
        approvals: () => ({ approvals: [{ ...page, subject }], diagnostics: [] }),
        approval: () => ({ ...page, subject }),
      },
    });
    await runner.page.getByRole('button', { name: 'Accept' }).waitFor();
    const told = await runner.page.getByText('Hello or hi?').allInnerTexts();
    // Its sign stands before it, and no phase and no plan.
    expect(told).toEqual([expect.stringMatching(/^\W*Hello or hi\?$/)]);
    await runner.page.close();
  });

  test('disappears when another person answers it', async () => {
    const approvals = [page];
    const runner = await show({
      events: said('one'),
      answers: { approvals: () => ({ approvals, diagnostics: [] }), approval: () => page },
    });
    await runner.page.getByText('Hello or hi?').waitFor();
    approvals.pop();
    const kind = { kind: 'needs-input', decision: 'reject', by: 'Robin' } as const;
    await runner.send({ type: 'events', events: [{ ...stamp, type: 'approval.decided', approval, ...kind }] });
    await runner.page.getByText('Hello or hi?').waitFor({ state: 'hidden' });
    await runner.page.close();
  });
});

describe('an interrupted phase', () => {
  test.each([
    ['Retry', 'retry'],
    ['Dismiss', 'dismiss'],
  ])('says why, and the button %s sends its request', async (button, request) => {
    const counts = { ready: 1, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
    const interrupted = { phase: 'work', reason: 'The session crashed.', session };
    const { page, asked } = await show({
      events: said('one'),
      answers: {
        status: () => ({
          ...{ plan, description: 'Greets people', phase: 'work', counts, faults: [], directory: '/v', project: '/p' },
          ...{ children: [], memoryEntries: 0, memoryWords: 0, interrupted },
        }),
        [request]: () => ({ plan }),
      },
    });
    await page.getByRole('alert').getByText('work was interrupted: The session crashed.').waitFor();
    expect(await page.getByRole('button', { name: 'Run work' }).count()).toBe(0);
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect.poll(() => asked).toContainEqual({ name: request, params: { plan } });
    await page.close();
  });
});

describe('the page of a session', () => {
  test('shows every event once after the connection was lost', async () => {
    const events = said('one');
    const { page, send } = await show({ events });
    await page.getByText('one', { exact: true }).waitFor();
    events.push(output(2, { kind: 'toolStarted', tool: 'Bash', callId: '1', input: { command: 'ls' } }));
    events.push(output(4, { kind: 'text', text: 'three' }));
    await send({ type: 'opened', window: {} });
    await page.getByText('three', { exact: true }).waitFor();
    await send({ type: 'events', events: events.slice(1) });
    await send({ type: 'events', events: [output(5, { kind: 'warning', message: 'four' })] });
    await page.getByText('four', { exact: true }).waitFor();
    expect(await page.getByRole('article').count()).toBe(4);
    await page.close();
  });

  test('sends a note to the session', async () => {
    const { page, asked } = await show({ events: said('one'), answers: { send: () => ({ message: 'm', to: plan }) } });
    await page.getByLabel('Note to the session').fill('Mind the tests.');
    await page.getByLabel('Note to the session').press('Enter');
    await expect
      .poll(() => asked)
      .toContainEqual({ name: 'send', params: { to: plan, type: 'note', text: 'Mind the tests.' } });
    await page.close();
  });

  test('says why a request failed and what to do', async () => {
    const { page } = await show({
      events: said('one'),
      answers: {
        stop: () => {
          throw failure('ui/untrusted', 'window', 'This workspace is not trusted.');
        },
      },
    });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page
      .getByRole('alert')
      .getByText(/This workspace is not trusted\. \w+/)
      .waitFor();
    await page.close();
  });

  test('fits a width of 240 pixels', async () => {
    const { page } = await show({ events: said('one', 'a/very/long/path/'.repeat(20)), width: 240 });
    await page.getByText('a/very/long').first().waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(240);
    await page.screenshot({ path: 'test-results/runner-narrow.png' });
    await page.close();
  });
});
