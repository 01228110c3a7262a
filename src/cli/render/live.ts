import { formatBytes, formatCount, formatDuration, plural } from '../../base/text.ts';
import { describeCall, formatUsage } from '../../model/eventText.ts';
import { isCodePhase, type Phase, phases } from '../../model/phase.ts';
import type { Progress } from './progress.ts';
import type { Style } from './style.ts';
import { clip, widthOf } from './text.ts';

export interface LiveFormat {
  readonly style: Style;
  readonly columns: number;
  readonly nowMs: number;
  readonly project?: string;
}

/** The rows at the bottom of a terminal while a run goes on: where in the cycle, what now, how much so far. */
export function formatLive(progress: Progress, format: LiveFormat): string[] {
  const { style, columns, nowMs, project } = format;
  if (progress.verifying !== undefined) return [formatVerifying(progress.verifying, format)];
  if (progress.phase === undefined) return [];
  const idle = isCodePhase(progress.phase) ? 'committing …' : progress.manual ? 'open by hand …' : 'thinking …';
  const call = progress.calls.at(-1);
  const others = progress.calls.length > 1 ? ` (and ${progress.calls.length - 1} more)` : '';
  const now = call === undefined ? idle : `${describeCall(call.tool, call.input, project)}${others}`;
  const facts = [
    formatDuration(nowMs - progress.startedMs),
    ...(progress.givenBytes > 0 ? [`given ${formatBytes(progress.givenBytes)}`] : []),
    plural(progress.toolCalls, 'call'),
    ...(progress.usage === undefined ? [] : [formatUsage(progress.usage)]),
    ...(progress.gatesRefused > 0 ? [`refused ${times(progress.gatesRefused)}`] : []),
  ];
  return [
    formatStepper(progress.phase, style, columns),
    `  ${style.accent('·')} ${clip(now, columns - 4)}`,
    `  ${style.faint(clip(facts.join(' · '), columns - 2))}`,
  ];
}

function formatVerifying({ done, total }: NonNullable<Progress['verifying']>, { style, columns }: LiveFormat): string {
  const text = `${formatCount(done)} of ${plural(total, 'plan')} verified`;
  return `  ${style.accent('·')} ${clip(text, columns - 4)}`;
}

/** The nine phases in a row with the current one marked; if they do not fit, its neighbours, then it alone. */
export function formatStepper(current: Phase, style: Style, columns: number): string {
  const at = phases.indexOf(current);
  const names = phases.map((phase, index) => {
    const name = phase.startsWith('git-commit-') ? 'commit' : phase;
    return index === at ? `[${name}]` : name;
  });
  const windows = [names, names.slice(Math.max(0, at - 1), at + 2)];
  const fitting = windows.find((window) => widthOf(window.join(' › ')) + 2 <= columns);
  if (fitting === undefined) return `  ${style.strong(clip(`[${current}] ${at + 1}/${phases.length}`, columns - 2))}`;
  return `  ${fitting.map((name) => (name.startsWith('[') ? style.strong(name) : style.faint(name))).join(' › ')}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}
