// Where each event of a vault goes: its transcript, the history of its plan, then its listeners.

import { Emitter } from './base/emitter.ts';
import { messageOf } from './base/errors.ts';
import type { RavelEvent } from './model/event.ts';
import type { QualifiedId } from './model/id.ts';
import { PhaseHistory } from './plans/phases/phaseHistory.ts';
import type { PlanServices } from './plans/services.ts';
import { Transcripts } from './plans/transcripts.ts';

/** All that happens: each event is in its transcript, and for an owner in the history of its plan, before it is told. */
export class CoreEvents {
  readonly told: Emitter<RavelEvent>;
  /** Plans of which Ravel has just changed files; no event tells that to clients. */
  readonly written: Emitter<QualifiedId>;
  readonly transcripts: Transcripts;
  readonly history: PhaseHistory;
  readonly #keepsHistory: boolean;
  #isStopped = false;

  constructor(
    { disk, layout, settings, log }: Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'log'>,
    isOwner: boolean,
  ) {
    this.#keepsHistory = isOwner;
    this.told = new Emitter((error) => log.error('a listener threw', { error: messageOf(error) }));
    this.written = new Emitter((error) => log.error('a listener threw', { error: messageOf(error) }));
    this.transcripts = new Transcripts(disk, layout, (error) => {
      log.error('a transcript could not be written', { error: messageOf(error) });
    });
    this.history = new PhaseHistory({ disk, layout, settings }, (error) => {
      log.error('the history of a plan could not be written', { error: messageOf(error) });
    });
  }

  readonly emit = (event: RavelEvent): void => {
    if (this.#isStopped) return;
    this.transcripts.append(event);
    if (this.#keepsHistory) this.history.record(event);
    this.told.emit(event);
  };

  /** Tells and records nothing more; resolves once the transcripts are written. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.transcripts.stop();
  }
}
