import type { Diagnostic } from '../base/errors.ts';
import { firstLine, plural } from '../base/text.ts';
import type { AnswerWord, ApprovalKind } from './approval.ts';
import type { Confinement } from './confinement.ts';
import type { EventRow } from './eventRow.ts';
import type { HarnessOutput } from './harnessOutput.ts';
import type { QualifiedId, Ulid } from './id.ts';
import type { CandidateState, IngestionStep } from './ingestion.ts';
import type { MessageOutcome, MessageType, Sender } from './message.ts';
import type { Phase } from './phase.ts';
import type { PolicySource } from './policy.ts';
import type { RouteOutcome, RoutingStep } from './routing.ts';
import type { SessionPurpose } from './sessionPurpose.ts';
import type { Usage } from './usage.ts';

/** Where an actor stands. */
export type ActorStateName = 'dormant' | 'queued' | 'spawning' | 'active' | 'faulted' | 'shuttingDown';

/** How a reasoning phase can end. */
export type PhaseEnd = 'finished' | 'interrupted' | 'failed' | 'waiting';

/** Which came first when a session ended. */
export type SessionEnd = 'exited' | 'crashed' | 'timeLimit' | 'byteLimit' | 'costLimit' | 'stopped' | 'lost';

/** Whom an event is about; what concerns no single plan or expert is about the vault. */
export type EventActor = QualifiedId | 'vault';

/**
 * Everything that happens, in one closed union: the same object goes to the transcript, the sockets and every view.
 * Add a member only when a view must react to it and no existing member can carry it; a new facet goes on an old member.
 */
export type RavelEvent = { readonly at: string; readonly actor: EventActor } & (
  | {
      readonly type: 'phase.started';
      readonly phase: Phase;
      readonly session?: Ulid;
      readonly harness?: string;
      readonly task?: string;
    }
  | {
      readonly type: 'phase.ended';
      readonly phase: Phase;
      readonly end: PhaseEnd;
      readonly next: Phase;
      readonly session?: Ulid;
      readonly summary: string;
    }
  | {
      readonly type: 'session.started';
      readonly session: Ulid;
      /** What it is for: a phase, or what a consultation is asked. */
      readonly phase: SessionPurpose;
      readonly harness: string;
      readonly givenBytes: number;
      readonly givenTokens: number;
      readonly reattached: boolean;
      /** Of a session that runs commands: whether they are in a sandbox. */
      readonly confinement?: Confinement;
    }
  | { readonly type: 'session.output'; readonly session: Ulid; readonly seq: number; readonly output: HarnessOutput }
  | {
      readonly type: 'session.verb';
      readonly session: Ulid;
      readonly verb: string;
      readonly applied: boolean;
      readonly summary: string;
      /** The call that used it, as the outputs of the session name it; absent if its harness does not say. */
      readonly callId?: string;
    }
  | {
      readonly type: 'session.ended';
      readonly session: Ulid;
      readonly end: SessionEnd;
      /** Why its program could not be started; absent if it ran. */
      readonly notStarted?: string;
      readonly exitCode?: number;
      readonly usage?: Usage;
      readonly durationMs: number;
    }
  | {
      readonly type: 'spawn.measured';
      readonly session: Ulid;
      readonly harness: string;
      readonly firstOutputMs: number;
    }
  | {
      readonly type: 'gate.judged';
      readonly session: Ulid;
      readonly gate: string;
      /** For a gate on tools: the tool that was asked for. Then `gate` is `tool` if no gate had anything to say. */
      readonly subject?: string;
      /** What was to be done with that tool, in a few words; if it may not simply be done. */
      readonly call?: string;
      readonly outcome: 'accept' | 'modify' | 'redirect' | 'reject' | 'needs-approval';
      /** The rule of a policy that decided. */
      readonly rule?: PolicySource;
      readonly reason?: string;
      readonly findings?: readonly string[];
    }
  | {
      readonly type: 'state.merged';
      readonly session: Ulid;
      readonly files: readonly string[];
      readonly personEdited: readonly string[];
    }
  | {
      readonly type: 'commit.made';
      readonly phase: Phase;
      readonly commit: string;
      readonly title: string;
      readonly paths: readonly string[];
    }
  | { readonly type: 'commit.skipped'; readonly phase: Phase; readonly title: string; readonly reason: string }
  | { readonly type: 'approval.opened'; readonly approval: Ulid; readonly kind: ApprovalKind; readonly subject: string }
  | {
      readonly type: 'approval.decided';
      readonly approval: Ulid;
      readonly kind: ApprovalKind;
      readonly decision: AnswerWord;
      readonly by: string;
    }
  | { readonly type: 'approval.deferred'; readonly approval: Ulid; readonly kind: ApprovalKind; readonly until: string }
  | {
      readonly type: 'run.queued';
      /** Absent if the run waits before its phase is known. */
      readonly phase?: Phase;
      /** The plan that has what is waited for, if it is one. */
      readonly behind?: QualifiedId;
      readonly reason: string;
    }
  | {
      readonly type: 'budget.reached';
      readonly scope: string;
      readonly limitUsd: number;
      readonly spentUsd: number;
      readonly reservedUsd: number;
      /** When the next day begins. */
      readonly until: string;
    }
  | {
      readonly type: 'actor.changed';
      readonly state: ActorStateName;
      readonly reason?: string;
    }
  | {
      readonly type: 'message.accepted';
      readonly message: Ulid;
      readonly messageType: MessageType;
      readonly from: Sender;
    }
  | {
      readonly type: 'message.handled';
      readonly message: Ulid;
      readonly messageType: MessageType;
      readonly from: Sender;
      readonly outcome: MessageOutcome;
    }
  | {
      readonly type: 'message.dead';
      readonly message: Ulid;
      /** The type as written, even if Ravel does not know it. */
      readonly messageType: string;
      readonly from: string;
      readonly reason: string;
    }
  | {
      readonly type: 'message.routing';
      readonly message: Ulid;
      readonly messageType: MessageType;
      readonly step: RoutingStep;
      /** What this step began or found, in a few words. */
      readonly text: string;
      /** The session that is asked. */
      readonly session?: Ulid;
    }
  | {
      readonly type: 'message.routed';
      readonly message: Ulid;
      readonly messageType: MessageType;
      readonly from: Sender;
      readonly step: RoutingStep;
      readonly outcome: RouteOutcome;
      /** The rules that decided, if they did. */
      readonly rules: readonly string[];
      readonly usd?: number;
    }
  | {
      readonly type: 'query.answered';
      readonly query: Ulid;
      readonly by: QualifiedId;
      readonly state: 'answered' | 'refused';
    }
  | {
      readonly type: 'query.clarification';
      readonly query: Ulid;
      readonly by: QualifiedId;
      readonly text: string;
      /** The first is 1. */
      readonly round: number;
    }
  | { readonly type: 'query.replied'; readonly query: Ulid; readonly by: Sender }
  | { readonly type: 'knowledge.gap'; readonly gap: Ulid; readonly question: string }
  | {
      readonly type: 'knowledge.step';
      /** The record of the cycle that taught it. */
      readonly ingestion: Ulid;
      readonly title: string;
      readonly step: IngestionStep;
      /** What came of it, as a sentence. */
      readonly text: string;
    }
  | {
      readonly type: 'knowledge.candidate';
      /** The record of the cycle that taught it. */
      readonly ingestion: Ulid;
      readonly title: string;
      readonly state: CandidateState;
      /** What became of it, as a sentence. */
      readonly outcome: string;
    }
  | { readonly type: 'session.noted'; readonly session: Ulid; readonly note: Ulid; readonly text: string }
  | {
      readonly type: 'session.recalled';
      readonly session: Ulid;
      /** The tool with whose answer it came. */
      readonly tool: string;
      /** Titles of the entries. */
      readonly entries: readonly string[];
      readonly bytes: number;
    }
  | { readonly type: 'run.ended'; readonly reason: string }
  | { readonly type: 'run.paused'; readonly done: number; readonly cycles: number }
  | {
      readonly type: 'plan.changed';
      readonly change: 'created' | 'renamed' | 'removed' | 'restored' | 'edited';
      /** The id before a rename. */
      readonly from?: QualifiedId;
      /** Of a plan that was edited. */
      readonly files?: readonly string[];
      /** What the state verb that made the edit did; absent if the edit came from outside Ravel. */
      readonly summary?: string;
      /** Of a plan whose records a person put back: the snapshot, who did it, and the commits of it. */
      readonly rollback?: {
        readonly to: string;
        readonly by: string;
        readonly commits: readonly { readonly commit: string; readonly title: string }[];
      };
    }
  | {
      readonly type: 'vault.changed';
      /** By their paths in the vault. */
      readonly files: readonly string[];
    }
  | {
      readonly type: 'knowledge.changed';
      /** What was done, in one line. */
      readonly did: string;
      /** The entries that it touched, by their paths in the vault. */
      readonly entries: readonly string[];
    }
  | {
      readonly type: 'recovered';
      readonly what: string;
      readonly outcome: 'finished' | 'undone' | 'reattached' | 'interrupted';
    }
  | { readonly type: 'vault.verifying'; readonly done: number; readonly total: number }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }
);

export type EventType = RavelEvent['type'];

type WithoutStamp<Event> = Event extends unknown ? Omit<Event, 'at' | 'actor'> : never;

/** An event without its stamp. */
export type EventBody = WithoutStamp<RavelEvent>;

type EventOf<Type extends EventType> = Extract<RavelEvent, { readonly type: Type }>;

/** One row for each member. */
export const eventRows = {
  'phase.started': {
    describes: 'A phase of a plan began.',
    outdates: ['sessions'],
    line: 'own',
  },
  'phase.ended': {
    describes: 'A phase ended: finished, interrupted, failed or waiting.',
    outdates: ['sessions', 'spending'],
    line: 'own',
  },
  'session.started': {
    describes: 'A fresh session runs, or an owner took one over from an earlier owner.',
    outdates: ['sessions'],
    line: 'own',
  },
  'session.output': {
    describes: 'The harness said something; `seq` counts without holes within the session.',
    outdates: 'nothing',
    line: 'own',
  },
  'session.verb': {
    describes: 'The session used a state verb; `applied` is false if it was refused.',
    outdates: 'nothing',
    line: (event) =>
      event.applied
        ? { tone: 'good', sign: '★', text: firstLine(event.summary) }
        : { tone: 'bad', sign: '✗', text: `${event.verb} refused: ${firstLine(event.summary)}` },
  },
  'session.ended': {
    describes: 'The session has ended; `end` says why.',
    outdates: ['sessions', 'spending'],
    line: 'own',
  },
  'spawn.measured': {
    describes: 'How long the harness took from its start to its first output.',
    outdates: 'nothing',
    line: 'none',
  },
  'gate.judged': {
    describes: 'A gate gave its verdict on a proposal or a tool request.',
    outdates: 'nothing',
    line: 'own',
  },
  'state.merged': {
    describes: "The session's changes are in the plan's files; `personEdited` names those merged with a person's edit.",
    outdates: [],
    line: ({ files, personEdited }) =>
      [
        files.length === 0 ? 'nothing changed' : `merged ${files.join(', ')}`,
        ...(personEdited.length === 0 ? [] : [`merged with your own edits: ${personEdited.join(', ')}`]),
      ].map((text) => ({ tone: 'good', sign: '✓', text })),
  },
  'commit.made': {
    describes: 'A code phase made a commit.',
    outdates: 'nothing',
    line: ({ commit, title, paths }) => ({
      tone: 'good',
      sign: '◆',
      text: `${commit.slice(0, 8)} ${title} (${plural(paths.length, 'file')})`,
    }),
  },
  'commit.skipped': {
    describes: 'An entry of the commit specification led to no commit.',
    outdates: 'nothing',
    line: ({ title, reason }) => ({
      tone: 'notice',
      sign: '◇',
      text: `not committed: ${title} — ${firstLine(reason)}`,
    }),
  },
  'approval.opened': {
    describes: 'A person has a question to answer.',
    outdates: ['approvals'],
    line: 'own',
  },
  'approval.decided': {
    describes: 'A person answered a question, or settled it by a retry or a dismissal.',
    outdates: ['approvals'],
    line: 'own',
  },
  'approval.deferred': {
    describes: 'A person put a question off that no phase waits for; it comes back at `until`.',
    outdates: ['approvals'],
    line: ({ approval, until }) => ({
      tone: 'notice',
      sign: '…',
      text: `question ${approval} is deferred until ${until}`,
    }),
  },
  'run.queued': {
    describes:
      'A run waits: for another plan that works in the same tree, or because the limit of active actors is reached.',
    outdates: [],
    line: ({ phase = 'the run', reason }) => ({ tone: 'notice', sign: '…', text: `${phase} waits: ${reason}` }),
  },
  'budget.reached': {
    describes: 'No session starts, because the budget of the day is spent or reserved; the event says until when.',
    outdates: ['spending'],
    line: ({ scope, until }) => ({
      tone: 'notice',
      sign: '…',
      text: `${scope} has used up today's budget; continues after ${until}`,
    }),
  },
  'actor.changed': {
    describes: 'An actor woke, became dormant, waits for its turn, or is faulted; `reason` says why.',
    // A dead letter that is delivered again or dropped is told by nothing but its actor's change.
    outdates: ['deadLetters'],
    line: 'own',
  },
  'message.accepted': {
    describes: "A message is on disk in its actor's mailbox.",
    outdates: [],
    line: 'none',
  },
  'message.handled': {
    describes: 'An actor has handled a message; `outcome` is `done`, or `rejected` with a reason.',
    outdates: ({ messageType }) => (messageType === 'query' ? ['deadLetters', 'questions'] : ['deadLetters']),
    line: 'own',
  },
  'message.dead': {
    describes: 'A message could not be handled and waits as a dead letter.',
    outdates: ['deadLetters'],
    line: ({ messageType, from, reason }) => ({
      tone: 'bad',
      sign: '✗',
      text: `a ${messageType} from ${from} was given up: ${firstLine(reason)}`,
    }),
  },
  'message.routing': {
    describes: 'Ravel is looking for the receiver of a message: `step` began, or found something.',
    outdates: ['messages'],
    line: 'own',
  },
  'message.routed': {
    describes:
      'A message was routed to an actor or refused, or needs the decision of a person; `step` and `rules` say what decided.',
    outdates: ['messages'],
    line: 'own',
  },
  'query.answered': {
    describes: 'A question has its answer, or its refusal; the request `answer` gives it.',
    outdates: ['questions'],
    line: ({ by, state, query }) => ({
      ...(state === 'answered' ? { tone: 'good', sign: '★' } : { tone: 'bad', sign: '✗' }),
      text: `${by} ${state} the question ${query}`,
    }),
  },
  'query.clarification': {
    describes: 'Who was asked wants to know something first: `text`. The request `reply` answers it.',
    outdates: ['questions'],
    line: ({ by, query, text }) => ({
      tone: 'notice',
      sign: '?',
      text: `${by} asks back about the question ${query}: ${firstLine(text)}`,
    }),
  },
  'query.replied': {
    describes: 'Who had asked replied to what was asked back; the question is asked once more, with the reply.',
    outdates: ['questions'],
    line: ({ by, query }) => ({
      tone: 'notice',
      sign: '✎',
      text: `${by === 'person' ? 'a person' : by} replied about the question ${query}`,
    }),
  },
  'knowledge.gap': {
    describes: 'An expert did not know the answer to a question; `gap` is the id of the question.',
    outdates: [],
    line: ({ question }) => ({ tone: 'notice', sign: '?', text: `does not know: ${firstLine(question)}` }),
  },
  'knowledge.step': {
    describes:
      'Something that a plan learned and code proved is on its way: it was `extracted`, `compared` with the entries that are there, `offered` to experts, or `judged` by one of them. `knowledge.candidate` says how it ends.',
    outdates: 'nothing',
    line: ({ title, step, text }) => ({
      tone: 'notice',
      sign: '✎',
      text: `“${firstLine(title)}” ${step}: ${firstLine(text)}`,
    }),
  },
  'knowledge.candidate': {
    describes:
      'Something that a plan learned and code proved went a step further: it was `added`, `confirmed`, `rejected`, `refused`, was `known`, or is `waiting` for a person.',
    outdates: [],
    line: ({ title, state, outcome }) => ({
      tone: state === 'added' || state === 'confirmed' ? 'good' : 'notice',
      sign: '✎',
      text: `learned “${firstLine(title)}”: ${state}. ${firstLine(outcome)}`,
    }),
  },
  'session.noted': {
    describes: 'A session received a note from a person.',
    outdates: 'nothing',
    line: ({ text }) => ({ tone: 'notice', sign: '✎', text: `got your note: ${firstLine(text)}` }),
  },
  'session.recalled': {
    describes: 'Entries of the memory came to a session with the answer of a tool, because they name what it touched.',
    outdates: 'nothing',
    line: ({ tool, entries }) => ({
      tone: 'notice',
      sign: '✎',
      text: `got ${plural(entries.length, 'entry', 'entries')} of the memory after ${tool}: ${entries.map((title) => firstLine(title)).join('; ')}`,
    }),
  },
  'run.ended': {
    describes: 'A run over several phases stopped; the event says why.',
    outdates: [],
    line: 'none',
  },
  'run.paused': {
    describes:
      'A run is paused, because its owner went away or the budget is spent; `done` of its `cycles` are complete.',
    outdates: [],
    line: ({ done, cycles }) => ({
      tone: 'notice',
      sign: '‖',
      text: `the run is paused, ${done} of ${plural(cycles, 'cycle')} done`,
    }),
  },
  'plan.changed': {
    describes:
      'A plan was made, renamed, removed or restored, and those below it with it; or its `files` were edited, outside of Ravel or by a state verb, which then says what it did.',
    outdates: (event) => (event.change === 'edited' ? [] : ['structure', 'approvals', 'deadLetters', 'sessions']),
    line: (event) => ({ tone: 'good', sign: '✓', text: describePlanChange(event) }),
  },
  'vault.changed': {
    describes:
      "The vault's own `files` changed: settings, registry, rules, experts, or links to projects. Its `actor` is `vault`.",
    outdates: ['structure', 'experts'],
    line: ({ files }) => ({ tone: 'notice', sign: '✎', text: `changed in the vault: ${files.join(', ')}` }),
  },
  'knowledge.changed': {
    describes: 'Entries of the knowledge were added, changed, archived, restored or deleted.',
    outdates: 'nothing',
    line: ({ did }) => ({ tone: 'good', sign: '✎', text: firstLine(did) }),
  },
  recovered: {
    describes: 'After a crash something was finished, undone or taken over; the ledger has the same line.',
    outdates: [],
    line: ({ what, outcome }) => ({ tone: 'notice', sign: '↻', text: `${what} (${outcome})` }),
  },
  'vault.verifying': {
    describes: 'The vault is being verified; `done` of its `total` plans are done. Its `actor` is `vault`, not a plan.',
    outdates: 'nothing',
    line: 'none',
  },
  diagnostic: {
    describes: 'Something is wrong, or worth knowing.',
    outdates: 'nothing',
    line: 'own',
  },
} satisfies { readonly [Type in EventType]: EventRow<EventOf<Type>> };

/** The events that a terminal shows in a form of their own. */
export type OwnFormEvent = EventOf<
  { [Type in EventType]: (typeof eventRows)[Type]['line'] extends 'own' ? Type : never }[EventType]
>;

export const eventTypes = Object.keys(eventRows) as readonly EventType[];

/** The row of a type that is known only when the program runs. */
export function eventRowOf(type: EventType): EventRow<RavelEvent> {
  return eventRows[type] as EventRow<RavelEvent>;
}

function describePlanChange({ change, from, files, summary }: EventOf<'plan.changed'>): string {
  if (summary !== undefined) return firstLine(summary);
  if (from !== undefined) return `renamed from ${from}`;
  return files === undefined ? change : `edited outside of Ravel: ${files.join(', ')}`;
}
