import type { RoutedMessage, RouteOutcome } from '../../model/routing.ts';

export interface RouteOptions {
  /** The message cannot have been posted before, so its id is not looked up. */
  readonly isNew?: boolean;
}

/**
 * Takes messages whose receiver is still to be found. Once the promise resolves, the message is durable: in its
 * receiver's mailbox, with a person, refused, or on its way (`routing`). In the last case a message of type `reply`
 * tells the sender later. Posting an id again does nothing twice, and answers what became of it. Rejects if nothing is
 * known yet, as when Ravel stops: then the message has to be posted again.
 */
export interface MessageRouter {
  route(message: RoutedMessage, options?: RouteOptions): Promise<RouteOutcome | 'routing'>;
}
