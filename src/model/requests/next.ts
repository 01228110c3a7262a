import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { NextTask } from '../nextTasks.ts';
import { name } from './parameters.ts';

/** What could be done now, over all plans. */
export const nextRequests = {
  next: z
    .object({
      under: name.min(1).optional().describe('a plan, for it and those below it, or a project'),
      plans: z.array(name.min(1)).min(1).max(1000).optional().describe('only these plans'),
      limit: z.number().int().positive().max(1000).optional(),
    })
    .describe(
      'tasks that work could take now, over all plans, in the order of [plans.md](plans.md#what-is-next-over-all-plans): 20 or `limit`; `more` counts the others, `leftOut` the plans that are faulted, running, waiting for a person or paused',
    ),
} as const;

export const leftOutReasons = ['faulted', 'running', 'waiting', 'paused'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export interface NextResults {
  next: {
    readonly tasks: readonly NextTask[];
    /** Tasks that work could take, and that are not in the list. */
    readonly more: number;
    /** Plans of which nothing is listed, by the first reason that fits. */
    readonly leftOut: Readonly<Record<LeftOutReason, number>>;
    /** Plans that were looked at. */
    readonly plans: number;
    readonly diagnostics: readonly Diagnostic[];
  };
}
