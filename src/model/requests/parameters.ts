import * as z from 'zod';
import { harnessNames } from '../settings.ts';

/** As long as a path may be: a longer name is no name, and telling it back would drown the answer. */
export const nameLengthMax = 4096;

/** An id, a verb or another name of something; what it names is found out by whoever looks for it. */
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
