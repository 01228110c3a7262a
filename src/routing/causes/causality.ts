import { beginning, plural } from '../../base/text.ts';
import type { CausalityResults, CauseKind, CauseLink, CauseNode } from '../../model/requests/causality.ts';

/** Something that has causes and effects, by what it is called. */
export interface CauseRef {
  readonly kind: CauseKind;
  /** Of a task its id within the plan; `plan` goes with it. */
  readonly id: string;
  readonly plan?: string;
}

export interface CauseStep {
  readonly to: CauseRef;
  /** How the earlier of both led to the later: `was promoted to`. */
  readonly how: string;
}

/** A thing with its causes and effects. What is not known is a gap, and never a guess. */
export interface ExpandedCause {
  readonly node: Omit<CauseNode, 'key'>;
  /** What led to it, and what it led to. */
  readonly before: readonly CauseStep[];
  readonly after: readonly CauseStep[];
  readonly gaps: readonly string[];
}

export type ExpandCause = (ref: CauseRef, signal: AbortSignal) => Promise<ExpandedCause>;

/** Things that are expanded in each direction; a chain of ten messages with their sessions and commits has fewer. */
export const eachWayMax = 100;

/** Two refs with one key are one thing. */
export function causeKey({ kind, id, plan }: CauseRef): string {
  return kind === 'task' ? `task:${plan}#${id}` : `${kind}:${id}`;
}

/**
 * What led to a thing, and what it led to: back along causes alone and on along effects alone, so that a rule on the
 * way does not bring in every other message that it routed. Breadth first, each thing once, so that circles end; what
 * is beyond `eachWayMax` things is told as a gap.
 */
export async function traceCauses(
  start: CauseRef,
  expand: ExpandCause,
  signal: AbortSignal,
): Promise<CausalityResults['why']> {
  const expanded = new Map<string, ExpandedCause>();
  const links = new Map<string, CauseLink>();
  const gaps = new Set<string>();
  const expandOnce = async (ref: CauseRef): Promise<ExpandedCause> => {
    const known = expanded.get(causeKey(ref));
    if (known !== undefined) return known;
    signal.throwIfAborted();
    const found = await expand(ref, signal);
    expanded.set(causeKey(ref), found);
    for (const gap of found.gaps) gaps.add(gap);
    return found;
  };
  const walk = async (way: 'before' | 'after'): Promise<string[]> => {
    const reached = [causeKey(start)];
    const seen = new Set(reached);
    // The array grows while it is walked.
    const queue = [start];
    const dropped = new Set<string>();
    for (const ref of queue) {
      const found = await expandOnce(ref);
      for (const { to, how } of found[way]) {
        const key = causeKey(to);
        if (!seen.has(key) && seen.size > eachWayMax) {
          dropped.add(key);
          continue;
        }
        const [from, onto] = way === 'before' ? [key, causeKey(ref)] : [causeKey(ref), key];
        links.set(`${from}\n${onto}`, { from, to: onto, how });
        if (seen.has(key)) continue;
        seen.add(key);
        reached.push(key);
        queue.push(to);
      }
    }
    if (dropped.size > 0) gaps.add(cutSentence(way, dropped.size));
    return reached;
  };
  const back = await walk('before');
  const on = await walk('after');
  const order = [...new Set([...back.toReversed(), ...on])];
  const nodes = order.flatMap((key): CauseNode[] => {
    const node = expanded.get(key)?.node;
    return node === undefined ? [] : [shownNode(key, node)];
  });
  return { subject: causeKey(start), nodes, links: [...links.values()], gaps: [...gaps] };
}

/** What messages and sessions say may be long, and there are many of them in one answer. */
const titleLengthMax = 300;
const detailLengthMax = 4000;

function shownNode(key: string, { title, detail, ...node }: ExpandedCause['node']): CauseNode {
  const said = detail === undefined ? {} : { detail: beginning(detail, detailLengthMax) };
  return { key, ...node, title: beginning(title, titleLengthMax), ...said };
}

function cutSentence(way: 'before' | 'after', count: number): string {
  const what = way === 'before' ? 'led to it' : 'came of it';
  return `At least ${plural(count, 'more thing')} ${what}, beyond the ${eachWayMax} that are shown.`;
}
