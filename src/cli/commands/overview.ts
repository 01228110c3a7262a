import { withApi } from '../../access/openApi.ts';
import { isRavelError } from '../../base/errors.ts';
import type { CommandContext } from '../context.ts';
import {
  beginnings,
  formatBeginnings,
  formatOverview,
  isBrokenPolicy,
  nextCommand,
  sortPlans,
} from '../render/overview.ts';

/** Plans of each state that scripts get; for all of them there is `ravel status`. */
const listedMax = 100;

/** `ravel` alone: the state of the vault in a few lines, and the next step. */
export async function overview(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  if (!(await hasVault(context))) {
    context.result({ begin: beginnings }, formatBeginnings(style));
    return 0;
  }
  return withApi(ports, globals.vault, 'local', async ({ api, vault }) => {
    const [{ plans, diagnostics }, { approvals }, spending] = await Promise.all([
      api.request('list', {}),
      api.request('approvals', {}),
      api.request('spending', { days: 1 }),
    ]);
    const { running, unfinished, faulted, ready } = sortPlans({ plans, approvals });
    const brokenPolicies = diagnostics.filter(isBrokenPolicy);
    const named = (rows: typeof plans) => ({
      count: rows.length,
      plans: rows.slice(0, listedMax).map(({ plan }) => plan),
    });
    const value = {
      ...{ vault, plans: plans.length, questions: approvals.length },
      ...{ running: named(running), unfinished: named(unfinished), faulted: named(faulted), ready: named(ready) },
      usdToday: spending.days.at(-1)?.usd ?? 0,
      ...(brokenPolicies.length > 0 && { brokenPolicies }),
      next: nextCommand({ plans, approvals, brokenPolicies }),
    };
    context.result(value, formatOverview({ vault, plans, approvals, spending, brokenPolicies }, style, columns));
    return 0;
  });
}

/** Throws `vault/none` if one is named that is not there: that is a mistake, and no beginning. */
async function hasVault({ ports, globals }: CommandContext): Promise<boolean> {
  try {
    await ports.core.findVault(globals.vault);
    return true;
  } catch (error) {
    const { RAVEL_VAULT: variable } = ports.environment;
    const isNamed = globals.vault !== undefined || (variable !== undefined && variable !== '');
    if (isNamed || !isRavelError(error, 'vault/none') || error.diagnostic.subject !== 'vault') throw error;
    return false;
  }
}
