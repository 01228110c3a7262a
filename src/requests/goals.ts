import { defined } from '../base/defined.ts';
import { failure } from '../model/codes.ts';
import type { goalRequests } from '../model/requests/goals.ts';
import { createVaultApprovals } from '../plans/approvals/vaultApprovals.ts';
import { assertOwner, type HandlersOf, type RequestContext } from './handlers.ts';

export const goalHandlers: HandlersOf<typeof goalRequests> = {
  async plan_goal(context, { under, goal, harness, scenario, answered }, signal) {
    assertOwner(context);
    const { planAnswered, planGoal } = await import('../goals/goals.ts');
    if (answered !== undefined) return planAnswered(goalParts(context), answered, signal);
    if (under === undefined || goal === undefined) {
      throw failure('server/badParams', 'plan_goal', 'It takes `under` and `goal`, or `answered`.');
    }
    return planGoal(goalParts(context), { under, goal, ...defined({ harness, scenario }) }, signal);
  },

  async propose_plans(context, { under, text, source }) {
    assertOwner(context);
    const { proposeNothing, proposeText } = await import('../goals/goals.ts');
    if (text === undefined) return proposeNothing(goalParts(context), under);
    return proposeText(goalParts(context), { under, text, ...defined({ source }) });
  },
};

function goalParts({ services, directory, registry }: RequestContext) {
  return {
    ...{ services, directory, questions: createVaultApprovals(services) },
    async experts() {
      const { experts } = await registry.current();
      return experts.map(({ expert }) => `${expert['expert-id']}: ${expert.description}`);
    },
  };
}
