import { isRavelError } from '../../base/errors.ts';
import { isCode } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import { isMessageRefusal, type MessageSender, type NewMessage } from '../../model/message.ts';
import type { RoutedMessage } from '../../model/routing.ts';
import type { RefusedOutcome } from '../targets.ts';

/**
 * Hands a message to its receiver; with `isRepeat` once, however often this is done. What the mailbox refuses is an answer; any other
 * failure rejects, and then it has to be done again.
 */
export async function deliver(
  actors: MessageSender,
  message: RoutedMessage,
  { to, isRepeat }: { readonly to: QualifiedId; readonly isRepeat: boolean },
): Promise<RefusedOutcome | undefined> {
  const { id, type, from, reason, body, depth, origin } = message;
  const outgoing: NewMessage =
    type === 'dispatch'
      ? { id, type, from, to, reason, body }
      : { id, type, from, to, ...(reason !== '' && { reason }), question: body };
  try {
    // The mailbox seals a message one deeper than its cause.
    await actors.send(outgoing, { isRepeat, ...(depth > 0 && { cause: { depth: depth - 1, origin } }) });
    return undefined;
  } catch (error) {
    if (!isRavelError(error) || !isMessageRefusal(error.code)) throw error;
    return { kind: 'refused', code: isCode(error.code) ? error.code : 'message/refused', reason: error.message };
  }
}
