import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disposable } from '../base/disposable.ts';
import type { EventBody } from '../model/event.ts';
import type { Ulid } from '../model/id.ts';
import type { SessionOutcome } from './adapter.ts';

/** The end of a session, as every listener gets it. */
export function endedEvent(
  session: Ulid,
  { end, durationMs, exitCode, usage }: Pick<SessionOutcome, 'end' | 'durationMs' | 'exitCode' | 'usage'>,
): Extract<EventBody, { readonly type: 'session.ended' }> {
  return {
    ...{ type: 'session.ended', session, end, durationMs },
    ...defined({ exitCode, usage }),
  };
}

/**
 * A program that does not exit by itself once its session has said all that counts is ended: `end` is called when it has
 * had its grace. Disposed before, it never is.
 */
export function endAfterGrace(
  clock: Pick<Clock, 'schedule'>,
  finished: Promise<unknown>,
  graceMs: number,
  end: () => void,
): Disposable {
  let isDisposed = false;
  let timer: Disposable | undefined;
  void finished.then(() => {
    if (!isDisposed) timer = clock.schedule(graceMs, end);
  });
  return {
    dispose() {
      isDisposed = true;
      timer?.dispose();
    },
  };
}
