import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { RouteExplanation } from '../../../src/model/routing.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { makeRouterWorld, type RouterWorldOptions, rightLeads } from '../../support/routerWorld.ts';

const checkout = toQualifiedId('Shop/project-root/checkout');
const cards = toQualifiedId('Bank/project-root/cards');
const refund = (id: string, target: string): Partial<Rule> => ({ id, all: ['refund'], target });

const fitsCards = 'It refunds cards, and charges them.';
const taskLeads = rightLeads(0.1);

/** Explains the routing of a message and then sends it, to compare both outcomes. */
async function explain(options: RouterWorldOptions, body: string, removed?: string) {
  const world = await makeRouterWorld(options);
  const { router } = await world.open();
  const message = world.message({ target: 'auto' }, { body });
  await router.explain(message);
  if (removed !== undefined) await rm(world.layout.plan(toQualifiedId(removed)), { recursive: true });
  const explained = await router.explain(message);
  return { explained, outcome: await router.route(message) };
}

const saidOf = ({ steps }: RouteExplanation, name: string) => steps.find(({ step }) => step === name);
const isDecided = ({ steps }: RouteExplanation) => steps.filter(({ decided }) => decided).map(({ step }) => step);

describe('the explanation of scores', () => {
  test('names the lead that decides an ambiguity of rules', async () => {
    const rules = [refund('a', checkout), refund('b', 'Mail/project-root')];
    const { explained, outcome } = await explain({ rules, taskLeads }, fitsCards);
    expect(isDecided(explained)).toEqual(['scores']);
    expect(saidOf(explained, 'rules')?.text).toBe(
      `Rules match but do not decide: they lead to ${checkout} and Mail/project-root.`,
    );
    expect(saidOf(explained, 'scores')?.text).toMatch(
      /^Bank\/project-root\/cards has the best score, 0\.\d\d\. The best is ahead of the second by \d+ % of its score\. A lead of 10 % decides, as tested on 100 tasks of plans and 0 earlier decisions\.$/,
    );
    expect([explained.outcome, outcome]).toEqual(Array(2).fill({ kind: 'routed', to: cards }));
  });

  test('names no leader when the best score rests on one word', async () => {
    const { explained, outcome } = await explain({ taskLeads }, 'The letters are lost in between.');
    expect(isDecided(explained)).toEqual([]);
    expect(saidOf(explained, 'scores')?.text).toMatch(
      /^Mail\/project-root has the best score, .* since it rests on fewer than 2 words\.$/,
    );
    expect([explained.outcome, outcome]).toEqual([undefined, 'routing']);
  });

  test('says when the leading plan is gone', async () => {
    const { explained, outcome } = await explain({ taskLeads }, fitsCards, cards);
    expect(isDecided(explained)).toEqual([]);
    expect(saidOf(explained, 'scores')?.text).toMatch(/ Bank\/project-root\/cards does not exist any more\.$/);
    expect([explained.outcome, outcome]).toEqual([undefined, 'routing']);
  });

  test('is left out when a rule has decided which project is asked', async () => {
    const { explained, outcome } = await explain({ rules: [refund('a', 'Mail')], taskLeads }, fitsCards);
    expect(explained.steps.map(({ step }) => step)).toEqual(['direct', 'rules', 'level-2', 'person']);
    expect(saidOf(explained, 'rules')?.text).toBe('A rule leads to the project Mail.');
    expect([explained.outcome, outcome]).toEqual([undefined, 'routing']);
  });

  test('says what is missing when no lead is reliable yet', async () => {
    const { explained, outcome } = await explain({}, fitsCards);
    expect(isDecided(explained)).toEqual([]);
    expect(saidOf(explained, 'scores')?.text).toMatch(
      / No lead decides: on 0 tasks of plans and 0 earlier decisions, none was right often enough\.$/,
    );
    expect([explained.outcome, outcome]).toEqual([undefined, 'routing']);
  });

  test('says when the settings do not let scores decide', async () => {
    const { explained } = await explain({ settings: { 'auto-score': false } }, fitsCards);
    expect(saidOf(explained, 'scores')?.text).toMatch(/^Scores decide nothing here \(routing\.auto-score\)\. /);
  });
});
