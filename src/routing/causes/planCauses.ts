import { defined } from '../../base/defined.ts';
import type { Task } from '../../model/backlog.ts';
import type { Origin } from '../../model/origin.ts';
import { person } from '../../model/person.ts';
import type { CauseRef, CauseStep, ExpandedCause } from './causality.ts';

export interface TaskFacts {
  readonly plan: string;
  readonly id: string;
  /** Undefined if the backlog has no such task any more. */
  readonly task: Pick<Task, 'title' | 'status'> | undefined;
  /** The received message that was promoted to it, and whether its routing is recorded. */
  readonly message?: { readonly id: string; readonly isDecided: boolean };
  /** Who added it, as it was noted then. */
  readonly origin?: Origin;
  /** The commit that first had it in the backlog; asked for only if nothing else is known. */
  readonly firstCommit?: { readonly at: string; readonly author: string; readonly commit: string };
  /** Sessions that were given it, the oldest first. */
  readonly sessions: readonly string[];
  /** Messages by which it was handed over. */
  readonly handedOver: readonly string[];
}

/** How a task came into its backlog, and who worked on it. */
export function expandTask(facts: TaskFacts): ExpandedCause {
  const { plan, id, task, message, origin, firstCommit } = facts;
  const before: CauseStep[] = [];
  if (message !== undefined) {
    const kind = message.isDecided ? 'decision' : 'message';
    before.push({ to: { kind, id: message.id }, how: 'was promoted to' });
  }
  before.push(...authorSteps(facts));
  const at = origin?.at ?? firstCommit?.at;
  const lost = task === undefined ? [`The backlog of ${plan} has no task ${id} any more.`] : [];
  return {
    node: {
      ...{ kind: 'task', id, plan },
      title: task === undefined ? `task ${id} of ${plan}` : `task ${id} of ${plan}: ${task.title}`,
      ...defined({ at, detail: task?.status }),
    },
    before,
    after: [
      ...facts.sessions.map((session): CauseStep => step({ kind: 'session', id: session, plan }, 'was worked on by')),
      ...facts.handedOver.map((other): CauseStep => step({ kind: 'message', id: other }, 'was handed over as')),
    ],
    gaps: [...lost, ...unrecorded(facts)],
  };
}

/** Only a session is named as the one that promoted a message: the message leads on to its own causes. */
function authorSteps({ plan, message, origin, firstCommit }: TaskFacts): CauseStep[] {
  const how = message === undefined ? 'added' : 'promoted';
  if (origin?.by === 'session') return [step({ kind: 'session', id: origin.session, plan }, how)];
  if (message !== undefined) return [];
  if (origin !== undefined) return [step({ kind: 'person', id: person }, origin.by === 'import' ? 'imported' : how)];
  return firstCommit === undefined ? [] : [step({ kind: 'person', id: firstCommit.author }, 'committed')];
}

/** A commit also holds what people, imports and messages had put there before: its session may have added nothing. */
function unrecorded({ id, task, message, origin, firstCommit }: TaskFacts): string[] {
  if (task === undefined || message !== undefined || origin !== undefined) return [];
  if (firstCommit === undefined) return [`It was not recorded who added the task ${id}, and no commit has it yet.`];
  const commit = firstCommit.commit.slice(0, 8);
  return [`It was not recorded who added the task ${id}; the commit ${commit} is the first that has it.`];
}

export interface SessionFacts {
  readonly session: string;
  readonly plan?: string;
  /** A phase, or what a session beside all phases was asked. */
  readonly phase?: string;
  readonly at?: string;
  readonly task?: string;
  readonly end?: string;
  readonly summary?: string;
  readonly usd?: number;
  /** The work session of the same cycle, for one that came after it. */
  readonly follows?: string;
  readonly sent: readonly string[];
  readonly commits: readonly string[];
  /** The message that it was asked about. */
  readonly askedAbout?: string;
  readonly gaps: readonly string[];
}

/** What a session was started for, and what it did: messages that it sent and commits of its work. */
export function expandSession(facts: SessionFacts): ExpandedCause {
  const { session, plan, phase, at, task, end, summary, follows, sent, commits, askedAbout, gaps } = facts;
  const before: CauseStep[] = [];
  if (task !== undefined && plan !== undefined) before.push(step({ kind: 'task', id: task, plan }, 'was worked on by'));
  if (follows !== undefined) before.push(step({ kind: 'session', id: follows, ...withPlan(plan) }, 'was followed by'));
  if (askedAbout !== undefined) before.push(step({ kind: 'message', id: askedAbout }, 'was put to'));
  const of = plan === undefined ? '' : ` of ${plan}`;
  const detail = [end, summary].filter((part) => part !== undefined && part !== '').join(': ');
  const after: CauseStep[] = sent.map((message) => step({ kind: 'message', id: message }, 'sent'));
  after.push(...commits.map((commit) => step({ kind: 'commit', id: commit, ...withPlan(plan) }, 'was committed as')));
  if (askedAbout !== undefined) after.push(step({ kind: 'decision', id: askedAbout }, 'was heard for'));
  return {
    node: {
      ...{ kind: 'session', id: session, ...withPlan(plan) },
      title: `${phase === undefined ? 'session' : `${phase} session`}${of}`,
      ...defined({ at }),
      ...(detail !== '' && { detail }),
    },
    ...{ before, after, gaps },
  };
}

export interface CommitFacts {
  readonly hash: string;
  readonly title: string;
  readonly at: string;
  readonly author: string;
  /** As its trailers say: of a session of a plan; of the vault's own commits neither. */
  readonly plan?: string;
  readonly session?: string;
  /** Rules and suggestions that it wrote down. */
  readonly wrote: readonly CauseRef[];
}

/** Whose work a commit holds. */
export function expandCommit({ hash, title, at, author, plan, session, wrote }: CommitFacts): ExpandedCause {
  const before = wrote.map((ref) => step(ref, 'was written down in'));
  if (session !== undefined) before.push(step({ kind: 'session', id: session, ...withPlan(plan) }, 'was committed as'));
  else if (wrote.length === 0) before.push(step({ kind: 'person', id: author }, 'committed'));
  return {
    node: { kind: 'commit', id: hash, at, title: `commit ${hash.slice(0, 8)} ${title}`, ...withPlan(plan) },
    before,
    after: [],
    gaps: [],
  };
}

function step(to: CauseRef, how: string): CauseStep {
  return { to, how };
}

function withPlan(plan: string | undefined): { readonly plan?: string } {
  return defined({ plan });
}
