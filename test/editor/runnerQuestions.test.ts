import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { stamp } from '../webview/events.ts';
import { approval, noTasks, plan, session, textEvents, useShownPages } from './support/shownPage.ts';

const show = useShownPages();

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
      events: textEvents('one'),
      answers: {
        approvals: () => ({ approvals: [page], diagnostics: [] }),
        approval: () => page,
        decide: () => ({ approval, plan, decision: 'accept', did: 'Gave your answer.' }),
      },
    });
    await runner.page.getByText('Hello or hi?').waitFor();
    await runner.page.getByRole('button', { name: 'Send Answer' }).click();
    await runner.page.getByText('Write the answer first.').waitFor();
    await runner.page.getByRole('textbox', { name: 'The answer' }).fill('Hi');
    await runner.page.getByRole('button', { name: 'Send Answer' }).click();
    await runner.page.getByText('Gave your answer.').waitFor();
    const params = { approval, decision: 'accept', contentHash: 'h1', text: 'Hi' };
    expect(runner.asked).toContainEqual({ name: 'decide', params });
    await runner.page.close();
  });

  test('continues by itself once it is accepted, and is rejected by the editor, which asks first', async () => {
    const runner = await show({
      events: textEvents('one'),
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
    await runner.page.getByRole('button', { name: 'Send Answer' }).click();
    await expect.poll(() => runner.asked).toContainEqual({ name: 'retry', params: { plan } });
    await runner.page.close();
  });

  test('with a subject that repeats its text shows the text once', async () => {
    const subject = `work of ${plan}: Hello or hi?`;
    const runner = await show({
      events: textEvents('one'),
      answers: {
        approvals: () => ({ approvals: [{ ...page, subject }], diagnostics: [] }),
        approval: () => ({ ...page, subject }),
      },
    });
    await runner.page.getByRole('button', { name: 'Send Answer' }).waitFor();
    const told = await runner.page.getByText('Hello or hi?').allInnerTexts();
    // Its sign stands before it, and no phase and no plan.
    expect(told).toEqual([expect.stringMatching(/^\W*Hello or hi\?$/)]);
    await runner.page.close();
  });

  test('disappears when another person answers it', async () => {
    const approvals = [page];
    const runner = await show({
      events: textEvents('one'),
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
    const { page, asked } = await show({ events: textEvents('one'), status: { ...still, interrupted }, answers });
    await page.getByRole('alert').getByText('work was interrupted: The session crashed.').waitFor();
    expect(await runButtons(page)).toEqual(['Retry!', 'Dismiss…', 'Do It Myself']);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'retry', params: { plan } });
    await page.close();
  });

  test('is dismissed by the editor, which asks first', async () => {
    const { page, asked, opened } = await show({ events: textEvents('one'), status: { ...still, interrupted } });
    await page.getByRole('button', { name: 'Dismiss…' }).click();
    await expect.poll(() => opened).toEqual([{ kind: 'dismiss' }]);
    expect(asked).not.toContainEqual(expect.objectContaining({ name: 'dismiss' }));
    await page.close();
  });

  test('that asked something continues once that is answered', async () => {
    const answered = { phase: 'work', reason: 'it asked a person', session, answered: true };
    const answers = { retry: () => ({ plan }) };
    const status = { ...still, answered: true, interrupted: answered };
    const { page, asked } = await show({ events: textEvents('one'), status, answers });
    await page.getByText('Your answer goes to the next session of work.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await runButtons(page)).toEqual(['Continue!', 'Dismiss…', 'Do It Myself']);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'retry', params: { plan } });
    await page.close();
  });

  test('in a run says that the run continues after it', async () => {
    const { page } = await show({
      events: textEvents('one'),
      status: { ...still, interrupted, paused: { done: 1, cycles: 3 } },
    });
    await page.getByText('The run continues after it: 1 of 3 cycles done.').waitFor();
    await page.close();
  });

  test('whose run is paused offers to resume it', async () => {
    const answers = { run_cycle: () => ({ phases: [], stop: 'cycle-ended', reason: '' }) };
    const status = { ...still, paused: { done: 1, cycles: 3 } };
    const { page, asked } = await show({ events: textEvents('one'), status, answers });
    await page.getByText('A run is paused: 1 of 3 cycles done.').waitFor();
    expect(await runButtons(page)).toEqual(['Resume Run!', 'Run work', 'Run Cycle', 'Do It Myself', 'In Terminal']);
    await page.getByRole('button', { name: 'Resume Run' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'run_cycle', params: { plan, resume: true } });
    await page.close();
  });

  test('that waits for an answer offers nothing that would fail', async () => {
    const question = { phase: 'work', kind: 'needs-input', reason: 'Which?', approval, file: '/v/a.json' };
    const { page } = await show({ events: textEvents('one'), status: { ...still, question } });
    expect(await runButtons(page)).toEqual(['Retry', 'Dismiss…', 'Do It Myself']);
    await page.close();
  });
});

describe('when the vault passes to another owner', () => {
  const gone = () => {
    throw failure('server/gone', 'connection', 'The connection to the owner at /v/daemon.sock ended.');
  };

  test('a run continues, and its page says nothing about it', async () => {
    const { page, asked } = await show({
      events: textEvents('one'),
      status: { running: undefined },
      answers: { run_phase: gone },
    });
    await page.getByRole('button', { name: 'Run work' }).click();
    await expect.poll(() => asked).toContainEqual({ name: 'run_phase', params: { plan } });
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  });

  test('a request that may have been lost is named until the vault is open again', async () => {
    const { page, send } = await show({ events: textEvents('one'), answers: { send: gone } });
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
