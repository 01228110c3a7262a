import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { TargetFields } from '../../../src/model/namedTarget.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { makeRouterWorld, rightLeads } from '../../support/routerWorld.ts';

const checkout = toQualifiedId('Shop/project-root/checkout');
const cards = toQualifiedId('Bank/project-root/cards');

/** Words of the plan `cards`, which put it clearly ahead of all others. */
const body = 'It refunds cards, and charges them.';

const refund = (id: string, target: string): Partial<Rule> => ({ id, all: ['refund'], target });

interface Case {
  readonly rules: readonly Partial<Rule>[];
  readonly named?: TargetFields;
  readonly expected: unknown;
}

async function check(
  { rules, named = { target: 'auto' }, expected }: Case,
  { autoScore = true, taskLeads = rightLeads(0.1), says = body } = {},
): Promise<void> {
  const world = await makeRouterWorld({ rules, settings: { 'auto-score': autoScore }, taskLeads });
  const { router } = await world.open();
  const message = world.message(named, { body: says });
  const routed = world.whenRouted(message.id);
  const outcome = await router.route(message);
  const { step } = await routed;
  const asked = world.asked.map(({ pending }) => pending.scope);
  expect(outcome === 'routing' ? { outcome, asked } : { outcome, step }).toEqual(expected);
}

const byScores = { outcome: { kind: 'routed', to: cards }, step: 'scores' };

describe('a clear lead of scores', () => {
  test.each<[string, Case]>([
    ['decides when no rule matches', { rules: [], expected: byScores }],
    [
      'decides when rules lead to several recipients',
      { rules: [refund('a', checkout), refund('b', 'Mail/project-root')], expected: byScores },
    ],
    [
      'decides when a rule leads to an unknown recipient',
      { rules: [refund('a', 'Gone/project-root')], expected: byScores },
    ],
    [
      'decides when a rule leads out of the named project',
      { rules: [refund('a', checkout)], named: { 'target-project': 'Bank' }, expected: byScores },
    ],
    [
      'does not overrule a rule',
      { rules: [refund('a', checkout)], expected: { outcome: { kind: 'routed', to: checkout }, step: 'rules' } },
    ],
    [
      'does not overrule a rule that leads to a project',
      { rules: [refund('a', 'Mail')], expected: { outcome: 'routing', asked: ['Mail'] } },
    ],
  ])('%s', (_name, given) => check(given));

  test('decides nothing when the settings forbid it', () =>
    check(
      {
        rules: [refund('a', checkout), refund('b', 'Mail/project-root')],
        expected: { outcome: 'routing', asked: ['vault'] },
      },
      { autoScore: false },
    ));

  test.each([
    ['is known to be too small', rightLeads(0.99)],
    ['was right too seldom', rightLeads(0.1).map((one, at) => ({ ...one, isRight: at % 10 > 0 }))],
    ['rests on too few tasks', rightLeads(0.1).slice(0, 50)],
    ['rests on no task', []],
  ])('decides nothing when it %s', (_name, taskLeads) =>
    check(
      { rules: [], expected: { outcome: 'routing', asked: ['vault'] } },
      { taskLeads, says: `${body} It takes orders.` },
    ),
  );
});
