import { seal } from '../../src/actors/envelope.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { Message, NewMessage } from '../../src/model/message.ts';
import { ManualClock } from '../support/manualClock.ts';

export const plan = toQualifiedId('Demo/project-root');
export const otherPlan = toQualifiedId('Demo/project-root/child');

/** The n-th id; ids of one test differ only in their number. */
export function idOf(n: number): Ulid {
  return `01HZY${String(n).padStart(21, '0')}` as Ulid;
}

export function numberOf(id: string): number {
  return Number(id.slice(5));
}

export function newMessage(n: number, to = plan, text = `message ${n}`): NewMessage {
  return { id: idOf(n), type: 'note', from: 'person', to, text };
}

export function message(n: number, to = plan, text?: string): Message {
  return seal(newMessage(n, to, text), new ManualClock());
}
