import type { Browser, Page } from 'playwright-core';
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
const noTasks = { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

interface Shown {
  readonly events: readonly RavelEvent[];
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>;
  /** What of the plan is not as usual. */
  readonly status?: object;
  readonly width?: number;
  readonly height?: number;
}

/** A page that shows a session of these events. */
async function show({
  events,
  answers = {},
  width = 900,
  height = 800,
  ...changes
}: Shown): Promise<RunnerPage & { readonly asked: unknown[] }> {
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
    ...{ view: { plan }, width, height },
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

const keptDrafts = `JSON.parse(sessionStorage.getItem('state')).drafts`;

/** As the editor does it when the theme changes. */
const setTheme = `
  document.documentElement.style.setProperty('--vscode-button-border', '#0000ff');
  document.documentElement.style.setProperty('--vscode-button-secondaryBorder', '#00ff00');
  document.body.className = 'vscode-light';
`;

/** The name of the control that the focus is in, however deep. */
const focusedLabel = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return (element.getRootNode().host ?? element).textContent.trim();
})()`;

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

  test('shows the beginning of a line of five million deadLetters, and the editor opens all of it', async () => {
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
    await runner.page.getByRole('button', { name: 'Give the Answer' }).click();
    await runner.page.getByText('Write the answer first.').waitFor();
    await runner.page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    await runner.page.getByRole('button', { name: 'Give the Answer' }).click();
    await runner.page.getByText('Gave your answer.').waitFor();
    const params = { approval, decision: 'accept', contentHash: 'h1', text: 'Hi' };
    expect(runner.asked).toContainEqual({ name: 'decide', params });
    await runner.page.close();
  });

  test('goes on by itself once it is accepted, and is rejected by the editor, which asks first', async () => {
    const runner = await show({
      events: said('one'),
      answers: {
        approvals: () => ({ approvals: [page], diagnostics: [] }),
        approval: () => page,
        decide: () => ({ approval, plan, decision: 'accept', did: 'Gave your answer.', next: 'retry' }),
        retry: () => ({ plan }),
      },
    });
    await runner.page.getByRole('button', { name: 'Drop the Phase…' }).click();
    await expect.poll(() => runner.opened).toEqual([{ kind: 'reject', approval }]);
    expect(runner.asked).not.toContainEqual(expect.objectContaining({ name: 'decide' }));
    await runner.page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    await runner.page.getByRole('button', { name: 'Give the Answer' }).click();
    await expect.poll(() => runner.asked).toContainEqual({ name: 'retry', params: { plan } });
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
    await runner.page.getByRole('button', { name: 'Give the Answer' }).waitFor();
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

describe('the head of a plan', () => {
  const still = { running: undefined };

  test('adds a task first where none is ready', async () => {
    const { page } = await show({ events: [], status: { ...still, counts: { ...noTasks, done: 2 } } });
    const buttons = page.getByRole('group', { name: 'Run' }).locator('vscode-button');
    await expect
      .poll(() => buttons.evaluateAll((all) => all.map((one) => one.getAttribute('appearance'))))
      .toEqual(['primary', 'secondary', 'secondary', 'secondary', 'secondary']);
    await page.getByRole('button', { name: 'Add Task' }).first().click();
    await expect.poll(() => page.evaluate(focusedLabel)).toBe('Title');
    await page.getByRole('tab', { name: 'Backlog', selected: true }).waitFor();
    await page.close();
  });

  test('folds in a low window, until the person unfolds it', async () => {
    const { page } = await show({ events: said('one'), height: 380 });
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    expect(await page.getByRole('list', { name: 'Phases' }).count()).toBe(0);
    const head = await page.locator('ravel-header').boundingBox();
    expect(head?.height).toBeLessThan(100);
    await page.getByRole('button', { name: 'Show Details of the Plan' }).click();
    await page.getByRole('list', { name: 'Phases' }).waitFor();
    await page.setViewportSize({ width: 900, height: 800 });
    await page.getByRole('button', { name: 'Hide Details of the Plan' }).click();
    await page.getByRole('list', { name: 'Phases' }).waitFor({ state: 'detached' });
    await page.close();
  });

  test('draws secondary buttons in a border of their own', async () => {
    const { page } = await show({ events: [], status: still });
    await page.evaluate(setTheme);
    const buttons = page.getByRole('group', { name: 'Run' }).getByRole('button');
    const colours = () =>
      buttons.evaluateAll((all) =>
        all.map((one) => one.ownerDocument.defaultView?.getComputedStyle(one).borderTopColor),
      );
    const [first, second] = ['rgb(0, 0, 255)', 'rgb(0, 255, 0)'];
    await expect.poll(colours).toEqual([first, second, second, second]);
    await page.close();
  });
});

test('a file that cannot be read is named once, with the way to its line, and nothing runs that needs it', async () => {
  const at = { start: { line: 11, character: 0 }, end: { line: 11, character: 9 } };
  const fault = { code: 'yaml/misfit', severity: 'error', subject: plan, file: '/v/backlog.yaml', range: at } as const;
  const faults = ['Bad status.', 'Bad id.'].map((message) => ({ ...fault, message }));
  const { page, opened } = await show({ events: [], status: { running: undefined, counts: noTasks, faults } });
  await page.getByRole('alert').getByText('backlog.yaml, line 12: Bad status. (and 1 more in this file)').waitFor();
  await page.getByText('work can start once the problems below are fixed.').waitFor();
  for (const name of ['Run work', 'Run Cycle', 'Do It Myself', 'In Terminal']) {
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
  }
  await page.getByRole('button', { name: 'Open at Line 12' }).click();
  const place = { root: 'plan', path: '/v/backlog.yaml', line: 12 };
  await expect.poll(() => opened).toEqual([{ kind: 'file', place }]);
  await page.close();
});

describe('what stands in a field and was not sent', () => {
  const question = {
    ...{ approval, kind: 'needs-input', plan, subject: 'Which greeting?', createdAt: stamp.at, options: [] },
    ...{ decisions: ['accept'], contentHash: 'h1', asks: 'A session wants to know.', shown: 'Hello or hi?' },
    answers: [{ decision: 'accept', text: 'the answer', does: 'Goes on with it.' }],
    ...{ details: {}, file: '/v/a.json' },
  };
  const answers = {
    approvals: () => ({ approvals: [question], diagnostics: [] }),
    approval: () => question,
    decide: () => ({ approval, plan, decision: 'accept', did: 'Gave your answer.' }),
    send: () => ({ message: 'm', to: plan }),
    memory: () => ({ plan, entries: [], words: 0, dreamAtWords: 0 }),
    history: () => ({ plan, cycles: [] }),
  };
  const cases: readonly (readonly [string, string | undefined, string, string])[] = [
    ['the answer to a question', undefined, 'The answer', 'Give the Answer'],
    ['a note', undefined, 'Note to the session', 'Send Note'],
    ['a new task', 'Backlog', 'Category', 'Cancel'],
  ];

  test.each(cases)('%s outlives tabs, the page and its panel, until it is sent', async (_name, tab, field, button) => {
    const runner = await show({ events: said('one'), answers });
    const { page } = runner;
    const go = (name = 'Session') => page.getByRole('tab', { name }).click();
    const box = page.getByRole('textbox', { name: field });
    await go(tab);
    if (tab !== undefined) await page.getByRole('button', { name: 'Add Task' }).click();
    await box.fill('Half of');
    await go('History');
    await go(tab);
    expect(await box.inputValue()).toBe('Half of');
    await runner.reload();
    await go(tab);
    expect(await box.inputValue()).toBe('Half of');
    await runner.reload('elsewhere');
    await go(tab);
    expect(await box.inputValue()).toBe('Half of');
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect.poll(() => page.evaluate(keptDrafts)).toEqual({});
    expect(runner.problems).toEqual([]);
    await page.close();
  });

  test('goes where somebody else was quicker', async () => {
    const runner = await show({ events: said('one'), answers });
    await runner.page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    const decided = { kind: 'needs-input', decision: 'accept', by: 'Robin' } as const;
    await runner.send({ type: 'events', events: [{ ...stamp, type: 'approval.decided', approval, ...decided }] });
    await expect.poll(() => runner.page.evaluate(keptDrafts)).toEqual({});
    await runner.page.close();
  });
});

describe('a phase that did not finish', () => {
  const counts = { ...noTasks, ready: 1 };
  const still = { running: undefined, counts };
  const interrupted = { phase: 'work', reason: 'The session crashed.', session };
  const runButtons = (page: Page) =>
    page
      .getByRole('group', { name: 'Run' })
      .locator('vscode-button')
      .evaluateAll((all) =>
        all.map(
          (one) => `${one.textContent?.trim().slice(1)}${one.getAttribute('appearance') === 'primary' ? '!' : ''}`,
        ),
      );

  test('says why, and Retry begins it again', async () => {
    const answers = { retry: () => ({ plan }) };
    const { page, asked } = await show({ events: said('one'), status: { ...still, interrupted }, answers });
    await page.getByRole('alert').getByText('work was interrupted: The session crashed.').waitFor();
    expect(await runButtons(page)).toEqual(['Retry!', 'Dismiss…', 'Do It Myself']);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'retry', params: { plan } });
    await page.close();
  });

  test('is dismissed by the editor, which asks first', async () => {
    const { page, asked, opened } = await show({ events: said('one'), status: { ...still, interrupted } });
    await page.getByRole('button', { name: 'Dismiss…' }).click();
    await expect.poll(() => opened).toEqual([{ kind: 'dismiss' }]);
    expect(asked).not.toContainEqual(expect.objectContaining({ name: 'dismiss' }));
    await page.close();
  });

  test('since it asked something goes on once that is answered', async () => {
    const answered = { phase: 'work', reason: 'it asked a person', session, answered: true };
    const answers = { retry: () => ({ plan }) };
    const status = { ...still, answered: true, interrupted: answered };
    const { page, asked } = await show({ events: said('one'), status, answers });
    await page.getByText('Your answer goes to the next session of work.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await runButtons(page)).toEqual(['Continue!', 'Dismiss…', 'Do It Myself']);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'retry', params: { plan } });
    await page.close();
  });

  test('in a run says that the run goes on after it', async () => {
    const { page } = await show({
      events: said('one'),
      status: { ...still, interrupted, paused: { done: 1, cycles: 3 } },
    });
    await page.getByText('The run continues after it: 1 of 3 cycles done.').waitFor();
    await page.close();
  });

  test('whose run is paused offers to resume it', async () => {
    const answers = { run_cycle: () => ({ phases: [], stop: 'cycle-ended', reason: '' }) };
    const status = { ...still, paused: { done: 1, cycles: 3 } };
    const { page, asked } = await show({ events: said('one'), status, answers });
    await page.getByText('A run is paused: 1 of 3 cycles done.').waitFor();
    expect(await runButtons(page)).toEqual(['Resume Run!', 'Run work', 'Run Cycle', 'Do It Myself', 'In Terminal']);
    await page.getByRole('button', { name: 'Resume Run' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'run_cycle', params: { plan, resume: true } });
    await page.close();
  });

  test('since it waits for an answer offers nothing that would fail', async () => {
    const question = { phase: 'work', kind: 'needs-input', reason: 'Which?', approval, file: '/v/a.json' };
    const { page } = await show({ events: said('one'), status: { ...still, question } });
    expect(await runButtons(page)).toEqual(['Retry', 'Dismiss…', 'Do It Myself']);
    await page.close();
  });
});

describe('when the vault passes to another owner', () => {
  const gone = () => {
    throw failure('server/gone', 'connection', 'The connection to the owner at /v/daemon.sock ended.');
  };

  test('a run goes on, and its page says nothing of it', async () => {
    const { page, asked } = await show({
      events: said('one'),
      status: { running: undefined },
      answers: { run_phase: gone },
    });
    await page.getByRole('button', { name: 'Run work' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'run_phase', params: { plan } });
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  });

  test('what may not have been done is told until the vault is open again', async () => {
    const { page, send } = await show({ events: said('one'), answers: { send: gone } });
    const note = page.getByLabel('Note to the session');
    await note.fill('Mind the tests.');
    await note.press('Enter');
    await page.getByRole('alert').getByText('See whether it was done before you repeat it.').waitFor();
    expect(await page.getByText('daemon.sock').count()).toBe(0);
    await send({ type: 'opened', window: {} });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await note.inputValue()).toBe('Mind the tests.');
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
