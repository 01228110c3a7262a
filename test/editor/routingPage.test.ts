import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { startBrowser } from './support/editorPage.ts';
import { makeDecision, makeShare, makeSuggestion } from './support/routingSamples.ts';
import { openRunnerPage, type RunnerPage } from './support/runnerPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

type Answers = Readonly<Record<string, (params: never) => unknown>>;

const suggestions = [makeSuggestion(1), makeSuggestion(2), makeSuggestion(3)];

/** The page with three suggestions, the last of which contradicts what was decided, unless told. */
async function show(answers: Answers = {}, width = 1000): Promise<RunnerPage & { readonly asked: unknown[] }> {
  const asked: unknown[] = [];
  const given: Answers = {
    suggestions: () => ({ suggestions, file: '/v/routing.yaml' }),
    routing_share: () => ({ days: makeShare(12) }),
    routes: ({ message }: { readonly message?: string }) =>
      message === undefined
        ? { routes: [makeDecision(1), makeDecision(2)] }
        : { routes: [{ ...makeDecision(2), body: 'The whole of it.\n\nSee the log.' }] },
    routing: () => ({ pending: [], total: 0 }),
    ...answers,
  };
  const shown = await openRunnerPage(browser, {
    ...{ view: { page: 'routing' }, width },
    async answer(name, params) {
      if (['decide', 'propose_rules'].includes(name)) asked.push({ name, params });
      const answer = given[name];
      if (answer === undefined) throw failure('server/unknownRequest', name, `There is no request "${name}".`);
      return answer(params as never);
    },
  });
  await shown.page.getByRole('heading', { name: 'Decisions' }).waitFor();
  return Object.assign(shown, { asked });
}

const done = { decide: () => ({ approval: '', decision: 'accept', did: 'The rule stands in routing.yaml.' }) };

describe('a suggested rule', () => {
  test('is listed with nearly equal rules and with the decisions it would have made', async () => {
    const { page, problems } = await show();
    const list = page.getByRole('navigation', { name: 'Suggested rules' });
    await list.getByText('2 rules that are nearly the same').waitFor();
    expect(await list.getByRole('button').count()).toBe(3);
    await page.getByText('Of 240 decisions it would have matched 12: 12 went there, none went elsewhere.').waitFor();
    await page.getByRole('row', { name: '240 12 12 0 7 61 % → 64 %' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('is accepted by the keyboard, together with the hash of the content that was shown', async () => {
    const { page, asked } = await show(done);
    const [one] = suggestions;
    await page.getByRole('navigation').getByRole('button').first().focus();
    await page.getByRole('button', { name: 'Accept', exact: true }).press('Enter');
    await page.getByRole('status').getByText('The rule stands in routing.yaml.').waitFor();
    const params = { approval: one?.approval, contentHash: one?.contentHash, decision: 'accept' };
    expect(asked).toEqual([{ name: 'decide', params }]);
    await page.close();
  });

  test('lists the decisions that it contradicts, and is accepted only in a second step', async () => {
    const { page, asked } = await show(done);
    await page.getByRole('button', { name: /refund \/ refunds/ }).click();
    const elsewhere = page.getByRole('region', { name: 'Messages that went elsewhere' });
    expect(await elsewhere.getByRole('row').count()).toBe(4);
    await page.getByText('It disagrees with 3 decisions that were made.').waitFor();
    await page.getByRole('button', { name: 'Accept Anyway…' }).click();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Yes, Accept It' }).press('Enter');
    await page.getByRole('status').getByText('The rule stands').waitFor();
    expect(asked).toMatchObject([{ params: { decision: 'accept', override: true, contentHash: 'h3' } }]);
    await page.close();
  });

  test('is rejected with a reason', async () => {
    const { page, asked } = await show(done);
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.keyboard.type('Billing is closed in May');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => asked)
      .toMatchObject([{ params: { decision: 'reject', reason: 'Billing is closed in May', contentHash: 'h1' } }]);
    await page.close();
  });

  test('says who decided it first', async () => {
    const { page } = await show({
      decide: () => {
        throw failure('approval/decided', 'x', 'This question was already accepted by Robin.');
      },
    });
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('alert').getByText('already accepted by Robin').waitFor();
    await page.close();
  });

  test('is edited, previewed and shown in the editor', async () => {
    const { page, opened } = await show();
    for (const name of ['Edit', 'Preview', 'Show in routing.yaml', 'Message 1']) {
      await page.getByRole('button', { name, exact: true }).click();
    }
    const [one] = suggestions;
    const suggestion = { kind: 'suggestion', approval: one?.approval };
    await expect
      .poll(() => opened)
      .toEqual([
        { ...suggestion, as: 'form' },
        { ...suggestion, as: 'preview' },
        { ...suggestion, as: 'thread' },
        { kind: 'why', about: one?.suggestion.messages[0] },
      ]);
    await page.close();
  });
});

describe('a decision', () => {
  test('names the rule that made it, and opens the rule, the plan and the reason', async () => {
    const { page, opened } = await show();
    const list = page.getByRole('list', { name: 'Decisions' });
    await list.getByText('order 2 was paid twice').click();
    await list.getByText('a rule matched').waitFor();
    await list.getByRole('button', { name: 'refund-1' }).click();
    await list.getByRole('button', { name: 'Open Message' }).click();
    const path = `${makeDecision(2).message}.md`;
    await expect.poll(() => opened.at(-1)).toEqual({ kind: 'text', path, text: 'The whole of it.\n\nSee the log.' });
    await list.getByRole('button', { name: 'Open Plan' }).click();
    await list.getByRole('button', { name: 'Why' }).click();
    await expect
      .poll(() => opened)
      .toEqual([
        { kind: 'rule', rule: 'refund-1' },
        { kind: 'text', path, text: expect.any(String) },
        { kind: 'plan', plan: 'shop/project-root/billing' },
        { kind: 'why', about: makeDecision(2).message },
      ]);
    await page.close();
  });

  test('a decision of a session says what it cost and how long it took', async () => {
    const { page } = await show();
    const list = page.getByRole('list', { name: 'Decisions' });
    await list.getByText('order 1 was paid twice').click();
    await list
      .getByText('Routing session over shop accepts → shop/project-root/billing (4.2 s, small, $0.03)')
      .waitFor();
    await page.close();
  });

  test('is listed below the pending messages, for which a person can name a receiver', async () => {
    const row = {
      type: 'dispatch',
      from: 'web/project-root',
      at: '',
      state: 'needs your decision',
      subject: 'The page is blank',
    };
    const { page, opened } = await show({
      routing: () => ({ pending: [{ ...row, message: 'm', approval: 'a' }], total: 1 }),
    });
    await page.getByRole('list', { name: 'Messages in transit' }).getByText('The page is blank').waitFor();
    await page.getByRole('button', { name: 'Choose Receiver' }).click();
    await expect.poll(() => opened).toEqual([{ kind: 'approval', approval: 'a' }]);
    await page.close();
  });
});

test.each(['suggestions', 'routing_share', 'routes', 'routing'] as const)(
  'the Routing page says that %s failed and shows everything else',
  async (failing) => {
    const rows = {
      suggestions: /refund \/ refunds/,
      routes: 'order 1 was paid twice',
      routing_share: /^\d+ messages routed since/,
      routing: 'The page is blank',
    } as const;
    const pending = [
      { type: 'dispatch', from: 'web/project-root', at: '', state: 'waits', subject: rows.routing, message: 'm' },
    ];
    const { page } = await show({
      routing: () => ({ pending, total: 1 }),
      [failing]: () => {
        throw failure('server/lineTooLong', failing, 'The answer is longer than 8 MiB.');
      },
    });
    await page.getByRole('alert').getByText('The answer is longer than 8 MiB.').waitFor();
    for (const [name, text] of Object.entries(rows)) {
      if (name !== failing) await page.getByText(text).first().waitFor();
      else expect(await page.getByText(text).count()).toBe(0);
    }
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.close();
  },
);

test('the Routing page names the command that lists older decisions', async () => {
  const { page } = await show({ routes: () => ({ routes: [makeDecision(1)], next: makeDecision(1).message }) });
  await page.getByText('Older decisions: ravel route.').waitFor();
  await page.close();
});

test('Look for Rules asks for suggestions and says what was found', async () => {
  const { page, asked } = await show({ propose_rules: () => ({ suggested: ['a', 'b'], checked: 240 }) });
  await page.getByRole('button', { name: 'Look for Rules' }).click();
  await page.getByText('Ravel looked through 240 decisions and suggests 2 rules.').waitFor();
  expect(asked).toEqual([{ name: 'propose_rules', params: {} }]);
  await page.close();
});

test('an empty Routing page says what will be shown here', async () => {
  const { page, problems } = await show({
    suggestions: () => ({ suggestions: [], file: '' }),
    routing_share: () => ({ days: [] }),
    routes: () => ({ routes: [] }),
  });
  await page.getByText('No message has been routed yet.').first().waitFor();
  await page.getByText('There are no open suggestions.').waitFor();
  expect(await page.locator('ravel-chart').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

test('the Routing page shows markup in texts as plain text', async () => {
  const attack = '<img src=x onerror="document.title=\'attacked\'"> \u202etxt';
  const [one = makeSuggestion(1)] = suggestions;
  const hostile = { ...one, yaml: attack, objections: [attack], suggestion: { ...one.suggestion, reason: attack } };
  const { page, problems } = await show({
    suggestions: () => ({ suggestions: [hostile], file: '' }),
    routes: () => ({ routes: [{ ...makeDecision(1), excerpt: attack, reasoning: attack }] }),
  });
  await page.getByText('<img src=x').first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe('Routing');
  expect(problems).toEqual([]);
  await page.close();
});

test.each([1000, 500, 320])('the Routing page fits a width of %i pixels', async (width) => {
  const { page } = await show({}, width);
  const isWide = 'document.querySelector("ravel-routing").scrollWidth > window.innerWidth';
  expect(await page.evaluate(isWide)).toBe(false);
  await page.close();
});
