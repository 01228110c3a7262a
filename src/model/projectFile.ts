import * as z from 'zod';

/** `projects.yaml`: the projects of a vault by name, the same on every machine. */
export const projectsSchema = z.looseObject({
  projects: z.array(z.looseObject({ name: z.string().min(1), remote: z.string().nullish() })).nullish(),
});

/** `projects.local.yaml`: where they are on this machine. */
export const localProjectsSchema = z.looseObject({
  projects: z.array(z.looseObject({ name: z.string().min(1), path: z.string().min(1) })).nullish(),
});
