import { resolve } from 'node:path';
import { defined } from '../base/defined.ts';
import { isRavelError, RavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import { isQualifiedId, type QualifiedId, qualifiedIdProblem } from '../model/id.ts';
import type { PlanTexts } from '../model/plan.ts';
import { filterPlans } from '../model/planFilter.ts';
import type { planRequests } from '../model/requests/plans.ts';
import { isVerbName, type VerbName, verbs } from '../model/verbs.ts';
import { loadSummaryBaseline } from '../plans/commits/summaryBaseline.ts';
import { loadArchived } from '../plans/messages/messageArchive.ts';
import { planStatus, toRow } from '../plans/phases/status.ts';
import { changeForPerson, loadPlanFiles } from '../plans/proposals/planWriter.ts';
import { emitFor, type PlanServices, timestamp } from '../plans/services.ts';
import { loadOlderSessions } from '../plans/sessionArchive.ts';
import { applyVerb } from '../plans/verbs/applyVerb.ts';
import { createPlan } from '../vault/planCreation.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { actorsOfRows } from './actors.ts';
import type { HandlersOf } from './handlers.ts';
import { planPolicyFaults } from './policyFaults.ts';

export const planHandlers: HandlersOf<typeof planRequests> = {
  async outline({ scanner, directory }, _params, signal) {
    const scan = await scanner.outlines(signal);
    directory.keep(scan);
    const plans = scan.seen.map(({ plan: { id, parent }, value }) => ({
      plan: id,
      ...value,
      ...defined({ parent }),
    }));
    return { plans, diagnostics: scan.diagnostics };
  },

  async list(context, filter, signal) {
    const scan = await context.scanner.overviews(signal);
    context.directory.keep(scan);
    const withActor = await actorsOfRows(context);
    const { policies } = context.services;
    const ofPolicies = await planPolicyFaults(context.services, scan.seen);
    const rows = scan.seen.map(({ plan, value }) => {
      const row = withActor(toRow(plan.id, value));
      return { ...row, faults: [...row.faults, ...(ofPolicies.get(plan.id) ?? [])] };
    });
    const shared = await policies.sharedFaults(scan.plans);
    return { ...filterPlans(rows, filter), diagnostics: [...scan.diagnostics, ...shared] };
  },

  async status(context, { plan }) {
    const location = await context.directory.find(plan);
    const { plans } = await context.directory.all();
    const withActor = await actorsOfRows(context);
    const { policies } = context.services;
    const found = await planStatus(context.services, location, plans);
    const ofPolicies = [...(await policies.sharedFaults([location])), ...(await policies.planFaults(location))];
    return withActor({ ...found, faults: [...found.faults, ...ofPolicies] });
  },

  async create(context, { plan, description }) {
    if (!isQualifiedId(plan)) {
      throw failure('plan/badId', plan, `"${plan}" names no plan: ${qualifiedIdProblem(plan) ?? ''}`);
    }
    const { disk, layout } = context.services;
    const make = (makeWay: () => Promise<void>) => createPlan({ disk, layout, id: plan, description, makeWay });
    const { made: directory, ...left } = await context.relocations.make(plan, make);
    await context.catalog.refresh();
    emitFor(context.services, plan, { type: 'plan.changed', change: 'created' });
    return { plan, directory, ...left };
  },

  async state({ services, directory }, { plan, verb, args }, signal) {
    if (!isVerbName(verb) || 'sessionOnly' in verbs[verb]) {
      throw failure('state/unknownVerb', verb, `There is no state verb "${verb}" for a person.`);
    }
    const location = await directory.find(plan);
    const { id } = location;
    const baseline = await baselineFor(services, location, verb, args);
    const olderSessions = await olderSessionsFor(services, id, verb, args);
    const olderReceived = await olderReceivedFor(services, id, verb, args);
    const effectOn = (texts: PlanTexts) =>
      withWholePaths(location.directory, () =>
        applyVerb(verb, args, {
          texts,
          subject: id,
          now: timestamp(services),
          newUlid: services.newUlid,
          dreamMap: {},
          ...defined({ baseline, olderSessions, olderReceived }),
        }),
      );
    if ('reads' in verbs[verb]) {
      // A verb that only reads does not wait and leaves nothing behind, not even a lock.
      const { result, summary } = effectOn(await loadPlanFiles(services, id));
      return { result, summary };
    }
    let files: string[] = [];
    const change = (texts: PlanTexts) => {
      const { edits, result, summary } = effectOn(texts);
      files = [...edits.keys()];
      return { edits, result: { result, summary } };
    };
    const done = await changeForPerson(services, id, change, signal);
    // The watch takes no notice of what Ravel itself writes.
    if (files.length > 0)
      emitFor(services, id, { type: 'plan.changed', change: 'edited', files, summary: done.summary });
    return done;
  },
};

/** What the verb needs of the past; arguments that do not fit are told by the verb itself. */
async function baselineFor(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
  verb: VerbName,
  args: unknown,
): Promise<PlanTexts | undefined> {
  if (verb !== 'phase-summary/render') return undefined;
  const asked = verbs[verb].args.safeParse(args);
  return asked.success ? loadSummaryBaseline(services, location, asked.data) : undefined;
}

/** Records of the session log that were put aside, for the verbs that look into it. */
async function olderSessionsFor(services: VaultPorts, plan: QualifiedId, verb: VerbName, args: unknown) {
  if (verb === 'session/list') return loadOlderSessions(services, plan);
  const asked = verb === 'session/show' ? verbs[verb].args.safeParse(args).data : undefined;
  return asked && loadOlderSessions(services, plan, asked.id);
}

async function olderReceivedFor(services: VaultPorts, plan: QualifiedId, verb: VerbName, args: unknown) {
  const shown = verb === 'received/show' ? verbs[verb].args.safeParse(args).data : undefined;
  if (shown !== undefined) return (await loadArchived(services, plan, shown.id)).received;
  const listed = verb === 'received/list' ? verbs[verb].args.safeParse(args).data : undefined;
  return listed?.all === true ? (await loadArchived(services, plan)).received : undefined;
}

/** A verb knows the files of its plan by their names alone; a person has several plans, and is told which file it is. */
function withWholePaths<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isRavelError(error) || error.diagnostic.file === undefined) throw error;
    throw new RavelError({ ...error.diagnostic, file: resolve(directory, error.diagnostic.file) }, { cause: error });
  }
}
