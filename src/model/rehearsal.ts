import type { Diagnostic } from '../base/errors.ts';
import type { ApprovalKind } from './approval.ts';
import type { Confinement } from './confinement.ts';
import type { QualifiedId } from './id.ts';
import type { MessageType } from './message.ts';
import type { Phase } from './phase.ts';
import type { CycleReport } from './requests/runs.ts';

/** Variable that names the vault which a rehearsal is of, in the sessions of its copy. */
export const rehearsedVault = 'RAVEL_REHEARSED_VAULT';

/** A message that a rehearsal did not send. */
export interface WithheldMessage {
  readonly type: MessageType;
  /** The receiver as the message names it, before anything is routed. */
  readonly to: string;
  readonly reason: string;
  readonly body: string;
}

/** What a core does not send is told here instead. */
export type Withhold = (message: WithheldMessage) => void;

/** How a record of a state file differs; the values of fields as YAML has them. */
export interface RecordChange {
  readonly id: string;
  readonly title: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Of a changed record, its fields that differ. */
  readonly fields: readonly { readonly name: string; readonly before?: unknown; readonly after?: unknown }[];
}

export interface RehearsedFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  /** Lines; absent for a file that is not text. */
  readonly added?: number;
  readonly removed?: number;
}

export interface RehearsedCommit {
  /** In the copy alone: the real commit would have another hash. */
  readonly commit: string;
  readonly message: string;
  readonly paths: readonly string[];
}

/** What happened to the copy's repository. */
export interface RehearsedSource {
  /** What differs from the work tree as it was, the folders of plans left out. */
  readonly files: readonly RehearsedFile[];
  readonly patch: string;
  readonly commits: readonly RehearsedCommit[];
}

export interface RehearsedRefusal {
  readonly phase?: Phase;
  readonly gate: string;
  /** For the tool gate: the tool that was asked for, and what it was to do. */
  readonly subject?: string;
  readonly call?: string;
  readonly reason: string;
}

/** What a person would have been asked. */
export interface RehearsedQuestion {
  readonly kind: ApprovalKind;
  readonly subject: string;
}

/** What was copied. */
export interface RehearsalCopy {
  readonly files: number;
  readonly bytes: number;
  readonly durationMs: number;
  /** Links that lead out of the repository and are not in the copy, from its top. */
  readonly leftOut: readonly string[];
  /** The folder, if it is kept. */
  readonly folder?: string;
}

/** What a rehearsal would have changed; every path is the original's. */
export interface RehearsalReport extends RehearsedSource {
  readonly plan: QualifiedId;
  readonly project: string;
  readonly harness: string;
  readonly report: CycleReport;
  readonly tasks: readonly RecordChange[];
  readonly memory: readonly RecordChange[];
  readonly withheld: readonly WithheldMessage[];
  readonly refusals: readonly RehearsedRefusal[];
  readonly questions: readonly RehearsedQuestion[];
  /** Warnings and errors that a run would have told. */
  readonly problems: readonly Diagnostic[];
  /** Whether commands of sessions were kept to the copy; absent if none was to run commands. */
  readonly confinement?: Confinement;
  /** US dollars that the sessions really cost; none with a scenario. */
  readonly costUsd: number;
  readonly durationMs: number;
  readonly copy: RehearsalCopy;
  /** What the harness keeps of its own outside the copy, as a sentence. */
  readonly outside?: string;
}

/** A task or an entry as its file has it. */
export type StateRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly title: string };

/** The records of a plan at one moment. */
export interface StateRecords {
  readonly tasks: readonly StateRecord[];
  readonly memory: readonly StateRecord[];
  /** Messages that the plan has taken in. */
  readonly received: readonly ReceivedRecord[];
}

export interface ReceivedRecord {
  readonly id: string;
  readonly from: string;
  readonly state: string;
  readonly task?: string | null | undefined;
  readonly declined_reason?: string | null | undefined;
}

/** The replies to the senders of messages that were promoted or declined meanwhile. */
export function repliesBetween(before: StateRecords, after: StateRecords): WithheldMessage[] {
  const states = new Map(before.received.map(({ id, state }) => [id, state]));
  return after.received
    .filter(({ id, state }) => state !== 'new' && states.get(id) !== state)
    .map(({ from, state, task, declined_reason: reason }) => ({
      ...{ type: 'reply', to: from, reason: state },
      body: state === 'declined' ? (reason ?? '') : (task ?? ''),
    }));
}

/** How the records of a file differ, in the order in which they stand; those that are gone come last. */
export function compareRecords(before: readonly StateRecord[], after: readonly StateRecord[]): RecordChange[] {
  const old = new Map(before.map((record) => [record.id, record]));
  const kept = new Set(after.map(({ id }) => id));
  const changes = after.flatMap((record): RecordChange[] => {
    const { id, title } = record;
    const earlier = old.get(id);
    if (earlier === undefined) return [{ id, title, change: 'added', fields: [] }];
    const names = [...new Set([...Object.keys(earlier), ...Object.keys(record)])];
    const fields = names
      .filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(record[name]))
      .map((name) => ({
        name,
        ...(earlier[name] === undefined ? {} : { before: earlier[name] }),
        ...(record[name] === undefined ? {} : { after: record[name] }),
      }));
    return fields.length === 0 ? [] : [{ id, title, change: 'changed', fields }];
  });
  const gone = before.filter(({ id }) => !kept.has(id));
  return [...changes, ...gone.map(({ id, title }): RecordChange => ({ id, title, change: 'removed', fields: [] }))];
}

/** Where the copy of something lies, and the original; both absolute. */
export interface CopiedPlace {
  readonly copy: string;
  readonly original: string;
}

/** A value with the paths of the originals in the place of those of their copies, in every text of it. */
export function restorePaths<T>(value: T, places: readonly CopiedPlace[]): T {
  const longestFirst = [...places].sort((a, b) => b.copy.length - a.copy.length);
  const restore = (one: unknown): unknown => {
    if (typeof one === 'string') {
      return longestFirst.reduce((text, { copy, original }) => text.replaceAll(copy, () => original), one);
    }
    if (Array.isArray(one)) return one.map(restore);
    if (one === null || typeof one !== 'object') return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [restore(key), restore(inner)]));
  };
  return restore(value) as T;
}
