import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { Ulid } from '../id.ts';
import type { PolicyAction, PolicyLayer, PolicySource } from '../policy.ts';
import { sessionPurposes } from '../sessionPurpose.ts';
import { nameLengthMax } from './parameters.ts';

const plan = z.string().min(1).max(nameLengthMax);

/** Requests about what sessions may do. */
export const policyRequests = {
  policy: z
    .object({ plan: plan.optional() })
    .describe(
      'the rules of `policy.yaml`, with `plan` those of its project and its own as well, each with layer, file and line; the problems of the files, without `plan` those of all projects as well, and what is doubtful about the rules',
    ),
  explain_tools: z
    .object({
      plan,
      phase: z.enum(sessionPurposes).default('work'),
      harness: z.string().max(200).optional().describe('for rules about harnesses; that of the plan if absent'),
      model: z.string().max(200).optional().describe('for rules about models; that of the plan and phase if absent'),
      confinement: z.enum(['confined', 'unconfined']).default('unconfined'),
      uses: z
        .array(z.object({ tool: z.string().min(1).max(200), input: z.record(z.string(), z.unknown()) }))
        .min(1)
        .max(200),
    })
    .describe(
      'what the gates would say of each of the `uses` of a tool (`tool`, `input`) in a session of this plan, without doing any of it: `decision`, `gate`, `rule` with layer, file and line, `reason`',
    ),
  verdicts: z
    .object({ plan: plan.optional(), session: z.string().max(200).optional(), refused: z.boolean().default(false) })
    .describe(
      'what the gates on tools said in a `session`, or in the newest sessions of a `plan` or of the vault, the newest session first: gate, rule with layer, file and line, reason; with `refused` only what was not simply allowed. At most 1,000, then `isCut`',
    ),
  import_policy: z
    .object({
      plan: plan.optional(),
      user: z.boolean().default(false),
      write: z.boolean().default(false),
    })
    .describe(
      'rules for `policy.yaml` from the settings of Claude Code in the project of `plan`, with `user` also from those of the home folder, and from `gates.allowed-commands` of earlier versions; with `write` they are added, and nothing there is changed',
    ),
} as const;

/** What the gates said of one use of a tool. */
export interface PolicyVerdict {
  readonly at: string;
  readonly actor: string;
  readonly session: Ulid;
  /** `tool` if no gate had anything to say. */
  readonly gate: string;
  readonly tool: string;
  readonly outcome: 'accept' | 'modify' | 'redirect' | 'reject' | 'needs-approval';
  /** In a few words; of what may not simply be done. */
  readonly call?: string;
  /** With the line that it had then. */
  readonly rule?: PolicySource;
  readonly reason?: string;
}

/** A rule of other settings that is not taken over, and why. */
export interface LeftImport {
  readonly file: string;
  readonly action: PolicyAction;
  readonly text: string;
  readonly why: string;
}

export interface PolicyImport {
  /** The policy of the vault. */
  readonly file: string;
  /** The files that something was read from. */
  readonly sources: readonly string[];
  /** YAML of what is added; empty if nothing is. */
  readonly suggested: string;
  readonly left: readonly LeftImport[];
  /** Sources that cannot be read, for which nothing is written, and what is doubtful about the new rules. */
  readonly diagnostics: readonly Diagnostic[];
  readonly isWritten: boolean;
}

/** A rule string and where it stands. */
export interface PolicyRuleRow {
  readonly layer: PolicyLayer;
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly id?: string;
  readonly action: PolicyAction;
  readonly text: string;
  readonly why?: string;
}

/** The use of a tool that runs a command. */
export function commandUse(command: string) {
  return { tool: 'Bash', input: { command } };
}

export interface ToolExplanation {
  readonly tool: string;
  readonly call: string;
  readonly decision: 'allow' | 'deny' | 'ask';
  readonly gate?: string;
  readonly rule?: PolicyRuleRow;
  readonly reason?: string;
}

export interface PolicyResults {
  policy: {
    readonly rules: readonly PolicyRuleRow[];
    readonly diagnostics: readonly Diagnostic[];
  };
  explain_tools: { readonly explained: readonly ToolExplanation[] };
  verdicts: { readonly verdicts: readonly PolicyVerdict[]; readonly isCut: boolean };
  import_policy: PolicyImport;
}
