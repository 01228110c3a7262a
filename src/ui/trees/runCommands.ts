import * as vscode from 'vscode';
import type { QualifiedId } from '../../model/id.ts';
import { goesOnWithoutOwner } from '../../model/lostOwner.ts';
import type { Api, RequestParams } from '../../model/protocol.ts';
import type { CommandTable } from '../commands.ts';
import { offer } from '../offer.ts';
import type { PlanNode } from '../planForest.ts';
import { requireLink } from '../requireLink.ts';
import type { Workplace } from '../workplace.ts';
import { choosePlan } from './choosePlan.ts';
import { cycleOutcome, phaseOutcome, type RunOutcome } from './runOutcome.ts';

/** How a run is wanted, where a caller has asked for that already. */
type PhaseOptions = Omit<RequestParams<'run_phase'>, 'plan'>;
type CycleOptions = Omit<RequestParams<'run_cycle'>, 'plan'>;

/** Commands that run the phases of a plan. A run is over when its command is; stopping it is a command of its own. */
export const runCommands: CommandTable = {
  async runPhase(workplace, argument, options) {
    workplace.requireTrust();
    const plan = await choosePlan(workplace, argument, {
      title: 'Run Phase of Plan',
      fits: isStill,
      none: everyPlanRuns,
    });
    if (plan === undefined) return undefined;
    return run(workplace, plan, async (api) => {
      const report = await api.request('run_phase', { plan, ...optionsOf<PhaseOptions>(options) });
      return phaseOutcome(plan, report);
    });
  },

  async runCycle(workplace, argument, options) {
    workplace.requireTrust();
    const plan = await choosePlan(workplace, argument, {
      title: 'Run Cycle of Plan',
      fits: isStill,
      none: everyPlanRuns,
    });
    if (plan === undefined) return undefined;
    return runCycles(workplace, plan, { cycles: 1, ...optionsOf<CycleOptions>(options) });
  },

  async runCycles(workplace, argument) {
    workplace.requireTrust();
    const plan = await choosePlan(workplace, argument, {
      title: 'Run Cycles of Plan',
      fits: isStill,
      none: everyPlanRuns,
    });
    if (plan === undefined) return undefined;
    const answer = await workplace.prompter.input({
      title: 'Run Cycles',
      prompt: 'How many cycles, one after the other? The run ends early if something needs you.',
      value: '3',
      validateInput: (text) => (/^[1-9]\d{0,3}$/.test(text.trim()) ? undefined : 'Give a number from 1 to 9999.'),
    });
    return answer === undefined ? undefined : runCycles(workplace, plan, { cycles: Number(answer) });
  },

  async resumeRun(workplace, argument) {
    workplace.requireTrust();
    const fits = ({ row }: PlanNode) => row?.paused !== undefined;
    const plan = await choosePlan(workplace, argument, {
      title: 'Resume Run of Plan',
      fits,
      none: 'No run is paused.',
    });
    return plan === undefined ? undefined : runCycles(workplace, plan, { resume: true });
  },

  async stopPlan(workplace, argument) {
    workplace.requireTrust();
    const fits = ({ row }: PlanNode) => row?.running !== undefined;
    const plan = await choosePlan(workplace, argument, { title: 'Stop Plan', fits, none: 'Nothing is running.' });
    if (plan === undefined) return undefined;
    const { stopped } = await requireLink(workplace).api.request('stop', { plan });
    if (!stopped) await workplace.prompter.info('Nothing of this plan is running any more.');
    return stopped;
  },

  async retryPhase(workplace, argument) {
    workplace.requireTrust();
    const plan = await choosePlan(workplace, argument, {
      title: 'Retry Phase of Plan',
      fits: isStopped,
      none: nothingToRetry,
    });
    if (plan === undefined) return undefined;
    return run(workplace, plan, async (api) => {
      const report = await api.request('retry', { plan });
      return report.run === undefined ? phaseOutcome(plan, report) : cycleOutcome(plan, report.run);
    });
  },

  async dismissPhase(workplace, argument) {
    workplace.requireTrust();
    const fits = (node: PlanNode) => isStopped(node) || node.row?.paused !== undefined;
    const plan = await choosePlan(workplace, argument, { title: 'Dismiss Phase of Plan', fits, none: nothingToRetry });
    if (plan === undefined) return undefined;
    const isPaused = workplace.model.plan(plan)?.row?.waiting === undefined;
    const detail = isPaused
      ? 'The run does not continue. Nothing else changes.'
      : 'The changes that its session proposed are dropped. Its files are kept below runtime/ for a while, and source files stay as they are.';
    const really = await workplace.prompter.confirm(
      isPaused ? 'Forget the paused run?' : 'Dismiss the phase?',
      detail,
      'Dismiss',
    );
    return really ? requireLink(workplace).api.request('dismiss', { plan }) : undefined;
  },
};

export const everyPlanRuns = 'All plans are already running.';
const nothingToRetry = 'There is no phase to retry.';

export function isStill({ row }: PlanNode): boolean {
  return row?.running === undefined;
}

export function isStopped({ row }: PlanNode): boolean {
  return row?.waiting !== undefined && row.running === undefined;
}

function optionsOf<Options>(value: unknown): Partial<Options> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

async function runCycles(
  workplace: Workplace,
  plan: QualifiedId,
  options: CycleOptions,
): Promise<RunOutcome | undefined> {
  return run(workplace, plan, async (api) => cycleOutcome(plan, await api.request('run_cycle', { plan, ...options })));
}

/** Runs with the progress of the view, and tells the user the result if they have to know it. */
async function run(
  workplace: Workplace,
  plan: QualifiedId,
  work: (api: Api) => Promise<RunOutcome>,
): Promise<RunOutcome | undefined> {
  const { api } = requireLink(workplace);
  const untilOver = async () =>
    work(api).catch((error: unknown) => {
      if (!goesOnWithoutOwner('run_phase', error)) throw error;
      workplace.log.info(`${plan}: the owner of the vault went away; the next one goes on.`);
      return undefined;
    });
  const outcome = await vscode.window.withProgress({ location: { viewId: 'ravel.plans' } }, untilOver);
  if (outcome !== undefined) tellOutcome(workplace, plan, outcome);
  return outcome;
}

/** The caller does not wait for the answer: the run is over. */
export function tellOutcome(workplace: Workplace, plan: QualifiedId, outcome: RunOutcome): void {
  const { message, tone, approval, canRetry } = outcome;
  workplace.log.info(message);
  if (tone === 'quiet') {
    vscode.window.setStatusBarMessage(message, statusMs);
    return;
  }
  const openPlan = { title: 'Open Plan', command: 'ravel.openPlan', arguments: [plan] };
  const retry = { title: 'Retry', command: 'ravel.retryPhase', arguments: [plan] };
  const openQuestion = { title: 'Open Question', command: 'ravel.openApproval', arguments: [approval] };
  const actions = approval !== undefined ? [openQuestion] : canRetry ? [retry, openPlan] : [openPlan];
  offer(workplace, { tone: 'warn', message, actions });
}

const statusMs = 8_000;
