import * as z from 'zod';
import { SerialQueue } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { exists, readTextIfExists, writeAtomic } from '../../base/files.ts';
import { readJson } from '../../base/jsonFile.ts';
import type { Backlog } from '../../model/backlog.ts';
import { idFromSegment, isQualifiedId, isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import type { MessageSender } from '../../model/message.ts';
import { planFiles } from '../../model/plan.ts';
import { sendReply } from '../../model/reply.ts';
import type { RoutingResult } from '../../model/routing.ts';
import { presentName } from '../../vault/planRenames.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { type PlanServices, timestamp } from '../services.ts';
import { noteReason } from '../sessions/sessionNotes.ts';
import { changedBacklog } from './changedBacklog.ts';
import { backlogFrom } from './messageRecords.ts';

export interface OutcomeParts {
  readonly services: PlanServices;
  readonly actors: MessageSender;
  /** Keeps for the router what became of a message; again with the same it changes nothing that matters. */
  readonly noteResult: (result: RoutingResult) => Promise<void>;
}

/**
 * Tells the sender of a message that its receiver promoted or declined it, no matter who did that or how. It looks
 * again whenever a backlog has changed and compares with what it has told, which is on disk: each outcome is told once,
 * even if an owner dies in between.
 */
export class Outcomes {
  readonly #parts: OutcomeParts;
  readonly #queue = new SerialQueue();
  readonly #waiting = new Set<QualifiedId>();
  readonly #subscription: Disposable;
  #isStopped = false;

  constructor(parts: OutcomeParts) {
    this.#parts = parts;
    this.#subscription = parts.services.onEvent((event) => {
      const plan = changedBacklog(event);
      if (plan !== undefined) this.look(plan);
    });
  }

  /** What an earlier owner did not live to tell: of every plan that was ever sent something. */
  async begin(): Promise<void> {
    const { disk, layout } = this.#parts.services;
    if (!(await exists(disk, layout.mailboxes))) return;
    for (const { name } of await disk.readDirectory(layout.mailboxes)) {
      if (!name.endsWith(mailboxEnding)) continue;
      const actor = idFromSegment(name.slice(0, -mailboxEnding.length));
      if (actor !== undefined && !actor.startsWith('expert:')) this.look(actor);
    }
  }

  /** Looks at a plan's inbox when its turn comes; asked again until then, it looks once. */
  look(plan: QualifiedId): void {
    if (this.#waiting.has(plan) || this.#isStopped) return;
    this.#waiting.add(plan);
    const { services } = this.#parts;
    const looked = this.#queue.run(async () => {
      this.#waiting.delete(plan);
      if (!this.#isStopped) await replyOutcomes(this.#parts, plan);
    });
    // The next change of the backlog, or the next start, tries again.
    looked.catch((error: unknown) => services.log.warn('an outcome is not told', { plan, error: messageOf(error) }));
  }

  /** Resolves once everything that was to be told is. */
  settled(): Promise<void> {
    return this.#queue.drained();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#subscription.dispose();
    await this.#queue.drained();
  }
}

const mailboxEnding = '.jsonl';

/** Tells what is news of one plan's inbox. Throws what the mailbox of a sender refuses; the rest of it is told then. */
export async function replyOutcomes(parts: OutcomeParts, plan: QualifiedId): Promise<void> {
  const { disk, layout } = parts.services;
  const texts = await loadPlanTexts(disk, layout.plan(plan), [planFiles.backlog]);
  const outcomes = outcomesIn(backlogFrom(texts, plan));
  const told = await loadTold(parts.services, plan);
  let failed: unknown;
  for (const outcome of outcomes) {
    if (told.has(nameOf(outcome))) continue;
    try {
      await tell(parts, plan, outcome);
      told.add(nameOf(outcome));
    } catch (error) {
      if (!isRavelError(error)) throw error;
      failed = error;
    }
  }
  // Of a message that is not there any more nothing can be news.
  const names = new Set(outcomes.map(nameOf));
  await saveTold(parts.services, plan, new Set([...told].filter((name) => names.has(name))));
  if (failed !== undefined) throw failed;
}

/** Ids of messages that are decided and not reported yet. */
export async function untoldIn(
  services: VaultPorts,
  plan: QualifiedId,
  backlog: Backlog,
): Promise<ReadonlySet<string>> {
  const told = await loadTold(services, plan);
  return new Set(outcomesIn(backlog).flatMap((outcome) => (told.has(nameOf(outcome)) ? [] : [outcome.id])));
}

type Received = NonNullable<Backlog['received']>[number];
type Outcome = Received & { readonly id: Ulid; readonly state: 'promoted' | 'declined' };

/** Notes and answers have no sender to tell. */
function outcomesIn(backlog: Backlog): readonly Outcome[] {
  return (backlog.received ?? []).filter(
    (record): record is Outcome =>
      record.state !== 'new' && isUlid(record.id) && record.re == null && record.reason !== noteReason,
  );
}

function nameOf({ id, state }: Outcome): string {
  return `${id} ${state}`;
}

async function tell(
  { services, actors, noteResult }: OutcomeParts,
  plan: QualifiedId,
  outcome: Outcome,
): Promise<void> {
  const { id, state, from } = outcome;
  const task = outcome.task ?? undefined;
  const reason = outcome.declined_reason ?? undefined;
  const became = { ...defined({ task, reason }) };
  await noteResult({ type: 'result', message: id, at: timestamp(services), plan, result: state, ...became });
  // A sender that was removed meanwhile is told nothing: no plan would own a mailbox of its name.
  if (!isQualifiedId(from) || (await presentName(services, from)) === undefined) return;
  const text = state === 'declined' ? (reason ?? 'no reason is given') : '';
  await sendReply(actors, { re: id, to: from, by: plan, about: state, text, task });
}

const toldSchema = z.array(z.string());

async function loadTold({ disk, layout }: VaultPorts, plan: QualifiedId): Promise<Set<string>> {
  const read = readJson((await readTextIfExists(disk, layout.told(plan))) ?? '[]', toldSchema);
  // A damaged file costs a reply that its receiver has had already, and nothing else.
  return new Set('value' in read ? read.value : []);
}

async function saveTold({ disk, layout }: PlanServices, plan: QualifiedId, told: ReadonlySet<string>): Promise<void> {
  const text = `${JSON.stringify([...told])}\n`;
  const before = await readTextIfExists(disk, layout.told(plan));
  if (text !== before && (told.size > 0 || before !== undefined)) await writeAtomic(disk, layout.told(plan), text);
}
