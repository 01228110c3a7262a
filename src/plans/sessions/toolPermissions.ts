import type { ToolVerdict } from '../../gates/tools/toolGate.ts';
import { openNetworkOnce, removeTicket, removeTickets } from '../../harness/confinement/networkTicket.ts';
import { Coverage } from '../../harness/coverage.ts';
import { permission } from '../../harness/toolAnswers.ts';
import { type ToolAnswer, ToolVerdicts } from '../../harness/toolVerdicts.ts';
import type { Confinement } from '../../model/confinement.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { resolvePermission } from '../approvals/resolvePermission.ts';
import type { PlanServices } from '../services.ts';
import type { StagingPaths, Transaction } from '../transaction.ts';
import { realAsFarAsItExists } from './judgeToolOnDisk.ts';
import { judgeToolRequest, workingDirectory } from './toolJudgement.ts';
import { digestOfUse } from './useDigest.ts';

interface AskingSession {
  readonly services: PlanServices;
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly location: PlanLocation;
  /** Whether what it runs is in a sandbox. */
  readonly confinement?: Confinement['state'];
}

const phaseOver: ToolAnswer = { decision: 'deny', reason: 'The phase is over; end the session now.' };

/** Redirects in a row, before a call that is allowed. */
const redirectsMax = 3;

/** What a session's harness is told about the tools that it wants to use. Every answer is recorded before it is told. */
export class ToolPermissions {
  readonly #session: AskingSession;
  readonly #verdicts: ToolVerdicts;
  /** How often in a row the session was told to take another way. */
  #redirects = 0;

  private constructor(session: AskingSession, verdicts: ToolVerdicts) {
    this.#session = session;
    this.#verdicts = verdicts;
  }

  static async open(session: AskingSession): Promise<ToolPermissions> {
    const { services, transaction } = session;
    return new ToolPermissions(
      session,
      await ToolVerdicts.open(services.disk, services.layout.session(transaction.session)),
    );
  }

  /**
   * Answers a permission request in the form that harnesses expect: `behavior` allow or deny. What the gates leave open a
   * person decides; `signal` ends the wait for them.
   */
  async permit(request: PermitArgs, isOver: boolean, signal: AbortSignal): Promise<CallResult> {
    const answer = await this.#verdicts.answer(request, async () => {
      if (isOver) return phaseOver;
      const paths = new Map<string, string>();
      const verdict = this.#bounded(await judgeToolRequest(this.#session, request, paths));
      if (verdict.decision !== 'ask') return verdict;
      const opensNetwork = verdict.needsNetwork === true;
      const uses = await this.#digest(request, paths);
      const answer = await this.#askPerson(request, { reason: verdict.reason, opensNetwork, uses }, signal);
      return answer.decision === 'allow' && opensNetwork ? this.#withNetwork(request, answer) : answer;
    });
    return permission(answer, request);
  }

  /** The same for a session with a person at its terminal, whom the program asks what the gates leave open. */
  judge(request: PermitArgs, isOver: boolean): Promise<ToolAnswer> {
    return this.#verdicts.answer(request, async () => {
      if (isOver) return phaseOver;
      const verdict = this.#bounded(await judgeToolRequest(this.#session, request));
      return verdict.decision === 'ask' && verdict.needsNetwork === true
        ? this.#withNetwork(request, verdict)
        : verdict;
    });
  }

  /** Holds the outputs of the session against these answers. */
  async coverage(sessionTools: readonly string[]): Promise<Coverage> {
    const runsIn = workingDirectory(this.#session);
    return new Coverage({
      verdicts: this.#verdicts,
      sessionTools: new Set(sessionTools),
      folders: [runsIn, await realAsFarAsItExists(this.#session.services.disk, runsIn)],
    });
  }

  /** A call that was judged did not run, as after a person's no at a terminal: the network is not open to it any more. */
  async withdraw(call: string): Promise<void> {
    const { services, transaction } = this.#session;
    const command = this.#verdicts.find(call)?.input?.['command'];
    if (typeof command === 'string') {
      await removeTicket(services.disk, services.layout.session(transaction.session), command);
    }
  }

  /** Takes back what was granted and not used: in a terminal the ticket is there before the person answers. */
  async close(): Promise<void> {
    const { services, transaction } = this.#session;
    await removeTickets(services.disk, services.layout.session(transaction.session));
    await this.#verdicts.close();
  }

  /** Runs the command once with the network open, if the person allows it. */
  async #withNetwork({ input }: PermitArgs, answer: ToolAnswer): Promise<ToolAnswer> {
    const { services, transaction } = this.#session;
    const command = await openNetworkOnce(services.disk, services.layout.session(transaction.session), {
      ...{ command: String(input['command']), secret: services.newToken() },
    });
    return { ...answer, input: { ...input, command } };
  }

  #digest(request: PermitArgs, paths: ReadonlyMap<string, string>): Promise<string> {
    const { services, location } = this.#session;
    return digestOfUse(services.disk, location.projectDirectory, request, paths);
  }

  /** A session that is sent from one way to another comes to an end: after some, it is only told that it cannot. */
  #bounded(verdict: ToolVerdict): ToolVerdict {
    if (verdict.decision !== 'deny' || verdict.instead === undefined) {
      if (verdict.decision === 'allow') this.#redirects = 0;
      return verdict;
    }
    this.#redirects += 1;
    if (this.#redirects <= redirectsMax) return verdict;
    const { instead: _instead, ...refused } = verdict;
    const reason = `${verdict.reason} It was sent another way ${redirectsMax} times in a row; do without it, or say in the hand-off what is missing.`;
    return { ...refused, reason, retryable: false };
  }

  async #askPerson(
    request: PermitArgs,
    why: { readonly reason: string; readonly opensNetwork: boolean; readonly uses: string },
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const { services, transaction, location, confinement = 'unconfined' } = this.#session;
    const folder = workingDirectory(this.#session);
    const permission = {
      ...{ transaction, request, ...why, folder, confinement, project: location.projectDirectory },
      judgeAgain: async () => {
        const paths = new Map<string, string>();
        const verdict = await judgeToolRequest(this.#session, request, paths);
        return verdict.decision === 'deny' ? { refused: verdict.reason } : { uses: await this.#digest(request, paths) };
      },
    };
    const answer = await resolvePermission(services, permission, signal);
    return answer.allowed ? { decision: 'allow' } : { decision: 'deny', reason: answer.message };
  }
}
