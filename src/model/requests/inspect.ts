import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { Confinement } from '../confinement.ts';
import type { PhaseEnd } from '../event.ts';
import type { GivenMemory } from '../givenMemory.ts';
import type { Cycle } from '../history.ts';
import type { QualifiedId, Ulid } from '../id.ts';
import { type Phase, type ReasoningPhase, reasoningPhases } from '../phase.ts';
import type { RollbackRecord } from '../phaseRecord.ts';
import type { ClaimVerdict } from '../session.ts';
import type { Usage } from '../usage.ts';
import { name, path, plan } from './parameters.ts';

const session = name.min(1).describe('id of a session; without it the newest of the plan');

/** `staged`, `source`, or the hash of a commit. */
const changeSet = z.string().regex(/^(?:staged|source|[0-9a-f]{40,64})$/, 'it names no set of changes');

/** Requests that look closely at a plan and its sessions, and change nothing. */
export const inspectRequests = {
  given: z
    .object({ plan, session: session.optional() })
    .describe(
      'the input of a session, part by part, with sizes and reasons; without a `session` the newest of the plan, as in `changes`',
    ),
  given_text: z
    .object({ plan, session, part: z.number().int().nonnegative() })
    .describe('the text of one part, by its place in the list'),
  context: z
    .object({ plan, phase: z.enum(reasoningPhases).optional(), task: name.optional() })
    .describe(
      'what a session of a phase (`work` by default) would be given now, with its prompt and the reason for each entry of the memory; runs nothing',
    ),
  changes: z
    .object({ plan, session: session.optional() })
    .describe(
      'the changes of a session, made or proposed, in sets (`staged`, `source`, a commit) with their files, and its claims with their verdicts',
    ),
  commit_changes: z
    .object({ commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'it is not the id of a commit, or the beginning of one') })
    .describe(
      'what one commit that Ravel made for a plan changed, as one of those sets, with the plan and the session that it is of',
    ),
  changed_file: z
    .object({
      plan,
      /** Absent for a file of `commit_changes`. */
      session: session.optional(),
      /** The `set` of the changes that the file is among. */
      set: changeSet,
      path: path.min(1),
      side: z.enum(['before', 'after']),
    })
    .describe('the text of one of those files, `before` or `after`; without a `session` one of `commit_changes`'),
  history: z
    .object({
      plan,
      /** As many cycles, the newest first. */
      limit: z.number().int().positive().max(1000).optional(),
      /** Only cycles older than this one. */
      before: z.number().int().positive().optional(),
    })
    .describe(
      'past phases of a plan in cycles, with the rollbacks between them, the newest first; `limit` gives one page, and the next one comes `before` its `next`',
    ),
  memory: z
    .object({ plan })
    .describe(
      "the entries of a plan's memory in full, with their word counts and the number of words at which a dream is due",
    ),
} as const;

/** Which session a look is at, as far as it is known. */
export interface InspectedSession {
  readonly plan: QualifiedId;
  readonly session: Ulid;
  readonly phase?: Phase;
  readonly harness?: string;
  readonly task?: string;
  /** `running`, or how its phase ended. */
  readonly state?: 'running' | PhaseEnd;
}

/** One stretch of what a session was given: its size, its hash, and why it is there. */
export interface GivenPart {
  /** Begins with `system/`, `prompt/`, `tools/`, or `later/` for what came after the session began. */
  readonly name: string;
  /** The shipped file that it stands in, or the plan's own. */
  readonly path?: string;
  readonly bytes: number;
  /** Estimated at four bytes a token; what the first turn really counted stands under `reported`. */
  readonly tokens: number;
  /** Tells whether two sessions were given the same. */
  readonly sha256: string;
  readonly reason: string;
}

/** Memory that came with the answer to a tool call; its text is a part among those that were given. */
export interface GivenLater {
  readonly at: string;
  readonly tool: string;
  readonly bytes: number;
  readonly entries: readonly {
    readonly id: string;
    readonly title: string;
    /** The path or identifier that it names, and that was touched. */
    readonly name: string;
    /** Or by its title alone. */
    readonly whole: boolean;
  }[];
}

/** What a session would be given, without what its sandbox allows. */
export interface ContextPreview {
  readonly plan: QualifiedId;
  readonly phase: ReasoningPhase;
  readonly task?: string;
  readonly given: readonly GivenPart[];
  readonly memory?: GivenMemory;
  /** The fault of a file for which no session of the phase would start. */
  readonly problem?: Diagnostic;
  readonly systemPrompt: string;
  readonly prompt: string;
}

export interface GivenPage extends InspectedSession {
  /** In the order in which the session saw them; `given_text` takes their places in this list. */
  readonly given: readonly GivenPart[];
  /** What the harness adds by itself, as it was captured for its version; null if it was not. */
  readonly recorded: readonly { readonly name: string; readonly bytes: number }[] | null;
  /** What the first turn counted; null before it has, and if the harness counts nothing. */
  readonly reported: Usage | null;
  /** Of a session that runs commands: whether they were in a sandbox. */
  readonly confinement?: Confinement;
  /** Of a session that was given a memory: how much of it, and why. */
  readonly memory?: GivenMemory;
  /** What came of the memory after the session began, oldest first; absent if nothing did. */
  readonly later?: readonly GivenLater[];
}

export interface GivenText {
  readonly name: string;
  /** Absent if it was not kept. */
  readonly text?: string;
  /** Whether the end of a very long text is left out. */
  readonly isCut: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  /** Lines added and removed; absent if the file is not text. */
  readonly added?: number;
  readonly removed?: number;
  /** Whether it had been changed already when work began: the figures are of both changes together. */
  readonly changedBefore?: true;
}

/**
 * Changes that belong together. `staged`: what a session wants to become of the plan's files, and nothing is merged yet.
 * `source`: the project's files since work began, committed or not. A commit: what it changed.
 */
export interface ChangeSet {
  readonly set: string;
  readonly kind: 'staged' | 'source' | 'commit';
  /** Of a commit, its own. */
  readonly title: string;
  /** Of very many, the first. */
  readonly files: readonly ChangedFile[];
  readonly fileCount: number;
  /** Of the project: files left out, since they were changed before work began and not since. */
  readonly earlierCount?: number;
}

/** A statement of the analysis, with what it rests on and what code found. */
export interface CheckedClaim {
  readonly id: string;
  readonly text: string;
  /** Absent until the gates have judged it. */
  readonly verdict?: ClaimVerdict;
  readonly evidence: readonly { readonly kind: 'change' | 'test' | 'commit' | 'file'; readonly text: string }[];
}

/** A file that a session changed and did not finish with, and whether it can be put back. */
export interface LeftFileRow {
  readonly path: string;
  /**
   * `left`: as the session left it. `before`: as it was before the session. `changed`: neither, so a person, or another
   * session, has changed it since.
   */
  readonly now: 'left' | 'before' | 'changed';
  /** Whether what the session left is kept, so that it can come again. */
  readonly isKept: boolean;
  /** Why it cannot be put back, as a clause, although it is as the session left it. */
  readonly why?: string;
}

export interface ChangesPage extends InspectedSession {
  /** Of the newest work session, if it did not finish: what `put_back` can put back. */
  readonly left?: readonly LeftFileRow[];
  readonly sets: readonly ChangeSet[];
  readonly claims: readonly CheckedClaim[];
  /** Rollbacks of the plan since the session ended, oldest first; absent if there was none. */
  readonly rollbacks?: readonly RollbackRecord[];
  /** The record that the claims stand in, as its author wrote it. */
  readonly record?: string;
}

/** One commit that Ravel made, of whichever session, or of a rollback. */
export interface CommitPage {
  /** For `changed_file`: the plan that the commit is of, or the root plan of its project if that has another name now. */
  readonly plan: QualifiedId;
  readonly commit: string;
  readonly title: string;
  readonly at: string;
  readonly phase?: string;
  readonly session?: string;
  /** Whether a person put the plan back with it. */
  readonly isRollback: boolean;
  readonly sets: readonly [ChangeSet];
}

export interface ChangedText {
  /** Empty if the file does not exist on this side or is not text. */
  readonly text: string;
  readonly isThere: boolean;
  readonly isBinary: boolean;
  /** Whether the end of a very long text is left out. */
  readonly isCut: boolean;
  /** Absent for an ordinary file, and for none. The text of a link is where it points. */
  readonly kind?: 'executable' | 'symlink';
}

export interface MemoryRow {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly words: number;
  readonly source?: string;
  readonly sourceSession?: string;
  readonly claims: readonly string[];
  /** Whether the end of a very long body is left out. */
  readonly isCut: boolean;
}

export interface MemoryPage {
  readonly entries: readonly MemoryRow[];
  readonly words: number;
  /** A dream is due with more words than these. */
  readonly dreamAtWords: number;
}

export interface InspectResults {
  given: GivenPage;
  given_text: GivenText;
  context: ContextPreview;
  changes: ChangesPage;
  commit_changes: CommitPage;
  changed_file: ChangedText;
  history: {
    /** The newest first. */
    readonly cycles: readonly Cycle[];
    /** Of all there are. */
    readonly total: number;
    /** What the next part comes `before`; absent if this is the last. */
    readonly next?: number;
  };
  memory: MemoryPage;
}
