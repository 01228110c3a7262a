import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { isQualifiedId, isUlid, type QualifiedId, type Ulid } from './id.ts';

/** `work` is a work session of an agent program, `shell` a plain shell in the project of a plan. */
const terminalKinds = ['work', 'shell'] as const;

/** What everything that a terminal started carries in its environment, with the terminal's id. */
export const terminalVariable = 'RAVEL_TERMINAL';

export const terminalSizeSchema = z.object({
  columns: z.number().int().min(2).max(1000),
  rows: z.number().int().min(1).max(1000),
});

export type TerminalSize = z.infer<typeof terminalSizeSchema>;

const ulid = z
  .string()
  .refine(isUlid)
  .transform((text) => text as Ulid);
const qualifiedId = z
  .string()
  .refine(isQualifiedId)
  .transform((text) => text as QualifiedId);

const infoShape = {
  /** A work session's terminal has the session's id. */
  terminal: ulid,
  kind: z.enum(terminalKinds),
  plan: qualifiedId,
  title: z.string(),
  /** Where its bytes flow; in a folder that only this user may enter. */
  socketPath: z.string(),
  /** Paths that a program prints are relative to it. */
  cwd: z.string(),
};

/** What the host of a terminal is started with. */
export const terminalJobSchema = z.object({
  ...infoShape,
  program: z.string(),
  args: z.array(z.string()),
  size: terminalSizeSchema,
  /** Names of what the host itself needs in its environment and the program must not have. */
  hidden: z.array(z.string()),
  /** Where the host writes down that it listens. */
  recordFile: z.string(),
  vault: z.string(),
  /** How long it lives while no client watches it and the vault has no owner. */
  orphanMs: z.number(),
});

export type TerminalJob = z.infer<typeof terminalJobSchema>;

/** What the host of a terminal writes down about itself while it lives. */
export const terminalRecordSchema = z.object({
  ...infoShape,
  startedAt: z.string(),
  host: z.object({ pid: z.number(), startTime: z.string(), bootId: z.string() }),
});

export type TerminalRecord = z.infer<typeof terminalRecordSchema>;

/** A terminal that lives. */
export type TerminalInfo = Omit<TerminalRecord, 'host'>;

/**
 * A line from a client to the host of a terminal. Each line has one of these; the host ignores what it does not know.
 */
export const terminalRequestSchema = z.looseObject({
  /** Begins the flow of data, from the given place or from the oldest that is kept. */
  attach: z.object({ from: z.number().int().nonnegative().optional() }).optional(),
  input: z.string().optional(),
  resize: terminalSizeSchema.optional(),
  /** Ends the program and all it started. */
  kill: z.literal(true).optional(),
});

export type TerminalRequest = z.infer<typeof terminalRequestSchema>;

/** How the program of a terminal ended; `signal` by its number if one ended it. */
export interface TerminalExit {
  readonly code: number;
  readonly signal?: number;
}

/**
 * A line from the host of a terminal to a client. Places count what the program printed in UTF-16 units, from its
 * beginning: a client that comes back names the place up to which it has everything, and misses and repeats nothing.
 */
export type TerminalReply =
  | { readonly data: string; readonly next: number }
  /** What came before this place is no longer kept. */
  | { readonly from: number }
  | { readonly exit: TerminalExit };

export const terminalReplySchema: z.ZodType<TerminalReply> = z.union([
  z.object({ data: z.string(), next: z.number() }),
  z.object({ exit: z.object({ code: z.number(), signal: z.number().exactOptional() }) }),
  z.object({ from: z.number() }),
]);

/** A terminal as one client sees it. */
export interface TerminalClient extends Disposable {
  /** What the program printed, in order, from the place that was asked for. */
  onData(listener: (text: string, next: number) => void): Disposable;
  /** The program is over, and everything that it printed was told. */
  onExit(listener: (exit: TerminalExit) => void): Disposable;
  /** The host went away without a word. */
  onLost(listener: () => void): Disposable;
  /** Begins the flow of data; listen first. */
  attach(from?: number): void;
  write(text: string): void;
  resize(size: TerminalSize): void;
  kill(): void;
}

export type ConnectTerminal = (socketPath: string) => Promise<TerminalClient>;
