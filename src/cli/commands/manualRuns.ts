import { basename } from 'node:path';
import { resolvePlan, withApi } from '../../access/openApi.ts';
import { createDeferred } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { RavelEvent } from '../../model/event.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import type { ManualRun } from '../../model/requests/manualRuns.ts';
import type { PlanStatus } from '../../model/requests/plans.ts';
import { type FinishOutcome, finishOutcomes } from '../../model/sessionTools.ts';
import type { CommandContext } from '../context.ts';
import { namedEditor } from '../editor.ts';
import { interruptExitCodes, interruptible } from '../interrupt.ts';
import type { Interrupt } from '../ports.ts';
import { formatPhaseSummary } from '../render/reports.ts';
import { exitOfEnd, type RunFlags, reasoningPhase } from './runs.ts';

export interface ManualFlags extends RunFlags {
  readonly byHand?: boolean;
  readonly takeOver?: boolean;
  readonly finish?: boolean;
  readonly drop?: boolean;
  readonly outcome?: string;
  readonly summary?: string;
  readonly unchanged?: boolean;
  readonly editor?: boolean;
}

/** The exit code of a run that is left open: it needs a person. */
const openExit = 5;

/** One phase that the person carries out in their editor. */
export async function runManually(
  context: CommandContext,
  named: string | undefined,
  flags: ManualFlags,
): Promise<number> {
  assertFlags(flags);
  const { ports, globals } = context;
  if (opensEditor(flags)) namedEditor(ports.environment);
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const plan = await resolvePlan(api, named);
    const status = await api.request('status', { plan });
    context.setProject(plan, status.project);
    const printer = new EventPrinter(context, plan);
    const subscription = api.onEvent(isQuiet(context, flags) ? () => undefined : printer.show);
    try {
      const screen = { context, api, flags, printer };
      const takeOver = flags.takeOver === true || (await wantsTakeOver(screen, status));
      // It may have to wait for its tree; what is not begun is taken back by a stop.
      const takeBack = () => void api.request('stop', { plan }).catch(() => undefined);
      const begun = await interruptible(ports, () => begin(screen, plan, takeOver), takeBack);
      if (begun.interrupt !== undefined) return interruptExitCodes[begun.interrupt];
      return await carryOut(screen, begun.value);
    } finally {
      subscription.dispose();
    }
  });
}

/** A user who drops the phase needs neither its files nor its events. */
function isQuiet({ globals }: CommandContext, { drop }: ManualFlags): boolean {
  return drop === true && globals.json !== true;
}

interface ManualScreen {
  readonly context: CommandContext;
  readonly api: Api;
  readonly flags: ManualFlags;
  readonly printer: EventPrinter;
}

/** Shows the events of a plan, but not while the terminal belongs to the editor or to a question. */
class EventPrinter {
  readonly #context: CommandContext;
  readonly #plan: QualifiedId;
  #held: RavelEvent[] | undefined;

  constructor(context: CommandContext, plan: QualifiedId) {
    this.#context = context;
    this.#plan = plan;
  }

  readonly show = (event: RavelEvent): void => {
    if (event.actor !== this.#plan) return;
    if (this.#held === undefined) this.#context.event(event);
    else this.#held.push(event);
  };

  async silent<T>(work: () => Promise<T>): Promise<T> {
    this.#context.close();
    this.#held = [];
    try {
      return await work();
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const event of held) this.#context.event(event);
    }
  }
}

async function begin({ context, api, flags }: ManualScreen, plan: QualifiedId, takeOver: boolean): Promise<ManualRun> {
  const run = await api.request('begin_manual_run', {
    plan,
    ...(flags.phase !== undefined && { phase: reasoningPhase(flags.phase) }),
    ...defined({ task: flags.task }),
    ...(takeOver && { takeOver }),
  });
  if (isQuiet(context, flags)) return run;
  const task = run.task === undefined ? '' : `, task ${run.task}`;
  const names = (files: readonly string[]) => files.map((file) => basename(file)).join(', ');
  context.note([
    `${run.reopened ? 'Continued' : 'Begun'} by hand: ${run.phase}${task}`,
    `  folder    ${run.directory}`,
    `  to edit   ${names(run.files)}`,
    `  to read   ${names([run.prompt, ...run.reading])}`,
    ...(run.project === undefined ? [] : [`  source    ${run.project}`]),
  ]);
  return run;
}

async function wantsTakeOver(screen: ManualScreen, { interrupted, question }: PlanStatus): Promise<boolean> {
  const unfinished = interrupted ?? question;
  if (unfinished === undefined || !isInteractive(screen.context)) return false;
  const answer = await ask(
    screen,
    `${unfinished.phase} did not finish: ${unfinished.reason}\nTake over what it had staged? [y/n] `,
  );
  return answer === 'y';
}

type Choice = 'finish' | 'continue' | 'drop' | 'leave';

async function carryOut(screen: ManualScreen, run: ManualRun): Promise<number> {
  const { context, api, flags } = screen;
  const { plan, session } = run;
  // After a refusal the person looks at it first, whatever the flags say.
  for (let flagged = chosenBy(flags); ; flagged = undefined) {
    const ended = opensEditor(flags) ? await edit(screen, run) : 0;
    if (typeof ended === 'string') return interruptExitCodes[ended];
    if (ended !== 0) context.note([`The editor ended with code ${ended}.`]);
    const choice: Choice = ended === 0 && flagged !== undefined ? flagged : await choose(screen, run);
    switch (choice) {
      case 'leave':
        context.result({ open: run }, describeOpen(run));
        return openExit;
      case 'drop': {
        const dropped = await api.request('drop_manual_run', { plan, session });
        context.result(dropped, [`${run.phase} is dropped; what you edited is kept under runtime/interrupted.`]);
        return 0;
      }
      case 'finish': {
        const code = await finish(screen, run);
        if (code !== undefined) return code;
        break;
      }
      case 'continue':
        break;
    }
  }
}

/** The editor's exit code, or the signal that ended the waiting for it. Ctrl-C is the editor's own. */
async function edit({ context, printer }: ManualScreen, run: ManualRun): Promise<number | Interrupt> {
  const { ports } = context;
  const terminated = createDeferred<Interrupt>();
  const subscription = ports.onInterrupt((interrupt) => {
    if (interrupt === 'SIGTERM') terminated.resolve(interrupt);
  });
  try {
    const closed = printer.silent(() => ports.runEditor([...run.files, run.prompt]));
    return await Promise.race([closed, terminated.promise]);
  } finally {
    subscription.dispose();
  }
}

function chosenBy({ finish, drop }: ManualFlags): Choice | undefined {
  if (drop === true) return 'drop';
  return finish === true ? 'finish' : undefined;
}

/** What becomes of the phase now; it stays open if there is no user to ask. */
async function choose(screen: ManualScreen, run: ManualRun): Promise<Choice> {
  if (!isInteractive(screen.context)) return 'leave';
  const choices: Readonly<Record<string, Choice>> = { f: 'finish', c: 'continue', d: 'drop', l: 'leave' };
  for (;;) {
    const answer = await ask(screen, `${run.phase}: [f]inish, [c]ontinue editing, [d]rop, or [l]eave it open? `);
    if (answer === undefined) return 'leave';
    const choice = choices[answer.slice(0, 1)];
    if (choice !== undefined) return choice;
  }
}

/** The exit code; undefined if the phase is open still and the person goes on. */
async function finish(
  screen: ManualScreen,
  run: ManualRun,
  unchanged = screen.flags.unchanged === true,
): Promise<number | undefined> {
  const { context, api, flags } = screen;
  const { plan, session } = run;
  const outcome = outcomeOf(flags);
  const summary = flags.summary ?? (await askSummary(screen));
  try {
    const ended = await api.request('finish_manual_run', { plan, session, outcome, summary, unchanged });
    if (ended.outcome === 'ended') {
      context.result(ended.report, formatPhaseSummary(plan, ended.report, context.style, context.columns));
      return exitOfEnd[ended.report.end];
    }
    if (!isInteractive(context)) throw failure('gate/refused', plan, ended.reason);
    context.note(['It was refused:', ...ended.reason.split('\n').map((line) => `  ${line}`)]);
    return undefined;
  } catch (error) {
    if (!isRavelError(error, 'run/nothingChanged') || !isInteractive(context)) throw error;
    const answer = await ask(screen, `${error.message} Is ${run.phase} done as it is? [y/n] `);
    return answer === 'y' ? finish({ ...screen, flags: { ...flags, summary } }, run, true) : undefined;
  }
}

async function askSummary(screen: ManualScreen): Promise<string> {
  const fallback = 'Done by hand.';
  if (!isInteractive(screen.context)) return fallback;
  const answer = await screen.printer.silent(() => screen.context.ports.stdin.ask('In a sentence, what was done? '));
  return answer === undefined || answer.trim() === '' ? fallback : answer;
}

async function ask({ context, printer }: ManualScreen, question: string): Promise<string | undefined> {
  const answer = await printer.silent(() => context.ports.stdin.ask(question));
  return answer?.trim().toLowerCase();
}

function isInteractive({ ports, globals }: CommandContext): boolean {
  return globals.json !== true && ports.stdin.isTty && ports.stderr.isTty;
}

function opensEditor({ editor, drop }: ManualFlags): boolean {
  return editor !== false && drop !== true;
}

function describeOpen({ plan, phase }: ManualRun): string[] {
  return [
    `${phase} is open by hand. \`ravel run ${shellWord(plan)} --by-hand\` continues it; --finish or --drop ends it.`,
  ];
}

function outcomeOf({ outcome = 'done' }: ManualFlags): FinishOutcome {
  const known = finishOutcomes.find((name) => name === outcome);
  if (known !== undefined) return known;
  throw failure('cli/usage', '--outcome', `There is no outcome "${outcome}"; there are ${finishOutcomes.join(', ')}.`);
}

/** Options that say something only together with `--by-hand`, and such as make no sense with it. */
const manualOptions = ['takeOver', 'finish', 'drop', 'outcome', 'summary', 'unchanged'] as const;
const sessionOptions = ['cycles', 'harness', 'scenario'] as const;

export function assertSessionFlags(flags: ManualFlags): void {
  const given = manualOptions.filter((name) => flags[name] !== undefined);
  if (given.length > 0) throw usage(given, 'only with --by-hand');
}

function assertFlags(flags: ManualFlags): void {
  outcomeOf(flags);
  const given = sessionOptions.filter((name) => flags[name] !== undefined);
  if (given.length > 0) throw usage(given, 'not with --by-hand: it is one phase, and yours');
  if (flags.finish === true && flags.drop === true) throw usage(['finish', 'drop'], 'one or the other');
}

function usage(options: readonly string[], problem: string) {
  const names = options.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return failure('cli/usage', names[0] ?? '', `${names.join(', ')}: ${problem}.`);
}
