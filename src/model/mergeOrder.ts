interface Orders {
  readonly base: readonly string[];
  readonly session: readonly string[];
  readonly person: readonly string[];
}

export type OrderStep =
  | { readonly op: 'move'; readonly from: number; readonly to: number }
  | { readonly op: 'insert'; readonly id: string; readonly index: number };

/**
 * The order of the ids that are kept: the session's where only it moved any, else the person's. An id that this side
 * does not have stands after its nearest predecessor on the other, or first.
 */
export function mergeOrder({ base, session, person }: Orders, isKept: (id: string) => boolean): string[] {
  const follows = hasMoved(base, session) && !hasMoved(base, person) ? [session, person] : [person, session];
  const [leading = [], other = []] = follows;
  const order = leading.filter(isKept);
  const placed = new Set(order);
  const arriving = other.filter(isKept);
  for (const [index, id] of arriving.entries()) {
    if (placed.has(id)) continue;
    const predecessor = arriving[index - 1];
    order.splice(predecessor === undefined ? 0 : order.indexOf(predecessor) + 1, 0, id);
    placed.add(id);
  }
  return order;
}

/** Insertions of the ids that are not there, and the fewest moves, which turn `before` into `after`. */
export function orderSteps(before: readonly string[], after: readonly string[]): OrderStep[] {
  const steps: OrderStep[] = [];
  const current = [...before];
  const resting = longestInOrder(before, after);
  let predecessor: string | undefined;
  for (const id of after) {
    if (!resting.has(id)) {
      const from = current.indexOf(id);
      if (from >= 0) current.splice(from, 1);
      const to = predecessor === undefined ? 0 : current.indexOf(predecessor) + 1;
      current.splice(to, 0, id);
      if (from < 0) steps.push({ op: 'insert', id, index: to });
      else if (from !== to) steps.push({ op: 'move', from, to });
    }
    predecessor = id;
  }
  return steps;
}

function hasMoved(base: readonly string[], side: readonly string[]): boolean {
  const [inBase, inSide] = [new Set(base), new Set(side)];
  const common = base.filter((id) => inSide.has(id));
  return side.filter((id) => inBase.has(id)).some((id, index) => id !== common[index]);
}

/** A longest set of ids that stand in the same order in both: these need not move. */
export function longestInOrder(before: readonly string[], after: readonly string[]): Set<string> {
  const rank = new Map(after.map((id, index) => [id, index]));
  const ends: string[] = [];
  const previous = new Map<string, string | undefined>();
  const rankOf = (id: string | undefined) => (id === undefined ? -1 : (rank.get(id) ?? -1));
  for (const id of before) {
    let length = ends.length;
    while (length > 0 && rankOf(ends[length - 1]) > rankOf(id)) length -= 1;
    previous.set(id, ends[length - 1]);
    ends[length] = id;
  }
  const chosen = new Set<string>();
  for (let id = ends.at(-1); id !== undefined; id = previous.get(id)) chosen.add(id);
  return chosen;
}
