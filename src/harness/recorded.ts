import type { ReasoningPhase } from '../model/phase.ts';
import type { ExecutorName } from '../model/settings.ts';
import { recordedClaudeCode } from './recordedClaudeCode.ts';
import type { RecordedPart, Recording } from './recording.ts';

/** Recordings, the newest version first. Where there is no model nothing is added. */
const recordings: Readonly<Record<ExecutorName, readonly Recording[]>> = {
  'claude-code': recordedClaudeCode,
  scripted: [],
  person: [],
};

/**
 * What a harness adds by itself in a phase, as captured from its requests; without a version that of the newest one
 * recorded. Undefined where nothing was recorded.
 */
export function recordedParts(
  harness: ExecutorName,
  phase: ReasoningPhase,
  version?: string,
): readonly RecordedPart[] | undefined {
  const found = recordings[harness].find((recording) => version === undefined || recording.version === version);
  return found?.phases[phase];
}
