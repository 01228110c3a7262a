import type { ReasoningPhase } from '../model/phase.ts';
import type { RecordedPart, Recording } from './recording.ts';

/**
 * What a harness adds by itself in a phase, by its recordings; without a version that of the newest one recorded.
 * Undefined if nothing was recorded.
 */
export function recordedParts(
  recordings: readonly Recording[] | undefined,
  phase: ReasoningPhase,
  version?: string,
): readonly RecordedPart[] | undefined {
  const found = recordings?.find((recording) => version === undefined || recording.version === version);
  return found?.phases[phase];
}
