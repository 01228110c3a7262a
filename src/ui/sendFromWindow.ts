import { createUlids } from '../base/ulid.ts';
import type { Ulid } from '../model/id.ts';
import { sendOnce } from '../model/sendOnce.ts';
import type { Workplace } from './workplace.ts';

/** What a message or the call of a tool goes out under from this window. */
export function newUlid({ clock }: Pick<Workplace, 'clock'>): Ulid {
  return createUlids(clock)() as Ulid;
}

/** Sends a person's message. Where its owner dies meanwhile, the link of the window leads to the next one. */
export function sendFromWindow<T>(workplace: Pick<Workplace, 'clock'>, send: (id: Ulid) => Promise<T>): Promise<T> {
  const id = newUlid(workplace);
  return sendOnce(() => send(id));
}
