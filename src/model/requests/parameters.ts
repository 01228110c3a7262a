import * as z from 'zod';
import { harnessNames } from '../settings.ts';

/** Parameters that several requests share. */
export const plan = z.string().min(1).describe('qualified id of a plan; its project alone means its root plan');

export const runOptions = {
  plan,
  harness: z.enum(harnessNames).optional(),
  /** Id of the task for a work phase; without it the best ready one is taken. */
  task: z.string().optional(),
  /** Absolute path of a scenario file, for the scripted harness. */
  scenario: z.string().optional(),
};
