import { defined } from '../base/defined.ts';
import type { CausalityResults, CauseNode } from './requests/causality.ts';

/** A line of a trace: each thing once, below the cause that came last before it. */
export interface CauseRow {
  readonly node: CauseNode;
  /** 0 for what nothing is known to have led to. */
  readonly depth: number;
  /** How what it stands below led to it. */
  readonly how?: string;
  /** Its other causes, which stand elsewhere. */
  readonly also: readonly { readonly node: CauseNode; readonly how: string }[];
  readonly isSubject: boolean;
}

/** `"rule till: to shop" decided this`: the cause stands first, since the words of a link go from cause to effect. */
export function otherCause({ node, how }: CauseRow['also'][number], plain: (title: string) => string): string {
  return `"${plain(node.title)}" ${how} this`;
}

type Trace = CausalityResults['why'];

/** The oldest cause first; what it led to below it. Things that cause each other in a circle are cut open once. */
export function causeRows(trace: Trace): CauseRow[] {
  const order = orderByCause(trace);
  const rank = new Map(order.map(({ key }, index) => [key, index]));
  const nodes = new Map(order.map((node) => [node.key, node]));
  const rankOf = (key: string) => rank.get(key) ?? -1;
  const above = new Map<string, { readonly from: string; readonly how: string }>();
  const others = new Map<string, { readonly node: CauseNode; readonly how: string }[]>();
  for (const { key } of order) {
    const causes = trace.links
      .filter(({ from, to }) => to === key && nodes.has(from))
      .sort((a, b) => rankOf(b.from) - rankOf(a.from));
    const parent = causes.find(({ from }) => rankOf(from) < rankOf(key));
    if (parent !== undefined) above.set(key, parent);
    const rest = causes.filter((link) => link !== parent).reverse();
    others.set(
      key,
      rest.flatMap(({ from, how }) => {
        const node = nodes.get(from);
        return node === undefined ? [] : [{ node, how }];
      }),
    );
  }
  return layOut({ order, above, others, subject: trace.subject });
}

interface Layout {
  readonly order: readonly CauseNode[];
  readonly above: ReadonlyMap<string, { readonly from: string; readonly how: string }>;
  readonly others: ReadonlyMap<string, CauseRow['also']>;
  readonly subject: string;
}

function layOut({ order, above, others, subject }: Layout): CauseRow[] {
  const below = new Map<string, CauseNode[]>();
  for (const node of order) {
    const parent = above.get(node.key)?.from ?? '';
    below.set(parent, [...(below.get(parent) ?? []), node]);
  }
  const rows: CauseRow[] = [];
  const pending = (below.get('') ?? []).map((node) => ({ node, depth: 0 })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    const how = above.get(node.key)?.how;
    rows.push({
      ...{ node, depth },
      ...defined({ how }),
      also: others.get(node.key) ?? [],
      isSubject: node.key === subject,
    });
    const children = (below.get(node.key) ?? []).map((child) => ({ node: child, depth: depth + 1 }));
    pending.push(...children.reverse());
  }
  return rows;
}

/** Causes before effects; of what is free of causes the oldest first, then by the order of the trace. */
function orderByCause({ nodes, links }: Trace): CauseNode[] {
  const place = new Map(nodes.map(({ key }, index) => [key, index]));
  const waits = new Map<string, number>(nodes.map(({ key }) => [key, 0]));
  for (const { from, to } of links) if (place.has(from)) waits.set(to, (waits.get(to) ?? 0) + 1);
  const left = new Set(nodes);
  const order: CauseNode[] = [];
  while (left.size > 0) {
    const free = [...left].filter(({ key }) => waits.get(key) === 0);
    // Nothing is free if things go round in a circle: the one that waits for the fewest is taken.
    const candidates = free.length > 0 ? free : [...left];
    const [next] = candidates.sort(
      (a, b) =>
        (waits.get(a.key) ?? 0) - (waits.get(b.key) ?? 0) ||
        compareTimes(a.at, b.at) ||
        (place.get(a.key) ?? 0) - (place.get(b.key) ?? 0),
    );
    if (next === undefined) break;
    left.delete(next);
    order.push(next);
    for (const { from, to } of links) if (from === next.key) waits.set(to, (waits.get(to) ?? 0) - 1);
  }
  return order;
}

/** Times of our own are ISO 8601 in UTC; what has none stands behind what has one. */
function compareTimes(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -1 : 1;
}
