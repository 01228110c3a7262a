import { expect, test } from 'vitest';
import { type QualifiedId, toQualifiedId } from '../../../src/model/id.ts';
import type { PlanOutline } from '../../../src/ui/planOutline.ts';
import { vaultFacts } from '../../../src/ui/start/vaultFacts.ts';

function outline(plans: Readonly<Record<string, number>>): PlanOutline {
  const nodes = Object.entries(plans).map(([id, ready]) => {
    const plan = toQualifiedId(id);
    const counts = { ready, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
    return [plan, { plan, description: '', children: [], row: { plan, description: '', counts, faults: [] } }] as const;
  });
  const projects = new Map<string, readonly QualifiedId[]>(nodes.map(([plan]) => [plan.split('/')[0] ?? '', [plan]]));
  return { nodes: new Map(nodes), projects };
}

test.each([
  [{}, { hasProject: false, hasWork: false }],
  [{ 'shop/project-root': 0 }, { hasProject: true, hasWork: false }],
  [{ 'shop/project-root': 1 }, { hasProject: true, hasWork: true }],
  [
    { 'shop/project-root': 0, 'shop/project-root/search': 0 },
    { hasProject: true, hasWork: true },
  ],
])('the ready tasks %j give the facts %j', (plans, facts) => expect(vaultFacts(outline(plans))).toEqual(facts));
