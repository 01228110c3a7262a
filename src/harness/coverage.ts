import type { HarnessOutput } from '../model/harnessOutput.ts';
import { isSameCall, reportsDenial, type ToolCall, type ToolVerdicts } from './toolVerdicts.ts';

/** A tool call that no verdict covers. */
export interface Uncovered {
  readonly call: string;
  readonly tool: string;
  /** What is wrong with it, to follow “the call … of the tool …”. */
  readonly problem: string;
}

type ToolEnd = Extract<HarnessOutput, { kind: 'toolEnded' }>;

export interface CoverageOptions {
  readonly verdicts: Pick<ToolVerdicts, 'find'>;
  /** Names of the session tools, which need no verdict: their calls are answered by the owner itself. */
  readonly sessionTools: ReadonlySet<string>;
  /** Where the session runs: as it was started, and with symlinks resolved. Relative paths start there. */
  readonly folders: readonly string[];
}

/**
 * Holds what a session did against what was allowed: every tool call that ran needs a verdict under its id, on this very
 * input. The settings that make a harness ask can fail; this cannot be switched off by what the session does, as it
 * reads what the harness reports anyway. It follows from the spool and the verdicts alone, so every owner comes to the
 * same result.
 */
export class Coverage {
  readonly #options: CoverageOptions;
  readonly #begun = new Map<string, ToolCall>();
  readonly #ownCalls = new Set<string>();
  readonly #covered = new Set<string>();

  constructor(options: CoverageOptions) {
    this.#options = options;
  }

  /** The outputs of the session, in order; resolves to the call that this one shows to be uncovered. */
  take(output: HarnessOutput): Uncovered | undefined {
    if (output.kind === 'toolStarted') return this.#begin(output);
    if (output.kind === 'toolEnded') return this.#end(output);
    return undefined;
  }

  /**
   * A call that began and has neither an end nor a verdict, so that it is unknown whether it ran. For when all is read.
   */
  left(): Uncovered | undefined {
    for (const [call, { tool }] of this.#begun) {
      if (this.#options.verdicts.find(call) === undefined) {
        return { call, tool, problem: 'was not asked about, and the session ended before it said whether it ran' };
      }
    }
    return undefined;
  }

  #begin({ tool, callId, input }: Extract<HarnessOutput, { kind: 'toolStarted' }>): Uncovered | undefined {
    if (this.#options.sessionTools.has(tool)) {
      this.#ownCalls.add(callId);
      return undefined;
    }
    if (this.#begun.has(callId)) return { call: callId, tool, problem: 'has the id of another call' };
    this.#begun.set(callId, { tool, input });
    return undefined;
  }

  #end(output: ToolEnd): Uncovered | undefined {
    const { callId: call } = output;
    if (this.#ownCalls.delete(call)) return undefined;
    const begun = this.#begun.get(call);
    this.#begun.delete(call);
    if (output.ran === false) return undefined;
    const problem = begun === undefined ? 'ended without a beginning' : this.#problemOf(call, begun, output);
    this.#covered.add(call);
    return problem === undefined ? undefined : { call, tool: begun?.tool ?? 'unknown', problem };
  }

  #problemOf(call: string, begun: ToolCall, { isError, output }: ToolEnd): string | undefined {
    const { verdicts, folders } = this.#options;
    const verdict = verdicts.find(call);
    if (verdict === undefined) return 'ran, and Ravel was not asked about it';
    if (this.#covered.has(call)) return 'ran again under the same id';
    if (verdict.decision === 'deny')
      return isError && reportsDenial(verdict, output) ? undefined : 'ran although it was denied';
    return isSameCall(verdict, begun, folders) ? undefined : 'ran with other input than the one that was judged';
  }
}

/** What a person reads of it, in one sentence. */
export function describeUncovered({ call, tool, problem }: Uncovered): string {
  return `The session was ended and its work is not applied: the call ${call} of the tool ${tool} ${problem}.`;
}

/** The same if the program's own record of its tool calls is missing or cannot be read; `problem` is a sentence. */
export function describeUnrecorded(problem: string): string {
  return `The work of the session is not applied, because there is no way to tell which tools it used. ${problem}`;
}
