import type { Backlog } from '../../model/backlog.ts';
import { isUlid, type Ulid } from '../../model/id.ts';

/**
 * The place of a message in a chain of messages that led to each other. One that is too long is refused, so that a
 * circle ends.
 */
export interface Chain {
  readonly depth: number;
  readonly origin: Ulid;
}

/**
 * The place in its chain of a message that follows from a received one, given the id of that one. Without an id, or if
 * the backlog no longer has that message, a chain begins with the message itself.
 */
export function chainOf(id: Ulid, cause: string | undefined, backlog: Backlog): Chain {
  const received = cause === undefined ? undefined : backlog.received?.find((record) => record.id === cause);
  if (received === undefined) return { depth: 0, origin: id };
  const { depth = 0, origin = received.id } = received;
  return { depth: (depth ?? 0) + 1, origin: origin !== null && isUlid(origin) ? origin : id };
}
