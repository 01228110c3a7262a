import type { ReasoningPhase } from '../model/phase.ts';
import type { HarnessName } from '../model/settings.ts';
import { recordedClaudeCode } from './recordedClaudeCode.ts';
import type { RecordedPart, Recording } from './recording.ts';

/** Recordings by harness, the newest version first. The scripted harness has no model, so nothing is added. */
const recordings: Readonly<Record<HarnessName, readonly Recording[]>> = {
  'claude-code': recordedClaudeCode,
  scripted: [],
};

/**
 * What a harness adds by itself in a phase, as captured from its requests; without a version that of the newest one
 * recorded. Undefined where nothing was recorded.
 */
export function recordedParts(
  harness: HarnessName,
  phase: ReasoningPhase,
  version?: string,
): readonly RecordedPart[] | undefined {
  const found = recordings[harness].find((recording) => version === undefined || recording.version === version);
  return found?.phases[phase];
}
