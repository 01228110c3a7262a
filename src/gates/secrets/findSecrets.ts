import { findInAddresses } from './addressScanner.ts';
import { findAssignments } from './assignmentScanner.ts';
import { findInCommands, findInStatements } from './commandScanner.ts';
import { findInWebKeys } from './jsonWebKeys.ts';
import { findInLiterals } from './literalScanner.ts';
import { findInAttributes, findInPairs } from './pairScanner.ts';
import { findInTables } from './tableScanner.ts';
import { type FoundToken, findTokens } from './tokenScanner.ts';

const byShape = [findInWebKeys, findInLiterals, findInPairs, findInAttributes, findInTables];

/**
 * Everything in a text that looks like a secret, by place; what two rules find at one place is told once, by the more
 * exact one. The time grows with the length of the text alone.
 */
export function findSecrets(given: string): readonly FoundToken[] {
  // As UTF-16 reads that is taken for UTF-8; without this a blank byte in each token would hide it.
  const text = given.includes('\0') ? given.replaceAll('\0', '') : given;
  const found = [...findTokens(text)];
  const taken = new Intervals(found);
  const places = [findInAddresses, findInCommands, findInStatements, ...byShape, findAssignments];
  const others = places.flatMap((find) => [...find(text)]);
  for (const one of others) if (!taken.overlaps(one)) found.push(one);
  return found.sort((one, other) => one.index - other.index);
}

/** Places that do not overlap, in order. */
class Intervals {
  readonly #sorted: readonly FoundToken[];

  constructor(sorted: readonly FoundToken[]) {
    this.#sorted = sorted;
  }

  overlaps({ index, value }: FoundToken): boolean {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = this.#sorted[middle];
      if (one !== undefined && one.index + one.value.length <= index) low = middle + 1;
      else high = middle;
    }
    const next = this.#sorted[low];
    return next !== undefined && next.index < index + value.length;
  }
}
