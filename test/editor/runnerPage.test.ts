import { describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { stamp } from '../webview/events.ts';
import {
  approval,
  focusedLabel,
  keptDrafts,
  noTasks,
  output,
  plan,
  session,
  setTheme,
  textEvents,
  useShownPages,
} from './support/shownPage.ts';

const show = useShownPages();

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
    const events = textEvents(attacks.join('\n\n'), links.join(' '), 'the **end**');
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
    const { page, opened } = await show({ events: textEvents('See [the page](https://example.org/a?b=c).') });
    await page.getByRole('link', { name: 'the page' }).click();
    await page.getByRole('link', { name: 'the page' }).press('Enter');
    const target = { kind: 'link', url: 'https://example.org/a?b=c' };
    expect(opened).toEqual([target, target]);
    expect(page.url()).toBe('http://page.test/');
    await page.close();
  });

  test('says of a refusal which gate and rule decided, opens the rule, and can be cut down to refusals', async () => {
    const rule = {
      layer: 'vault',
      file: '/v/policy.yaml',
      path: ['permissions', 'deny', 0],
      line: 3,
      action: 'deny',
      text: 'Bash(git *push *)',
    } as const;
    const about = { session, gate: 'policy', subject: 'Bash', call: 'Bash git push', reason: 'No.', rule };
    const { page, opened } = await show({
      events: [
        output(0, { kind: 'text', text: 'I push now.' }),
        { ...stamp, type: 'gate.judged', ...about, outcome: 'reject' },
      ],
    });
    await page.getByText('I push now.').waitFor();
    await page.getByRole('button', { name: 'Refused', exact: true }).click();
    await page.getByText('I push now.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Why was this refused?' }).click();
    await page.getByText('Rule: deny Bash(git *push *)').waitFor();
    await page.getByText('In the policy of the vault: /v/policy.yaml:3').waitFor();
    await page.getByRole('button', { name: 'Open Rule' }).click();
    expect(opened).toEqual([{ kind: 'file', place: { root: 'vault', path: 'policy.yaml', line: 3 } }]);
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
    const { page } = await show({ events: textEvents(`${escapeCode}[31mred${escapeCode}[0m and \u202etxt.exe`) });
    await page.getByText('red and txt.exe', { exact: true }).waitFor();
    await page.close();
  });
});

describe('the head of a plan', () => {
  const still = { running: undefined };

  test('offers to add a task first if none is ready', async () => {
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
    const { page } = await show({ events: textEvents('one'), height: 380 });
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
        all.map((one) => {
          const drawn = one.shadowRoot?.querySelector('[part="base"]') ?? one;
          return one.ownerDocument.defaultView?.getComputedStyle(drawn).borderTopColor;
        }),
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

describe('text in a field that was not sent', () => {
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
    ['the answer to a question', undefined, 'The answer', 'Send Answer'],
    ['a note', undefined, 'Note to the session', 'Send Note'],
    ['a new task', 'Backlog', 'Category', 'Cancel'],
  ];

  test.each(cases)('%s outlives tabs, the page and its panel, until it is sent', async (_name, tab, field, button) => {
    const runner = await show({ events: textEvents('one'), answers });
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

  test('disappears if another person was quicker', async () => {
    const runner = await show({ events: textEvents('one'), answers });
    await runner.page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    const decided = { kind: 'needs-input', decision: 'accept', by: 'Robin' } as const;
    await runner.send({ type: 'events', events: [{ ...stamp, type: 'approval.decided', approval, ...decided }] });
    await expect.poll(() => runner.page.evaluate(keptDrafts)).toEqual({});
    await runner.page.close();
  });
});

describe('the page of a session', () => {
  test('shows every event once after the connection was lost', async () => {
    const events = textEvents('one');
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
    const { page, asked } = await show({
      events: textEvents('one'),
      answers: { send: () => ({ message: 'm', to: plan }) },
    });
    await page.getByLabel('Note to the session').fill('Mind the tests.');
    await page.getByLabel('Note to the session').press('Enter');
    await expect
      .poll(() => asked)
      .toContainEqual({ name: 'send', params: { to: plan, type: 'note', text: 'Mind the tests.' } });
    await page.close();
  });

  test('says why a request failed and what to do', async () => {
    const { page } = await show({
      events: textEvents('one'),
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
    const { page } = await show({ events: textEvents('one', 'a/very/long/path/'.repeat(20)), width: 240 });
    await page.getByText('a/very/long').first().waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(240);
    await page.screenshot({ path: 'test-results/runner-narrow.png' });
    await page.close();
  });
});
