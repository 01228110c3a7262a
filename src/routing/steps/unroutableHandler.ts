import { defined } from '../../base/defined.ts';
import { headline, plural } from '../../base/text.ts';
import type { Approval, Decision } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { parseTarget, targetText } from '../../model/namedTarget.ts';
import { person } from '../../model/person.ts';
import type { RoutedMessage, UnroutableMessage } from '../../model/routing.ts';
import { routedNouns, senderText } from '../../model/routingText.ts';
import type { Router } from './router.ts';
import type { PersonsChoice } from './routerParts.ts';

type RouterDoor = Pick<Router, 'destinationByPerson' | 'decideByPerson'>;

interface GivenAnswer {
  readonly decision: string;
  readonly option?: string | undefined;
  readonly text?: string | undefined;
}

/**
 * What a decision about a message without a receiver does: the message goes to the receiver that the person named, or
 * its sender is told why it was not delivered.
 */
export function createUnroutableHandler(router: RouterDoor) {
  return {
    async describe({ details }: Approval): Promise<{ readonly shown: string }> {
      return { shown: describeMessage(messageOf(details)) };
    },

    /** Throws `approval/badDecision` if the message cannot be sent to that name. */
    async check({ id, details }: Approval, answer: GivenAnswer): Promise<void> {
      if (answer.decision === 'reject') return;
      const destination = await router.destinationByPerson(routedMessage(messageOf(details)), receiverOf(answer));
      if (destination.kind === 'actor') return;
      const { reason, help } =
        destination.kind === 'refused' ? destination : { reason: 'it names no single plan or expert', help: undefined };
      throw failure('approval/badDecision', id, `It cannot be sent there: ${reason}.`, defined({ help }));
    },

    async carryOut(decision: Decision): Promise<{ readonly did: string }> {
      const message = messageOf(decision.details);
      const outcome = await router.decideByPerson(message.message, await choiceOf(router, decision), decision.by);
      if (outcome?.kind === 'routed') return { did: `It goes to ${outcome.to}.` };
      const why = outcome?.kind === 'refused' ? outcome.reason : reasonOf(decision);
      return { did: `It is not delivered${message.from === person ? '' : `, and ${message.from} is told`}: ${why}` };
    },
  };
}

async function choiceOf(router: RouterDoor, decision: Decision): Promise<PersonsChoice> {
  if (decision.decision === 'reject') return { kind: 'refuse', reason: reasonOf(decision) };
  const receiver = receiverOf(decision);
  const destination = await router.destinationByPerson(routedMessage(messageOf(decision.details)), receiver);
  if (destination.kind === 'actor') return { kind: 'send', to: destination.actor };
  return { kind: 'refuse', reason: `${receiver}, which a person chose, does not exist any more.` };
}

function reasonOf({ reason }: Decision): string {
  return reason ?? 'A person found no receiver for it.';
}

/** Of what a message says, in a line with the question about it. */
const aboutLengthMax = 120;

/** The question in one line, with the beginning of the message's own words. */
export function unroutableSubject({ on, from, reason, body }: UnroutableMessage): string {
  const about = body.trim() === '' ? reason : body;
  const why = about === reason || reason.trim() === '' ? '' : ` (because: ${headline(reason, aboutLengthMax)})`;
  return `“${headline(about, aboutLengthMax)}”${why}: where should this ${routedNouns[on]} from ${senderText(from)} go?`;
}

function messageOf(details: unknown): UnroutableMessage {
  return details as UnroutableMessage;
}

function receiverOf({ option, text }: GivenAnswer): string {
  return option ?? text?.trim() ?? '';
}

function routedMessage({ message, on, from, named, reason, body }: UnroutableMessage): RoutedMessage {
  return { ...{ id: message, type: on, from, target: parseTarget(named), reason, body }, depth: 0, origin: message };
}

/** Lines of the message's body that the question shows. */
const bodyLinesMax = 40;

function describeMessage({ on, from, named, reason, body, why, candidates }: UnroutableMessage): string {
  const lines = body.trimEnd().split('\n');
  const more = lines.length > bodyLinesMax ? [`… and ${plural(lines.length - bodyLinesMax, 'more line')}`] : [];
  return [
    `A ${routedNouns[on]} from ${senderText(from)} to ${targetText(parseTarget(named))}.`,
    ...(reason.trim() === '' ? [] : [`Why it was sent: ${reason}`]),
    `Why no plan takes it: ${why}`,
    '',
    ...[...lines.slice(0, bodyLinesMax), ...more].map((line) => `  ${line}`.trimEnd()),
    ...(candidates.length === 0 ? [] : ['', 'Possible receivers:']),
    ...candidates.map(({ recipient, score }) => `- ${recipient} (${score.toFixed(2)})`),
  ].join('\n');
}
