import { defined } from '../../base/defined.ts';
import type { RavelEvent } from '../../model/event.ts';
import type { Phase } from '../../model/phase.ts';
import type { Usage } from '../../model/usage.ts';

/** What a person wants to know of a phase while it runs and right after it; folded from events. */
export interface Progress {
  readonly phase?: Phase;
  readonly startedMs: number;
  readonly task?: string;
  /** Whether a person carries the phase out. */
  readonly manual?: true;
  readonly givenBytes: number;
  readonly usage?: Usage;
  /** Tool calls that have begun and not ended, oldest first. */
  readonly calls: readonly { readonly callId: string; readonly tool: string; readonly input: unknown }[];
  readonly toolCalls: number;
  readonly gatesPassed: number;
  readonly gatesRefused: number;
  /** What verbs and gates said when they refused. */
  readonly refusals: readonly string[];
  readonly commits: number;
  /** Of the vault as a whole. */
  readonly verifying?: { readonly done: number; readonly total: number };
}

export const noProgress: Progress = {
  startedMs: 0,
  givenBytes: 0,
  calls: [],
  toolCalls: 0,
  gatesPassed: 0,
  gatesRefused: 0,
  refusals: [],
  commits: 0,
};

/** The progress after an event that happened at `nowMs` (monotonic). */
export function advanceProgress(progress: Progress, event: RavelEvent, nowMs: number): Progress {
  switch (event.type) {
    case 'phase.started':
      return {
        ...noProgress,
        phase: event.phase,
        startedMs: nowMs,
        ...defined({ task: event.task }),
        ...(event.harness === 'person' ? { manual: true } : {}),
      };
    case 'session.started':
      return { ...progress, givenBytes: event.givenBytes };
    case 'session.output':
      return advanceByOutput(progress, event.output);
    case 'session.ended':
      return { ...progress, calls: [], ...defined({ usage: event.usage }) };
    case 'gate.judged':
      return event.outcome === 'accept' || event.outcome === 'modify'
        ? { ...progress, gatesPassed: progress.gatesPassed + 1 }
        : refused({ ...progress, gatesRefused: progress.gatesRefused + 1 }, event.reason);
    case 'session.verb':
      return event.applied ? progress : refused(progress, event.summary);
    case 'vault.verifying':
      return { ...progress, verifying: { done: event.done, total: event.total } };
    case 'commit.made':
      return { ...progress, commits: progress.commits + 1 };
    default:
      return progress;
  }
}

function refused(progress: Progress, said = ''): Progress {
  return said === '' ? progress : { ...progress, refusals: [...progress.refusals, said] };
}

function advanceByOutput(
  progress: Progress,
  output: Extract<RavelEvent, { type: 'session.output' }>['output'],
): Progress {
  switch (output.kind) {
    case 'toolStarted': {
      const { callId, tool, input } = output;
      return { ...progress, calls: [...progress.calls, { callId, tool, input }], toolCalls: progress.toolCalls + 1 };
    }
    case 'toolEnded':
      return { ...progress, calls: progress.calls.filter((call) => call.callId !== output.callId) };
    case 'usage':
    case 'result':
      return { ...progress, usage: output.usage };
    default:
      return progress;
  }
}
