import { withApi } from '../../access/openApi.ts';
import { plural, shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import { phaseFromWord, phases } from '../../model/phase.ts';
import type { RequestParams, RequestResults } from '../../model/protocol.ts';
import type { CommandContext } from '../context.ts';
import { formatQuestions, formatToolRequests } from '../render/approvals.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatPlanStatus, formatPlanTable } from '../render/reports.ts';

/** Which plans are to be listed. */
export interface ListFlags {
  readonly under?: string;
  readonly phase?: string;
  readonly running?: true;
  readonly waiting?: true;
  readonly faulted?: true;
  readonly ready?: true;
  readonly text?: string;
  readonly limit?: string;
  readonly after?: string;
}

/** All plans or those that are asked for, or one whole. */
export async function status(context: CommandContext, plan: string | undefined, flags: ListFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const filter = toFilter(flags);
  if (plan !== undefined && filter !== undefined) {
    throw failure('cli/usage', plan, 'These options are for the list of plans: leave out the plan, or the options.');
  }
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    if (plan === undefined) {
      const list = await api.request('list', filter ?? {});
      const { approvals } = await api.request('approvals', {});
      const { isOutdated } = await api.request('settings', {});
      const isEmpty = filter !== undefined && list.plans.length === 0;
      const table = isEmpty ? ['No plan matches.'] : formatPlanTable(list.plans, style, columns);
      const isUnreadable = list.plans.length === 0 && list.diagnostics.length > 0;
      context.result(list, [
        ...(isUnreadable ? ['No plan could be read.'] : table),
        ...describeRest(list),
        ...formatQuestions(approvals),
        ...(isOutdated
          ? ['', 'daemon.toml was edited, and part of it has not taken effect yet; see `ravel settings`.']
          : []),
        ...formatDiagnostics(list.diagnostics, style, columns),
      ]);
      return 0;
    }
    const found = await api.request('status', { plan });
    const { approvals } = await api.request('approvals', { plan, kind: 'tool-request' });
    context.result(found, [
      ...formatPlanStatus(found, style, columns),
      ...formatToolRequests(approvals, columns),
      ...formatDiagnostics(found.faults, style, columns),
    ]);
    return 0;
  });
}

/** Undefined if nothing was asked for. */
function toFilter({ phase: word, limit: count, ...rest }: ListFlags): RequestParams<'list'> | undefined {
  const phase = word === undefined ? undefined : phaseFromWord(word);
  if (word !== undefined && phase === undefined) {
    throw failure('cli/usage', '--phase', `"${word}" is not a phase; the phases are ${phases.join(', ')}.`);
  }
  const limit = count === undefined ? undefined : Number(count);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) {
    throw failure('cli/usage', '--limit', `"${count}" is not a whole number above 0.`);
  }
  const filter = { ...rest, ...(phase && { phase }), ...(limit && { limit }) };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

function describeRest({ plans, total, next }: RequestResults['list']): string[] {
  if (total === undefined) return [];
  const more = next === undefined ? '' : `; continue with --after ${next}`;
  return [`${plans.length} of ${plural(total, 'plan')}${more}`];
}

/** Drops what an interrupted phase left. */
export async function dismiss(context: CommandContext, plan: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const result = await api.request('dismiss', { plan });
    context.result(result, describeDismissal(plan, result));
    return 0;
  });
}

function describeDismissal(plan: string, { dismissed, phase, keptIn, withdrawn }: RequestResults['dismiss']): string[] {
  if (dismissed === undefined) return ['The paused run is forgotten.'];
  if (keptIn !== undefined) {
    return [
      `The proposal of session ${dismissed} was dropped; a copy is kept in ${keptIn}`,
      ...(phase === 'work'
        ? [`If it changed the source, those changes are still there: \`ravel changes ${shellWord(plan)}\` lists them.`]
        : []),
    ];
  }
  const again = `The next run begins with ${phase ?? 'its phase'} again`;
  if (withdrawn === undefined) return [`${again}.`];
  return [`The question ${withdrawn} is withdrawn. ${again}, and it asks again unless the cause is gone.`];
}

/** A session that lost its owner is taken over, to be ended. */
export async function stop(context: CommandContext, plan: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const result = await api.request('stop', { plan });
    const { forgot, stopped } = result;
    context.result(result, [
      forgot === true
        ? 'The paused run is forgotten.'
        : stopped
          ? `The run is stopped; \`ravel status ${shellWord(plan)}\` says how to continue.`
          : 'Nothing of this plan was running.',
    ]);
    return 0;
  });
}
