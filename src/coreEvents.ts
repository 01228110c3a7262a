// Where each event of a vault goes: its transcript, the history of its plan, then its listeners.

import { Emitter } from './base/emitter.ts';
import { messageOf } from './base/errors.ts';
import { maskOutput } from './harness/secrets/maskOutput.ts';
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
  readonly #withoutSecrets: PlanServices['withoutSecrets'];
  #isStopped = false;

  constructor(
    ports: Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'log' | 'withoutSecrets'> & {
      readonly knowsSecrets: () => boolean;
    },
    isOwner: boolean,
  ) {
    const { disk, layout, settings, log, withoutSecrets, knowsSecrets } = ports;
    this.#keepsHistory = isOwner;
    this.#withoutSecrets = withoutSecrets;
    this.told = new Emitter((error) => log.error('a listener threw', { error: messageOf(error) }));
    this.written = new Emitter((error) => log.error('a listener threw', { error: messageOf(error) }));
    this.transcripts = new Transcripts(
      disk,
      layout,
      (error) => log.error('a transcript could not be written', { error: messageOf(error) }),
      async (session) => {
        if (knowsSecrets()) await maskOutput(disk, layout.session(session), withoutSecrets);
      },
    );
    this.history = new PhaseHistory({ disk, layout, settings }, (error) => {
      log.error('the history of a plan could not be written', { error: messageOf(error) });
    });
  }

  readonly emit = (told: RavelEvent): void => {
    if (this.#isStopped) return;
    const event = this.#mask(told);
    this.transcripts.append(event);
    if (this.#keepsHistory) this.history.record(event);
    this.told.emit(event);
  };

  /** What an event is and whom it is about stays, whatever a person keeps as a secret. */
  #mask(told: RavelEvent): RavelEvent {
    const masked = this.#withoutSecrets(told);
    if (masked === told) return told;
    const { type, at, actor } = told;
    return { ...masked, ...{ type, at, actor }, ...('session' in told && { session: told.session }) } as RavelEvent;
  }

  /** Tells and records nothing more; resolves once the transcripts are written. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.transcripts.stop();
  }
}
