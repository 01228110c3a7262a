import { defined } from '../base/defined.ts';
import { loadPending } from '../decisions/approvalService.ts';
import { failure } from '../model/codes.ts';
import type { RuleRow, ruleRequests } from '../model/requests/routing.ts';
import type { HistoryIndex } from '../routing/history/historyIndex.ts';
import { shareByDay } from '../routing/history/routingShare.ts';
import { lintRules } from '../routing/rules/ruleLint.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';

export const ruleHandlers: HandlersOf<typeof ruleRequests> = {
  async rules({ routing: { ruleStore, backTestInputs } }) {
    const page = await ruleStore.page();
    const { index, targets } = await backTestInputs();
    const firings = countFirings(index);
    // If the file does not parse, these are the last valid rules, which stand nowhere in it.
    const { lines, ranges } = page.isBroken ? nowhere : ruleStore.places(page);
    const lint = lintRules(page.rules, {
      ...{ file: ruleStore.file, names: targets, rangeOf: (at) => ranges[at] },
      fired: {
        counts: new Map([...firings].map(([rule, { fired }]) => [rule, fired])),
        decisions: index.decisions.length,
      },
    });
    const rules = page.rules.map((rule, at): RuleRow => {
      const { fired = 0, lastAt } = firings.get(rule.id) ?? {};
      const line = lines[at];
      return { ...rule, fired, ...defined({ lastAt, line }) };
    });
    return { file: ruleStore.file, rules, diagnostics: [...page.diagnostics, ...lint] };
  },

  async suggestions({ routing: { ruleStore, suggestions } }) {
    return { suggestions: await suggestions.rows(), file: ruleStore.file };
  },

  async back_test({ services, routing: { suggestions } }, given) {
    if ('rule' in given) return suggestions.backTest(given.rule);
    const approval = await loadPending(services, given.approval);
    if (approval.kind === 'rule-suggestion') return (await suggestions.test(approval)).backTest;
    throw failure('approval/unknown', given.approval, `${given.approval} suggests no rule.`);
  },

  async propose_rules(context) {
    assertOwner(context);
    return context.routing.suggestions.propose();
  },

  async routing_share({ services: { clock }, routing: { backTestInputs } }, { days }) {
    const { index } = await backTestInputs();
    return { days: shareByDay(index, { days, nowMs: clock.wallMs() }) };
  },
};

const nowhere = { lines: [], ranges: [] } as const;

/** How often each rule decided, and when the last time. */
function countFirings({ decisions }: HistoryIndex): Map<string, { fired: number; lastAt: string }> {
  const found = new Map<string, { fired: number; lastAt: string }>();
  for (const { step, rules, at } of decisions) {
    if (step !== 'rules') continue;
    for (const rule of rules) {
      const known = found.get(rule);
      if (known === undefined) found.set(rule, { fired: 1, lastAt: at });
      else {
        known.fired++;
        if (at > known.lastAt) known.lastAt = at;
      }
    }
  }
  return found;
}
