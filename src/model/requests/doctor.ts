import * as z from 'zod';
import type { Ulid } from '../id.ts';

/** Requests about the health of a vault, and about what old phases have left in it. */
export const doctorRequests = {
  doctor: z.object({}),
  clean: z.object({
    /** Says what would go, and removes nothing. */
    dryRun: z.boolean().optional(),
  }),
} as const;

/** What is looked at, in the order in which it is shown. */
export const checkNames = [
  'node',
  'owner',
  'vault',
  'settings',
  'permissions',
  'disk',
  'watching',
  'git',
  'harness',
  'projects',
  'plans',
  'approvals',
  'messages',
  'views',
  'editor',
  'leftovers',
] as const;

export type CheckName = (typeof checkNames)[number];

/** `info`: nothing is wrong, and somebody may want to know. */
export type CheckSeverity = 'ok' | 'info' | 'warning' | 'error';

export interface Check {
  readonly check: CheckName;
  readonly severity: CheckSeverity;
  /** What it is about: a plan, a project, a file, a program. */
  readonly subject: string;
  readonly message: string;
  /** What to do about it, a command where one does it. */
  readonly fix?: string;
}

/**
 * `needed`: a phase that runs, waits, is paused, is open by hand or was interrupted has use for it. `young`: it stays for
 * now. `old` and `surplus` may go: the one by its age, the other since all together are too large.
 */
export type LeftoverFate = 'needed' | 'young' | 'old' | 'surplus';

/** What a session or a phase left in `runtime/`. */
export interface Leftover {
  /** Path below the vault's `runtime/`. */
  readonly path: string;
  readonly kind: 'session' | 'staging' | 'interrupted';
  readonly session?: Ulid;
  readonly bytes: number;
  /** When anything of it was last written. */
  readonly changedAt: string;
  readonly fate: LeftoverFate;
}

export interface Cleaning {
  /** What goes, the oldest first; of very many, the first thousand. */
  readonly leftovers: readonly Leftover[];
  readonly count: number;
  readonly bytes: number;
  readonly removed: boolean;
}

export interface DoctorResults {
  doctor: { readonly checks: readonly Check[] };
  clean: Cleaning;
}
