import { onAbort } from '../../base/abort.ts';
import { createDeferred } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import type { Confinement } from '../../model/confinement.ts';
import { shortCall } from '../../model/eventText.ts';
import type { Ulid } from '../../model/id.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';
import type { PlanServices } from '../services.ts';
import type { Transaction } from '../transaction.ts';
import { openApproval } from './approvals.ts';
import { type AskedUse, consumeAnswer, findRequest, type GrantAnswer } from './toolGrants.ts';

export interface PermissionRequest {
  readonly transaction: Transaction;
  readonly request: PermitArgs;
  /** Why the gates leave it to a person. */
  readonly reason: string;
  /** Where it would run; absolute. */
  readonly folder: string;
  readonly confinement: Confinement['state'];
  /** Whether it would run with the network open, which is closed otherwise. */
  readonly opensNetwork: boolean;
  /** Absolute; paths below it are named without it. */
  readonly project: string;
  /** Digest of what it would use now. */
  readonly uses?: string;
  /** Judges it once more, after a wait for the person: what it would use then, or why it is refused by now. */
  readonly judgeAgain?: () => Promise<{ readonly uses: string } | { readonly refused: string }>;
}

export type PermissionAnswer = { readonly allowed: true } | { readonly allowed: false; readonly message: string };

/**
 * What a session is told when the gates leave its request to a person: what the person said to this very request, or
 * that they were asked. The same request is shown once, however often it is made. If the settings say so, the answer
 * waits for the person for a while; `signal` ends the wait.
 */
export async function resolvePermission(
  services: PlanServices,
  asked: PermissionRequest,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const { transaction, request, reason, folder, confinement, opensNetwork, project, uses } = asked;
  const { plan, session } = transaction;
  const { tool_name, input } = request;
  const use: AskedUse = {
    tool_name,
    input,
    confinement,
    ...(opensNetwork && { network: 'open' }),
    ...defined({ uses }),
  };
  const answer = await consumeAnswer(services, plan, use);
  if (answer !== undefined) return answerOf(answer, reason);
  const decisions = new DecisionWatch(services);
  try {
    const open = await findRequest(services, session, use);
    const subject = `${shortCall(request.tool_name, request.input, project)}: ${reason}`;
    const details = { ...request, ...use, folder, reason };
    const kind = 'tool-request';
    const id = open?.id ?? (await openApproval(services, { kind, plan, session, subject, details, options: [] }));
    await decisions.wait(id, services.settings.gates['approval-wait-seconds'] * 1000, signal);
  } finally {
    decisions.dispose();
  }
  const asking = {
    allowed: false,
    message: `${reason} A person was asked; continue with something else, and ask again later.`,
  };
  if ((await findRequest(services, session, use)) !== undefined) return asking;
  // While the person thought, the rules, the request's files or its links may have changed.
  const now = await asked.judgeAgain?.();
  if (now !== undefined && 'refused' in now) return { allowed: false, message: now.refused };
  if (now !== undefined && now.uses !== uses)
    return {
      allowed: false,
      message: `${reason} What it would use has changed since the person was asked; ask again.`,
    };
  const decided = await consumeAnswer(services, plan, use);
  return decided === undefined ? asking : answerOf(decided, reason);
}

function answerOf(answer: GrantAnswer, reason: string): PermissionAnswer {
  if (answer.decision === 'allowed') return { allowed: true };
  const why = answer.reason === undefined ? '' : ` They say: ${answer.reason}`;
  return { allowed: false, message: `${reason} A person was asked and said no.${why}` };
}

/** Decisions from the moment that it is made on, so that none is missed between a question and the wait for its answer. */
class DecisionWatch {
  readonly #clock: PlanServices['clock'];
  readonly #decided = new Set<Ulid>();
  readonly #subscription: { dispose(): void };
  #onDecided: (() => void) | undefined;

  constructor({ clock, onEvent }: Pick<PlanServices, 'clock' | 'onEvent'>) {
    this.#clock = clock;
    this.#subscription = onEvent((event) => {
      if (event.type !== 'approval.decided') return;
      this.#decided.add(event.approval);
      this.#onDecided?.();
    });
  }

  async wait(approval: Ulid, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (timeoutMs === 0 || signal.aborted) return;
    const over = createDeferred<void>();
    const end = () => over.resolve();
    this.#onDecided = () => {
      if (this.#decided.has(approval)) end();
    };
    this.#onDecided();
    const timer = this.#clock.schedule(timeoutMs, end);
    const listening = onAbort(signal, end);
    try {
      await over.promise;
    } finally {
      timer.dispose();
      listening.dispose();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
