import { failure } from '../model/codes.ts';
import { isQualifiedId, qualifiedIdProblem } from '../model/id.ts';
import type { planRequests } from '../model/requests/plans.ts';
import { isVerbName, verbs } from '../model/verbs.ts';
import { changePlanFiles } from '../plans/planWriter.ts';
import { timestamp } from '../plans/services.ts';
import { planRow, planStatus } from '../plans/status.ts';
import { applyVerb } from '../plans/verbs/applyVerb.ts';
import { createPlan } from '../vault/planCreation.ts';
import type { HandlersOf } from './handlers.ts';
import { rescan } from './vault.ts';

export const planHandlers: HandlersOf<typeof planRequests> = {
  async list({ services, directory }) {
    const { plans, diagnostics } = await directory.rescan();
    const rows = [];
    for (const location of plans) rows.push(await planRow(services, location));
    return { plans: rows, diagnostics };
  },

  async status({ services, directory }, { plan }) {
    return planStatus(services, await directory.find(plan));
  },

  async create(context, { plan, description }) {
    if (!isQualifiedId(plan)) {
      throw failure('plan/badId', plan, `"${plan}" names no plan: ${qualifiedIdProblem(plan) ?? ''}`);
    }
    const { disk, layout } = context.services;
    const directory = await createPlan({ disk, layout, id: plan, description });
    await rescan(context);
    return { plan, directory };
  },

  async state({ services, directory }, { plan, verb, args }) {
    if (!isVerbName(verb) || 'sessionOnly' in verbs[verb]) {
      throw failure('state/unknownVerb', verb, `there is no state verb "${verb}" for a person`);
    }
    const { id } = await directory.find(plan);
    return changePlanFiles(services, id, (texts) => {
      const effect = applyVerb(verb, args, {
        texts,
        subject: id,
        now: timestamp(services),
        newUlid: services.newUlid,
        dreamMap: {},
      });
      return { edits: 'reads' in verbs[verb] ? new Map() : effect.edits, result: { result: effect.result } };
    });
  },
};
