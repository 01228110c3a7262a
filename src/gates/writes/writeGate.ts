import type { StoredValues } from '../../model/storedValues.ts';

/** What each gate refuses of what is to become an entry; they run in this order, and the first refusal ends. */
export const writeRefusals = {
  schema: 'a frontmatter that does not fit the schema of entries, or a text that says nothing',
  secrets: 'tokens, keys and passwords',
  privateText: 'text between `<private>` and `</private>`',
  echo: 'a text of which at least half was given to the session that proposes it',
} as const;

export type WriteGateName = keyof typeof writeRefusals;

export const writeGateNames = Object.keys(writeRefusals) as readonly WriteGateName[];

/** What is to become an entry, or a part of one. */
export interface WriteCandidate {
  readonly title: string;
  readonly body: string;
  /** Its whole frontmatter. */
  readonly fields: unknown;
}

/** What a verdict depends on besides the candidate. */
export interface WriteFacts {
  /** Texts that the session was given that proposes the candidate; empty for a person. */
  readonly given: readonly string[];
  /** Ids of what looks like a secret and is none, as a person said. */
  readonly allowedSecrets: readonly string[];
  /** Values that the person keeps. */
  readonly storedSecrets?: StoredValues | undefined;
}

/** Why a candidate is refused. */
export interface WriteRefusal {
  readonly code: 'write/badForm' | 'write/secret' | 'write/private' | 'write/echo' | 'gate/threw';
  /** A whole sentence for each thing that is wrong. */
  readonly findings: readonly string[];
}

/** A deterministic verdict: pure, so that the same candidate is always judged the same. Undefined accepts. */
export type WriteGate = (candidate: WriteCandidate, facts: WriteFacts) => WriteRefusal | undefined;
