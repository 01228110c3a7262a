import { resolve } from 'node:path';
import { onAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { formatTimestamp } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { type Diagnostic, messageOf } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import type { Logger } from '../base/log.ts';
import type { ProcessTable } from '../base/processes.ts';
import { Semaphore } from '../base/semaphore.ts';
import { diagnostic, failure } from '../model/codes.ts';
import type { EventActor, EventBody, RavelEvent } from '../model/event.ts';
import { type HarnessName, scenarioHarness } from '../model/harnesses.ts';
import { isUlid, type QualifiedId, type Ulid } from '../model/id.ts';
import type { ProgramStart } from '../model/programStart.ts';
import type { CallResult, SessionResults } from '../model/requests/sessions.ts';
import { type ConsultationPurpose, consultationPurposes } from '../model/sessionPurpose.ts';
import type { PermitArgs } from '../model/sessionTools.ts';
import type { Settings } from '../model/settings.ts';
import type { Usage } from '../model/usage.ts';
import type { HarnessAdapter, HarnessSession, SessionHost, SessionSpec } from './adapter.ts';
import type { ConsultationReport, ConsultationRequest } from './consultation.ts';
import { ConsultationCalls } from './consultationCalls.ts';
import {
  type ComposedConsultation,
  consultationCwd,
  loadConsultation,
  writeConsultation,
} from './consultationFolder.ts';
import { Coverage, describeUncovered, type Uncovered } from './coverage.ts';
import { loadHostRecord, sessionFiles } from './hostRecord.ts';
import { loadTools, reportUsage } from './sessionContext.ts';
import { endAfterGrace, endedEvent } from './sessionEnd.ts';
import { terminateSession } from './terminate.ts';
import { type ToolAnswer, ToolVerdicts } from './toolVerdicts.ts';

/** What a consultation is paid from: that of its plan, or of the vault alone. */
export interface ConsultationBudget {
  /** What it may cost at most, in US dollars, set aside until it is booked or released. Rejects with `budget/exceeded`. */
  reserve(payer: EventActor, session: Ulid): Promise<number>;
  release(session: Ulid): void;
  /** A second time changes nothing. */
  book(of: ConsultationCost): Promise<void>;
}

/** Whom a tool request comes from. */
export interface AskingConsultation extends Pick<ConsultationRequest, 'session' | 'purpose' | 'actor'> {
  /** Where it runs; absolute. */
  readonly workingDirectory: string;
  /** What it may read beside that; absolute. */
  readonly projectDirectory?: string;
}

export interface ConsultationCost {
  readonly payer: EventActor;
  readonly session: Ulid;
  readonly purpose: ConsultationPurpose;
  readonly usage: Usage | undefined;
  readonly model: string | undefined;
}

export interface ConsultationPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly log: Logger;
  readonly host: SessionHost;
  readonly adapters: Readonly<Record<HarnessName, HarnessAdapter>>;
  /** As they hold for the plan, or for the vault. */
  readonly settingsOf: (plan: QualifiedId | undefined) => Promise<Settings>;
  readonly budget: ConsultationBudget;
  readonly emit: (event: RavelEvent) => void;
  /** Throws while a secret of the person cannot be read: no session starts then. */
  readonly storedSecrets: () => Promise<unknown>;
  readonly withoutSecrets: (text: string) => string;
  /** Resolves when all that was told of the session is in its transcript. */
  readonly closeTranscript: (session: Ulid) => Promise<void>;
  /** What the gates say of a tool that a consultation is about to use; emitted as an event. */
  readonly judge: (asking: AskingConsultation, request: PermitArgs) => Promise<ToolAnswer>;
  readonly newToken: () => string;
  readonly promptsDirectory: string;
  readonly sessionDirectory: (session: Ulid) => string;
  readonly entry: ProgramStart;
  readonly sessionSocketPath: string;
  readonly vault: string;
}

/** How many of one purpose run at a time. Each purpose has its own limit, because a `route` can wait for a `check`. */
const atOnce = 4;
/** The next owner does not take over a consultation, so its session need not wait for one. */
const orphanMs = 10_000;
const outputCharactersMax = 64 * 1024;
/** How many refused calls are kept, each up to the length below. */
const refusalsMax = 20;
const refusedCharactersMax = 2000;

interface Open {
  readonly token: string;
  readonly request: ConsultationRequest;
  readonly calls: ConsultationCalls;
}

/** The consultations of this owner: from asking to the end of the process, with the calls between. */
export class Consultations {
  readonly #ports: ConsultationPorts;
  readonly #open = new Map<string, Open>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #semaphores = new Map(consultationPurposes.map((purpose) => [purpose, new Semaphore(atOnce)]));

  constructor(ports: ConsultationPorts) {
    this.#ports = ports;
  }

  /** As `Consult` says. Rejects with `run/stopped` once the owner stops: the next owner of the vault asks again. */
  async run(request: ConsultationRequest, signal: AbortSignal): Promise<ConsultationReport> {
    const ending = AbortSignal.any([signal, this.#stopping.signal]);
    const work = this.#inTurn(request, ending);
    this.#running.add(work);
    try {
      const report = await work;
      if (this.#stopping.signal.aborted) throw this.#stopping.signal.reason;
      return report;
    } finally {
      this.#running.delete(work);
    }
  }

  has(session: string): boolean {
    return this.#open.has(session);
  }

  /** Whether no session is asked, or waits to be. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Throws `session/badToken`, as `call` does: a token holds for its own session and as long as that lives. */
  tools(session: string, token: string): SessionResults['session_tools'] {
    const { calls, request } = this.#authorised(session, token);
    const { actor, purpose } = request;
    return { tools: calls.tools(), phase: purpose, ...(actor !== 'vault' && { plan: actor }) };
  }

  async call(
    session: string,
    token: string,
    call: { readonly id: string; readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
  ): Promise<CallResult> {
    return this.#authorised(session, token).calls.call(call);
  }

  /**
   * Ends a consultation whose owner died, and books its cost; the code that had asked knows its id. A consultation that
   * never began is left alone. Resolves to the reason why its answer cannot be trusted, if there is one, as its own
   * owner would have found it at the end.
   */
  async endOrphan(session: Ulid): Promise<Diagnostic | undefined> {
    const { disk, host, adapters, budget } = this.#ports;
    const directory = this.#ports.sessionDirectory(session);
    const kept = await loadConsultation(disk, directory);
    if (kept === undefined || this.has(session)) return undefined;
    if (!(await exists(disk, `${directory}/${sessionFiles.host}`))) return undefined;
    const { state, harness } = await loadHostRecord(disk, directory);
    const adopted = await host.reattach(adapters[harness], directory);
    if (state !== 'ended') {
      await adopted.kill('stopped');
      // A session that was just starting has not written its pid yet; its processes are found by the session id they
      // carry.
      await terminateSession(this.#ports, { pid: noGroup, session });
    }
    const outcome = await adopted.ended;
    const { model, uncovered } = await readOrphan(disk, directory, adopted);
    if (state !== 'ended') {
      this.#emit(kept.actor, endedEvent(session, outcome));
      await budget.book({ payer: kept.payer, session, purpose: kept.purpose, usage: outcome.usage, model });
      await this.#ports.closeTranscript(session);
    }
    return uncovered && diagnostic('gate/uncovered', kept.actor, describeUncovered(uncovered));
  }

  /** Ends all of them. */
  async stop(): Promise<void> {
    const message = 'Ravel is stopping. The question is asked again later.';
    this.#stopping.abort(failure('run/stopped', 'vault', message));
    await Promise.allSettled([...this.#running]);
  }

  async #inTurn(request: ConsultationRequest, signal: AbortSignal): Promise<ConsultationReport> {
    signal.throwIfAborted();
    const turn = await this.#semaphores.get(request.purpose)?.acquire(signal);
    try {
      return await this.#consult(request, signal);
    } finally {
      turn?.dispose();
    }
  }

  async #consult(request: ConsultationRequest, signal: AbortSignal): Promise<ConsultationReport> {
    const { disk, adapters, budget, settingsOf, vault, promptsDirectory, withoutSecrets } = this.#ports;
    const { session, actor, purpose } = request;
    await this.#ports.storedSecrets();
    const settings = await settingsOf(request.plan);
    const { harness = settings.run.harness } = request;
    const played = request.scenario ?? settings.harnesses[scenarioHarness].scenario;
    const scenario = harness === scenarioHarness && played !== undefined ? { scenario: resolve(vault, played) } : {};
    await adapters[harness].checkStart?.(disk, { actor, purpose, ...scenario });
    const payer = request.plan ?? 'vault';
    const costUsd = await budget.reserve(payer, session);
    try {
      const directory = this.#ports.sessionDirectory(session);
      const composed = await writeConsultation({ disk, promptsDirectory, directory, withoutSecrets }, request, harness);
      const token = this.#ports.newToken();
      const spec = { ...this.#spec(request, { settings, composed, costUsd, token }), ...scenario };
      const report = await this.#live({ request, settings, composed, spec, harness }, signal);
      const { usage, model, uncovered } = report;
      await budget.book({ payer, session, purpose, usage, model });
      if (uncovered !== undefined) throw failure('gate/uncovered', actor, describeUncovered(uncovered));
      return report;
    } finally {
      budget.release(session);
    }
  }

  #spec(
    request: ConsultationRequest,
    given: {
      readonly settings: Settings;
      readonly composed: ComposedConsultation;
      readonly costUsd: number;
      readonly token: string;
    },
  ): SessionSpec {
    const { entry, sessionSocketPath, vault, sessionDirectory } = this.#ports;
    const { session, actor, purpose, projectDirectory, timeMs, model, task } = request;
    const { settings, composed, costUsd, token } = given;
    return {
      ...{ session, actor, purpose, token, vault, socketPath: sessionSocketPath },
      sessionDirectory: sessionDirectory(session),
      cwd: composed.cwd,
      ...defined({ projectDirectory }),
      systemPrompt: composed.systemPrompt,
      ...defined({ model, task }),
      mcpCommand: { ...entry, args: [...entry.args, 'mcp'] },
      limits: {
        ...{ timeMs, costUsd, orphanMs, orphanAfterStopMs: orphanMs },
        outputBytes: settings.limits['session-output-mib'] * 1024 * 1024,
      },
    };
  }

  async #live(asked: Asked, signal: AbortSignal): Promise<WatchedReport> {
    const { disk, host, adapters, clock, closeTranscript, judge } = this.#ports;
    const { request, composed, spec, harness } = asked;
    const { session, actor, purpose, tools } = request;
    const refusals: string[] = [];
    const { cwd: workingDirectory } = composed;
    const { projectDirectory } = request;
    const asking = {
      ...{ session, purpose, actor, workingDirectory },
      ...defined({ projectDirectory }),
    };
    const calls = new ConsultationCalls({
      ...{ session, tools },
      verdicts: await ToolVerdicts.open(disk, spec.sessionDirectory),
      judge: (asked) => judge(asking, asked),
      onAnswered: ({ tool: verb, args, callId }, { text, isError }) => {
        const summary = text.split('\n')[0] ?? '';
        if (isError) refusals.push(`${verb} ${JSON.stringify(args).slice(0, refusedCharactersMax)}: ${summary}`);
        if (refusals.length > refusalsMax) refusals.shift();
        this.#emit(actor, { type: 'session.verb', session, verb, applied: !isError, summary, ...defined({ callId }) });
      },
    });
    this.#open.set(session, { token: spec.token, request, calls });
    const { givenBytes, givenTokens } = composed;
    const about = { session, phase: purpose, harness, givenBytes, givenTokens };
    this.#emit(actor, { type: 'session.started', ...about, reattached: false });
    const startedMs = clock.monotonicMs();
    try {
      const running = await host.start(adapters[harness], spec, signal).catch((error: unknown) => {
        const durationMs = clock.monotonicMs() - startedMs;
        const ended = signal.aborted
          ? ({ end: 'stopped' } as const)
          : ({ end: 'crashed', notStarted: messageOf(error) } as const);
        this.#emit(actor, { type: 'session.ended', session, durationMs, ...ended });
        throw error;
      });
      return await this.#follow(asked, { running, calls, refusals }, signal);
    } finally {
      this.#open.delete(session);
      await calls.close();
      await closeTranscript(session);
    }
  }

  /** Turns every output into an event, and ends the process once it has answered or the caller no longer waits. */
  async #follow(
    { request, settings, spec }: Asked,
    { running, calls, refusals }: Live,
    signal: AbortSignal,
  ): Promise<WatchedReport> {
    const { disk, clock } = this.#ports;
    const { session, actor } = request;
    const graceMs = settings.limits['exit-grace-seconds'] * 1000;
    const grace = endAfterGrace(clock, calls.ended, graceMs, () => void this.#end(running, 'exited'));
    const giveUp = () => void this.#end(running, 'stopped');
    const listening = onAbort(signal, giveUp);
    let seq = 0;
    let text = '';
    let model: string | undefined;
    let isReported = false;
    let gap: Uncovered | undefined;
    const coverage = calls.coverage([spec.cwd, await disk.realPath(spec.cwd)]);
    try {
      for await (const output of running.outputs) {
        seq++;
        this.#emit(actor, { type: 'session.output', session, seq, output });
        const found = coverage.take(output);
        if (found !== undefined && gap === undefined) giveUp();
        gap ??= found;
        if (output.kind === 'ready') model = output.model;
        if (output.kind === 'text') text = `${text}${output.text}\n`.slice(-outputCharactersMax);
        if (output.kind === 'usage' && !isReported) {
          isReported = true;
          await reportUsage(disk, spec.sessionDirectory, output.usage);
        }
      }
      const outcome = await running.ended;
      this.#emit(actor, endedEvent(session, outcome));
      gap ??= coverage.left();
      const { end, usage, durationMs } = outcome;
      const known = { ...defined({ model, usage }) };
      return {
        session,
        end,
        durationMs,
        output: [text.trimEnd(), ...refusals].join('\n').trim().slice(-outputCharactersMax),
        ...known,
        ...defined({ uncovered: gap }),
      };
    } catch (error) {
      // Its caller takes it for over, and may ask again.
      await this.#end(running, 'stopped');
      throw error;
    } finally {
      grace.dispose();
      listening.dispose();
    }
  }

  async #end(running: HarnessSession, end: 'exited' | 'stopped'): Promise<void> {
    try {
      await running.kill(end);
    } catch (error) {
      // It has answered, or the caller no longer waits; its limits still end it.
      this.#ports.log.warn('a consultation could not be ended', { session: running.session, error: String(error) });
    }
  }

  #emit(actor: EventActor, body: SessionEvent): void {
    const { clock, emit } = this.#ports;
    emit({ at: formatTimestamp(clock.wallMs()), actor, ...body });
  }

  #authorised(session: string, token: string): Open {
    const open = isUlid(session) ? this.#open.get(session) : undefined;
    if (open !== undefined && open.token === token) return open;
    throw failure('session/badToken', session, `No running session ${session} has this token.`);
  }
}

/** No group has this number; members are then known by the session that they carry. */
const noGroup = -1;

/** A consultation whose process runs. */
interface Live {
  readonly running: HarnessSession;
  readonly calls: ConsultationCalls;
  /** Calls that were refused, as they came. */
  readonly refusals: readonly string[];
}

/** What came of a consultation, and the tool call that no verdict covers, if there was one. */
interface WatchedReport extends ConsultationReport {
  readonly uncovered?: Uncovered;
}

/** Everything that one consultation is made of. */
interface Asked {
  readonly request: ConsultationRequest;
  readonly settings: Settings;
  readonly composed: ComposedConsultation;
  readonly spec: SessionSpec;
  readonly harness: HarnessName;
}

type SessionEvent = Extract<EventBody, { readonly type: `session.${string}` }>;

/** The model that a session named when it began, and the first of its calls that no verdict covers. */
async function readOrphan(disk: Disk, directory: string, { outputs }: HarnessSession) {
  const verdicts = await ToolVerdicts.open(disk, directory);
  const sessionTools = new Set((await loadTools(disk, directory)).map(({ name }) => name));
  const cwd = consultationCwd(directory);
  const coverage = new Coverage({ verdicts, sessionTools, folders: [cwd, await disk.realPath(cwd)] });
  let model: string | undefined;
  let uncovered: Uncovered | undefined;
  for await (const output of outputs) {
    if (output.kind === 'ready') model ??= output.model;
    const found = coverage.take(output);
    uncovered ??= found;
  }
  await verdicts.close();
  return { model, uncovered: uncovered ?? coverage.left() };
}
