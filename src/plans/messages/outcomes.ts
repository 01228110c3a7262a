import * as z from 'zod';
import { defined } from '../../base/defined.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { exists, readTextIfExists, writeAtomic } from '../../base/files.ts';
import { readJson } from '../../base/jsonFile.ts';
import { SerialQueue } from '../../base/semaphore.ts';
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
import { unreadNoteReason } from '../sessions/sessionNotes.ts';
import { changedBacklog } from './changedBacklog.ts';
import { backlogFrom } from './messageRecords.ts';

export interface OutcomeParts {
  readonly services: PlanServices;
  readonly actors: MessageSender;
  /** Keeps for the router what became of a message; again with the same it changes nothing that matters. */
  readonly recordResult: (result: RoutingResult) => Promise<void>;
}

/**
 * Tells the sender of a message that its receiver promoted or declined it, no matter who did that or how. It checks
 * again whenever a backlog has changed and compares with the outcomes that it replied, which are on disk: each sender hears of an outcome once,
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
      if (plan !== undefined) this.check(plan);
    });
  }

  /** The outcomes that an earlier owner did not reply: of every plan that was ever sent a message. */
  async begin(): Promise<void> {
    const { disk, layout } = this.#parts.services;
    if (!(await exists(disk, layout.mailboxes))) return;
    for (const { name } of await disk.readDirectory(layout.mailboxes)) {
      if (!name.endsWith(mailboxEnding)) continue;
      const actor = idFromSegment(name.slice(0, -mailboxEnding.length));
      if (actor !== undefined && !actor.startsWith('expert:')) this.check(actor);
    }
  }

  /** Checks a plan's inbox when its turn comes; asked again until then, it checks once. */
  check(plan: QualifiedId): void {
    if (this.#waiting.has(plan) || this.#isStopped) return;
    this.#waiting.add(plan);
    const { services } = this.#parts;
    const checked = this.#queue.run(async () => {
      this.#waiting.delete(plan);
      if (!this.#isStopped) await replyOutcomes(this.#parts, plan);
    });
    // The next change of the backlog, or the next start, tries again.
    checked.catch((error: unknown) =>
      services.log.warn('the sender of a message did not get its outcome', { plan, error: messageOf(error) }),
    );
  }

  /** Resolves once every outcome is with its sender. */
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

/** Replies the new outcomes of one plan's inbox. Throws what the mailbox of a sender refuses, after the other replies. */
export async function replyOutcomes(parts: OutcomeParts, plan: QualifiedId): Promise<void> {
  const { disk, layout } = parts.services;
  const texts = await loadPlanTexts(disk, layout.plan(plan), [planFiles.backlog]);
  const outcomes = outcomesIn(backlogFrom(texts, plan));
  const replied = await loadReplied(parts.services, plan);
  let failed: unknown;
  for (const outcome of outcomes) {
    if (replied.has(nameOf(outcome))) continue;
    try {
      await replyOutcome(parts, plan, outcome);
      replied.add(nameOf(outcome));
    } catch (error) {
      if (!isRavelError(error)) throw error;
      failed = error;
    }
  }
  // Of a message that is not there any more nothing can be news.
  const names = new Set(outcomes.map(nameOf));
  await saveReplied(parts.services, plan, new Set([...replied].filter((name) => names.has(name))));
  if (failed !== undefined) throw failed;
}

/** Ids of messages that are decided and not reported yet. */
export async function withoutReply(
  services: ReplyPorts,
  plan: QualifiedId,
  backlog: Backlog,
): Promise<ReadonlySet<string>> {
  const replied = await loadReplied(services, plan);
  return new Set(outcomesIn(backlog).flatMap((outcome) => (replied.has(nameOf(outcome)) ? [] : [outcome.id])));
}

type ReplyPorts = Pick<PlanServices, 'disk' | 'layout'>;
type Received = NonNullable<Backlog['received']>[number];
type Outcome = Received & { readonly id: Ulid; readonly state: 'promoted' | 'declined' };

/** Notes and answers have no sender to replyOutcome. */
function outcomesIn(backlog: Backlog): readonly Outcome[] {
  return (backlog.received ?? []).filter(
    (record): record is Outcome =>
      record.state !== 'new' && isUlid(record.id) && record.re == null && record.reason !== unreadNoteReason,
  );
}

function nameOf({ id, state }: Outcome): string {
  return `${id} ${state}`;
}

async function replyOutcome(
  { services, actors, recordResult }: OutcomeParts,
  plan: QualifiedId,
  outcome: Outcome,
): Promise<void> {
  const { id, state, from } = outcome;
  const task = outcome.task ?? undefined;
  const reason = outcome.declined_reason ?? undefined;
  const became = defined({ task, reason });
  await recordResult({ type: 'result', message: id, at: timestamp(services), plan, result: state, ...became });
  // A sender that was removed meanwhile gets no reply: no plan would own a mailbox of its name.
  if (!isQualifiedId(from) || (await presentName(services, from)) === undefined) return;
  const text = state === 'declined' ? (reason ?? 'no reason is given') : '';
  await sendReply(actors, { re: id, to: from, by: plan, about: state, text, task });
}

const repliedSchema = z.array(z.string());

async function loadReplied({ disk, layout }: ReplyPorts, plan: QualifiedId): Promise<Set<string>> {
  const read = readJson((await readTextIfExists(disk, layout.replied(plan))) ?? '[]', repliedSchema);
  // A damaged file costs a reply that its receiver has had already, and nothing else.
  return new Set('value' in read ? read.value : []);
}

async function saveReplied(
  { disk, layout }: VaultPorts,
  plan: QualifiedId,
  replied: ReadonlySet<string>,
): Promise<void> {
  const text = `${JSON.stringify([...replied])}\n`;
  const before = await readTextIfExists(disk, layout.replied(plan));
  if (text !== before && (replied.size > 0 || before !== undefined))
    await writeAtomic(disk, layout.replied(plan), text);
}
