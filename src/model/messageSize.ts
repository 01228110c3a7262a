import { beginning } from '../base/text.ts';
import { messageBytesMax } from './message.ts';
import { formatTarget, type NamedTarget, parseTarget, type TargetFields } from './namedTarget.ts';

/** What the envelope of a message takes of its line, at most: its ids and times. */
const envelopeBytesMax = 2048;

/** Characters of each of its texts that are kept of a message which is too long to be sent. */
const keptCharactersMax = 1000;

/** Characters by which a list says what a message is about. */
export const subjectLengthMax = 200;

/** What a message says, and whom it names. */
export interface MessageTexts {
  readonly reason: string;
  readonly body: string;
  readonly target: NamedTarget;
}

/** Why a message is too long for any mailbox, as half a sentence; undefined for one that fits. */
export function tooLong({ reason, body, target }: MessageTexts): string | undefined {
  const bytes = bytesOf(JSON.stringify([reason, body, formatTarget(target)])) + envelopeBytesMax;
  return bytes <= messageBytesMax ? undefined : `it has about ${bytes} bytes, and the limit is ${messageBytesMax}`;
}

/**
 * A message as it is written down. Of one that is too long to be sent that is the beginning of each text and its length: it
 * goes nowhere, and whatever held the rest would be read again and again. Any other is itself.
 */
export function truncateMessage<Message extends MessageTexts>(message: Message): Message {
  if (tooLong(message) === undefined) return message;
  const { reason, body, target } = message;
  const fields = Object.entries(formatTarget(target)).map(([field, name = '']) => [field, keptOf(name)]);
  const kept: TargetFields = Object.fromEntries(fields);
  return { ...message, reason: keptOf(reason), body: keptOf(body), target: parseTarget(kept) };
}

function keptOf(text: string): string {
  if (text.length <= keptCharactersMax) return text;
  return `${beginning(text, keptCharactersMax)} (${bytesOf(text)} bytes; too long to be sent, and the rest is not kept)`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
