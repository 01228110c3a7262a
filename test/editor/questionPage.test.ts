import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import type { Ulid } from '../../src/model/id.ts';
import { stamp } from '../webview/events.ts';
import { startBrowser } from './support/editorPage.ts';
import { conflict, input, lost, plans } from './support/questionSamples.ts';
import { openRunnerPage, type RunnerPage } from './support/runnerPage.ts';
import { approval, plan } from './support/shownPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

interface World {
  /** Those that wait; taken out when one is answered. */
  readonly open: { readonly approval: Ulid }[];
  readonly next?: 'run' | 'retry' | 'resume';
  /** Why the gates refuse what is decided. */
  readonly refusal?: () => string | undefined;
}

/** The page of the first of these questions. */
async function show(
  world: World,
): Promise<RunnerPage & { readonly asked: unknown[]; readonly read: string[]; readonly put: (at: number) => void }> {
  const { open, next, refusal } = world;
  const asked: unknown[] = [];
  const read: string[] = [];
  const deferred: { readonly approval: Ulid }[] = [];
  const put = (at: number) => {
    deferred.push(...open.splice(at, 1).map((one) => ({ ...one, deferredUntil: '2026-03-04T12:00:00Z' })));
  };
  const [first] = open;
  const shown = await openRunnerPage(browser, {
    view: { page: 'question', approval: first?.approval ?? approval },
    async answer(name, params) {
      if (name !== 'approvals' && name !== 'approval') asked.push({ name, params });
      const id = (params as { readonly approval?: string }).approval;
      read.push(name);
      const at = open.findIndex((one) => one.approval === id);
      switch (name) {
        case 'approvals':
          return { approvals: [...open], diagnostics: [] };
        case 'approval':
          if (at < 0 && deferred.some((one) => one.approval === id)) return deferred.find((one) => one.approval === id);
          if (at < 0) throw failure('approval/decided', id ?? '', 'This question was accepted by Robin; it is final.');
          return open[at];
        case 'decide': {
          const why = refusal?.();
          if (why !== undefined) throw failure('gate/refused', id ?? '', why);
          if (at >= 0) open.splice(at, 1);
          return { approval: id, plan, decision: 'accept', did: 'Gave your answer.', ...(next && { next }) };
        }
        default:
          return {};
      }
    },
  });
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  return Object.assign(shown, { asked, read, put });
}

describe('the page of a question', () => {
  test('names every answer and says what it does, and the plan continues once it is answered', async () => {
    const { page, asked, opened, problems } = await show({ open: [input, lost], next: 'retry' });
    await page.getByText('Gives it to the next session.').waitFor();
    await page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    await page.getByRole('button', { name: 'Send Answer' }).press('Enter');
    await page.getByText('Gave your answer.').waitFor();
    await page.getByText(`${plan} continues.`).waitFor();
    expect(asked).toEqual([
      { name: 'decide', params: { approval, decision: 'accept', contentHash: 'h1', text: 'Hi' } },
      { name: 'retry', params: { plan } },
    ]);
    await page.getByRole('button', { name: 'Open Plan' }).click();
    await expect.poll(() => opened).toEqual([{ kind: 'plan', plan }]);
    await page.getByRole('button', { name: /Count twice/ }).click();
    await page.getByText('as on Monday').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('lets a person choose the receiver of a message from a list, and compare two sides in an editor', async () => {
    const { page, opened } = await show({ open: [lost, conflict] });
    await page.getByRole('button', { name: 'Send to…' }).click();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('button', { name: 'Drop the Message…' }).click();
    await page.getByRole('button', { name: /Hello or hi/ }).click();
    await page.getByRole('button', { name: 'Compare Both Sides' }).click();
    await page.getByRole('button', { name: 'Decide Each Conflict…' }).click();
    await expect
      .poll(() => opened)
      .toEqual([
        { kind: 'answer', approval: lost.approval, as: 'receiver' },
        { kind: 'reject', approval: lost.approval },
        { kind: 'answer', approval: conflict.approval, as: 'sides' },
        { kind: 'answer', approval: conflict.approval, as: 'text' },
      ]);
    await page.close();
  });

  test('sends a message to a candidate with one click', async () => {
    const { page, asked } = await show({ open: [lost] });
    await page.getByRole('button', { name: 'Send to shop/project-root' }).click();
    await page.getByText('No other question waits for you.').waitFor();
    const params = { approval: lost.approval, decision: 'accept', option: 'shop/project-root', contentHash: 'h2' };
    expect(asked).toEqual([{ name: 'decide', params }]);
    await page.close();
  });

  test.each([
    ['input', input, 'Send Answer'],
    ['plans', plans, 'Make These Plans'],
  ])('reads the question once when it opens: %s', async (_name, first, button) => {
    const { page, read } = await show({ open: [first] });
    await page.getByRole('button', { name: button }).waitFor();
    expect([...read].sort()).toEqual(['approval', 'approvals']);
    await page.close();
  });

  test('defers a question that no phase waits for, which can be answered before', async () => {
    const open = [lost, input];
    const { page, opened, asked, put, send } = await show({ open });
    await page.getByRole('button', { name: 'Defer…' }).press('Enter');
    await expect.poll(() => opened).toEqual([{ kind: 'defer', approval: lost.approval }]);
    put(0);
    const until = '2026-03-04T12:00:00Z';
    const event = {
      ...stamp,
      type: 'approval.deferred',
      approval: lost.approval,
      kind: 'unroutable-message',
      until,
    } as const;
    await send({ type: 'events', events: [event] });
    await page.getByRole('status').getByText('Deferred until Mar 4, 2026').waitFor();
    await page.getByRole('button', { name: 'Send to shop/project-root' }).click();
    await expect.poll(() => asked).toMatchObject([{ name: 'decide', params: { approval: lost.approval } }]);
    await page.getByRole('button', { name: /Hello or hi/ }).click();
    await page.getByRole('button', { name: 'Send Answer' }).waitFor();
    expect(await page.getByRole('button', { name: 'Defer…' }).count()).toBe(0);
    await page.close();
  });

  test('says who answered first, and keeps what was typed for another question', async () => {
    const open = [input, lost];
    const { page, send } = await show({ open });
    await page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    await page.getByRole('button', { name: /Count twice/ }).click();
    await page.getByText('as on Monday').waitFor();
    await page.getByRole('button', { name: /Hello or hi/ }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'The answer' }).inputValue()).toBe('Hi');
    open.splice(0, 1);
    await send({ type: 'opened', window: {} });
    await page.getByRole('status').getByText('accepted by Robin').waitFor();
    expect(await page.getByRole('button', { name: 'Send Answer' }).count()).toBe(0);
    await page.close();
  });
});

describe('proposed plans', () => {
  test('are accepted as they are with one click', async () => {
    const { page, asked, problems } = await show({ open: [plans] });
    await page.getByRole('heading', { name: 'For shop/project-root itself' }).waitFor();
    await page.getByRole('button', { name: 'Make These Plans' }).click();
    await page.getByText('Gave your answer.').waitFor();
    const params = { approval: plans.approval, decision: 'accept', contentHash: 'h4' };
    expect(asked).toEqual([{ name: 'decide', params }]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('are renamed, moved, removed and completed in their places, over a reload, and made as they then stand', async () => {
    const { page, asked, reload } = await show({ open: [plans] });
    await page.getByRole('textbox', { name: 'Title of Index it' }).fill('Build the index');
    await page.getByRole('button', { name: 'Move Build the index down' }).press('Enter');
    await page.getByRole('button', { name: 'Details of Query it' }).click();
    expect(await page.getByRole('checkbox', { name: 'Build the index' }).isChecked()).toBe(true);
    await page.getByRole('textbox', { name: 'Done when' }).fill('npm test passes');
    await page.getByRole('region', { name: 'page' }).getByRole('button', { name: 'Remove “CSS”' }).click();
    await page.getByRole('region', { name: 'page' }).getByRole('button', { name: 'Add Task' }).click();
    await page.keyboard.type('Explain it');
    await reload('elsewhere');
    await page.getByRole('textbox', { name: 'Title of Explain it' }).waitFor();
    await page.getByRole('button', { name: 'Make These Plans' }).click();
    await page.getByText('Gave your answer.').waitFor();
    expect(asked).toMatchObject([{ params: { approval: plans.approval, decision: 'edit', contentHash: 'h4' } }]);
    const [{ params }] = asked as [{ readonly params: { readonly text: string } }];
    expect(JSON.parse(params.text).plans).toEqual([
      {
        slug: '.',
        tasks: [
          { title: 'Query it', dependencies: ['Build the index'], done_when: 'npm test passes' },
          { title: 'Build the index', category: 'feature', description: 'Write it to a file.' },
        ],
      },
      {
        slug: 'page',
        description: 'Shows what was found',
        tasks: [{ title: 'List it' }, { title: 'Explain it' }],
        memory: [],
      },
    ]);
    await page.close();
  });

  test('have suggestions that are changed and removed in their places, over a reload', async () => {
    const { page, asked, reload } = await show({ open: [plans] });
    const suggestions = page.getByRole('region', { name: 'Suggestions' });
    await suggestions.getByRole('textbox', { name: 'Expert' }).fill('An expert on stemming');
    await suggestions.getByRole('button', { name: 'Remove the Suggested Rule' }).press('Enter');
    await reload('elsewhere');
    await suggestions.getByRole('textbox', { name: 'Expert' }).waitFor();
    expect(await suggestions.getByRole('textbox').count()).toBe(1);
    await page.getByRole('button', { name: 'Make These Plans' }).click();
    await page.getByText('Gave your answer.').waitFor();
    const [{ params }] = asked as [{ readonly params: { readonly text: string } }];
    expect(JSON.parse(params.text).suggestions).toEqual({ expert: 'An expert on stemming' });
    await page.close();
  });

  test('that the gates refuse stay as the person wrote them, with the reason', async () => {
    let why: string | undefined = 'The plan "page" has no description.';
    const { page, asked } = await show({ open: [plans], refusal: () => why });
    const purpose = page.getByRole('textbox', { name: /Lasting purpose/ });
    await purpose.fill('x'.repeat(121));
    await page.getByText('121 of 120').waitFor();
    await purpose.fill('');
    await page.getByRole('button', { name: 'Make These Plans' }).click();
    await page.getByRole('alert').getByText('has no description').waitFor();
    expect(await purpose.inputValue()).toBe('');
    why = undefined;
    await page.getByRole('button', { name: 'Undo All Changes' }).click();
    expect(await purpose.inputValue()).toBe('Shows what was found');
    await page.getByRole('button', { name: 'Make These Plans' }).click();
    await page.getByText('Gave your answer.').waitFor();
    expect(asked).toMatchObject([{ params: { decision: 'edit' } }, { params: { decision: 'accept' } }]);
    await page.close();
  });
});
