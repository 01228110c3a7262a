import type { Backlog } from '../../model/backlog.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { DreamMap } from '../../model/memory.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import type { PlanFile, PlanTexts } from '../../model/plan.ts';
import type { SessionRecord } from '../../model/session.ts';

/** The texts that a verb works on, and its caller. A verb is a pure function of this and its arguments. */
export interface VerbContext {
  /** The files as they are: a session's staged copy, or the plan's own. */
  readonly texts: PlanTexts;
  readonly subject: QualifiedId;
  /** The phase of the session that uses the verb; a person has none and may use every verb. */
  readonly phase?: ReasoningPhase;
  /** The task that a work session was given; the only one whose status and results it may set. */
  readonly task?: string;
  /** The files as a triage was given them: what waited when it began. */
  readonly base?: PlanTexts;
  /** The received message that led to the work which a reflection is about. */
  readonly workCause?: string;
  /** ISO 8601 in UTC to the second. */
  readonly now: string;
  /** The session that uses the verb, for the record's provenance. */
  readonly session?: Ulid;
  readonly newUlid: () => Ulid;
  /** What this session's merges of memory entries have recorded so far. */
  readonly dreamMap: DreamMap;
  /** Session records that were put aside, the oldest first; gathered for the verbs that ask for them. */
  readonly olderSessions?: readonly SessionRecord[];
  /** Received messages that were put into the archive, the oldest first; gathered for the same. */
  readonly olderReceived?: NonNullable<Backlog['received']>;
  /** The files as they were committed before a phase; gathered for the verb that summarises it, and for no other. */
  readonly baseline?: PlanTexts;
}

/** The edits that a verb asks for. Nothing has happened yet: the caller writes them. */
export interface VerbEffect {
  /** New texts by file; `undefined` removes the file. Empty for a verb that reads, or that found nothing to do. */
  readonly edits: ReadonlyMap<PlanFile, string | undefined>;
  /** JSON for the caller of the verb. */
  readonly result: unknown;
  /** One line for the transcript. */
  readonly summary: string;
  /** Ids of memory entries that the result has whole. */
  readonly readWhole?: readonly string[];
  /** The whole map after this verb, if it changed. */
  readonly dreamMap?: DreamMap;
}
