import * as z from 'zod';
import { harnessNames } from './harnesses.ts';
import { sessionPurposes } from './sessionPurpose.ts';

/** What a rule says about the requests that it matches, the strictest first: this is the order in which they decide. */
export const policyActions = ['deny', 'ask', 'allow'] as const;
export type PolicyAction = (typeof policyActions)[number];

/** Where a rule stands. Those after the first only narrow: they may deny and ask. */
export const policyLayers = ['vault', 'project', 'plan'] as const;
export type PolicyLayer = (typeof policyLayers)[number];

/** In Claude Code's form: `Tool`, `Bash(npm run *)`, `Read(//etc/**)`, `WebFetch(domain:example.com)`, `mcp__server__tool`. */
const ruleString = z.string().trim().min(1).max(4096);
const ruleStrings = z.array(ruleString).nullish();
const names = z.array(z.string().trim().min(1)).min(1).nullish();
const text = z.string().trim().min(1).nullish();
const examples = z.array(z.string().min(1).max(10_000)).nullish();

/** An unknown key is an error: a `denny` that is passed over would let through what it was to stop. */
export const policyRuleSchema = z
  .strictObject({
    id: z.string().trim().min(1).max(100),
    deny: ruleStrings,
    ask: ruleStrings,
    allow: ruleStrings,
    /** Told to the session whose request it stops. */
    why: text,
    /** What the session can do in the place of it. */
    instead: text,
    /** Plans, with `*` for any text; every one if absent. */
    actors: names,
    phases: z.array(z.enum(sessionPurposes)).min(1).nullish(),
    harnesses: z.array(z.enum(harnessNames)).min(1).nullish(),
    models: names,
    /** Requests that it must match, and must not; checked whenever the file is read. */
    match: examples,
    'not-match': examples,
  })
  .refine(({ deny, ask, allow }) => [deny, ask, allow].some((list) => (list?.length ?? 0) > 0), {
    error: 'A rule needs at least one of deny, ask and allow.',
  });

export const policyFileSchema = z.strictObject({
  'schema-version': z.literal(1).nullish(),
  permissions: z.strictObject({ deny: ruleStrings, ask: ruleStrings, allow: ruleStrings }).nullish(),
  rules: z.array(policyRuleSchema).nullish(),
});

export type PolicyRule = z.infer<typeof policyRuleSchema>;
export type PolicyFile = z.infer<typeof policyFileSchema>;

/** Whom a request comes from, as rules name them. */
export interface PolicyAsker {
  readonly actor: string;
  readonly phase: string;
  readonly harness?: string;
  readonly model?: string;
}

/** A rule as answers name it. */
export interface PolicySource {
  readonly layer: PolicyLayer;
  readonly file: string;
  /** Keys and indexes from the root of the file to the rule string. */
  readonly path: readonly (string | number)[];
  /** The id of the rule; absent for one of `permissions`. */
  readonly id?: string;
  readonly action: PolicyAction;
  readonly text: string;
  /** From 1, as the file was when the rule decided; of a verdict that was recorded. */
  readonly line?: number;
}

/** `no-deploys`, or the rule string itself if it has no id. */
export function policyRuleName({ id, action, text: said }: Pick<PolicySource, 'id' | 'action' | 'text'>): string {
  return id ?? `${action} ${said}`;
}

/** Which rule a request meets, and what its author says about it. */
export interface PolicyAnswer {
  readonly action: PolicyAction;
  readonly rule: PolicySource;
  readonly why?: string;
  readonly instead?: string;
}

/** A word of a command as far as it is known before the command runs. */
export interface PolicyWord {
  readonly text: string;
  readonly isDynamic: boolean;
  readonly isGlob: boolean;
  readonly start?: string;
}

/** The rules as they hold for one session. */
export interface RequestPolicy {
  /** Rules on a tool as a whole, and for `WebFetch` on the host of its address. */
  tool(tool: string, input: Readonly<Record<string, unknown>>): PolicyAnswer | undefined;
  /** Rules on one simple command. */
  command(words: readonly PolicyWord[]): PolicyAnswer | undefined;
  /** Rules on a file, by its name and by what that is on the disk; both absolute. */
  path(use: 'Read' | 'Edit', path: { readonly named: string; readonly real: string }): PolicyAnswer | undefined;
  /** A rule that denies something below a folder, or asks about it. */
  below(use: 'Read' | 'Edit', folder: string): PolicyAnswer | undefined;
}
