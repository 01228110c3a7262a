import { isRecord } from '../base/json.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { CommandRuns } from './adapter.ts';
import type { Uncovered } from './coverage.ts';

type ToolEnd = Extract<HarnessOutput, { kind: 'toolEnded' }>;

interface Run {
  readonly letters: string;
  /** The call that it counts for. */
  call?: string;
}

/** So much of a command has to stand in the record of its run. */
const lettersMax = 300;

/** Looked for among these alone: each may take five bytes in the record, which holds the beginning of a run. */
const charsMax = 500;

/**
 * Holds the commands that a session reports against those that went through its sandbox: each that ran needs a run of its
 * own in which it stands. That a program heeds how it is told to run commands cannot be seen from what it reports.
 */
export class RunCoverage {
  readonly #recorded: CommandRuns;
  readonly #begun = new Map<string, string>();
  readonly #runs: Run[] = [];
  /** By call, the letters of the commands that need a run. */
  readonly #commands = new Map<string, string>();
  readonly #runOf = new Map<string, Run>();
  /** Calls that ended while their command may just have been starting. */
  readonly #later = new Set<string>();

  constructor(recorded: CommandRuns) {
    this.#recorded = recorded;
  }

  /** The outputs of the session, in order; resolves to the call that this one shows to have run elsewhere. */
  async take(output: HarnessOutput): Promise<Uncovered | undefined> {
    if (output.kind === 'toolStarted' && output.tool === this.#recorded.tool) {
      const command = isRecord(output.input) ? output.input['command'] : undefined;
      this.#begun.set(output.callId, wantedOf(String(command)));
    }
    return output.kind === 'toolEnded' ? this.#end(output) : undefined;
  }

  /** The same for commands that went on when their call had ended. For when the session is over. */
  async left(): Promise<Uncovered | undefined> {
    for (const call of this.#later) {
      const gap = await this.#check(call);
      if (gap !== undefined) return gap;
    }
    return undefined;
  }

  async #end({ callId: call, ran, isError, exitCode }: ToolEnd): Promise<Uncovered | undefined> {
    const letters = this.#begun.get(call);
    this.#begun.delete(call);
    // An error without an exit code may have come before the start: a refusal, or a person who interrupted it.
    if (letters === undefined || ran === false || (isError && exitCode === undefined)) return undefined;
    this.#commands.set(call, letters);
    if (exitCode !== undefined) return this.#check(call);
    this.#later.add(call);
    return undefined;
  }

  async #check(call: string): Promise<Uncovered | undefined> {
    for (const text of await this.#recorded.read()) this.#runs.push({ letters: lettersIn(text) });
    if (this.#assign(call)) return undefined;
    return { call, tool: this.#recorded.tool, problem: 'is not in the record of what the sandbox ran' };
  }

  /**
   * Finds a run for the call. `ls` stands in the run of `ls src` as well, so earlier calls make room if they can: a
   * search for an augmenting path in the graph of calls and the runs in which they stand.
   */
  #assign(call: string): boolean {
    const wanted = this.#commands.get(call) ?? '';
    // Nearly always the newest.
    const own = this.#runs.findLast((run) => run.call === undefined && run.letters.includes(wanted));
    if (own !== undefined) return this.#handOn(own, new Map([[own, call]]));
    const reachedBy = new Map<Run, string>();
    let unseen: readonly Run[] = this.#runs;
    const calls = [call];
    for (const asking of calls) {
      const letters = this.#commands.get(asking) ?? '';
      const found = unseen.filter((run) => run.letters.includes(letters));
      for (const run of found) reachedBy.set(run, asking);
      const free = found.find((run) => run.call === undefined);
      if (free !== undefined) return this.#handOn(free, reachedBy);
      unseen = unseen.filter((run) => !reachedBy.has(run));
      calls.push(...found.flatMap((run) => run.call ?? []));
    }
    return false;
  }

  /** Gives a free run to the call that reached it, that call's run to the one which reached that, and so on. */
  #handOn(free: Run, reachedBy: ReadonlyMap<Run, string>): true {
    for (let run: Run | undefined = free; run !== undefined; ) {
      const call = reachedBy.get(run) ?? '';
      const before = this.#runOf.get(call);
      run.call = call;
      this.#runOf.set(call, run);
      run = before;
    }
    return true;
  }
}

function wantedOf(command: string): string {
  const letters = lettersIn(command.slice(0, charsMax));
  // A null device may be cut in two, and is then not known as one.
  const whole = command.length > charsMax ? letters.slice(0, -'devnull'.length) : letters;
  return whole.slice(0, lettersMax);
}

/** What two texts of one command have in common: a program quotes it as it likes, and says where its input comes from. */
function lettersIn(text: string): string {
  return text.replace(/[<>][ \t]*(?:\/dev\/null|nul\b)/gi, '').replace(/[^A-Za-z0-9]+/g, '');
}
