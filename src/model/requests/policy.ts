import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { PolicyAction, PolicyLayer } from '../policy.ts';
import { sessionPurposes } from '../sessionPurpose.ts';
import { nameLengthMax } from './parameters.ts';

const plan = z.string().min(1).max(nameLengthMax);

/** Requests about what sessions may do. */
export const policyRequests = {
  policy: z
    .object({ plan: plan.optional() })
    .describe(
      'the rules of `policy.yaml`, with `plan` those of its project and its own as well, each with layer, file and line; the problems of the files, and what is doubtful about the rules',
    ),
  explain_tools: z
    .object({
      plan,
      phase: z.enum(sessionPurposes).default('work'),
      harness: z.string().max(200).optional().describe('for rules about harnesses'),
      confinement: z.enum(['confined', 'unconfined']).default('unconfined'),
      uses: z
        .array(z.object({ tool: z.string().min(1).max(200), input: z.record(z.string(), z.unknown()) }))
        .min(1)
        .max(200),
    })
    .describe(
      'what the gates would say of each of the `uses` of a tool (`tool`, `input`) in a session of this plan, without doing any of it: `decision`, `gate`, `rule` with layer, file and line, `reason`',
    ),
} as const;

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
    /** Programs of `gates.allowed-commands`, which are still allowed; a rule says the same with more care. */
    readonly olderCommands: readonly string[];
  };
  explain_tools: { readonly explained: readonly ToolExplanation[] };
}
