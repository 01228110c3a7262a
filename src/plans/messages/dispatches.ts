import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { excerpt } from '../../base/text.ts';
import { deriveUlid } from '../../base/ulid.ts';
import type { Backlog, Task } from '../../model/backlog.ts';
import { diagnostic } from '../../model/codes.ts';
import { isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import { type MessageTexts, truncateMessage } from '../../model/messageSize.ts';
import { type NamedTarget, parseTarget, targetText } from '../../model/namedTarget.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import { type DispatchEntry, dispatchFileSchema, queryFileSchema } from '../../model/session.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { editYaml, readYaml } from '../../yaml/yaml.ts';
import { changePlanFiles } from '../proposals/planWriter.ts';
import { emitFor, type PlanServices, type PlanWriterPorts, timestamp } from '../services.ts';
import { chainOf } from './chain.ts';
import { appendMessages, backlogFrom, editOutcomes, markSent, onItsWay } from './messageRecords.ts';
import type { MessageRouter } from './messageRouter.ts';
import { outcomeText } from './outcomeText.ts';

export interface DeliveryParts {
  readonly services: PlanServices;
  readonly post: MessageRouter;
}

/**
 * Posts what a phase left in `dispatches.yaml` and `queries.yaml`, then removes both. Before anything is posted, each
 * entry has its message id and is in its sender's records. A receiver takes an id only once, and the sender's record is
 * written only once, so after a crash at any point it is enough to do all of it again.
 */
export async function deliverMessages({ services, post }: DeliveryParts, from: QualifiedId): Promise<void> {
  const texts = await withIds(services, from);
  if (texts.size === 0) return;
  const left = lists.map((list) => ({ list, entries: readEntries(services, from, texts, list) }));
  const found = left.flatMap(({ list, entries }) => (entries ?? []).map((entry) => ({ ...entry, list })));
  const sent = await loadPlanTexts(services.disk, services.layout.plan(from), [planFiles.backlog]);
  const entries = withOwnIds(from, found, backlogFrom(sent, from));
  const backlog = await recordDispatched(services, from, entries);
  const outcomes = new Map<string, string>();
  for (const entry of entries) {
    const outcome = await postEntry(post, { from, entry, backlog });
    if (outcome === 'routing') continue;
    outcomes.set(entry.id, outcomeText(outcome));
    if (outcome.kind === 'refused') reportRefused(services, from, entry, outcome);
  }
  const delivered = left.flatMap(({ list, entries }) => (entries === undefined ? [] : [planFiles[list]]));
  // Entries written into a file meanwhile are not delivered yet: they stay for the next time.
  await changePlanFiles(services, from, (now) => {
    const noted = editOutcomes(now, from, outcomes, { isFirst: true });
    // Outcomes come first: entries that are gone from the files are never looked up again.
    const edits = new Map<PlanFile, string | undefined>(noted === undefined ? [] : [[planFiles.backlog, noted]]);
    for (const file of delivered) if (now.get(file) === texts.get(file)) edits.set(file, undefined);
    return { edits, result: undefined };
  });
}

type List = 'dispatches' | 'queries';
const lists = ['dispatches', 'queries'] as const;

/**
 * The texts of both files, if every entry has an id: what a person wrote without one is given one on disk first, so
 * that sending it again after a crash is sending the same message.
 */
async function withIds(
  services: PlanWriterPorts & Pick<PlanServices, 'newUlid'>,
  from: QualifiedId,
): Promise<PlanTexts> {
  const found = await loadPlanTexts(services.disk, services.layout.plan(from), [
    planFiles.dispatches,
    planFiles.queries,
  ]);
  if (!lists.some((list) => parse(found, from, list).value?.some(({ id }) => id === undefined))) return found;
  return changePlanFiles(services, from, (now) => {
    const texts = new Map<PlanFile, string>();
    for (const list of lists) {
      const text = now.get(planFiles[list]);
      if (text !== undefined) texts.set(planFiles[list], identified(services, from, list, text));
    }
    return { edits: texts, result: texts };
  });
}

/** The text with an id at each entry; as it is if it cannot be edited, and then its entries are told by what they say. */
function identified(services: Pick<PlanServices, 'newUlid'>, from: QualifiedId, list: List, text: string): string {
  const file = planFiles[list];
  const entries = parse(new Map([[file, text]]), from, list).value ?? [];
  const edits = entries.flatMap((entry, index) =>
    entry.id === undefined ? [{ op: 'set' as const, path: [list, index, 'id'], value: services.newUlid() }] : [],
  );
  try {
    return edits.length === 0 ? text : editYaml(text, edits, { file, subject: from });
  } catch (error) {
    if (isRavelError(error, 'yaml/editRefused')) return text;
    throw error;
  }
}

function parse(texts: PlanTexts, subject: string, list: List) {
  const file = planFiles[list];
  const text = texts.get(file) ?? '';
  return list === 'dispatches'
    ? readYaml(
        dispatchFileSchema.transform(({ dispatches }) => dispatches ?? []),
        text,
        { file, subject },
      )
    : readYaml(
        queryFileSchema.transform(({ queries }) => queries ?? []),
        text,
        { file, subject },
      );
}

interface Entry extends Pick<DispatchEntry, 'reason' | 'body' | 'session' | 'cause'> {
  readonly id: Ulid;
  readonly target: NamedTarget;
  /** As the file has it. */
  readonly left: DispatchEntry;
}
/** With the file that it was left in. */
type SentEntry = Entry & { readonly list: List };

/** The entries of a file; undefined for a file that is not there, or that cannot be read and stays. */
function readEntries(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  from: QualifiedId,
  texts: PlanTexts,
  list: List,
): readonly Entry[] | undefined {
  if (!texts.has(planFiles[list])) return undefined;
  const { value, diagnostics } = parse(texts, from, list);
  if (value !== undefined) return value.map((left) => toEntry(from, left));
  const problems = diagnostics.filter((problem) => problem.severity === 'error');
  for (const problem of problems) emitFor(services, from, { type: 'diagnostic', diagnostic: problem });
  return undefined;
}

function toEntry(from: QualifiedId, left: DispatchEntry): Entry {
  const { reason, body, session, cause } = left;
  return { id: messageId(from, left), target: parseTarget(left), reason, body, session, cause, left };
}

/**
 * Two entries with one id are the same message only if they say the same, as after a crash when it is sent again. An
 * entry that was copied with its id and then rewritten gets its own id, the same every time; otherwise it would be
 * taken for the original.
 */
function withOwnIds(from: QualifiedId, entries: readonly SentEntry[], backlog: Backlog): readonly SentEntry[] {
  const bodies = new Map((backlog.dispatched ?? []).map(({ id, body }) => [id, body.trim()]));
  return entries.map((entry) => {
    const body = keptOf(entry).body.trim();
    const isTaken = (bodies.get(entry.id) ?? body) !== body;
    const id = isTaken ? ownId(from, entry) : entry.id;
    bodies.set(id, body);
    return { ...entry, id };
  });
}

function ownId(from: QualifiedId, { left, id, list }: SentEntry): Ulid {
  return deriveUlid([from, JSON.stringify({ ...left, id, list })]) as Ulid;
}

/** A message is named by a ULID; one of a person's own making stands for itself, the same every time. */
function messageId(from: QualifiedId, entry: DispatchEntry): Ulid {
  if (entry.id !== undefined && isUlid(entry.id)) return entry.id;
  return deriveUlid([from, JSON.stringify(entry)]) as Ulid;
}

/** The record of an entry. A request was not left in a file. */
interface RecordedEntry extends Pick<SentEntry, 'id' | 'list' | 'reason' | 'body' | 'session'> {
  readonly target: NamedTarget;
  /** The task of the sender that it was. */
  readonly task?: string;
}

/** What its sender writes down of an entry; of one that is too long for any mailbox its beginning. */
function keptOf({ reason, body, target }: MessageTexts): MessageTexts {
  return truncateMessage({ reason, body, target });
}

/**
 * The backlog as it is once each of these stands in it; what stood there already is left as it was. If any is new
 * `check` sees the tasks first, and throws if nothing is to be sent.
 */
export function recordDispatched(
  services: PlanWriterPorts,
  from: QualifiedId,
  entries: readonly RecordedEntry[],
  check: (tasks: readonly Task[]) => void = () => undefined,
): Promise<Backlog> {
  const at = timestamp(services);
  const records = entries.map((entry) => {
    const { id, session, task, list } = entry;
    const { reason, body, target } = keptOf(entry);
    const kind = list === 'queries' ? { kind: 'query' } : {};
    const sent = { id, ...kind, to: targetText(target), at, reason, body };
    return {
      ...sent,
      ...defined({ session, task }),
      outcome: onItsWay,
    };
  });
  return changePlanFiles(services, from, (texts) => {
    const backlog = backlogFrom(texts, from);
    const known = new Set((backlog.dispatched ?? []).map(({ id }) => id));
    const added = records.filter(({ id }) => !known.has(id));
    if (added.length > 0) check(backlog.tasks ?? []);
    const text = appendMessages(texts, from, 'dispatched', records);
    const handedOn = added.flatMap(({ id, to, task, kind }) =>
      task === undefined || kind === 'query' ? [] : [{ id, to, task }],
    );
    const marked = text === undefined ? undefined : markSent(text, from, handedOn);
    const edits = new Map(marked === undefined ? [] : [[planFiles.backlog, marked]]);
    return { edits, result: backlog };
  });
}

/** For a reason inside a sentence. */
const reasonLengthMax = 200;

function postEntry(
  post: MessageRouter,
  { from, entry, backlog }: { readonly from: QualifiedId; readonly entry: SentEntry; readonly backlog: Backlog },
): Promise<RouteOutcome | 'routing'> {
  const { id, list, target, reason, body, cause } = entry;
  const type = list === 'queries' ? 'query' : 'dispatch';
  return post.route({ id, type, from, target, reason, body, ...chainOf(id, cause, backlog) });
}

/** An entry that can be sent some other way stays with the sender, so no message of a session is lost. */
function reportRefused(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  from: QualifiedId,
  entry: Entry,
  { code, reason, help }: Extract<RouteOutcome, { kind: 'refused' }>,
): void {
  const what = code === 'message/tooLong' ? 'Its beginning' : 'The text';
  const kept = `${what} is kept under "dispatched" in the backlog: ${excerpt(entry.reason, reasonLengthMax)}`;
  const advice = { severity: 'warning', help: help === undefined ? kept : `${help} ${kept}` } as const;
  const problem = diagnostic(code, from, `A message could not be sent: ${reason}.`, advice);
  emitFor(services, from, { type: 'diagnostic', diagnostic: problem });
}
