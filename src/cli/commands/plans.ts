import { withApi } from '../access.ts';
import type { CommandContext } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatPlanStatus, formatPlanTable } from '../render/reports.ts';

/** All plans, or one whole. */
export async function status(context: CommandContext, plan: string | undefined): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    if (plan === undefined) {
      const list = await api.request('list', {});
      context.result(list, [
        ...formatPlanTable(list.plans, style, columns),
        ...formatDiagnostics(list.diagnostics, style, columns),
      ]);
      return 0;
    }
    const found = await api.request('status', { plan });
    context.result(found, [
      ...formatPlanStatus(found, style, columns),
      ...formatDiagnostics(found.faults, style, columns),
    ]);
    return 0;
  });
}

/** Drops what an interrupted phase left. */
export async function dismiss(context: CommandContext, plan: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const result = await api.request('dismiss', { plan });
    const { dismissed } = result;
    context.result(result, [
      dismissed === undefined
        ? 'The paused run is forgotten.'
        : `The session ${dismissed} is dismissed; its files are kept.`,
    ]);
    return 0;
  });
}

/** A session that lost its owner is taken over, to be ended. */
export async function stop(context: CommandContext, plan: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const result = await api.request('stop', { plan });
    context.result(result, [result.stopped ? 'The run is stopped.' : 'Nothing of this plan was running.']);
    return 0;
  });
}
