import type { Proposal, Verdict } from '../model/verdict.ts';

/** The names of the gates on proposals, in the order in which they run. */
export const gateNames = [
  'schema',
  'paths',
  'verbs',
  'ids',
  'dependencies',
  'dreamLossless',
  'commitSpec',
  'claims',
  'secrets',
] as const;
export type GateName = (typeof gateNames)[number];

/**
 * A deterministic verdict on a proposal; pure, so that the same proposal is always judged the same.
 * `docs/design/gates.md` has what surrounds a gate.
 */
export type Gate = (proposal: Proposal) => Verdict;

export interface GateResult {
  readonly gate: GateName;
  readonly verdict: Verdict;
}
