import * as z from 'zod';
import { harnessNames } from '../harnesses.ts';
import { type TerminalInfo, terminalSizeSchema } from '../terminal.ts';
import { name, path, plan } from './parameters.ts';

/** Terminals: a work session of an agent program with a person at it, or a plain shell in the project of a plan. */
export const terminalRequests = {
  terminals: z.object({}).describe('open terminals: the plan, the kind, and the socket for their bytes'),
  /**
   * Answers once there is something to connect to; the bytes flow over the socket of the terminal itself. The work phase of
   * a plan has one terminal, which is answered again while it lives.
   */
  open_terminal: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('work'),
        plan,
        size: terminalSizeSchema,
        harness: z.enum(harnessNames).optional(),
        /** Id of the task; without it the best ready one is taken. */
        task: name.optional(),
        /** Whether a work phase that did not finish is tried again, as `retry` tries it. */
        retry: z.boolean().optional(),
        /** Absolute path of a scenario file, for the scripted harness. */
        scenario: path.optional(),
      }),
      z.object({ kind: z.literal('shell'), plan, size: terminalSizeSchema }),
    ])
    .describe(
      'a work session of a plan with a person at its terminal (`kind: work`), or a shell in its project (`kind: shell`); answered once the terminal accepts connections, and with the same terminal while a work session is alive',
    ),
  /** Ends the program and all it started; a work phase ends as `stop` ends it. */
  close_terminal: z
    .object({ terminal: name })
    .describe('ends a terminal and all it started; a work phase ends as `stop` ends it'),
} as const;

export interface TerminalResults {
  terminals: { readonly terminals: readonly TerminalInfo[] };
  open_terminal: TerminalInfo;
  close_terminal: { readonly closed: boolean };
}
