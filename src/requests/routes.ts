import { failure } from '../model/codes.ts';
import { isUlid } from '../model/id.ts';
import { parseTarget } from '../model/namedTarget.ts';
import { person } from '../model/person.ts';
import type { routingRequests } from '../model/requests/routing.ts';
import { wholeRow } from '../routing/history/routeRow.ts';
import type { HandlersOf } from './handlers.ts';

export const routingHandlers: HandlersOf<typeof routingRequests> = {
  async explain_route({ services, directory, routing }, { on, from, reason = '', body, ...fields }) {
    const sender = from === undefined || from === person ? person : (await directory.find(from)).id;
    const id = services.newUlid();
    return routing.router.explain({
      id,
      type: on,
      from: sender,
      target: parseTarget(fields),
      reason,
      body,
      depth: 0,
      origin: id,
    });
  },

  async routes({ routing }, { limit, before, message }) {
    if (message === undefined) return routing.history.page(limit, before === undefined ? undefined : toUlid(before));
    const found = await routing.history.find(toUlid(message));
    return { routes: found === undefined ? [] : [wholeRow(found)] };
  },
};

function toUlid(text: string) {
  if (isUlid(text)) return text;
  throw failure('routing/unknownSubject', text, `"${text}" is not an id of a message.`);
}
