import { staleStatus, type Task, taskSchema } from '../model/backlog.ts';
import { targetFields } from '../model/namedTarget.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import { effectsOf, isVerbName, verbsOfPhase } from '../model/verbs.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { isSame, type PlanRecord, recordsOf, topLevel, verdictOf } from './records.ts';

interface Change {
  /** What it is, from the narrowest word to the widest; a verb with any of them explains it. */
  readonly effects: readonly string[];
  readonly task?: string;
  readonly sentence: string;
}

/** Every file whose records the gate compares, with its lists; what else such a file holds may not change. */
const comparedLists: ReadonlyMap<PlanFile, readonly string[]> = new Map<PlanFile, readonly string[]>([
  [planFiles.backlog, ['tasks', 'received', 'dispatched']],
  [planFiles.memory, ['entries']],
  [planFiles.dispatches, ['dispatches']],
  [planFiles.queries, ['queries']],
]);

const messageFields = ['id', ...targetFields.map(({ field }) => field), 'reason', 'body', 'session', 'cause'];

/** Fields that a new record has from the verb that adds it; any other is a change of its own. */
const addedFields: Readonly<Record<string, readonly string[]>> = {
  tasks: ['id', 'title', 'category', 'description', 'dependencies'],
  entries: ['id', 'title', 'body', 'source', 'source-session', 'claims'],
  dispatches: messageFields,
  queries: messageFields,
};

/**
 * The changes are such that the verbs of the phase can make them. They are computed from the records, so that an edit
 * behind the verbs' back is judged like any other.
 */
export function judgeVerbs(proposal: Proposal): Verdict {
  const verbs = verbsOfPhase(proposal.phase);
  const allowed = new Set(verbs.flatMap(effectsOf));
  const findings = proposal.verbsUsed
    .filter(({ verb }) => !isVerbName(verb) || !verbs.includes(verb))
    .map(({ verb }) => `The phase ${proposal.phase} does not have the verb ${verb}.`);
  for (const change of changesOf(proposal)) {
    if (!change.effects.some((effect) => allowed.has(effect))) {
      findings.push(`${change.sentence}; the phase ${proposal.phase} has no verb for that.`);
    } else if (isOtherTask(change, proposal)) {
      findings.push(`${change.sentence}; this session works on "${proposal.task}" alone.`);
    }
  }
  return verdictOf(`Something changed that ${proposal.phase} has no verb for.`, findings);
}

function isOtherTask(change: Change, { phase, task }: Proposal): boolean {
  return phase === 'work' && task !== undefined && change.task !== undefined && change.task !== task;
}

function* changesOf(proposal: Proposal): Generator<Change> {
  for (const [file, lists] of comparedLists) {
    if (!proposal.proposed.has(file) || proposal.proposed.get(file) === proposal.base.get(file)) continue;
    yield* topLevelChanges(file, lists, proposal);
    for (const list of lists) yield* listChanges(file, list, proposal);
  }
}

function* topLevelChanges(file: PlanFile, lists: readonly string[], proposal: Proposal): Generator<Change> {
  const before = topLevel(proposal.baseValues, file);
  const after = topLevel(proposal.proposedValues, file);
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (lists.includes(key) || isSame(before[key], after[key])) continue;
    yield { effects: [`${file}.${key}`], sentence: `${file}: the key "${key}" changed` };
  }
}

function* listChanges(file: PlanFile, list: string, proposal: Proposal): Generator<Change> {
  const before = recordsOf(proposal.baseValues, file, list);
  const after = recordsOf(proposal.proposedValues, file, list);
  const old = new Map(before.map((record) => [record.id, record]));
  const now = new Map(after.map((record) => [record.id, record]));
  const repairs = list === 'tasks' ? repairedStatuses(before) : new Map<string, Set<string>>();
  for (const record of after) {
    const earlier = old.get(record.id);
    if (earlier === undefined) yield* addChanges(list, record);
    else yield* fieldChanges(list, earlier, record, repairs);
  }
  for (const { id } of before) {
    if (!now.has(id)) yield { effects: [`${list}:delete`], sentence: `${list} "${id}" is gone` };
  }
  const kept = after.filter(({ id }) => old.has(id)).map(({ id }) => id);
  const keptBefore = before.filter(({ id }) => now.has(id)).map(({ id }) => id);
  if (!isSame(kept, keptBefore)) yield { effects: [`${list}:order`], sentence: `${list} stand in another order` };
}

/** A new record is what the adding verb makes, and from there on a record that changed. */
function* addChanges(list: string, record: PlanRecord): Generator<Change> {
  yield { effects: [`${list}:add`], sentence: `${list} "${record.id}" is new` };
  const fields = new Set(addedFields[list]);
  const added: PlanRecord = {
    ...Object.fromEntries(Object.entries(record).filter(([field]) => fields.has(field))),
    ...(list === 'tasks' && { status: 'not_started' }),
    id: record.id,
  };
  yield* fieldChanges(list, added, record, new Map());
}

function* fieldChanges(
  list: string,
  before: PlanRecord,
  after: PlanRecord,
  repairs: ReadonlyMap<string, ReadonlySet<string>>,
): Generator<Change> {
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSame(before[field], after[field])) continue;
    const way = wayOf(list, field, { before, after, repairs });
    const word = `${list}.${field}`;
    yield {
      effects: way === undefined ? [word] : [`${word}=${way}`, word],
      ...(list === 'tasks' && { task: after.id }),
      sentence: `${list} "${after.id}": the field "${field}" changed`,
    };
  }
}

interface FieldChange {
  readonly before: PlanRecord;
  readonly after: PlanRecord;
  readonly repairs: ReadonlyMap<string, ReadonlySet<string>>;
}

function wayOf(list: string, field: string, { before, after, repairs }: FieldChange): string | undefined {
  if (list === 'received' && field === 'state') {
    return before['state'] === 'new' ? 'decide' : undefined;
  }
  if (list !== 'tasks') return undefined;
  if (field === 'handoff') return (after['handoff'] ?? undefined) === undefined ? 'clear' : 'set';
  const repaired = repairs.get(after.id)?.has(String(after['status'])) === true;
  if (field === 'status') return repaired ? 'repair' : undefined;
  if (field === 'blocked_reason') {
    return repaired && (after['blocked_reason'] ?? undefined) === undefined ? 'repair' : undefined;
  }
  return undefined;
}

/** The statuses that repairs can give each task; a repair may make the next one possible. */
function repairedStatuses(records: readonly PlanRecord[]): ReadonlyMap<string, Set<string>> {
  const statuses = new Map<string, Set<string>>();
  let tasks = records.map((record) => taskSchema.safeParse(record).data).filter((task) => task !== undefined);
  for (let round = 0; round < records.length; round++) {
    const snapshot: readonly Task[] = tasks;
    let repaired = false;
    tasks = tasks.map((task) => {
      const to = staleStatus(task, snapshot)?.to;
      if (to === undefined) return task;
      repaired = true;
      statuses.set(task.id, (statuses.get(task.id) ?? new Set()).add(to));
      return { ...task, status: to };
    });
    if (!repaired) break;
  }
  return statuses;
}
