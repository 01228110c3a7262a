import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Logger } from '../../base/log.ts';
import type { RavelEvent } from '../../model/event.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { MessageSender } from '../../model/message.ts';
import type { RoutedMessage, Suggestion, UnroutableMessage } from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import type { Settings } from '../../model/settings.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import type { RoutingHistory } from '../history/routingHistory.ts';
import type { RecipientDirectory } from '../recipientDirectory.ts';
import type { RoutingKnowledge } from './matchWithoutModel.ts';
import type { PendingRoute, RouteSessionReport } from './routeSteps.ts';

/** A session that is to be asked about a message; its id is on the disk already. */
export interface RouteSessionQuestion {
  readonly pending: PendingRoute;
  readonly session: Ulid;
  /** Writes down a session that is about to look at one plan, before it is started. */
  readonly recordCheck: (session: Ulid) => Promise<void>;
}

export interface RouterParts extends MessageSender {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: Settings['routing'];
  readonly newUlid: () => Ulid;
  readonly emit: (event: RavelEvent) => void;
  readonly recipients: RecipientDirectory;
  readonly history: RoutingHistory;
  readonly knowledge: () => Promise<RoutingKnowledge>;
  /** All rules of the file, those that are off among them. */
  readonly rules: () => Promise<readonly Rule[]>;
  readonly askRouteSession: (question: RouteSessionQuestion, signal: AbortSignal) => Promise<RouteSessionReport>;
  /** What a small model takes a message to be about; undefined if it does not say in time. */
  readonly findFacts: (
    message: RoutedMessage,
    session: Ulid,
    signal: AbortSignal,
  ) => Promise<readonly string[] | undefined>;
  /** Ends a session that an owner which died had begun, if it still runs. */
  readonly endOrphan: (session: Ulid) => Promise<unknown>;
  /** Asks a person, once for each id however often this is called. */
  readonly askPerson: (question: UnroutableMessage, approval: Ulid) => Promise<void>;
  /** Takes in a rule that a session suggests; an equal one is taken in once. */
  readonly suggest: (suggestion: Suggestion) => Promise<void>;
}

/** What a person decided about a message for which no receiver was found. */
export type PersonsChoice =
  | { readonly kind: 'send'; readonly to: QualifiedId }
  | { readonly kind: 'refuse'; readonly reason: string };
