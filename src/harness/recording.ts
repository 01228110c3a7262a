import type { ReasoningPhase } from '../model/phase.ts';

/**
 * Something a harness puts before the model by itself. What differs from run to run (date, folder, operating system,
 * model, budget) is replaced by a placeholder before it is measured.
 */
export interface RecordedPart {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** One version of a harness: its parts by phase. */
export interface Recording {
  readonly version: string;
  readonly phases: Readonly<Record<ReasoningPhase, readonly RecordedPart[]>>;
}
