import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { QualifiedId } from '../../model/id.ts';
import { outlivesOwner } from '../../model/lostOwner.ts';
import type { Api, RequestParams } from '../../model/protocol.ts';
import type { CommandTable } from '../commands.ts';
import { notify, statusMessageMs } from '../notify.ts';
import type { PlanNode } from '../planOutline.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { choosePlan } from './choosePlan.ts';
import { cycleOutcome, phaseOutcome, type RunOutcome } from './runOutcome.ts';

/** How a run is wanted, if a caller has asked for that already. */
type PhaseOptions = Omit<RequestParams<'run_phase'>, 'plan'>;
type CycleOptions = Omit<RequestParams<'run_cycle'>, 'plan'>;

/** Commands that run the phases of a plan. A run is over when its command is; stopping it is a command of its own. */
export const runCommands: CommandTable = {
  async runPhase(ui, argument, options) {
    ui.requireTrust();
    const plan = await choosePlan(ui, argument, {
      title: t('Run Phase of Plan'),
      fits: isStill,
      none: everyPlanRuns,
    });
    if (plan === undefined) return undefined;
    return run(ui, plan, async (api) => {
      const report = await api.request('run_phase', { plan, ...optionsOf<PhaseOptions>(options) });
      return phaseOutcome(plan, report);
    });
  },

  async runCycle(ui, argument, options) {
    ui.requireTrust();
    const plan = await choosePlan(ui, argument, {
      title: t('Run Cycle of Plan'),
      fits: isStill,
      none: everyPlanRuns,
    });
    if (plan === undefined) return undefined;
    return runCycles(ui, plan, { cycles: 1, ...optionsOf<CycleOptions>(options) });
  },

  async runCycles(ui, argument) {
    ui.requireTrust();
    const plan = await choosePlan(ui, argument, {
      title: t('Run Cycles of Plan'),
      fits: isStill,
      none: everyPlanRuns,
    });
    if (plan === undefined) return undefined;
    const answer = await ui.prompter.input({
      title: t('Run Cycles'),
      prompt: t('How many cycles, one after the other? The run ends early if something needs you.'),
      value: '3',
      validateInput: (text) => (/^[1-9]\d{0,3}$/.test(text.trim()) ? undefined : t('Give a number from 1 to 9999.')),
    });
    return answer === undefined ? undefined : runCycles(ui, plan, { cycles: Number(answer) });
  },

  async resumeRun(ui, argument) {
    ui.requireTrust();
    const fits = ({ row }: PlanNode) => row?.paused !== undefined;
    const plan = await choosePlan(ui, argument, {
      title: t('Resume Run of Plan'),
      fits,
      none: t('No run is paused.'),
    });
    return plan === undefined ? undefined : runCycles(ui, plan, { resume: true });
  },

  async stopPlan(ui, argument) {
    ui.requireTrust();
    const fits = ({ row }: PlanNode) => row?.running !== undefined;
    const plan = await choosePlan(ui, argument, { title: t('Stop Plan'), fits, none: t('Nothing is running.') });
    if (plan === undefined) return undefined;
    const { stopped } = await requireLink(ui).api.request('stop', { plan });
    if (!stopped) await ui.prompter.info(t('Nothing of this plan is running any more.'));
    return stopped;
  },

  async retryPhase(ui, argument) {
    ui.requireTrust();
    const plan = await choosePlan(ui, argument, {
      title: t('Retry Phase of Plan'),
      fits: isPlanStopped,
      none: nothingToRetry,
    });
    if (plan === undefined) return undefined;
    return run(ui, plan, async (api) => {
      const report = await api.request('retry', { plan });
      return report.run === undefined ? phaseOutcome(plan, report) : cycleOutcome(plan, report.run);
    });
  },

  async dismissPhase(ui, argument) {
    ui.requireTrust();
    const fits = (node: PlanNode) => isPlanStopped(node) || node.row?.paused !== undefined;
    const plan = await choosePlan(ui, argument, { title: t('Dismiss Phase of Plan'), fits, none: nothingToRetry });
    if (plan === undefined) return undefined;
    const isPaused = ui.model.plan(plan)?.row?.waiting === undefined;
    const detail = isPaused
      ? t('The run does not continue. Nothing else changes.')
      : t(
          'The changes that its session proposed are dropped. Its files are kept below runtime/ for a while, and source files stay as they are.',
        );
    const really = await ui.prompter.confirm(
      isPaused ? t('Forget the paused run?') : t('Dismiss the phase?'),
      detail,
      t('Dismiss'),
    );
    return really ? requireLink(ui).api.request('dismiss', { plan }) : undefined;
  },
};

export const everyPlanRuns = t('All plans are already running.');
const nothingToRetry = t('There is no phase to retry.');

export function isStill({ row }: PlanNode): boolean {
  return row?.running === undefined;
}

export function isPlanStopped({ row }: PlanNode): boolean {
  return row?.waiting !== undefined && row.running === undefined;
}

function optionsOf<Options>(value: unknown): Partial<Options> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

async function runCycles(ui: UiContext, plan: QualifiedId, options: CycleOptions): Promise<RunOutcome | undefined> {
  return run(ui, plan, async (api) => cycleOutcome(plan, await api.request('run_cycle', { plan, ...options })));
}

/** Runs with the progress of the view, and tells the user the result if they have to know it. */
async function run(
  ui: UiContext,
  plan: QualifiedId,
  work: (api: Api) => Promise<RunOutcome>,
): Promise<RunOutcome | undefined> {
  const { api } = requireLink(ui);
  const untilOver = async () =>
    work(api).catch((error: unknown) => {
      if (!outlivesOwner('run_phase', error)) throw error;
      ui.log.info(`${plan}: the owner of the vault ended; the next one continues.`);
      return undefined;
    });
  const outcome = await vscode.window.withProgress({ location: { viewId: 'ravel.plans' } }, untilOver);
  if (outcome !== undefined) await showRunOutcome(ui, plan, outcome);
  return outcome;
}

/** The caller does not wait for the answer: the run is over. */
export async function showRunOutcome(ui: UiContext, plan: QualifiedId, outcome: RunOutcome): Promise<void> {
  const { message, tone, approval, canRetry } = outcome;
  ui.log.info(message);
  const isNew = tone !== 'quiet' && (await ui.news.tellOtherwise(plan, approval));
  if (!isNew) {
    vscode.window.setStatusBarMessage(message, statusMessageMs);
    return;
  }
  const openPlan = { title: t('Open Plan'), command: 'ravel.openPlan', arguments: [plan] };
  const retry = { title: t('Retry'), command: 'ravel.retryPhase', arguments: [plan] };
  const openQuestion = { title: t('Open Question'), command: 'ravel.openApproval', arguments: [approval] };
  const actions = approval !== undefined ? [openQuestion] : canRetry ? [retry, openPlan] : [openPlan];
  notify(ui, { tone: 'warn', message, actions });
}
