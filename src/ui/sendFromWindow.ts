import { createUlids } from '../base/ulid.ts';
import type { Ulid } from '../model/id.ts';
import { sendOnce } from '../model/sendOnce.ts';
import type { UiContext } from './uiContext.ts';

/** What a message or the call of a tool goes out under from this window. */
export function newUlid({ clock }: Pick<UiContext, 'clock'>): Ulid {
  return createUlids(clock)() as Ulid;
}

/** Sends a person's message. If its owner dies meanwhile, the link of the window leads to the next one. */
export function sendFromWindow<T>(ui: Pick<UiContext, 'clock'>, send: (id: Ulid) => Promise<T>): Promise<T> {
  const id = newUlid(ui);
  return sendOnce(() => send(id));
}
