import * as z from 'zod';
import { type HarnessName, harnessNames } from '../harnesses.ts';
import type { Ulid } from '../id.ts';

/** Requests about the health of a vault, and about what old phases have left in it. */
export const doctorRequests = {
  doctor: z
    .object({})
    .describe(
      'everything that could keep the vault from working: `checks`, each with a severity of `ok`, `info`, `warning` or `error`, and usually a `fix`',
    ),
  harnesses: z
    .object({ harness: z.enum(harnessNames).optional() })
    .describe(
      'each harness, or one: whether it can run a session (`ready`, `missing`, `notExecutable`, `notStarted`, `silent`, `tooOld`, `noLogin`), its program and version, and a remedy; starts no session',
    ),
  clean: z
    .object({
      /** Says what would go, and removes nothing. */
      dryRun: z.boolean().optional(),
    })
    .describe('removes stale files of old sessions and phases, or lists them with `dryRun`'),
} as const;

/** What is looked at, in the order in which it is shown. */
export const checkNames = [
  'node',
  'owner',
  'vault',
  'settings',
  'rules',
  'policy',
  'permissions',
  'disk',
  'watching',
  'git',
  'harness',
  'sandbox',
  'projects',
  'plans',
  'files',
  'approvals',
  'messages',
  'views',
  'editor',
  'notifications',
  'stale-files',
] as const;

export type CheckName = (typeof checkNames)[number];

/** `info`: nothing is wrong, but the user could want to know. */
export type CheckSeverity = 'ok' | 'info' | 'warning' | 'error';

export interface Check {
  readonly check: CheckName;
  readonly severity: CheckSeverity;
  /** What it is about: a plan, a project, a file, a program. */
  readonly subject: string;
  readonly message: string;
  /** What to do about it, a command if one does it. */
  readonly fix?: string;
}

/**
 * How far a harness is from running a session: the program is missing, cannot be executed, does not tell its version,
 * is too old, or has no login. A login that cannot be checked counts as ready. If only the vault names a program, a
 * process that does not own the vault does not start it, so nothing more is known about it.
 */
export type HarnessState = 'ready' | 'missing' | 'notExecutable' | 'notStarted' | 'silent' | 'tooOld' | 'noLogin';

/** What is known of a harness without a session and without the network. */
export interface InspectedHarness {
  readonly harness: HarnessName;
  /** Whether the vault's phases run with it unless told otherwise. */
  readonly isDefault: boolean;
  readonly state: HarnessState;
  /** The file that would be started; absent if there is none, and for what is a part of Ravel. */
  readonly program?: string;
  readonly version?: string;
  readonly oldestVersion?: string;
  /** What is wrong, or what is there, as a whole sentence. */
  readonly message: string;
  readonly fix?: string;
  /** `unknown` if only the program itself can look up its login; `how` is a whole sentence. */
  readonly login?: { readonly state: 'found' | 'missing' | 'unknown'; readonly how: string };
}

/**
 * `needed`: a phase that runs, waits, is paused, is open by hand or was interrupted has use for it. `young`: it stays for
 * now. `old` and `surplus` may go: the one by its age, the other since all together are too large. `unrecognised`: Ravel
 * does not know what it is, so a person decides.
 */
export type StaleFileFate = 'needed' | 'young' | 'old' | 'surplus' | 'unrecognised';

/** What a session or a phase left in `runtime/`. */
export interface SessionFolder {
  /** Path below the vault's `runtime/`. */
  readonly path: string;
  readonly kind: 'session' | 'staging' | 'interrupted';
  readonly session?: Ulid;
  readonly bytes: number;
  /** When anything of it was last written. */
  readonly changedAt: string;
  readonly fate: StaleFileFate;
}

/** What could not be removed, and why. */
export interface Unremoved extends Pick<SessionFolder, 'path'> {
  readonly reason: string;
}

export interface Cleaning {
  /** What goes, the oldest first; of very many, the first thousand. */
  readonly sessionFolders: readonly SessionFolder[];
  readonly count: number;
  readonly bytes: number;
  readonly removed: boolean;
  /** What was to go and stays; of very many, the first thousand. */
  readonly unremoved: readonly Unremoved[];
}

export interface DoctorResults {
  doctor: { readonly checks: readonly Check[] };
  harnesses: { readonly harnesses: readonly InspectedHarness[] };
  clean: Cleaning;
}
