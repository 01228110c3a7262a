import { resolve } from 'node:path';
import { type OpenApi, resolvePlan, withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { type Diagnostic, isRavelError } from '../../base/errors.ts';
import { shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { PhaseEnd, RavelEvent } from '../../model/event.ts';
import { type HarnessName, harnessNames } from '../../model/harnesses.ts';
import type { QualifiedId } from '../../model/id.ts';
import { describePaused } from '../../model/pausedRun.ts';
import { isCodePhase, type Phase, phaseFromWord, type ReasoningPhase, reasoningPhases } from '../../model/phase.ts';
import type { Api } from '../../model/protocol.ts';
import type { RunStop } from '../../model/requests/runs.ts';
import { isConsultation } from '../../model/sessionPurpose.ts';
import type { CommandContext } from '../context.ts';
import { interruptExitCodes, interruptible } from '../interrupt.ts';
import { formatPhaseSummary, formatPlanTable, formatRunSummary } from '../render/reports.ts';
import { TranscriptReader } from '../transcriptReader.ts';

export interface RunFlags {
  readonly phase?: string;
  readonly cycles?: string;
  readonly task?: string;
  readonly harness?: string;
  readonly scenario?: string;
  readonly resume?: boolean;
}

/** Exit codes for scripts: 0 the plan made progress, 1 a phase did not finish, 4 no budget left, 5 a person has to act. */
export const exitOfStop: Readonly<Record<RunStop, number>> = {
  'cycle-ended': 0,
  'nothing-ready': 0,
  interrupted: 1,
  failed: 1,
  budget: 4,
  waiting: 5,
  stopped: 5,
};

export const exitOfEnd: Readonly<Record<PhaseEnd, number>> = { finished: 0, interrupted: 1, failed: 1, waiting: 5 };

/** One cycle (or several), or with `--phase` one phase. */
export async function run(context: CommandContext, named: string | undefined, flags: RunFlags): Promise<number> {
  const { style, columns } = context;
  const options = runOptionsOf(context, flags);
  const phase = flags.phase === undefined ? undefined : reasoningPhase(flags.phase);
  const cycles = flags.cycles === undefined ? undefined : positive(flags.cycles);
  return watched(context, named, async (api, plan, signal) => {
    if (phase !== undefined) {
      const report = await api.request('run_phase', { plan, ...options, phase }, signal);
      context.result(report, formatPhaseSummary(plan, report, style, columns));
      return exitOfEnd[report.end];
    }
    const report = await api.request(
      'run_cycle',
      { plan, ...options, ...(cycles && { cycles }), ...(flags.resume === true && { resume: true }) },
      signal,
    );
    context.result(report, formatRunSummary(plan, report, style, columns));
    return exitOfStop[report.stop];
  });
}

/** Runs the interrupted phase again, and continues the run that it had stopped. */
export async function retry(context: CommandContext, named: string | undefined, flags: RunFlags): Promise<number> {
  const options = runOptionsOf(context, flags);
  return watched(context, named, async (api, plan, signal) => {
    const report = await api.request('retry', { plan, ...options }, signal);
    const { style, columns } = context;
    const { run: whole } = report;
    const lines =
      whole === undefined
        ? formatPhaseSummary(plan, report, style, columns)
        : formatRunSummary(plan, whole, style, columns);
    context.result(report, lines);
    return whole === undefined ? exitOfEnd[report.end] : exitOfStop[whole.stop];
  });
}

export const ownerLeftText =
  'The owner of the vault is gone; a running session continues for a while. See `ravel status` for the current state.';

/** How things stand, what runs so far, then what goes on, of one plan or of all, until it is interrupted or the owner leaves. */
export async function attach(context: CommandContext, named: string | undefined): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'client', async ({ api, onDidClose }) => {
    const plan = named === undefined ? undefined : await resolvePlan(api, named);
    const reader = new TranscriptReader(api, (event) => context.event(event));
    api.onEvent((event) => {
      if (plan === undefined || event.actor === plan) reader.take(event);
    });
    const { plans } = await api.request('list', {});
    const shown = plans.filter((row) => plan === undefined || row.plan === plan);
    for (const { plan: id } of shown) context.setProject(id, (await api.request('status', { plan: id })).project);
    context.note(formatPlanTable(shown, context.style, context.columns));
    for (const { running } of shown) if (running !== undefined) await reader.readIfThere(running.session);
    reader.goLive();
    return new Promise<number>((resolveCode) => {
      onDidClose(() => {
        context.note([ownerLeftText]);
        resolveCode(0);
      });
      ports.onInterrupt((interrupt) => resolveCode(interruptExitCodes[interrupt]));
    });
  });
}

/** Of an open vault, what it takes to watch a run. */
type Watched = Pick<OpenApi, 'api' | 'role'> & {
  /** A run that starts holds problems back until a phase begins, and then says which paused run it continues. */
  readonly startsRun?: true;
};

type Work = (api: Api, plan: QualifiedId, signal: AbortSignal) => Promise<number>;

async function watched(context: CommandContext, named: string | undefined, work: Work): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'runner', async (open) =>
    watchRun(context, { ...open, startsRun: true }, await resolvePlan(open.api, named), work),
  );
}

/** Tells what a plan is asked beside its phase: a run shows its own sessions. */
export class SessionsBeside {
  readonly #sessions = new Set<string>();

  isOf(event: RavelEvent): boolean {
    if (event.type === 'session.started' && isConsultation(event.phase)) this.#sessions.add(event.session);
    return 'session' in event && event.session !== undefined && this.#sessions.has(event.session);
  }
}

type ProblemEvent = Extract<RavelEvent, { type: 'diagnostic' }>;

/** Problems of the plan that come before its run has begun or ended. One of them can be what refuses the run: it is told once. */
class EarlyProblems {
  readonly #show: (event: RavelEvent) => void;
  #held: ProblemEvent[] | undefined = [];

  constructor(show: (event: RavelEvent) => void) {
    this.#show = show;
  }

  hold(event: RavelEvent): boolean {
    if (event.type !== 'diagnostic' || this.#held === undefined) return false;
    this.#held.push(event);
    return true;
  }

  /** Shows what was held but `refusal`, and holds nothing more. */
  show(refusal?: Diagnostic): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) {
      const { code, message } = event.diagnostic;
      if (refusal?.code !== code || refusal.message !== message) this.#show(event);
    }
  }
}

/** Shows the events of one plan while `work` goes on; the first interrupt asks the run to stop, the second one leaves. */
export async function watchRun(context: CommandContext, open: Watched, plan: QualifiedId, work: Work): Promise<number> {
  const { ports } = context;
  const { api, role, startsRun } = open;
  const reader = new TranscriptReader(api, (event) => context.event(event));
  const besides = new SessionsBeside();
  const early = new EarlyProblems(reader.take);
  if (startsRun !== true) early.show();
  let session: string | undefined;
  let pausedRun: string | undefined;
  const subscription = api.onEvent((event) => {
    if (event.actor !== plan || besides.isOf(event)) return;
    if (early.hold(event)) return;
    if (event.type.startsWith('phase.') || event.type.startsWith('run.')) early.show();
    if (event.type === 'phase.started' && pausedRun !== undefined) {
      context.note([pausedRun]);
      pausedRun = undefined;
    }
    if (event.type === 'session.started') session = event.session;
    if (event.type === 'session.ended') session = undefined;
    reader.take(event);
  });
  const { project, running, paused } = await api.request('status', { plan });
  context.setProject(plan, project);
  if (startsRun && paused !== undefined) pausedRun = `A run is paused here: ${describePaused(paused)}.`;
  session ??= running?.session;
  if (running !== undefined) early.show();
  // What runs although this process has only just become the owner was taken over: this run follows it to its end.
  if (role === 'owner' && running !== undefined && running.manual !== true) await reader.readIfThere(running.session);
  reader.goLive();
  const stopCleanly = () => {
    context.note(['Stopping the run; interrupt once more to leave at once.']);
    // Whether it could be stopped shows in how the run ends.
    api.request('stop', { plan }).catch(() => undefined);
  };
  try {
    const outcome = await interruptible(ports, (signal) => work(api, plan, signal), stopCleanly);
    if (outcome.interrupt === undefined) return outcome.value;
    if (outcome.left) context.note(describeLeaving(plan, session));
    return interruptExitCodes[outcome.interrupt];
  } catch (error) {
    early.show(isRavelError(error) ? error.diagnostic : undefined);
    throw error;
  } finally {
    early.show();
    subscription.dispose();
  }
}

function describeLeaving(plan: QualifiedId, session: string | undefined): string[] {
  if (session === undefined) return ['Left.'];
  return [
    `Left. The session ${session} keeps running by itself for a while;`,
    `\`ravel stop ${shellWord(plan)}\` ends it, \`ravel run ${shellWord(plan)}\` takes it over.`,
  ];
}

export function runOptionsOf({ ports }: CommandContext, flags: RunFlags) {
  return {
    ...(flags.harness === undefined ? {} : { harness: harnessName(flags.harness) }),
    ...defined({ task: flags.task }),
    ...(flags.scenario === undefined ? {} : { scenario: resolve(ports.workingDirectory, flags.scenario) }),
  };
}

export function harnessName(text: string): HarnessName {
  const name = harnessNames.find((known) => known === text);
  if (name !== undefined) return name;
  throw failure('cli/usage', '--harness', `There is no harness "${text}"; there are ${harnessNames.join(', ')}.`);
}

export function reasoningPhase(word: string): ReasoningPhase {
  const phase: Phase | undefined = phaseFromWord(word);
  if (phase === undefined)
    throw failure('cli/usage', '--phase', `"${word}" is not a phase; name one of ${reasoningPhases.join(', ')}.`);
  if (isCodePhase(phase)) throw failure('cli/usage', '--phase', `${phase} runs by itself, after the phase before it.`);
  return phase;
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw failure('cli/usage', '--cycles', `"${text}" is not a whole number above 0.`);
}
