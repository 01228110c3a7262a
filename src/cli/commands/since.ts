import type { Command } from 'commander';
import { lastVisitAt } from '../../access/lastVisit.ts';
import { withApi } from '../../access/openApi.ts';
import { placesOfVault } from '../../access/placesOfVault.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { isRavelError } from '../../base/errors.ts';
import { dayMs } from '../../base/units.ts';
import { failure } from '../../model/codes.ts';
import { parseWhen, whenForms } from '../../model/when.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatSince } from '../render/since.ts';
import { numberFlag } from './numberFlag.ts';

const help = `
WHEN is ${whenForms}.
Without it: since you last asked. That time is kept in your own state folder, not in the vault; the first time it is a day.

Examples:
  $ ravel since
  $ ravel since yesterday
  $ ravel since 2026-11-20 --limit 50 --json
`;

export function addSinceCommand(command: Command, start: Start): void {
  command
    .command('since [when]')
    .description('show what happened in all plans, and what waits for you')
    .option('--limit <n>', 'maximum number of plans to show', '20')
    .option('--items <n>', 'maximum number of commits, decisions and so on of each plan', '10')
    .addHelpText('after', help)
    .action((when, options) => start((context) => since(context, when, options)));
}

async function since(
  context: CommandContext,
  when: string | undefined,
  { limit, items }: { readonly limit: string; readonly items: string },
): Promise<number> {
  const { ports, globals, style, columns, link } = context;
  const bounds = { plans: numberFlag('--limit', limit, 1000), items: numberFlag('--items', items, 1000) };
  const nowMs = ports.clock.wallMs();
  const named = when === undefined ? undefined : namedTime(when, nowMs);
  return withApi(ports, globals.vault, 'local', async ({ api, vault }) => {
    const look = lastVisitAt(ports.disk, ports.environment, vault);
    const lastMs = await look?.load();
    // A clock that was set back leaves a time in the future behind.
    const sinceMs = named ?? Math.min(lastMs ?? nowMs - dayMs, nowMs);
    const result = await api.request('since', { since: formatTimestamp(sinceMs), ...bounds });
    context.result(result, [
      ...formatSince(result, { style, columns, link, places: placesOfVault(vault) }),
      ...formatDiagnostics(result.diagnostics, style, columns),
    ]);
    // A look at the last hour does not count as one at all that came before it.
    if (lastMs === undefined || sinceMs <= lastMs) await keep(context, () => look?.save(result.until));
    return 0;
  });
}

/** What was shown stays shown: if the time cannot be kept, the next look begins where this one did. */
async function keep(context: CommandContext, save: () => Promise<void> | undefined): Promise<void> {
  try {
    await save();
  } catch (error) {
    if (!isRavelError(error)) throw error;
    context.error({ ...error.diagnostic, severity: 'warning' });
  }
}

/** The point in the past that a person named. Throws `cli/usage`. */
export function namedTime(when: string, nowMs: number): number {
  const found = parseWhen(when, nowMs);
  if ('ms' in found) return found.ms;
  throw failure('cli/usage', when, `"${when}" does not name a point in the past: ${found.problem}.`);
}
