import type { HistoryIndex } from '../history/historyIndex.ts';

/** Decisions that are read between two pauses, which takes a few milliseconds. */
const sliceLength = 10_000;

/** Numbers of decisions that speak for a recipient and against it; both rise. */
export interface Split {
  readonly agreeing: readonly number[];
  readonly against: readonly number[];
}

/**
 * The label of each decision of a history, as it was when they were read: the recipient to which its message belongs, or one
 * to which it does not. A decision that was refused, or still waits, has no label. All of it is numbers, since each word of
 * the history asks for it.
 */
export class DecisionLabels {
  /** Recipients by their number; the first stands for none. */
  readonly recipients: readonly string[];
  /** The recipient of each decision, by its number; 0 if it has no label. */
  readonly recipientOf: Uint32Array;
  /** See `declined` and `query`. */
  private readonly flags: Uint8Array;
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(numbers: ReadonlyMap<string, number>, recipientOf: Uint32Array, flags: Uint8Array) {
    this.recipients = ['', ...numbers.keys()];
    this.numbers = numbers;
    this.recipientOf = recipientOf;
    this.flags = flags;
  }

  isDeclined(decision: number): boolean {
    return ((this.flags[decision] ?? 0) & declinedFlag) !== 0;
  }

  numberOf(recipient: string): number {
    return this.numbers.get(recipient) ?? 0;
  }

  /** Whether a decision speaks for a recipient or against it; of experts only questions count. */
  judge(decision: number, recipient: number, isAsked: boolean): 'agreeing' | 'against' | undefined {
    const labelled = this.recipientOf[decision] ?? 0;
    const flags = this.flags[decision] ?? 0;
    if (labelled === 0 || (isAsked && (flags & queryFlag) === 0)) return undefined;
    const isDeclined = (flags & declinedFlag) !== 0;
    if (labelled === recipient) return isDeclined ? 'against' : 'agreeing';
    return isDeclined ? undefined : 'against';
  }

  /** Which of these decisions speak for a recipient, and which against it. */
  split(decisions: readonly number[], recipient: string): Split {
    const split: Record<keyof Split, number[]> = { agreeing: [], against: [] };
    const number = this.numberOf(recipient);
    const isAsked = isExpert(recipient);
    for (const decision of decisions) {
      const judged = this.judge(decision, number, isAsked);
      if (judged !== undefined) split[judged].push(decision);
    }
    return split;
  }
}

const declinedFlag = 1;
const queryFlag = 2;

export function isExpert(recipient: string): boolean {
  return recipient.startsWith('expert:');
}

export function* readDecisionLabels({ decisions }: HistoryIndex): Generator<undefined, DecisionLabels> {
  const count = decisions.length;
  const numbers = new Map<string, number>();
  const recipientOf = new Uint32Array(count);
  const flags = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) {
    if (at % sliceLength === sliceLength - 1) yield;
    const decision = decisions[at];
    if (decision?.to === undefined) continue;
    const number = numbers.get(decision.to) ?? numbers.size + 1;
    numbers.set(decision.to, number);
    recipientOf[at] = number;
    flags[at] = (decision.declined ? declinedFlag : 0) | (decision.on === 'query' ? queryFlag : 0);
  }
  return new DecisionLabels(numbers, recipientOf, flags);
}
