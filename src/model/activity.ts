import type { AnswerWord, ApprovalKind } from './approval.ts';
import { isQualifiedId, type QualifiedId, type Ulid } from './id.ts';
import type { PhaseRecord, RollbackRecord } from './phaseRecord.ts';

/** The first of many, and how many there are. */
export interface Bounded<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Whose it is: a plan, an expert, or the vault itself. */
export type ActivityOf = QualifiedId | 'vault';

export interface ListedCommit {
  readonly commit: string;
  readonly title: string;
}

export interface PersonsDecision {
  readonly approval: Ulid;
  readonly question: ApprovalKind;
  readonly subject: string;
  readonly decision: AnswerWord;
  readonly by: string;
}

export interface GateRefusal {
  readonly gate: string;
  readonly session: Ulid;
  readonly count: number;
}

/** That a person put the records of a plan back as they were. */
export interface PutBack {
  /** Id of the snapshot. */
  readonly to: string;
  readonly by: string;
  /** Of the plan, that changed. */
  readonly files: number;
  /** Has the state after it; absent if it could not be committed. */
  readonly commit?: string;
}

/** One message, from the side of its sender or of its receiver. */
export interface PassedMessage {
  readonly message: Ulid;
  /** Why no receiver gets it. */
  readonly refused?: string;
  /** The other side; of a sent one absent while it has no receiver. */
  readonly with?: string;
  /** Its beginning, on one line. */
  readonly text: string;
}

/** `memory`: an entry of the plan's own memory. `knowledge`: an entry that is now among those of the vault or a project. */
export interface Learned {
  readonly title: string;
  readonly place: 'memory' | 'knowledge';
}

/** Something that happened, as the files of the vault have it. */
export type ActivityFact = { readonly of: ActivityOf; readonly atMs: number } & (
  | { readonly kind: 'phase'; readonly record: PhaseRecord }
  | { readonly kind: 'rollback'; readonly record: RollbackRecord }
  | { readonly kind: 'paid'; readonly usd: number | undefined }
  | ({ readonly kind: 'decision' } & PersonsDecision)
  | ({ readonly kind: 'sent' | 'received' } & PassedMessage)
  | ({ readonly kind: 'learned' } & Learned)
);

interface Counts {
  /** Cycles that were completed. */
  readonly cycles: number;
  /** Phases that ended. */
  readonly phases: number;
  /** Those of them that did not finish. */
  readonly unfinished: number;
  readonly sessions: number;
  /** Known costs of these sessions. */
  readonly usd: number;
  readonly unknownSessions: number;
}

/** What happened in one plan. Of each list the newest are given first. */
export interface PlanActivity extends Counts {
  readonly plan: ActivityOf;
  /** When something last happened, in milliseconds. */
  readonly lastMs: number;
  /** Tasks that sessions worked on. */
  readonly tasks: Bounded<string>;
  readonly commits: Bounded<ListedCommit>;
  readonly decisions: Bounded<PersonsDecision>;
  readonly rollbacks: Bounded<PutBack>;
  readonly refusals: Bounded<GateRefusal>;
  readonly sent: Bounded<PassedMessage>;
  readonly received: Bounded<PassedMessage>;
  readonly learned: Bounded<Learned>;
}

/** The sums of all plans, also of those that are not listed. */
export interface ActivityTotals extends Counts {
  readonly plans: number;
  /** With the vault itself and experts, which have a row each. */
  readonly rows: number;
  readonly commits: number;
  readonly decisions: number;
  readonly rollbacks: number;
  readonly refusals: number;
  /** Each message counts once, though its sender and its receiver both have it. */
  readonly messages: number;
  readonly learned: number;
}

/** Facts by plan, the plan in which something happened last first; at most `plans` of them, with `items` of each list. */
export function summarizeActivity(
  facts: readonly ActivityFact[],
  { plans, items }: { readonly plans: number; readonly items: number },
): { readonly plans: readonly PlanActivity[]; readonly totals: ActivityTotals } {
  const byPlan = new Map<ActivityOf, ActivityFact[]>();
  for (const fact of facts) {
    const own = byPlan.get(fact.of);
    if (own === undefined) byPlan.set(fact.of, [fact]);
    else own.push(fact);
  }
  const all = [...byPlan].map(([plan, own]) => activityOf(plan, own, items));
  all.sort((a, b) => b.lastMs - a.lastMs || (a.plan < b.plan ? -1 : 1));
  const messages = facts.flatMap((fact) => (fact.kind === 'sent' || fact.kind === 'received' ? [fact.message] : []));
  const sum = (of: (plan: PlanActivity) => number) => all.reduce((total, plan) => total + of(plan), 0);
  return {
    plans: all.slice(0, plans),
    totals: {
      plans: all.filter(({ plan }) => isQualifiedId(plan)).length,
      rows: all.length,
      cycles: sum((plan) => plan.cycles),
      phases: sum((plan) => plan.phases),
      unfinished: sum((plan) => plan.unfinished),
      sessions: sum((plan) => plan.sessions),
      usd: sum((plan) => plan.usd),
      unknownSessions: sum((plan) => plan.unknownSessions),
      commits: sum((plan) => plan.commits.total),
      decisions: sum((plan) => plan.decisions.total),
      rollbacks: sum((plan) => plan.rollbacks.total),
      refusals: sum((plan) => plan.refusals.total),
      messages: new Set(messages).size,
      learned: sum((plan) => plan.learned.total),
    },
  };
}

export function bounded<Item>(all: readonly Item[], max: number): Bounded<Item> {
  return { items: all.slice(0, max), total: all.length };
}

function activityOf(plan: ActivityOf, facts: ActivityFact[], items: number): PlanActivity {
  facts.sort((a, b) => b.atMs - a.atMs);
  const records = facts.flatMap((fact) => (fact.kind === 'phase' ? [fact.record] : []));
  const paid = facts.flatMap((fact) => (fact.kind === 'paid' ? [fact] : []));
  const refusals = records.flatMap(refusalsOf);
  const pick = <Kind extends ActivityFact['kind']>(kind: Kind) =>
    facts.filter((fact): fact is Extract<ActivityFact, { readonly kind: Kind }> => fact.kind === kind);
  const passed = (kind: 'sent' | 'received') =>
    bounded(
      facts.flatMap((fact): PassedMessage[] => (fact.kind === kind ? [withoutKind(fact)] : [])),
      items,
    );
  return {
    plan,
    lastMs: facts[0]?.atMs ?? 0,
    cycles: records.filter(({ phase, end }) => phase === 'git-commit-triage' && end === 'finished').length,
    phases: records.length,
    unfinished: records.filter(({ end }) => end !== 'finished').length,
    sessions: paid.length,
    usd: paid.reduce((sum, { usd = 0 }) => sum + usd, 0),
    unknownSessions: paid.filter(({ usd }) => usd === undefined).length,
    tasks: bounded([...new Set(records.flatMap(({ task }) => task ?? []))], items),
    commits: bounded(
      records.flatMap(({ commits = [] }) => commits.toReversed().map(({ commit, title }) => ({ commit, title }))),
      items,
    ),
    decisions: bounded(pick('decision').map(withoutKind), items),
    rollbacks: bounded(
      pick('rollback').map(({ record }) => putBack(record)),
      items,
    ),
    refusals: { items: refusals.slice(0, items), total: refusals.reduce((sum, { count }) => sum + count, 0) },
    sent: passed('sent'),
    received: passed('received'),
    learned: bounded(pick('learned').map(withoutKind), items),
  };
}

function putBack({ rollback, by, files, commits }: RollbackRecord): PutBack {
  const commit = commits.at(-1)?.commit;
  return { to: rollback, by, files: files.length, ...(commit !== undefined && { commit }) };
}

function refusalsOf({ session, refusals = {} }: PhaseRecord): GateRefusal[] {
  return Object.entries(refusals).map(([gate, count]) => ({ gate, session, count }));
}

function withoutKind<F extends ActivityFact>({
  of: _of,
  atMs: _atMs,
  kind: _kind,
  ...rest
}: F): Omit<F, 'of' | 'atMs' | 'kind'> {
  return rest;
}
