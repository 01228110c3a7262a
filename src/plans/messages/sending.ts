import * as z from 'zod';
import { type Diagnostic, isRavelError, messageOf } from '../../base/errors.ts';
import { jsonText, RecordFolder } from '../../base/recordFolder.ts';
import type { Backlog, Task } from '../../model/backlog.ts';
import { failure } from '../../model/codes.ts';
import { isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import { actorSchema, ulidSchema } from '../../model/idSchemas.ts';
import { fromFields, type NamedTarget, toFields, type WithFields } from '../../model/namedTarget.ts';
import { planFiles } from '../../model/plan.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import { targetFieldsSchema } from '../../model/targetSchema.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import { presentName } from '../../vault/planRenames.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { editPlanFile } from '../proposals/planWriter.ts';
import { emitFor, type PlanWriterPorts } from '../services.ts';
import { chainOf } from './chain.ts';
import { type DeliveryParts, recordDispatched } from './dispatches.ts';
import { backlogFrom, editOutcomes } from './messageRecords.ts';
import type { RouteOptions } from './messageRouter.ts';
import { outcomeText } from './outcomeText.ts';

/** A message that a plan sends at once: a person sends it for the plan, or a session of the plan asks something. */
export interface Outgoing {
  readonly id: Ulid;
  readonly from: QualifiedId;
  readonly list: 'dispatches' | 'queries';
  readonly target: NamedTarget;
  readonly reason: string;
  readonly body: string;
  readonly session?: Ulid;
  /** The task of the sender that it was. */
  readonly task?: string;
  /** The received message that it follows from, if no task says so. */
  readonly cause?: string;
}

const keptSchema: z.ZodType<WithFields<Outgoing>> = z.looseObject({
  id: ulidSchema,
  from: actorSchema,
  list: z.enum(['dispatches', 'queries']),
  named: targetFieldsSchema,
  reason: z.string(),
  body: z.string(),
  session: ulidSchema.exactOptional(),
  task: z.string().exactOptional(),
  cause: z.string().exactOptional(),
});
const outgoingSchema: z.ZodType<Outgoing> = keptSchema.transform(fromFields);

/**
 * Notes a message with the plan that sends it, posts it, and notes where it went. What is left in `dispatches.yaml` is
 * posted from there again; this has a file of its own instead, from before the record to its end, so that a record of
 * it never says for ever that it is on its way. Sent again under its id it is sent once. Rejects if the sender can
 * note nothing, such as for a task that is not there, and as the post does, which then is done once more at the next
 * start.
 */
export async function sendAtOnce(
  parts: DeliveryParts,
  outgoing: Outgoing,
  options: RouteOptions = {},
): Promise<RouteOutcome | 'routing'> {
  const { services, post } = parts;
  const { id, from, list, target, reason, body } = outgoing;
  const folder = outgoingFolder(services);
  // What is there under this id already stays: it is the same message, or the one that has the id.
  if (!(await folder.has(id))) await folder.save(id, outgoing);
  const backlog = await recordSent(services, outgoing);
  const type = list === 'queries' ? 'query' : 'dispatch';
  const chain = chainOf(id, causeOf(outgoing, backlog), backlog);
  const outcome = await post.route({ id, type, from, target, reason, body, ...chain }, options);
  if (outcome !== 'routing' && !isIdTaken(outcome)) await recordOutcome(services, outgoing, outcome);
  await folder.remove(id);
  return outcome;
}

/**
 * Sends what an earlier owner died before sending, oldest first. A message that cannot be sent is reported, stays, and
 * does not hold up the others. One whose sender was removed is dropped, since no plan waits for it.
 */
export async function resendPending(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const { services } = parts;
  const folder = outgoingFolder(services);
  for (const id of await folder.list()) {
    if (signal.aborted) return;
    try {
      const outgoing = await folder.load(id);
      const from = outgoing === undefined ? undefined : await presentName(services, outgoing.from);
      if (outgoing === undefined || from === undefined) await folder.remove(id);
      else await sendAtOnce(parts, { ...outgoing, from });
    } catch (error) {
      if (!isRavelError(error)) throw error;
      // The next owner of the vault sends it.
      if (error.code === 'run/stopped') return;
      services.log.warn('a message could not be sent yet', { message: id, error: messageOf(error) });
      emitFor(services, 'vault', { type: 'diagnostic', diagnostic: error.diagnostic });
    }
  }
}

/** Problems with messages of an earlier owner that cannot be read. */
export async function unreadableOutgoing(services: VaultPorts): Promise<readonly Diagnostic[]> {
  return (await outgoingFolder(services).loadAll()).diagnostics;
}

/** A file for each message that is being sent, or was when its owner died. */
function outgoingFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, Outgoing> {
  const help = 'Restore the file from a copy and restart, or remove it to give the message up.';
  return new RecordFolder({
    ...{ disk, folder: layout.sending, text: jsonText, schema: outgoingSchema, isPrivate: true },
    ...{ isId: isUlid, idOf: ({ id }) => id, toFile: toFields },
    unreadable: unreadableRecord('message/unreadable', 'a message that a plan sends', help),
  });
}

/** The sender's backlog, once it has the message's record. A message that has none is sent neither now nor later. */
async function recordSent(services: PlanWriterPorts, outgoing: Outgoing): Promise<Backlog> {
  const { from, reason, body, task } = outgoing;
  const entry = { ...outgoing, reason: reason === '' ? body : reason };
  const assertTask = (tasks: readonly Task[]): void => {
    if (task === undefined || tasks.some(({ id }) => id === task)) return;
    throw failure('state/unknownRecord', from, `There is no task "${task}" in the backlog of ${from}.`);
  };
  try {
    return await recordDispatched(services, from, [entry], assertTask);
  } catch (error) {
    // The sender gets the original failure. The next start finds out what cannot be known now.
    const isRecorded = await hasRecord(services, outgoing).catch(() => true);
    if (!isRecorded)
      await outgoingFolder(services)
        .remove(outgoing.id)
        .catch(() => undefined);
    throw error;
  }
}

async function hasRecord({ disk, layout }: VaultPorts, { id, from }: Outgoing): Promise<boolean> {
  const texts = await loadPlanTexts(disk, layout.plan(from), [planFiles.backlog]);
  return backlogFrom(texts, from).dispatched?.some((record) => record.id === id) === true;
}

/** A task that was a message continues its chain. */
function causeOf({ cause, task }: Outgoing, { received }: Backlog): string | undefined {
  return cause ?? (task === undefined ? undefined : received?.find((record) => record.task === task)?.id);
}

/** What the record of this id says is about the message that has it. */
function isIdTaken(outcome: RouteOutcome): boolean {
  return outcome.kind === 'refused' && outcome.code === 'message/idTaken';
}

function recordOutcome(services: PlanWriterPorts, { id, from }: Outgoing, outcome: RouteOutcome): Promise<void> {
  const outcomes = new Map([[id, outcomeText(outcome)]]);
  return editPlanFile(services, from, planFiles.backlog, (text, texts) => {
    return editOutcomes(texts, from, outcomes, { isFirst: true }) ?? text;
  });
}
