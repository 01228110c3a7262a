import * as z from 'zod';
import type { PhaseEnd } from '../event.ts';
import type { Ulid } from '../id.ts';
import { type Phase, reasoningPhases } from '../phase.ts';
import type { Usage } from '../usage.ts';
import { plan, runOptions } from './parameters.ts';

/** Requests that run phases, and that answer a phase which did not finish. */
export const runRequests = {
  run_phase: z
    .object({ ...runOptions, phase: z.enum(reasoningPhases).optional() })
    .describe('one reasoning phase and the commit after it'),
  run_cycle: z
    .object({
      ...runOptions,
      /** Without it a paused run continues; if there is none, one cycle runs. */
      cycles: z.number().int().positive().optional(),
      /** Only continue a paused run. */
      resume: z.boolean().optional(),
    })
    .describe('phases up to the end of a cycle, or of several'),
  stop: z.object({ plan }).describe('stops what a plan is running'),
  retry: z
    .object(runOptions)
    .describe('repeats an interrupted phase, and continues the run that it had stopped (`run` in the report)'),
  dismiss: z.object({ plan }).describe('drops what an interrupted phase left'),
} as const;

/** How `run_phase` ended, the code phase that followed included. `phase` is a code phase if only that was left to do. */
export interface PhaseReport {
  readonly phase: Phase;
  readonly session: Ulid;
  readonly end: PhaseEnd;
  readonly next: Phase;
  readonly summary: string;
  /** What a person is asked, if it ended as waiting. */
  readonly approval?: Ulid;
  readonly commits: readonly { readonly commit: string; readonly title: string }[];
  readonly usage?: Usage;
  readonly durationMs: number;
  /** Bytes the session was given; see its context.json. */
  readonly givenBytes: number;
}

export type RunStop = 'cycle-ended' | 'nothing-ready' | 'interrupted' | 'failed' | 'waiting' | 'stopped' | 'budget';

export interface CycleReport {
  readonly phases: readonly PhaseReport[];
  readonly stop: RunStop;
  readonly reason: string;
}

export interface RetryReport extends PhaseReport {
  /** The run that the phase had stopped, and that went on after it: its report begins with this phase. */
  readonly run?: CycleReport;
}

export interface RunResults {
  run_phase: PhaseReport;
  run_cycle: CycleReport;
  /** `forgot`: nothing ran, and the paused run of the plan is forgotten; `stopped` is true then as well. */
  stop: { readonly stopped: boolean; readonly forgot?: true };
  retry: RetryReport;
  /** Without a session only a paused run was forgotten. */
  dismiss: {
    readonly dismissed?: Ulid;
    readonly phase?: Phase;
    /** The folder that keeps a copy of the proposal; absent for a phase that has none. */
    readonly keptIn?: string;
    /** The question that was open; the phase asks it again unless its cause is gone. */
    readonly withdrawn?: Ulid;
  };
}
