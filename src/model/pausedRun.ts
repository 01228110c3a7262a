import { plural } from '../base/text.ts';
import type { PausedRun } from './requests/plans.ts';

/** `1 of 2 cycles done`. */
export function describePaused({ done, cycles }: PausedRun): string {
  return `${done} of ${plural(cycles, 'cycle')} done`;
}
