// The bus over which the parts of a core send messages to each other.

import type { Supervisor } from './actors/supervisor.ts';
import { assert } from './base/assert.ts';
import type { QualifiedId } from './model/id.ts';
import type { MessageRouter } from './plans/messages/messageRouter.ts';

/** What takes messages, once all of it exists. */
interface Receivers {
  readonly send: Supervisor['send'];
  readonly router: MessageRouter;
  /** Resolves once an earlier owner's work with an actor is settled. */
  readonly settled: (actor: QualifiedId) => Promise<void>;
}

/**
 * The way of a message for the parts that send one and also receive some: sessions send through the router, the router
 * through the actors, and actors hand messages to sessions. Each of them is built with the bus, which knows all of them
 * once `connect` was called; nothing may be sent before.
 */
export class MessageBus {
  #receivers: Receivers | undefined;

  connect(receivers: Receivers): void {
    assert(this.#receivers === undefined, 'the message bus is connected once');
    this.#receivers = receivers;
  }

  readonly send: Supervisor['send'] = (message, options) => this.#connected().send(message, options);

  readonly router: MessageRouter = {
    route: (message, options) => this.#connected().router.route(message, options),
  };

  readonly settled: Receivers['settled'] = (actor) => this.#connected().settled(actor);

  #connected(): Receivers {
    assert(this.#receivers !== undefined, 'a message is sent before the message bus is connected');
    return this.#receivers;
  }
}
