import { beginning, excerpt } from '../../base/text.ts';
import type { RouteRow } from '../../model/requests/routing.ts';
import type { RoutingDecision } from '../../model/routing.ts';

/** A decision with what became of the message at its receiver. */
export type DecidedRoute = RoutingDecision & Pick<RouteRow, 'firstAt' | 'result'>;

/** Characters of a body, and of why it was sent, in a row. */
const excerptLengthMax = 200;
/** Characters of every other text in a row: what sessions and people said of it. */
const textLengthMax = 1000;

/** A decision as it is listed; a row is a few kilobytes, however long the message was. */
export function routeRow({ body, reason, ...rest }: DecidedRoute): RouteRow {
  const fields = { reason: excerpt(reason, excerptLengthMax), excerpt: excerpt(body, excerptLengthMax) };
  return { ...withBeginnings(rest), ...fields };
}

/** A decision as it is shown alone. */
export function wholeRow(decided: DecidedRoute): RouteRow {
  return { ...decided, excerpt: excerpt(decided.body, excerptLengthMax) };
}

/** The same value with the beginnings of its long texts. */
function withBeginnings<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' ? beginning(part, textLengthMax) : part,
  ) as Value;
}
