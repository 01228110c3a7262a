import { delay } from '../base/clock.ts';
import { type Diagnostic, messageOf } from '../base/errors.ts';
import type { EventActor } from '../model/event.ts';
import { isQualifiedId } from '../model/id.ts';
import { emitFor, type PlanServices } from '../plans/services.ts';
import type { VaultScanner } from '../vault/vaultScanner.ts';

/** Told one by one; if there is more, most of it has one cause, and `ravel verify` has the whole list. */
const shownMax = 100;

/** As long a large vault waits to be verified: most owners that serve a single command have ended by then. */
const largeDelayMs = 10_000;

export interface VerificationParts {
  readonly services: Pick<PlanServices, 'clock' | 'emit' | 'log'>;
  readonly scanner: Pick<VaultScanner, 'verify' | 'isLarge'>;
}

/**
 * The verification of a vault at its owner's start: once, after everything that a person waits for. What it finds is told as
 * events and in the log, errors first; what changes later is found when it changes.
 */
export class StartupVerification {
  readonly #parts: VerificationParts;
  readonly #stopping = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(parts: VerificationParts) {
    this.#parts = parts;
  }

  begin(): void {
    if (this.#stopping.signal.aborted) return;
    this.#done = this.#verify().catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      this.#parts.services.log.warn('the vault could not be verified', { error: messageOf(error) });
    });
  }

  /** Drops what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #verify(): Promise<void> {
    const { services, scanner } = this.#parts;
    const { signal } = this.#stopping;
    // To read all of a large vault would slow down the one command that an owner was started for.
    if (await scanner.isLarge(signal)) await delay(services.clock, largeDelayMs, signal);
    const { diagnostics } = await scanner.verify(() => undefined, signal);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const others = diagnostics.filter(({ severity }) => severity !== 'error');
    for (const problem of [...errors, ...others].slice(0, shownMax)) {
      const { severity, code, subject, file, message } = problem;
      services.log[severity === 'info' ? 'info' : 'warn'](message, { code, subject, file });
      emitFor(services, actorOf(problem), { type: 'diagnostic', diagnostic: problem });
    }
    const left = diagnostics.length - shownMax;
    if (left > 0) services.log.warn('`ravel verify` tells what else is wrong', { left });
  }
}

/** What is wrong in the files of a plan is about that plan, all else about the vault. */
function actorOf({ subject }: Diagnostic): EventActor {
  return isQualifiedId(subject) && !subject.startsWith('expert:') ? subject : 'vault';
}
