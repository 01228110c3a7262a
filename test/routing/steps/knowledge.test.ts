import { expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { defaultSettings } from '../../../src/model/settings.ts';
import { ContentIndex } from '../../../src/routing/content/contentIndex.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { RecipientDirectory } from '../../../src/routing/recipientDirectory.ts';
import { compileRules } from '../../../src/routing/rules/ruleSet.ts';
import { RoutingKnowledgeBase } from '../../../src/routing/steps/knowledge.ts';
import { matchWithoutModel } from '../../../src/routing/steps/matchWithoutModel.ts';
import { loadExperts } from '../../../src/vault/expertStore.ts';
import { walkVault } from '../../../src/vault/walk.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makeRouterWorld, rightLeads, shopPlans } from '../../support/routerWorld.ts';
import { decision, result } from '../../support/routingRecords.ts';

const message = {
  ...{ id: '01M0A9XQYJ6N8K3T5V7W9Y1Z2A', type: 'dispatch', from: 'person', reason: 'refunds cards' },
  ...{ body: 'Charges and refunds cards', ts: '2026-01-02T03:04:05Z', depth: 0 },
  origin: '01M0A9XQYJ6N8K3T5V7W9Y1Z2A',
} as const;

async function makeFinder() {
  const { layout } = await makeRouterWorld();
  const walk = async () => (await walkVault(nodeDisk, layout)).plans;
  const recipients = new RecipientDirectory({
    ...{ disk: nodeDisk, layout, plans: walk },
    experts: () => loadExperts(nodeDisk, layout),
    descriptions: async () => (await walk()).map((plan) => ({ plan, description: shopPlans[plan.id] ?? '' })),
  });
  return async (index: HistoryIndex | undefined) => {
    const page = { rules: [], ruleSet: compileRules([]) };
    const content = new ContentIndex({ disk: nodeDisk, layout, clock: new ManualClock(), isWatched: () => false });
    const base = new RoutingKnowledgeBase({
      rules: async () => page,
      recipients,
      index: async () => index,
      content,
      taskLeads: { of: async () => rightLeads(0.01) },
      settings: defaultSettings.routing,
    });
    const { candidates, leader, scoreLead } = await matchWithoutModel(
      await base.current(),
      message as never,
      undefined,
    );
    const contradicted = await base.contradicted({ any: ['refunds'], target: 'Shop/project-root/pay' } as never);
    return { first: candidates[0]?.recipient, leader, scoreLead, contradicted };
  };
}

test('without the history there are candidates, and none leads by its score', async () => {
  const find = await makeFinder();
  const { first, scoreLead } = await find(new HistoryIndex());
  expect(scoreLead).toMatchObject({ threshold: 0.01, tasks: 100, decisions: 0 });
  expect(await find(new HistoryIndex())).toEqual({ first, leader: first, scoreLead, contradicted: [] });
  const without = { first, leader: undefined, scoreLead: undefined, contradicted: [] };
  expect(await find(undefined)).toEqual(without);
});

test('receivers that decline what scores sent them take the lead away', async () => {
  const find = await makeFinder();
  const index = new HistoryIndex();
  const [to, other] = ['Bank/project-root/cards', 'Mail/project-root'];
  const candidates = [to, other].map((recipient, at) => ({ recipient, score: 0.5 - at / 10, parts: {}, words: 3 }));
  for (const id of ['m1', 'm2', 'm3']) {
    index.add(decision(id, { to, step: 'scores', candidates: candidates as never, body: 'Something else' }));
    index.add(result(id, to, 'declined'));
  }
  const { leader, scoreLead } = await find(index);
  expect(leader).toBeUndefined();
  expect(scoreLead).toMatchObject({ tasks: 100, decisions: 3 });
  expect(scoreLead?.threshold).toBeUndefined();
});
