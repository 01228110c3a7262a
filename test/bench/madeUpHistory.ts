import type { QualifiedId } from '../../src/model/id.ts';
import type { Recipient, RoutingDecision } from '../../src/model/routing.ts';
import { HistoryIndex } from '../../src/routing/history/historyIndex.ts';
import { decision } from '../support/routingRecords.ts';
import type { Random } from '../support/seededRandom.ts';
import { processorMs } from './bench.ts';

/** A different word for each number, of letters only, so that the words have different stems. */
export function wordOf(number: number): string {
  let word = '';
  for (let rest = number + 26 ** 3; rest > 0; rest = Math.floor(rest / 26))
    word += 'bcdfghjklmnpqrstvwxzaeiouy'[rest % 26];
  return `${word}o`;
}

/** One of 6,000 words that all recipients share. Words with small numbers are more frequent, as in real text. */
export function commonWord(random: Random): string {
  return wordOf(Math.min(random(6000), random(6000), random(6000)));
}

export const recipients: readonly Recipient[] = Array.from({ length: 40 }, (_, n) => ({
  id: `p${n % 12}/project-root/${wordOf(n)}` as QualifiedId,
  description: `Takes care of ${wordOf(n + 100)} and ${wordOf(n + 200)} for everybody`,
  tags: [],
}));

export function placeId(number: number): QualifiedId {
  return recipients[number % recipients.length]?.id ?? ('p0/project-root' as QualifiedId);
}

/** The decision about the message with this number. */
export function decisionAbout(number: number, more: Parameters<typeof decision>[1]): RoutingDecision {
  return decision(`01M7X4TZFWPVQT6PFG${String(number).padStart(8, '0')}`, more);
}

/** Makes and reads a history; tells the processor time that this takes and the memory that the history keeps. */
export function readHistory(decisions: Iterable<RoutingDecision>): {
  readonly index: HistoryIndex;
  readonly readMs: number;
  readonly bytes: number;
} {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const start = processorMs();
  const index = new HistoryIndex();
  for (const one of decisions) index.add(one);
  const readMs = processorMs() - start;
  globalThis.gc?.();
  const after = process.memoryUsage();
  return { index, readMs, bytes: after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers };
}
