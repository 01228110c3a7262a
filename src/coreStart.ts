// The start of an owner: how it settles what an earlier owner left.

import { passingRefusal } from './actors/refusal.ts';
import type { Supervisor } from './actors/supervisor.ts';
import { type Backoff, backoffMs } from './base/backoff.ts';
import { delay } from './base/clock.ts';
import { messageOf } from './base/errors.ts';
import { exists } from './base/files.ts';
import type { ApprovalService } from './decisions/approvalService.ts';
import type { Relocations } from './housekeeping/relocations.ts';
import { failure } from './model/codes.ts';
import type { QualifiedId, Ulid } from './model/id.ts';
import { listApprovals } from './plans/approvals/approvals.ts';
import { recordRecovery } from './plans/ledger.ts';
import { Outcomes } from './plans/messages/outcomes.ts';
import { resendPending } from './plans/messages/sending.ts';
import type { Recovery } from './plans/phases/recovery.ts';
import type { PlanServices } from './plans/services.ts';
import type { AnswerQueue } from './questions/answerQueue.ts';
import type { Knowledge, Routing, SettledStart } from './requests/handlers.ts';

const refusedPauses: Backoff = { firstMs: 5_000, longestMs: 60_000 };

interface StartParts {
  readonly services: PlanServices;
  readonly relocations: Relocations;
  readonly actors: Supervisor;
  readonly routing: Routing;
  readonly recovery: Recovery;
  readonly approvals: ApprovalService;
  readonly answers: AnswerQueue;
  readonly send: Supervisor['send'];
  readonly knowledge: Pick<Knowledge, 'base'>;
}

/**
 * What the owner of a vault does with what an earlier one left. Only what names depend on, and what is read by listing a
 * folder, comes before the first request; the rest runs in the background, and takes longer the more plans ever ran.
 */
export class OwnerStart implements SettledStart {
  readonly done: Promise<void>;
  readonly #parts: StartParts;
  readonly #stopping = new AbortController();
  readonly #outcomes: Outcomes;
  #sent: Promise<void> = Promise.resolve();

  private constructor(parts: StartParts, asked: readonly Ulid[]) {
    const { services, routing, send } = parts;
    this.#parts = parts;
    this.#outcomes = new Outcomes({
      services,
      actors: { send },
      recordResult: (result) => routing.history.append(result),
    });
    this.done = this.#settle(asked);
    this.done.catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      parts.recovery.giveUp();
      services.log.error('what an earlier owner left cannot be settled', { error: messageOf(error) });
    });
  }

  static async begin(parts: StartParts): Promise<OwnerStart> {
    const { services, relocations, actors, routing } = parts;
    // Before anything looks for a plan, or for its messages, under its id.
    await relocations.finish();
    await actors.start();
    // Before a phase that is finished posts what was posted before.
    await routing.router.open();
    // Before a session that is taken over can end with a question of its own.
    return new OwnerStart(parts, await listApprovals(services));
  }

  of(plan: QualifiedId): Promise<void> {
    return this.#parts.recovery.tried(plan);
  }

  named(): Promise<void> {
    return this.#parts.recovery.named();
  }

  /** Begins nothing more; resolves once no outcome is being told. */
  async stop(): Promise<void> {
    this.#stopping.abort(failure('run/stopped', this.#parts.services.layout.root, 'This Ravel is shutting down.'));
    await this.#outcomes.stop();
  }

  /** Resolves once nothing is being sent any more that an earlier owner had begun to send. */
  sent(): Promise<void> {
    return this.#sent;
  }

  /** What the system refuses for a moment is tried again until it is taken; a stop ends that at once. */
  async #untilTaken(step: () => Promise<void>): Promise<void> {
    const { clock, layout, log } = this.#parts.services;
    const { signal } = this.#stopping;
    for (let tryNumber = 0; ; tryNumber++) {
      const waitMs = backoffMs(refusedPauses, tryNumber);
      try {
        return await step();
      } catch (error) {
        if (signal.aborted || passingRefusal(error, layout.root) === undefined) throw error;
        log.warn('what an earlier owner left is looked at again soon', { waitMs, error: messageOf(error) });
      }
      await delay(clock, waitMs, signal);
    }
  }

  /** A change of several entries that an earlier owner had begun. */
  async #finishEntries(): Promise<void> {
    const { services, knowledge } = this.#parts;
    if (!(await exists(services.disk, services.layout.entryChange))) return;
    const written = await (await knowledge.base()).finish();
    if (written === undefined) return;
    for (const { message } of written.diagnostics) services.log.warn('a change of entries', { problem: message });
    await recordRecovery(services, 'vault', written.title, written.places.length > 0 ? 'finished' : 'interrupted');
  }

  async #settle(asked: readonly Ulid[]): Promise<void> {
    const { services, recovery, actors, approvals, answers, routing } = this.#parts;
    const { signal } = this.#stopping;
    for (const step of [
      () => recovery.begin(),
      () => actors.scanned(),
      () => approvals.recover(asked, signal),
      () => answers.begin(),
      () => this.#finishEntries(),
    ]) {
      await this.#untilTaken(step);
      if (signal.aborted)
        throw failure('run/stopped', services.layout.root, 'Ravel is stopping before everything was settled.');
    }
    this.#outcomes
      .begin()
      .catch((error: unknown) => services.log.warn('outcomes are not told', { error: messageOf(error) }));
    routing.router.resume();
    this.#sent = resendPending({ services, post: routing.router }, signal).catch((error: unknown) => {
      services.log.warn('messages could not be sent', { error: messageOf(error) });
    });
  }
}
