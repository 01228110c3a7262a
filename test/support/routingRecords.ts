import type { QualifiedId, Ulid } from '../../src/model/id.ts';
import type { Recipient, RoutingDecision, RoutingResult } from '../../src/model/routing.ts';
import type { Rule } from '../../src/model/rule.ts';

export function rule(id: string, more: Partial<Rule> = {}): Rule {
  return { id, target: 'shop/project-root/pay', enabled: true, ...more };
}

export function recipient(id: string, description: string, tags: readonly string[] = []): Recipient {
  return { id: id as QualifiedId, description, tags };
}

/** What history says of one message: it went `to`, or nowhere. */
export function decision(
  message: string,
  { to, ...more }: Partial<RoutingDecision> & { readonly to?: string } = {},
): RoutingDecision {
  return {
    ...{ type: 'decision', message: message as Ulid, at: '2026-01-02T03:04:05Z', on: 'dispatch', from: 'person' },
    ...{ named: { target: 'auto' }, reason: '', body: '', depth: 0, origin: message as Ulid },
    ...{ facts: [], extractor: 'vocabulary', rules: [], candidates: [], consulted: [], step: 'level-2' },
    outcome:
      to === undefined
        ? { kind: 'waiting', approval: message as Ulid, reason: '' }
        : { kind: 'routed', to: to as QualifiedId },
    ...{ reasoning: '', durationMs: 1 },
    ...more,
  };
}

export function result(message: string, plan: string, told: RoutingResult['result']): RoutingResult {
  return {
    type: 'result',
    message: message as Ulid,
    at: '2026-01-03T03:04:05Z',
    plan: plan as QualifiedId,
    result: told,
  };
}
