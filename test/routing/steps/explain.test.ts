import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { RouteExplanation } from '../../../src/model/routing.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { makeRouterWorld, type RouterWorldOptions } from '../../support/routerWorld.ts';

const checkout = toQualifiedId('Shop/project-root/checkout');
const cards = toQualifiedId('Bank/project-root/cards');
const refund = (id: string, target: string): Partial<Rule> => ({ id, all: ['refund'], target });

const fitsCards = 'It refunds cards, and charges them.';
const lead = { 'auto-score': true, margin: 0.1 } as const;

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
    const { explained, outcome } = await explain({ rules, settings: lead }, fitsCards);
    expect(isDecided(explained)).toEqual(['scores']);
    expect(saidOf(explained, 'rules')?.text).toBe(
      `Rules match but do not decide: they lead to ${checkout} and Mail/project-root.`,
    );
    expect(saidOf(explained, 'scores')?.text).toMatch(
      /^A score of 0\.1 that is ahead by 10 % of itself decides\. Bank\/project-root\/cards has 0\.\d\d and is ahead by \d+ % of that\.$/,
    );
    expect([explained.outcome, outcome]).toEqual(Array(2).fill({ kind: 'routed', to: cards }));
  });

  test('names no leader when the scores are too low', async () => {
    const { explained, outcome } = await explain(
      { settings: lead },
      'The letters of the web shop are lost in between.',
    );
    expect(isDecided(explained)).toEqual([]);
    expect(saidOf(explained, 'scores')?.text).toContain('A score of 0.1 that is ahead by 10 % of itself decides.');
    expect([explained.outcome, outcome]).toEqual([undefined, 'routing']);
  });

  test('says when the leading plan is gone', async () => {
    const { explained, outcome } = await explain({ settings: lead }, fitsCards, cards);
    expect(isDecided(explained)).toEqual([]);
    expect(saidOf(explained, 'scores')?.text).toMatch(/ahead by \d+ % of that, but does not exist any more\.$/);
    expect([explained.outcome, outcome]).toEqual([undefined, 'routing']);
  });

  test('is left out when a rule has decided which project is asked', async () => {
    const { explained, outcome } = await explain({ rules: [refund('a', 'Mail')], settings: lead }, fitsCards);
    expect(explained.steps.map(({ step }) => step)).toEqual(['direct', 'rules', 'level-2', 'person']);
    expect(saidOf(explained, 'rules')?.text).toBe('A rule leads to the project Mail.');
    expect([explained.outcome, outcome]).toEqual([undefined, 'routing']);
  });

  test('says when the settings do not let scores decide', async () => {
    const { explained } = await explain({}, fitsCards);
    expect(saidOf(explained, 'scores')?.text).toMatch(/^Scores decide nothing here \(routing\.auto-score\)\. /);
  });
});
