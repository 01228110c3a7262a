import { isRavelError, messageOf } from '../base/errors.ts';
import { diagnostic } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { emitFor, type PlanServices } from './services.ts';

/** Runs work that a phase does not depend on: a failure is a warning, and neither undoes nor interrupts the phase. */
export async function bestEffort(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  plan: QualifiedId,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', plan, messageOf(error));
    emitFor(services, plan, { type: 'diagnostic', diagnostic: { ...problem, severity: 'warning' } });
  }
}
