import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { QualifiedId } from '../id.ts';
import { type SecretRow, secretValueBytesMax } from '../secretState.ts';
import { nameLengthMax, path, plan } from './parameters.ts';

/** Requests about the vault as a whole, its projects and its owner. */
export const vaultRequests = {
  hello: z
    .object({ protocol: z.number().int() })
    .describe(
      "version of the protocol and of the program, the vault, the owner's process; refused with `server/protocol`, which names both versions, if `params.protocol` is another one",
    ),
  verify: z.object({}).describe('checks every file of the vault'),
  rescan: z
    .object({
      /** Makes the files for Obsidian that the vault does not have. */
      obsidian: z.boolean().optional(),
    })
    .describe(
      'recreates the links of projects from their registry, reports outside changes in the vault, and checks every file as `verify` does',
    ),
  /** A project that has a root plan already needs no description. */
  adopt: z
    .object({
      project: path.min(1),
      description: z.string().optional(),
      name: z.string().max(nameLengthMax).optional(),
    })
    .describe('adds a project to the vault, with a root plan unless it has one'),
  inspect_project: z
    .object({ project: path.min(1) })
    .describe(
      'how the vault sees a folder before it is adopted: the name it would have, whether it has a root plan, what would keep it from being adopted or its phases from running',
    ),
  settings: z
    .object({ plan: plan.optional() })
    .describe(
      'each effective setting of the vault or of a plan, with its source; and the value in `daemon.toml` if that has not taken effect yet',
    ),
  secrets: z
    .object({})
    .describe('each secret that the configuration of the person names: where it is kept, and whether it can be read'),
  name_secret: z
    .object({ name: z.string().max(nameLengthMax), kept: z.boolean() })
    .describe('names a secret that the editor keeps in the configuration of the person, or takes its name away'),
  give_secrets: z
    .object({ values: z.record(z.string().max(nameLengthMax), z.string().max(secretValueBytesMax)) })
    .describe(
      'the values of the secrets that the editor keeps, in the place of those before; the owner keeps them in memory',
    ),
  shutdown: z.object({}).describe('ends the owner in order; the next one takes over running sessions'),
} as const;

/** One setting as it holds now; `value` is absent if nothing is set and there is no default. */
export interface SettingView {
  readonly path: string;
  readonly value?: unknown;
  readonly from: 'default' | 'daemon.toml' | 'editor' | 'plan-state.md';
  readonly meaning: string;
  /** Where else it may be set: a key of `plan-state.md`, a flag. */
  readonly inPlan?: string;
  readonly flag?: string;
  /** What `daemon.toml` has by now and does not hold yet: only a new owner takes it, or a session ran while it was edited. */
  readonly waiting?: { readonly value?: unknown; readonly because: 'owner' | 'session' };
}

/** What a folder is to the vault before it is adopted. */
export interface InspectedProject {
  /** Its real path. */
  readonly project: string;
  /** The name that it would have. */
  readonly name: string;
  /** Whether it has a root plan already, which needs no description. */
  readonly hasRootPlan: boolean;
  /** The project that it is in this vault. */
  readonly adoptedAs?: string;
  /** How many files have changes that no commit holds, those in `ravel/` aside; absent if there are none. */
  readonly uncommitted?: number;
  /** What keeps it from being adopted (errors), or its phases from running (warnings). */
  readonly diagnostics: readonly Diagnostic[];
}

export interface VaultResults {
  secrets: { readonly secrets: readonly SecretRow[] };
  name_secret: Readonly<Record<never, never>>;
  give_secrets: Readonly<Record<never, never>>;
  hello: { readonly protocol: number; readonly version: string; readonly vault: string; readonly pid: number };
  verify: { readonly diagnostics: readonly Diagnostic[]; readonly plans: number };
  rescan: {
    readonly plans: number;
    /** Projects whose link was made. */
    readonly linked: readonly string[];
    /** Files for Obsidian, by their paths in the vault. */
    readonly made?: readonly string[];
    readonly diagnostics: readonly Diagnostic[];
  };
  adopt: { readonly plan: QualifiedId; readonly directory: string };
  inspect_project: InspectedProject;
  settings: {
    readonly settings: readonly SettingView[];
    /** Whether something in `daemon.toml` does not hold: it waits for a new owner, or the file cannot be read. */
    readonly isOutdated: boolean;
    readonly diagnostics: readonly Diagnostic[];
  };
  shutdown: Record<string, never>;
}
