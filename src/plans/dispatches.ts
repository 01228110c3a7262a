import { isRavelError } from '../base/errors.ts';
import { sha256 } from '../base/files.ts';
import { backlogSchema } from '../model/backlog.ts';
import { diagnostic } from '../model/codes.ts';
import { isQualifiedId, projectOf, type QualifiedId } from '../model/id.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../model/plan.ts';
import { type DispatchEntry, dispatchFileSchema, queryFileSchema } from '../model/session.ts';
import { loadPlanTexts } from '../vault/planStore.ts';
import { editYaml, readYaml } from '../vault/yaml.ts';
import { changePlanFiles } from './planWriter.ts';
import { emitFor, type PlanServices, timestamp } from './services.ts';

/**
 * Delivers what a phase left in `dispatches.yaml` and `queries.yaml`, then removes both. Each entry carries its message
 * id, and both sides look for it before they write, so that a crash anywhere is healed by doing it again (design 5).
 */
export async function deliverMessages(
  services: PlanServices,
  from: QualifiedId,
  plans: readonly QualifiedId[],
): Promise<void> {
  const directory = services.layout.plan(from);
  const texts = await loadPlanTexts(services.disk, directory, [planFiles.dispatches, planFiles.queries]);
  if (texts.size === 0) return;
  const dispatches = readEntries(services, from, texts, planFiles.dispatches);
  const queries = readEntries(services, from, texts, planFiles.queries);
  for (const entry of dispatches ?? []) await deliver(services, from, entry, plans);
  for (const entry of queries ?? []) await refuse(services, from, entry, 'no expert can be asked yet');
  const delivered: PlanFile[] = [];
  if (dispatches !== undefined) delivered.push(planFiles.dispatches);
  if (queries !== undefined) delivered.push(planFiles.queries);
  // What somebody wrote into a file meanwhile is not delivered yet: it stays for the next time.
  await changePlanFiles(services, from, (now) => ({
    edits: new Map(delivered.filter((file) => now.get(file) === texts.get(file)).map((file) => [file, undefined])),
    result: undefined,
  }));
}

/** The entries of a file, each with an id; undefined for a file that is not there, or that cannot be read and stays. */
function readEntries(
  services: PlanServices,
  from: QualifiedId,
  texts: PlanTexts,
  file: 'dispatches.yaml' | 'queries.yaml',
): readonly Message[] | undefined {
  const text = texts.get(file);
  if (text === undefined) return undefined;
  const place = { file, subject: from };
  const { value, diagnostics } =
    file === planFiles.dispatches
      ? readYaml(
          dispatchFileSchema.transform(({ dispatches }) => dispatches ?? []),
          text,
          place,
        )
      : readYaml(
          queryFileSchema.transform(({ queries }) => queries ?? []),
          text,
          place,
        );
  if (value !== undefined) return value.map(withId);
  const problems = diagnostics.filter((problem) => problem.severity === 'error');
  for (const problem of problems) emitFor(services, from, { type: 'diagnostic', diagnostic: problem });
  return undefined;
}

type Message = DispatchEntry & { readonly id: string };

/** One that a person wrote may have no id; its content then stands for it, the same after a crash. */
function withId(entry: DispatchEntry): Message {
  return { ...entry, id: entry.id ?? sha256(JSON.stringify(entry)).slice(0, 26) };
}

async function deliver(
  services: PlanServices,
  from: QualifiedId,
  entry: Message,
  plans: readonly QualifiedId[],
): Promise<void> {
  const target = entry['target-plan'];
  const problem = refusalOf(from, target, plans);
  if (problem !== undefined || target === undefined || !isQualifiedId(target)) {
    await refuse(services, from, entry, problem ?? 'it names no plan');
    return;
  }
  try {
    await receive(services, from, target, entry);
  } catch (error) {
    // A receiver whose files are broken must not hold up the sender's cycle.
    if (!isRavelError(error)) throw error;
    await refuse(services, from, entry, error.message);
    return;
  }
  await noteDispatched(services, from, entry, 'received');
}

/** The sender keeps the text: nothing that a session said to another is lost. */
async function refuse(services: PlanServices, from: QualifiedId, entry: Message, problem: string): Promise<void> {
  tellRefused(services, from, entry, problem);
  await noteDispatched(services, from, entry, `refused: ${problem}`);
}

/** Only a plan of the same project can be named until routing decides about everything else. */
function refusalOf(from: QualifiedId, target: string | undefined, plans: readonly QualifiedId[]): string | undefined {
  if (target === undefined) return 'only a plan of the same project can be named so far';
  if (target === from) return 'it names its own plan';
  if (!plans.some((plan) => plan === target)) return `there is no plan ${target}`;
  if (!isQualifiedId(target) || projectOf(target) !== projectOf(from)) return `${target} belongs to another project`;
  return undefined;
}

async function receive(services: PlanServices, from: QualifiedId, target: QualifiedId, entry: Message): Promise<void> {
  await keep(services, target, 'received', {
    id: entry.id,
    from,
    at: timestamp(services),
    reason: entry.reason,
    body: entry.body,
    state: 'new',
  });
}

async function noteDispatched(
  services: PlanServices,
  from: QualifiedId,
  entry: Message,
  outcome: string,
): Promise<void> {
  const to = entry['target-plan'] ?? entry['target-project'] ?? entry['target-expert'] ?? entry.target ?? 'auto';
  await keep(services, from, 'dispatched', {
    id: entry.id,
    to,
    at: timestamp(services),
    reason: entry.reason,
    body: entry.body,
    outcome,
  });
}

type MessageList = 'received' | 'dispatched';
type MessageRecord = Readonly<Record<string, string>>;

/** Puts a record into a list of the plan's backlog, once. */
async function keep(
  services: PlanServices,
  plan: QualifiedId,
  list: MessageList,
  record: MessageRecord,
): Promise<void> {
  await changePlanFiles(services, plan, (texts) => ({
    edits: appended(texts, plan, list, record),
    result: undefined,
  }));
}

/** The backlog with one more record in a list; unchanged when a record of that id is there already. */
function appended(
  texts: PlanTexts,
  subject: string,
  list: MessageList,
  record: MessageRecord,
): Map<PlanFile, string | undefined> {
  const file = planFiles.backlog;
  const text = texts.get(file) ?? 'tasks: []\n';
  const place = { file, subject };
  const records = readYaml(backlogSchema, text, place).value?.[list] ?? [];
  if (records.some((known) => known.id === record['id'])) return new Map();
  const edit = { op: 'insert' as const, path: [list], index: records.length, value: record };
  return new Map([[file, editYaml(text, [edit], place)]]);
}

function tellRefused(services: PlanServices, from: QualifiedId, entry: Message, problem: string): void {
  emitFor(services, from, {
    type: 'diagnostic',
    diagnostic: diagnostic('message/refused', from, `A message could not be delivered: ${problem}.`, {
      severity: 'warning',
      help: `Its text is kept under "dispatched" in the backlog: ${entry.reason}`,
    }),
  });
}
