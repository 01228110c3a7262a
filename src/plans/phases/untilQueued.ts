import { createDeferred } from '../../base/async.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { PlanServices } from '../services.ts';
import type { RunLocks } from './runLocks.ts';

interface Ports {
  readonly services: Pick<PlanServices, 'onEvent'>;
  readonly locks: Pick<RunLocks, 'waitsFor'>;
}

/** Resolves once `work` of a plan has settled or is queued, which can last as long as another session. */
export async function untilQueued({ services, locks }: Ports, plan: QualifiedId, work: Promise<unknown>) {
  const queued = createDeferred<void>();
  const listening = services.onEvent((event) => {
    if (event.type === 'run.queued' && event.actor === plan) queued.resolve();
  });
  if (locks.waitsFor(plan) !== undefined) queued.resolve();
  try {
    await Promise.race([work, queued.promise]);
  } finally {
    listening.dispose();
  }
}
