import * as z from 'zod';

/** How a session says that its phase is over; what follows is computed by code. */
export const finishOutcomes = ['done', 'blocked', 'needs-input'] as const;
export type FinishOutcome = (typeof finishOutcomes)[number];

export const finishArgsSchema = z.strictObject({
  outcome: z.enum(finishOutcomes),
  summary: z.string().trim().min(1).describe('what happened, in a few sentences'),
});

export type FinishArgs = z.infer<typeof finishArgsSchema>;

/** What a harness asks permission for, as its permission tool passes it on. */
export const permitArgsSchema = z.looseObject({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
  /** Where the program is, absolute; a hook says it, the permission tool does not. */
  cwd: z.string().optional(),
});

export type PermitArgs = z.infer<typeof permitArgsSchema>;

/** What a harness tells of a tool that has been used, for the memory that is about it. */
export const recallArgsSchema = z.looseObject({
  tool_name: z.string(),
  /** As an object, or as JSON if the harness can pass on texts alone. */
  input: z.union([z.record(z.string(), z.unknown()), z.string()]),
  tool_use_id: z.string().min(1),
  cwd: z.string().optional(),
});

export type RecallArgs = z.infer<typeof recallArgsSchema>;

export const finishTool = 'finish_phase';
export const permitTool = 'permit';
/** Not among the tools of a session: its harness calls it after each tool of its own. */
export const recallTool = 'recall';
/** How the key of `_meta` ends under which a harness says how it names a call in its outputs. */
export const callIdKeyEnd = '/toolUseId';
/** The tools after which it does. */
export const recalledTools = ['Read', 'Write', 'Edit', 'NotebookEdit', 'Grep', 'Bash'] as const;
