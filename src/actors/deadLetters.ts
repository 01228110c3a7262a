import type { Diagnostic } from '../base/errors.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { Json } from '../model/json.ts';
import type { Message } from '../model/message.ts';

/** A message that its actor could not handle, with why. Its id is the message's. */
export interface DeadLetter {
  readonly id: Ulid;
  readonly actor: QualifiedId;
  readonly message: Message;
  readonly reason: Pick<Diagnostic, 'code' | 'message'>;
  /** When it was given up. */
  readonly at: string;
  /** How often it was delivered before. */
  readonly attempts: number;
  /** What the behaviour recorded of the effects that it did make, by their index. */
  readonly effects: Readonly<Record<string, Json>>;
}
