import { isAbsolute, relative, sep } from 'node:path';
import type * as z from 'zod';
import type { Emitter } from './base/emitter.ts';
import { readRemote } from './git/remote.ts';
import { commitOwnPaths } from './git/vaultRepository.ts';
import { failure } from './model/codes.ts';
import type { RavelEvent } from './model/event.ts';
import { isQualifiedId, isUlid, qualifiedIdProblem } from './model/id.ts';
import {
  type Api,
  type CycleReport,
  type PhaseReport,
  protocolVersion,
  type RequestName,
  type RequestResults,
  requestSchemas,
  toRequestName,
} from './model/protocol.ts';
import { isVerbName, verbs } from './model/verbs.ts';
import { runCycle } from './plans/cycle.ts';
import type { LiveSessions } from './plans/liveSessions.ts';
import type { PhaseRunner, RunOptions } from './plans/phaseRunner.ts';
import type { PlanDirectory } from './plans/planDirectory.ts';
import { changePlanFiles } from './plans/planWriter.ts';
import { dismissPhase, retryPhase } from './plans/retry.ts';
import { type PlanServices, timestamp } from './plans/services.ts';
import { planRow, planStatus } from './plans/status.ts';
import { loadTranscript } from './plans/transcripts.ts';
import { applyVerb } from './plans/verbs/applyVerb.ts';
import { adoptProject } from './vault/adoption.ts';
import { saveCatalog } from './vault/catalog.ts';
import { createPlan } from './vault/planCreation.ts';
import { verifyVault } from './vault/verify.ts';

export interface RequestContext {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly runner: PhaseRunner;
  readonly live: LiveSessions;
  readonly events: Emitter<RavelEvent>;
  readonly version: string;
  readonly isOwner: boolean;
}

type Parsed<Name extends RequestName> = z.output<(typeof requestSchemas)[Name]>;

type Handler<Name extends RequestName> = (
  context: RequestContext,
  params: Parsed<Name>,
  signal: AbortSignal,
) => Promise<RequestResults[Name]>;

/** The one table behind every face: a request without a row does not compile (design 2). */
const requests: { readonly [Name in RequestName]: Handler<Name> } = {
  async hello({ services, version }) {
    const { pid } = await services.processes.self();
    return { protocol: protocolVersion, version, vault: services.layout.root, pid };
  },

  async list({ services, directory }) {
    const { plans, diagnostics } = await directory.rescan();
    const rows = [];
    for (const location of plans) rows.push(await planRow(services, location));
    return { plans: rows, diagnostics };
  },

  async status({ services, directory }, { plan }) {
    return planStatus(services, await directory.find(plan));
  },

  verify({ services }) {
    return verifyVault(services.disk, services.layout);
  },

  async rescan(context) {
    return { plans: await rescan(context) };
  },

  async adopt(context, { project, description, name }) {
    const { services } = context;
    const { disk, layout, git } = services;
    if (isInside(project, layout.root)) {
      throw failure('project/inVault', project, `${project} belongs to the vault itself`);
    }
    const remote = await readRemote(git, project);
    const adopted = await adoptProject({
      ...{ disk, layout, project, description },
      ...(name !== undefined && { name }),
      ...(remote !== undefined && { remote }),
    });
    if (services.settings.vault.commit === 'auto') {
      await commitOwnPaths(git, layout.root, adopted.vaultPaths, `Adopt the project ${adopted.plan.split('/')[0]}`);
    }
    await rescan(context);
    return { plan: adopted.plan, directory: layout.plan(adopted.plan) };
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

  async run_phase(context, params, signal) {
    const options = await runOptions(context, params);
    const resumed = await context.runner.followResumed(options.location.id, signal);
    if (resumed !== undefined) return resumed;
    const phase = params.phase === undefined ? {} : { phase: params.phase };
    return own(context, options, signal, (stop) => context.runner.run({ ...options, ...phase }, stop));
  },

  async run_cycle(context, params, signal) {
    const options = await runOptions(context, params);
    const { services, runner } = context;
    const before = await runner.followResumed(options.location.id, signal);
    if (before !== undefined && (before.end !== 'finished' || before.next === 'work')) return endedBefore(before);
    const cycle = { ...options, cycles: params.cycles ?? 1, ...(before !== undefined && { before }) };
    return own(context, options, signal, (stop) => runCycle(services, runner, cycle, stop));
  },

  async stop({ directory, runner }, { plan }) {
    return { stopped: await runner.stop((await directory.find(plan)).id) };
  },

  async retry(context, params, signal) {
    const options = await runOptions(context, params);
    return own(context, options, signal, (stop) => retryPhase(context.services, context.runner, options, stop));
  },

  async dismiss(context, { plan }) {
    const location = await context.directory.find(plan);
    return own(context, { location }, undefined, async () => ({
      dismissed: await dismissPhase(context.services, location.id),
    }));
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

  async session_tools({ live }, { session, token }) {
    return live.tools(session, token);
  },

  session_call({ live }, { session, token, call, tool, args }) {
    return live.call(session, token, { id: call, tool, args });
  },

  async transcript({ services }, { session, from = 0 }) {
    if (!isUlid(session)) throw failure('session/unknown', session, `"${session}" is no session id`);
    const events = await loadTranscript(services.disk, services.layout, session);
    if (events.length === 0) throw failure('session/unknown', session, `there is no transcript of session ${session}`);
    return { events: events.slice(from), next: events.length };
  },

  async shutdown() {
    return {};
  },
};

async function runOptions({ directory }: RequestContext, params: Parsed<'retry'>): Promise<RunOptions> {
  const { plan, task, scenario } = params;
  // Only the scripted harness plays scenarios, so to name one is to name the harness.
  const harness = params.harness ?? (scenario === undefined ? undefined : 'scripted');
  return {
    location: await directory.find(plan),
    ...(harness !== undefined && { harness }),
    ...(task !== undefined && { task }),
    ...(scenario !== undefined && { scenario }),
  };
}

/** A run that only had to follow what an earlier owner had begun. */
function endedBefore(before: PhaseReport): CycleReport {
  const { end, summary } = before;
  const stop = end === 'finished' ? 'cycle-ended' : end;
  return { phases: [before], stop, reason: end === 'finished' ? 'the cycle is complete' : summary };
}

/** Only the owner of the vault runs phases; nothing else of the plan runs meanwhile. */
function own<T>(
  { isOwner, runner, services }: RequestContext,
  { location }: Pick<RunOptions, 'location'>,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!isOwner) throw failure('vault/owned', services.layout.root, 'this process does not own the vault');
  return runner.exclusively(location.id, signal, work);
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..');
}

async function rescan({ services, directory }: RequestContext): Promise<number> {
  const { plans } = await directory.rescan();
  const rows = [];
  for (const location of plans) {
    const { plan, description } = await planRow(services, location);
    rows.push({ plan, description });
  }
  await saveCatalog(services.disk, services.layout, rows);
  return plans.length;
}

/** The Api in the owner's own process. Parameters are checked here, whichever face they come through. */
export function createApi(context: RequestContext): Api {
  return {
    async request(name, params, signal = new AbortController().signal) {
      return dispatch(context, name, params, signal);
    },
    onEvent: context.events.event,
  };
}

async function dispatch<Name extends RequestName>(
  context: RequestContext,
  name: Name,
  params: unknown,
  signal: AbortSignal,
): Promise<RequestResults[Name]> {
  const parsed = requestSchemas[toRequestName(name)].safeParse(params);
  if (parsed.success) return requests[name](context, parsed.data as Parsed<Name>, signal);
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`);
  throw failure('server/badParams', name, `The parameters of "${name}" do not fit. ${issues.join('; ')}`);
}
