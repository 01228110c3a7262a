import * as z from 'zod';
import type { QualifiedId, Ulid } from '../id.ts';
import { type ReasoningPhase, reasoningPhases } from '../phase.ts';
import { finishArgsSchema } from '../sessionTools.ts';
import { name, plan } from './parameters.ts';
import type { PhaseReport } from './runs.ts';

/** Requests with which a person carries out a phase, whatever their editor is. */
export const manualRunRequests = {
  begin_manual_run: z
    .object({
      plan,
      phase: z.enum(reasoningPhases).optional(),
      task: name.optional(),
      /** Continue what an unfinished try had staged. */
      takeOver: z.boolean().optional(),
    })
    .describe(
      'opens a phase for a person: copies to edit, in a folder of their own; for an open phase, shows it again',
    ),
  finish_manual_run: z
    .object({
      plan,
      session: name,
      ...finishArgsSchema.shape,
      /** The person's word that the phase is done although no file was changed. */
      unchanged: z.boolean().optional(),
    })
    .describe("judges the person's edits; ends the phase, or refuses and leaves it open"),
  drop_manual_run: z.object({ plan, session: name }).describe('ends an open phase as if it had not begun'),
} as const;

/** A phase that a person has open; absolute paths. */
export interface ManualRun {
  readonly plan: QualifiedId;
  readonly session: Ulid;
  readonly phase: ReasoningPhase;
  readonly task?: string;
  /** Whether it was open before. */
  readonly reopened: boolean;
  /** The folder that holds all of the following. */
  readonly directory: string;
  /** To edit. */
  readonly files: readonly string[];
  /** To read beside them. */
  readonly reading: readonly string[];
  readonly prompt: string;
  /** Where work changes the source, in place. */
  readonly project?: string;
}

/** Refused: the phase is open still, and `reason` holds the findings, one a line. */
export type ManualFinish =
  | { readonly outcome: 'ended'; readonly report: PhaseReport }
  | { readonly outcome: 'refused'; readonly reason: string };

export interface ManualRunResults {
  begin_manual_run: ManualRun;
  finish_manual_run: ManualFinish;
  drop_manual_run: { readonly dropped: Ulid };
}
