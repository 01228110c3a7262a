import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { QualifiedId } from '../id.ts';

/** Requests about the vault as a whole and its projects, and about whoever owns it. */
export const vaultRequests = {
  hello: z.object({ protocol: z.number().int() }),
  verify: z.object({}),
  rescan: z.object({}),
  /** A project that has a root plan already needs no description. */
  adopt: z.object({ project: z.string().min(1), description: z.string().optional(), name: z.string().optional() }),
  shutdown: z.object({}),
} as const;

export interface VaultResults {
  hello: { readonly protocol: number; readonly version: string; readonly vault: string; readonly pid: number };
  verify: { readonly diagnostics: readonly Diagnostic[]; readonly plans: number };
  rescan: {
    readonly plans: number;
    /** Projects whose link was made. */
    readonly linked: readonly string[];
    readonly diagnostics: readonly Diagnostic[];
  };
  adopt: { readonly plan: QualifiedId; readonly directory: string };
  shutdown: Record<string, never>;
}
