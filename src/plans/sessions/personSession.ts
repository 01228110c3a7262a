import { createDeferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { HarnessSession, SessionOutcome } from '../../harness/adapter.ts';
import type { SessionEnd } from '../../model/event.ts';
import type { HarnessOutput } from '../../model/harnessOutput.ts';
import type { Ulid } from '../../model/id.ts';
import type { ActiveSession } from './activeSession.ts';

/**
 * A person's phase as the runner follows it: no process, so nothing of it can get lost. It ends once its phase was
 * decided, or was ended from outside; the one thing it says is the person's own summary, which an analysis then reads.
 */
export function createPersonSession(clock: Clock, session: Ulid, active: ActiveSession): HarnessSession {
  const startedMs = clock.monotonicMs();
  const ended = createDeferred<SessionOutcome>();
  const end = (how: SessionEnd) =>
    ended.resolve({
      end: how,
      durationMs: clock.monotonicMs() - startedMs,
      succeeded: how === 'exited',
      stderrTail: '',
      malformedLines: 0,
      outputBytes: 0,
    });
  void active.finished.then(() => end('exited'));
  return {
    session,
    pid: 0,
    outputs: outputsOf(active, ended.promise),
    ended: ended.promise,
    kill: async (reason) => end(reason),
  };
}

async function* outputsOf(active: ActiveSession, ended: Promise<unknown>): AsyncGenerator<HarnessOutput> {
  await ended;
  const { verdict } = active;
  if (verdict?.kind === 'accepted') yield { kind: 'text', text: verdict.finish.summary };
}
