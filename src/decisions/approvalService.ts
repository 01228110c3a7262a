import { assert } from '../base/assert.ts';
import { createDeferred } from '../base/async.ts';
import { formatTimestamp } from '../base/clock.ts';
import { isRavelError, messageOf } from '../base/errors.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { shellWord, withArticle } from '../base/text.ts';
import { dayMs } from '../base/units.ts';
import {
  type Approval,
  approvalRows,
  type Decision,
  decisionsFor,
  isVaultApproval,
  type PhaseApproval,
  type VaultApprovalKind,
} from '../model/approval.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { isUlid, type Ulid } from '../model/id.ts';
import {
  askDeferredAgain,
  contentHashOf,
  deferApproval,
  loadApproval,
  openApproval,
  removeApproval,
} from '../plans/approvals/approvals.ts';
import { commitDecision, commitUncommittedDecisions } from '../plans/approvals/decisionCommits.ts';
import {
  alreadyDecided,
  emitDecision,
  loadDecision,
  type PersonsAnswer,
  recordDecision,
} from '../plans/approvals/decisions.ts';
import { type ApprovalQuestion, requestOf } from '../plans/approvals/phaseQuestion.ts';
import { recordRecovery } from '../plans/ledger.ts';
import type { PhaseRunner } from '../plans/phases/phaseRunner.ts';
import type { RunLocks } from '../plans/phases/runLocks.ts';
import { untilQueued } from '../plans/phases/untilQueued.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadRunState, updateRunState } from '../vault/runState.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import type { Asked, DecisionResult } from './decisionHandler.ts';
import { decisionHandlers } from './decisionHandlers.ts';
import { grantRequest } from './toolRequest.ts';
import type { VaultApprovalHandlers } from './vaultApprovals.ts';

export interface ApprovalServiceParts {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly locks: RunLocks;
  readonly runner: PhaseRunner;
  readonly vaultApprovals: VaultApprovalHandlers;
}

/** A person's answer, to the content that they saw. */
export interface GivenAnswer extends PersonsAnswer {
  readonly approval: string;
  readonly contentHash: string;
}

export interface DecidedApproval extends DecisionResult {
  readonly decision: Decision;
}

/**
 * Where people decide: the decision is written first, then carried out, then what waited is taken away. Of several who
 * decide at once one does, and the others are told who; what is no longer as it was seen is asked again. A decision that
 * a crash came after is carried out at the next start.
 */
export class ApprovalService {
  readonly #parts: ApprovalServiceParts;
  /** Up to the decision one answer after the other; what follows it goes on by itself. */
  readonly #deciding = new SerialQueue();

  constructor(parts: ApprovalServiceParts) {
    this.#parts = parts;
  }

  async decide(given: GivenAnswer): Promise<DecidedApproval> {
    const { carriedOut } = await this.#deciding.run(async () => {
      const decided = createDeferred<void>();
      const carriedOut = this.#decide(given, () => decided.resolve());
      await Promise.race([decided.promise, carriedOut]);
      return { carriedOut };
    });
    return carriedOut;
  }

  /** Puts off a question that no phase waits for. Throws `approval/notDeferrable`, and what `loadPending` throws. */
  defer(id: string, days: number): Promise<{ readonly approval: Ulid; readonly until: string }> {
    return this.#deciding.run(async () => {
      const { services } = this.#parts;
      const approval = await loadPending(services, id);
      if (!isVaultApproval(approval.kind)) {
        const message = `The phase of ${approval.plan} waits for an answer to ${approval.id}, so it cannot be deferred.`;
        throw failure('approval/notDeferrable', approval.id, message);
      }
      const until = formatTimestamp(services.clock.wallMs() + days * dayMs);
      await deferApproval(services, approval, until);
      return { approval: approval.id, until };
    });
  }

  /** Asks again what was deferred until now. Not beside a decision, whose question it would write once more. */
  askDeferredAgain(): Promise<number> {
    const { services } = this.#parts;
    const isDecided = async (id: Ulid) => (await loadDecision(services, id)) !== undefined;
    return this.#deciding.run(() => askDeferredAgain(services, isDecided));
  }

  async #decide(given: GivenAnswer, onDecided: () => void): Promise<DecidedApproval> {
    const { services, directory, locks } = this.#parts;
    const approval = await loadPending(services, given.approval);
    assertSeen(approval, given.contentHash);
    assertFits(approval, given);
    // What stands is decided and carried out before the next answer is looked at, which may depend on it.
    if (isVaultApproval(approval.kind)) return this.#decideVaultApproval(approval, approval.kind, given);
    assertOfPhase(approval);
    if (approval.kind === 'tool-request') {
      const decision = await record(services, approval, given);
      onDecided();
      const result = await this.#finish(decision, await grantRequest(services, decision));
      // The session that asked may wait for this word, and then looks for its grant.
      emitDecision(services, decision);
      return result;
    }
    const effect = decisionHandlers[approval.kind];
    const location = await directory.find(approval.plan);
    return locks.withPlan(location.id, undefined, async (stop) => {
      const asked = await this.#asked(approval);
      await this.#assertSame(asked, await effect.ask(this.#parts, asked));
      await effect.check(this.#parts, asked, given);
      const decision = await record(services, approval, given);
      onDecided();
      emitDecision(services, decision);
      return this.#finish(decision, await effect.carryOut(this.#parts, asked, decision, stop));
    });
  }

  async #decideVaultApproval(
    approval: Approval,
    kind: VaultApprovalKind,
    given: GivenAnswer,
  ): Promise<DecidedApproval> {
    const { services, vaultApprovals } = this.#parts;
    await vaultApprovals[kind].check(approval, given);
    const decision = await record(services, approval, given);
    try {
      return await this.#finish(decision, await vaultApprovals[kind].carryOut(decision));
    } finally {
      // The decision holds even if its effect failed.
      emitDecision(services, decision);
    }
  }

  async #finish<D extends Decision>(decision: D, result: DecisionResult): Promise<DecidedApproval> {
    await removeApproval(this.#parts.services, decision.id);
    await commitDecision(this.#parts.services, decision);
    const { report } = result;
    if (report === undefined || report.end === 'finished') return { ...result, decision };
    return {
      ...result,
      did: `This is decided, and ${report.phase} is ${report.end} now: ${report.summary}`,
      decision,
    };
  }

  /** The question with its phase, which still waits for it. */
  async #asked(approval: PhaseApproval): Promise<Asked> {
    const { services, directory } = this.#parts;
    const location = await directory.find(approval.plan);
    const { waiting } = await loadRunState(services, approval.plan);
    if (waiting?.approval === approval.id) return { approval, location, waiting };
    await removeApproval(services, approval.id);
    throw failure(
      'approval/changed',
      approval.id,
      `The question ${approval.id} was withdrawn; its phase does not need an answer any more.`,
    );
  }

  /** A grant is bound to what the person saw. If that has changed, the question is asked again under another id. */
  async #assertSame(asked: Asked, now: ApprovalQuestion | undefined): Promise<void> {
    const { services } = this.#parts;
    const { approval, location, waiting } = asked;
    const { id } = approval;
    if (now === undefined) {
      throw failure('approval/changed', id, `The question ${id} does not need an answer any more.`, {
        help: `Continue with \`ravel retry ${shellWord(location.id)}\`.`,
      });
    }
    const { phase, session } = waiting;
    const request = requestOf({ plan: location.id, phase, session }, now);
    if (contentHashOf(request) === approval.contentHash) return;
    const again = await openApproval(services, request);
    const { kind, reason } = now;
    await updateRunState(services, location.id, (old) => ({
      ...old,
      waiting: { ...waiting, approval: again, kind, reason },
    }));
    await removeApproval(services, id);
    const message = `What ${id} asked about has changed since, so it is asked again as ${again}: ${reason}`;
    throw failure('approval/changed', id, message, { help: `See \`ravel approvals show ${again}\`.` });
  }

  /**
   * Finishes what a crash left of these questions: a decision without its effect is carried out, a question that no phase
   * waits for is taken back. What cannot be finished is told, and waits for the next start. `left` was listed before
   * anything of this owner ran: what is asked since may stand a moment before its phase waits for it. What waits for a tree
   * is left to its queue; an abort ends that.
   */
  async recover(left: readonly Ulid[], signal: AbortSignal): Promise<void> {
    const { services } = this.#parts;
    for (const id of left) await this.#contain(id, this.#recoverOne(id, signal));
    await commitUncommittedDecisions(services).catch((error: unknown) => {
      services.log.warn('decisions could not be committed', { error: messageOf(error) });
    });
  }

  async #contain(id: Ulid, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      // An owner that stops leaves it to the next one.
      if (isRavelError(error, 'run/stopped')) return;
      const problem = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', id, messageOf(error));
      this.#parts.services.log.error('a decision could not be carried out', { approval: id, error: problem.message });
    }
  }

  async #recoverOne(id: Ulid, signal: AbortSignal): Promise<void> {
    const { services } = this.#parts;
    const approval = await loadApproval(services, id);
    if (approval === undefined) return;
    const decision = await loadDecision(services, id);
    if (isVaultApproval(approval.kind)) return this.#recoverVaultApproval(approval.kind, approval, decision);
    assertOfPhase(approval);
    const { waiting, running } = await loadRunState(services, approval.plan);
    // A permission request goes with the session that made it; what was granted already holds for a retry as well.
    const isWaitedFor =
      approval.kind === 'tool-request'
        ? decision !== undefined || running?.session === approval.session
        : waiting?.approval === id;
    if (!isWaitedFor) return removeApproval(services, id);
    if (decision === undefined) return;
    const what = `the decision on ${approval.kind} of ${approval.plan}`;
    const carriedOut = this.#carryOut(approval, decision, signal).then(() =>
      recordRecovery(services, approval.plan, what, 'finished'),
    );
    await untilQueued(this.#parts, approval.plan, this.#contain(id, carriedOut));
  }

  async #recoverVaultApproval(
    kind: VaultApprovalKind,
    { id }: Approval,
    decision: Decision | undefined,
  ): Promise<void> {
    const { services, vaultApprovals } = this.#parts;
    if (decision === undefined) return;
    if (decision.decision === 'superseded') return removeApproval(services, id);
    await this.#finish(decision, await vaultApprovals[kind].carryOut(decision));
    await recordRecovery(services, 'vault', `the decision on ${withArticle(kind)}`, 'finished');
  }

  async #carryOut(approval: PhaseApproval, decision: Decision, signal: AbortSignal): Promise<void> {
    const { services, locks } = this.#parts;
    if (isVaultApproval(approval.kind)) return;
    assertOfPhase(decision);
    if (approval.kind === 'tool-request') {
      await this.#finish(decision, await grantRequest(services, decision));
      return;
    }
    const effect = decisionHandlers[approval.kind];
    await locks.withPlan(approval.plan, signal, async (stop) => {
      const asked = await this.#asked(approval);
      await this.#finish(decision, await effect.carryOut(this.#parts, asked, decision, stop));
    });
  }
}

/** The open approval of an id. Throws `approval/decided` with the person who decided it. */
export async function loadPending(services: VaultPorts, id: string): Promise<Approval> {
  if (isUlid(id)) {
    const decision = await loadDecision(services, id);
    const approval = await loadApproval(services, id);
    if (decision !== undefined) throw alreadyDecided(decision, approval === undefined);
    if (approval !== undefined) return approval;
  }
  throw failure('approval/unknown', id, `There is no open question with the id "${id}".`);
}

/** The file must hold what its hash was made of, and the person must have seen just that. */
function assertSeen(approval: Approval, seen: string): void {
  const { id, contentHash } = approval;
  if (seen !== contentHash)
    throw failure('approval/changed', id, `${id} does not have the content that you saw any more.`);
  if (contentHashOf(approval) === contentHash) return;
  throw failure('approval/changed', id, `The file of ${id} was changed by hand, so what it decides is unknown.`, {
    help: 'Restore the file, or retry or dismiss its phase.',
  });
}

/** A file of a phase's question without its plan is not read as one. */
function assertOfPhase<A extends Approval>(approval: A): asserts approval is A & PhaseApproval {
  assert(approval.plan !== undefined && approval.session !== undefined, `${approval.id} is of a phase`);
}

function assertFits(approval: Approval, { decision, option, text, override, only }: PersonsAnswer): void {
  const { id, kind, options } = approval;
  const show = `See \`ravel approvals show ${id}\` for the answers that it takes.`;
  const bad = (message: string, help = show) => failure('approval/badDecision', id, message, { help });
  const words = decisionsFor(approval);
  if (!words.some((word) => word === decision)) {
    const help =
      kind === 'merge-conflict'
        ? `Repair the named files, then \`ravel retry ${shellWord(approval.plan ?? 'PLAN')}\`.`
        : undefined;
    throw bad(`This question cannot be answered by "${decision}"; it takes ${words.join(', ')}.`, help);
  }
  const wanted = approvalRows[kind].text;
  const answerFlag = kind === 'unroutable-message' ? '--answer PLAN' : '--answer TEXT';
  const hasText = text !== undefined && text.trim() !== '';
  // If a text can be given as well, it stands for what is not among the options.
  const needsOption = options.length > 0 && (wanted === undefined || !hasText || option !== undefined);
  if (decision === 'accept' && needsOption && (option === undefined || !options.includes(option))) {
    const ways = [...options.map((name) => `--option ${name}`), ...(wanted === undefined ? [] : [answerFlag])];
    const unknown = option === undefined ? '' : `“${option}” is not an option of this question. `;
    throw bad(`${unknown}To accept this, say which: ${ways.join(' or ')}.`);
  }
  if (option !== undefined && (decision !== 'accept' || options.length === 0)) {
    const instead = decision === 'accept' && wanted !== undefined ? ` Use ${answerFlag}.` : '';
    throw bad(`This answer takes no --option.${instead}`);
  }
  if (decision === 'accept' && wanted !== undefined && !hasText && option === undefined)
    throw bad(`To accept this, give ${wanted} with ${answerFlag}.`);
  // It was meant for another question.
  if (decision === 'accept' && wanted === undefined && hasText) throw bad('This answer takes no text.');
  if (decision === 'edit' && !hasText) throw bad('To edit this, give the edited text.');
  if (override === true && (kind !== 'rule-suggestion' || decision === 'reject')) {
    throw bad('There is nothing here to override.');
  }
  if (only !== undefined && (kind !== 'new-plans' || decision !== 'accept')) throw bad('This answer takes no --only.');
}

async function record<A extends Approval>(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'person'>,
  approval: A,
  answer: GivenAnswer,
): Promise<Decision & A> {
  const { decision, option, text, reason, override, only } = answer;
  const made = await recordDecision(services, approval, { decision, option, text, reason, override, only });
  if (made !== undefined) return { ...approval, ...made };
  const first = await loadDecision(services, approval.id);
  throw first === undefined
    ? failure('approval/unknown', approval.id, 'It was decided just now.')
    : alreadyDecided(first);
}
