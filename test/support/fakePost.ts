import { isQualifiedId } from '../../src/model/id.ts';
import type { RoutedMessage, RouteOutcome } from '../../src/model/routing.ts';
import { sentToSelf } from '../../src/model/targetProblem.ts';
import type { MessageRouter } from '../../src/plans/messages/messageRouter.ts';

/** Takes what names a plan and refuses everything else; each id once, as the real one does. */
export class FakePost implements MessageRouter {
  readonly posted: RoutedMessage[] = [];
  /** What comes of a message; without it, what its target says. */
  outcome: ((message: RoutedMessage) => RouteOutcome | 'routing') | undefined;
  failure: Error | undefined;

  async route(message: RoutedMessage): Promise<RouteOutcome | 'routing'> {
    if (this.failure !== undefined) throw this.failure;
    if (!this.posted.some(({ id }) => id === message.id)) this.posted.push(message);
    return this.outcome?.(message) ?? outcomeOf(message);
  }
}

function outcomeOf({ target, from }: RoutedMessage): RouteOutcome {
  const to = target.kind === 'plan' ? target.name : undefined;
  if (to === from) return { kind: 'refused', ...sentToSelf };
  if (to !== undefined && isQualifiedId(to)) return { kind: 'routed', to };
  return { kind: 'refused', code: 'message/noTarget', reason: 'it names no target' };
}
