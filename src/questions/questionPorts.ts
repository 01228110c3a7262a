import type { Clock } from '../base/clock.ts';
import type { Diagnostic } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Consult } from '../harness/consultation.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Ulid } from '../model/id.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** The outside world as answering takes it. */
export interface QuestionPorts extends VaultPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly newUlid: () => Ulid;
  readonly emit: (event: RavelEvent) => void;
  /** Asks a fresh session one thing. */
  readonly consult: Consult;
  /** Ends a session whose owner died; resolves to the reason why its answer cannot be trusted, if there is one. */
  readonly endOrphan: (session: Ulid) => Promise<Diagnostic | undefined>;
}
