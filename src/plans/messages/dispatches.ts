import type { Supervisor } from '../../actors/supervisor.ts';
import { isRavelError } from '../../base/errors.ts';
import { sha256 } from '../../base/files.ts';
import { type Code, diagnostic } from '../../model/codes.ts';
import { isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { type DispatchEntry, dispatchFileSchema, queryFileSchema } from '../../model/session.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { editYaml, readYaml } from '../../vault/yaml.ts';
import { changePlanFiles } from '../proposals/planWriter.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';
import { dispatchTarget, targetText } from './dispatchTarget.ts';
import { appendMessage } from './messageRecords.ts';

export interface DeliveryParts {
  readonly services: PlanServices;
  readonly actors: Pick<Supervisor, 'send'>;
}

/**
 * Sends what a phase left in `dispatches.yaml` and `queries.yaml`, then removes both. Each entry has its message id before
 * anything is sent, the mailbox takes an id once, and the sender's record of it is written once: a crash anywhere is healed
 * by doing it again (design 5).
 */
export async function deliverMessages(
  parts: DeliveryParts,
  from: QualifiedId,
  plans: readonly QualifiedId[],
): Promise<void> {
  const { services } = parts;
  const texts = await withIds(services, from);
  if (texts.size === 0) return;
  const dispatches = readEntries(services, from, texts, 'dispatches');
  const queries = readEntries(services, from, texts, 'queries');
  for (const entry of dispatches ?? []) await deliver(parts, from, entry, plans);
  for (const entry of queries ?? []) {
    await refuse(services, from, entry, { code: 'expert/notYetImplemented', reason: 'no expert can be asked yet' });
  }
  const delivered: PlanFile[] = [];
  if (dispatches !== undefined) delivered.push(planFiles.dispatches);
  if (queries !== undefined) delivered.push(planFiles.queries);
  // What somebody wrote into a file meanwhile is not delivered yet: it stays for the next time.
  await changePlanFiles(services, from, (now) => ({
    edits: new Map(delivered.filter((file) => now.get(file) === texts.get(file)).map((file) => [file, undefined])),
    result: undefined,
  }));
}

type List = 'dispatches' | 'queries';
const lists = ['dispatches', 'queries'] as const;

/**
 * The texts of both files, where every entry has an id: what a person wrote without one is given one on disk first, so
 * that sending it again after a crash is sending the same message.
 */
async function withIds(services: PlanServices, from: QualifiedId): Promise<PlanTexts> {
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

/** The text with an id at each entry; as it is where it cannot be edited, and then its entries are told by what they say. */
function identified(services: PlanServices, from: QualifiedId, list: List, text: string): string {
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

type Entry = DispatchEntry & { readonly id: Ulid };

/** The entries of a file; undefined for a file that is not there, or that cannot be read and stays. */
function readEntries(
  services: PlanServices,
  from: QualifiedId,
  texts: PlanTexts,
  list: List,
): readonly Entry[] | undefined {
  if (!texts.has(planFiles[list])) return undefined;
  const { value, diagnostics } = parse(texts, from, list);
  if (value !== undefined) return value.map((entry) => ({ ...entry, id: messageId(from, entry) }));
  const problems = diagnostics.filter((problem) => problem.severity === 'error');
  for (const problem of problems) emitFor(services, from, { type: 'diagnostic', diagnostic: problem });
  return undefined;
}

const ulidDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A message is named by a ULID; one of a person's own making stands for itself, the same every time. */
function messageId(from: QualifiedId, entry: DispatchEntry): Ulid {
  if (entry.id !== undefined && isUlid(entry.id)) return entry.id;
  const hash = BigInt(`0x${sha256(JSON.stringify([from, entry])).slice(0, 32)}`);
  const digits = [...hash.toString(32).padStart(26, '0')].map((digit) => ulidDigits[Number.parseInt(digit, 32)]);
  return digits.join('') as Ulid;
}

async function deliver(
  { services, actors }: DeliveryParts,
  from: QualifiedId,
  entry: Entry,
  plans: readonly QualifiedId[],
): Promise<void> {
  const target = dispatchTarget(from, entry, plans);
  if (target.kind === 'refused') {
    await refuse(services, from, entry, target);
    return;
  }
  const { id, reason, body } = entry;
  try {
    // Nobody knows here whether an owner that died had sent it already; the mailbox does.
    await actors.send({ id, type: 'dispatch', from, to: target.plan, reason, body }, { isRepeat: true });
  } catch (error) {
    // What can not be taken in must not hold up its sender's cycle; when Ravel stops, the file waits.
    if (!isRavelError(error) || !/^(?:mailbox|message)\//.test(error.code)) throw error;
    await refuse(services, from, entry, { code: 'message/refused', reason: error.message });
    return;
  }
  await noteDispatched(services, from, entry, 'accepted');
}

interface Refusal {
  readonly code: Code;
  readonly reason: string;
  readonly help?: string;
}

/** The sender keeps the text: nothing that a session said to another is lost. */
async function refuse(services: PlanServices, from: QualifiedId, entry: Entry, refusal: Refusal): Promise<void> {
  const { code, reason, help } = refusal;
  const kept = `The text is kept under "dispatched" in the backlog: ${entry.reason}`;
  emitFor(services, from, {
    type: 'diagnostic',
    diagnostic: diagnostic(code, from, `A message could not be sent: ${reason}.`, {
      severity: 'warning',
      help: help === undefined ? kept : `${help} ${kept}`,
    }),
  });
  await noteDispatched(services, from, entry, `refused: ${reason}`);
}

async function noteDispatched(services: PlanServices, from: QualifiedId, entry: Entry, outcome: string): Promise<void> {
  const { id, reason, body } = entry;
  const record = { id, to: targetText(entry), at: timestamp(services), reason, body, outcome };
  await changePlanFiles(services, from, (texts) => {
    const text = appendMessage(texts, from, 'dispatched', record);
    return { edits: new Map(text === undefined ? [] : [[planFiles.backlog, text]]), result: undefined };
  });
}
