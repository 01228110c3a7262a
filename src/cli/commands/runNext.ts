import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import { exitOfNextRun, type NextCycle, type NextRunEnd, pickNext } from '../../model/nextRun.ts';
import type { NextTask } from '../../model/nextTasks.ts';
import type { Api, RequestParams, RequestResults } from '../../model/protocol.ts';
import type { CommandContext } from '../context.ts';
import { interruptExitCodes, interruptible } from '../interrupt.ts';
import { formatNextRun } from '../render/nextRun.ts';
import { TranscriptReader } from '../transcriptReader.ts';
import { numberFlag } from './numberFlag.ts';
import { type RunFlags, runOptionsOf, SessionsBeside } from './runs.ts';

export interface RunNextFlags extends RunFlags {
  readonly next?: true;
  readonly plans?: string;
  readonly under?: string;
  readonly atMost?: string;
}

/** Runs cycles of many plans, in the order of `ravel next`, until nothing is ready or a limit is reached. */
export async function runNext(context: CommandContext, plan: string | undefined, flags: RunNextFlags): Promise<number> {
  assertFits(plan, flags);
  const { ports, globals, style, columns } = context;
  const options = {
    how: runOptionsOf(context, flags),
    which: { ...defined({ under: flags.under }), ...(flags.plans !== undefined && { plans: namesIn(flags.plans) }) },
    cyclesMax: flags.cycles === undefined ? undefined : numberFlag('--cycles', flags.cycles, 1_000_000),
    atMost: flags.atMost === undefined ? 1 : numberFlag('--at-most', flags.atMost, 1000),
  };
  return withApi(ports, globals.vault, 'runner', async ({ api }) => {
    const run = new NextRun(context, api, options);
    const tell = (end: NextRunEnd) => {
      const report = { cycles: run.cycles, end, leftOut: run.leftOut };
      context.result(report, formatNextRun(report, style, columns));
    };
    const stopCleanly = () => {
      context.note(['Stopping the runs; interrupt once more to leave at once.']);
      run.stop();
    };
    try {
      const outcome = await interruptible(ports, (signal) => run.work(signal), stopCleanly);
      if (outcome.interrupt === undefined) {
        tell(outcome.value);
        return exitOfNextRun(run.cycles, outcome.value);
      }
      tell('interrupted');
      if (outcome.left) context.note(['Left. Sessions that run continue for a while; see `ravel status --running`.']);
      return interruptExitCodes[outcome.interrupt];
    } catch (error) {
      // What was done until then is done, whatever ended the run.
      if (run.cycles.length > 0) context.note(formatNextRun({ ...run, end: 'interrupted' }, style, columns));
      throw error;
    } finally {
      run.dispose();
    }
  });
}

/** What only a run over many plans takes is refused for one plan. */
export function assertNextFlags(flags: RunNextFlags & { readonly byHand?: boolean }): void {
  if (flags.next === true) {
    if (flags.byHand === true) throw failure('cli/usage', '--by-hand', '--next runs sessions: leave out --by-hand.');
    return;
  }
  const names = { plans: '--plans', under: '--under', atMost: '--at-most' } as const;
  for (const [key, flag] of Object.entries(names) as ['plans' | 'under' | 'atMost', string][]) {
    if (flags[key] !== undefined) throw failure('cli/usage', flag, `${flag} is for a run over many plans: add --next.`);
  }
}

function assertFits(plan: string | undefined, flags: RunNextFlags): void {
  const others = ['phase', 'task', 'resume'] as const;
  const other = others.find((name) => flags[name] !== undefined);
  if (plan !== undefined) throw failure('cli/usage', plan, '--next chooses the plans: leave out the plan, or --next.');
  if (other !== undefined) throw failure('cli/usage', `--${other}`, `--next runs whole cycles: leave out --${other}.`);
  if (flags.plans !== undefined && flags.under !== undefined) {
    throw failure('cli/usage', '--plans', 'Give --plans or --under, and not both.');
  }
}

function namesIn(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw failure('cli/usage', '--plans', '--plans takes the names of plans, with commas between them.');
}

interface NextRunOptions {
  readonly how: Omit<RequestParams<'run_cycle'>, 'plan'>;
  readonly which: Pick<RequestParams<'next'>, 'under' | 'plans'>;
  readonly cyclesMax: number | undefined;
  readonly atMost: number;
}

/** As many as `next` gives: those that are left or run here are passed over. */
const tasksAsked = 1000;

/** Chooses and begins cycles; the owner queues and carries them out, as it does for every client. */
class NextRun {
  readonly cycles: NextCycle[] = [];
  leftOut: RequestResults['next']['leftOut'] = { faulted: 0, running: 0, waiting: 0, paused: 0 };
  readonly #context: CommandContext;
  readonly #api: Api;
  readonly #options: NextRunOptions;
  readonly #running = new Map<QualifiedId, Promise<void>>();
  readonly #ours = new Set<string>();
  readonly #subscription;
  #begun = 0;
  #end: NextRunEnd | undefined;

  constructor(context: CommandContext, api: Api, options: NextRunOptions) {
    this.#context = context;
    this.#api = api;
    this.#options = options;
    const reader = new TranscriptReader(api, (event) => context.event(event));
    const besides = new SessionsBeside();
    reader.goLive();
    this.#subscription = api.onEvent((event) => {
      if (this.#ours.has(event.actor) && !besides.isOf(event)) reader.take(event);
    });
  }

  /** Resolves once nothing runs any more. Rejects if the owner leaves, or the list cannot be read. */
  async work(signal: AbortSignal): Promise<NextRunEnd> {
    while (this.#end === undefined) {
      const task = await this.#choose();
      if (this.#end !== undefined) break;
      if (task === undefined) {
        if (this.#running.size === 0) return 'nothing-ready';
      } else {
        this.#begin(task, signal);
        if (this.#begun === this.#options.cyclesMax) this.#end = 'cycles';
        else if (this.#running.size < this.#options.atMost) continue;
      }
      await Promise.race(this.#running.values());
    }
    await Promise.all(this.#running.values());
    return this.#end;
  }

  /** Begins nothing more, and stops what runs. */
  stop(): void {
    this.#end = 'interrupted';
    // Whether they could be stopped shows in how they end.
    for (const plan of this.#running.keys()) this.#api.request('stop', { plan }).catch(() => undefined);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #choose(): Promise<NextTask | undefined> {
    const { tasks, leftOut } = await this.#api.request('next', { ...this.#options.which, limit: tasksAsked });
    this.leftOut = leftOut;
    return pickNext(tasks, new Set(this.#running.keys()), this.cycles);
  }

  #begin(task: NextTask, signal: AbortSignal): void {
    const { plan } = task;
    this.#begun += 1;
    this.#ours.add(plan);
    const run = this.#run(task, signal).finally(() => this.#running.delete(plan));
    this.#running.set(plan, run);
    // The wait for all of them rejects with it.
    run.catch(() => undefined);
  }

  async #run({ plan, id, title, phase }: NextTask, signal: AbortSignal): Promise<void> {
    const { how } = this.#options;
    // A task can be named only for the work that comes first; the rest of an earlier cycle has its own.
    const named = phase === 'work' ? { task: id } : {};
    const about = { plan, ...named };
    this.#context.note([`${plan}: ${phase === 'work' ? title : `${phase} first`}`]);
    const { project } = await this.#api.request('status', { plan });
    this.#context.setProject(plan, project);
    // It was stopped before its run could be: nothing of it began.
    if (this.#end === 'interrupted') return;
    try {
      const asked = { plan, ...how, ...named, cycles: 1 };
      const { phases, stop, reason } = await this.#api.request('run_cycle', asked, signal);
      const usd = phases.reduce((sum, { usage }) => sum + (usage?.costUsd ?? 0), 0);
      this.cycles.push({ ...about, outcome: stop, reason, usd });
      if (stop === 'budget' && (await this.#isVaultSpent())) this.#end ??= 'budget';
    } catch (error) {
      // Without the owner, none of the others can run either.
      if (!isRavelError(error) || ownerLeft.some((code) => isRavelError(error, code))) throw error;
      this.cycles.push({ ...about, outcome: 'refused', reason: error.message, usd: 0 });
    }
  }

  /** A plan can have spent its own budget, and then the others go on. */
  async #isVaultSpent(): Promise<boolean> {
    const { days, reservedUsd, vaultUsdPerDay } = await this.#api.request('spending', {});
    return vaultUsdPerDay > 0 && (days.at(-1)?.usd ?? 0) + reservedUsd >= vaultUsdPerDay;
  }
}

const ownerLeft = ['server/gone', 'vault/lost', 'vault/owned', 'run/stopped'] as const;
