import type { Proposal, Verdict } from '../model/verdict.ts';

/** What each gate refuses, for the page about gates; they run in this order. */
export const gateRefusals = {
  schema: 'files that do not parse or do not fit their schema',
  paths: 'changes to files that this phase cannot write; asks a person about changes that no tool explains',
  verbs: 'changes that no state verb of this phase explains',
  ids: 'a duplicate id, or one that changed while its record stayed',
  dependencies: 'dependencies on unknown tasks, on the task itself, or in a cycle',
  dreamLossless:
    'a dream that lost a number, date, name, path, quoted term or negation, or gained one that no old entry had; a change of an entry with more than 65,536 characters in title and body, which is too long to compare',
  commitSpec:
    'titles over 72 characters or full of bookkeeping, paths outside the project or inside `ravel/`, changed paths that nothing covers',
  claims:
    "memory that rests on claims without evidence; it sets each claim's verdict from the diff, the tree and the commands that ran",
  secrets:
    "tokens of published formats, private keys, passwords by their name or in an address, in the plan's files, the summary and what the source gained",
} as const;

export type GateName = keyof typeof gateRefusals;

export const gateNames = Object.keys(gateRefusals) as readonly GateName[];

/**
 * A deterministic verdict on a proposal; pure, so that the same proposal is always judged the same.
 * `docs/design/gates.md` has what surrounds a gate.
 */
export type Gate = (proposal: Proposal) => Verdict;

export interface GateResult {
  readonly gate: GateName;
  readonly verdict: Verdict;
}
