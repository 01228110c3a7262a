import type { Delivery } from '../../src/actors/behaviour.ts';
import type { SendOptions } from '../../src/actors/supervision.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { Json } from '../../src/model/json.ts';
import type { NewMessage } from '../../src/model/message.ts';

/** What a mailbox keeps of one message's effects; it outlives every crash of a test. */
export class FakeEffects {
  readonly #effects = new Map<number, Json>();
  #attempts = 0;

  /** The next delivery of the message. `onRecord` stands for a crash before, or a disk that refuses. */
  delivery(onRecord: () => void | Promise<void> = () => undefined, signal = new AbortController().signal): Delivery {
    this.#attempts++;
    return {
      signal,
      attempt: this.#attempts,
      done: (index) => this.#effects.get(index),
      record: async (index, outcome) => {
        await onRecord();
        this.#effects.set(index, outcome);
      },
    };
  }
}

/** A supervisor's `send` that keeps what it was given, each id once where the sender repeats. */
export class FakeActors {
  readonly sent: NewMessage[] = [];
  refusal: Error | undefined;

  async send(message: NewMessage, options: SendOptions = {}): Promise<{ readonly id: Ulid; readonly seq: number }> {
    if (this.refusal !== undefined) throw this.refusal;
    const known = this.sent.findIndex(({ id }) => id === message.id);
    if (known !== -1 && options.isRepeat === true) return { id: message.id, seq: known + 1 };
    this.sent.push(message);
    return { id: message.id, seq: this.sent.length };
  }
}
