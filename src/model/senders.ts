import { projectOf, type QualifiedId } from './id.ts';
import type { Sender } from './message.ts';
import { person } from './person.ts';

/** The actor that sent a message; undefined for the person at the machine. */
export function fromActor(from: Sender): QualifiedId | undefined {
  return from === person ? undefined : from;
}

/** The project of a plan; undefined for an expert and for a person. */
export function projectOfSender(from: Sender): string | undefined {
  const actor = fromActor(from);
  return actor === undefined || actor.startsWith('expert:') ? undefined : projectOf(actor);
}

/** The project of a plan; undefined for an expert. */
export function projectOfRecipient(place: QualifiedId): string | undefined {
  return place.startsWith('expert:') ? undefined : projectOf(place);
}
