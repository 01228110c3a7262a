import * as z from 'zod';
import { harnessNames } from '../harnesses.ts';

/** The longest that a path can be: nothing has a longer name, and repeating one would drown the answer. */
export const nameLengthMax = 4096;

/** An id, a verb or another name of something; the code that looks it up finds out what it names. */
export const name = z.string().max(nameLengthMax);

export const plan = z
  .string()
  .min(1)
  .max(nameLengthMax)
  .describe('qualified id of a plan; its project alone means its root plan');

export const path = z
  .string()
  .max(nameLengthMax)
  .refine((text) => !text.includes('\0'), 'no path holds a NUL character');

export const runOptions = {
  plan,
  harness: z.enum(harnessNames).optional(),
  /** Id of the task for a work phase; without it the best ready one is taken. */
  task: name.optional(),
  /** Absolute path of a scenario file, for the scripted harness. */
  scenario: path.optional(),
};
