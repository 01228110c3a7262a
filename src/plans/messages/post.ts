import type { RoutedMessage, RouteOutcome } from '../../model/routing.ts';

export interface PostOptions {
  /** Nobody can have posted it before: nothing is looked for under its id. */
  readonly isNew?: boolean;
}

/**
 * Whoever takes messages that look for their receiver. Once the promise resolves the message is durable somewhere: in
 * its receiver's mailbox, with a person, refused, or on its way (`routing`), and then its sender is told by a message
 * of type `reply`. Posting an id again does nothing twice, and answers what became of it. Rejects where nothing is
 * known yet, as when Ravel stops: it has to be posted again.
 */
export interface MessagePost {
  post(message: RoutedMessage, options?: PostOptions): Promise<RouteOutcome | 'routing'>;
}
