import { sha256 } from '../../base/files.ts';
import type { ToolAnswer } from '../../harness/toolVerdicts.ts';
import { failure } from '../../model/codes.ts';
import type { Confinement } from '../../model/confinement.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { CallResult, SessionCall } from '../../model/requests/sessions.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { factsWithoutSource, gatherFacts } from '../proposals/facts.ts';
import type { PlanServices } from '../services.ts';
import type { StagingPaths, Transaction } from '../transaction.ts';
import { ActiveSession } from './activeSession.ts';
import { hadNote, type Note } from './sessionNotes.ts';
import type { AskingPorts } from './sessionParts.ts';

export interface LiveSession {
  readonly active: ActiveSession;
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly tokenHash: string;
}

/** The sessions whose calls are answered: those that this owner started or re-adopted. A token dies with its session. */
export class LiveSessions {
  readonly #services: PlanServices;
  readonly #asking: AskingPorts;
  readonly #live = new Map<string, LiveSession>();
  #stopped = false;

  /** Without `ask`, what a session asks is left for after its phase. */
  constructor(services: PlanServices, asking: AskingPorts = {}) {
    this.#services = services;
    this.#asking = asking;
  }

  async open(
    transaction: Transaction,
    paths: StagingPaths,
    location: PlanLocation,
    { tokenHash, confinement }: { readonly tokenHash: string; readonly confinement?: Confinement | undefined },
  ): Promise<ActiveSession> {
    const services = this.#services;
    const active = await ActiveSession.open({
      services,
      transaction,
      paths,
      location,
      confinement: confinement?.state ?? 'unconfined',
      ...this.#asking,
      facts: async (proposed) => {
        if (transaction.phase !== 'analyse-work') return factsWithoutSource(services);
        const state = await loadRunState(services, transaction.plan);
        return gatherFacts(
          services,
          location,
          { baseline: state.baselines.work, session: state.workSession },
          proposed,
        );
      },
    });
    this.#live.set(transaction.session, { active, transaction, paths, tokenHash });
    return active;
  }

  async close(session: Ulid): Promise<void> {
    const live = this.#live.get(session);
    this.#live.delete(session);
    await live?.active.close();
  }

  /** Answers what was asked before, then answers nothing any more: the next owner continues with the same journals. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { transaction } of [...this.#live.values()]) await this.close(transaction.session);
  }

  /** Whether sessions were let go that may run still: what is not known of them here the next owner knows. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Whether the calls of a session are answered here. */
  has(session: string): boolean {
    return this.#live.has(session);
  }

  /** The phase of a plan that a person carries out just now, if one does. */
  manualRun(plan: QualifiedId): LiveSession | undefined {
    return [...this.#live.values()].find(
      ({ transaction }) => transaction.plan === plan && transaction.harness === 'person',
    );
  }

  of(plan: QualifiedId): Ulid | undefined {
    return [...this.#live.values()].find((live) => live.transaction.plan === plan)?.transaction.session;
  }

  /** Leaves a note for a session; false if it takes none any more, or has ended without this one. */
  async note(session: Ulid, note: Note): Promise<boolean> {
    const live = this.#live.get(session);
    const { disk, layout } = this.#services;
    return live === undefined ? hadNote(disk, layout.session(session), note.id) : live.active.note(note);
  }

  tools(session: string, token: string): RequestResults['session_tools'] {
    const { active, transaction } = this.#authorised(session, token);
    return { tools: active.tools(), plan: transaction.plan, phase: transaction.phase };
  }

  call(session: string, token: string, { id, tool, args, callId }: SessionCall): Promise<CallResult> {
    return this.#authorised(session, token).active.call(id, tool, args, callId);
  }

  /** What the gates say of a tool; nothing is waited for and no question is opened. */
  judge(session: string, token: string, request: PermitArgs): Promise<ToolAnswer> {
    return this.#authorised(session, token).active.judge(request);
  }

  #authorised(session: string, token: string): LiveSession {
    const live = this.#live.get(session);
    if (live === undefined || live.tokenHash !== sha256(token)) {
      throw failure('session/badToken', session, `No running session ${session} has this token.`);
    }
    return live;
  }
}
