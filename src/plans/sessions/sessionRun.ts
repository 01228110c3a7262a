import { join } from 'node:path';
import { defined } from '../../base/defined.ts';
import { type Diagnostic, isRavelError, type RavelError } from '../../base/errors.ts';
import type { HarnessSession, SessionOutcome, SessionSpec, SessionTerminal } from '../../harness/adapter.ts';
import { describeUncovered, describeUnrecorded, type Uncovered } from '../../harness/coverage.ts';
import { RunCoverage } from '../../harness/runCoverage.ts';
import { reportUsage } from '../../harness/sessionContext.ts';
import { endAfterGrace, endedEvent } from '../../harness/sessionEnd.ts';
import { type Code, codes, type DiagnosticPlace, diagnostic } from '../../model/codes.ts';
import type { HarnessOutput } from '../../model/harnessOutput.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { finishTool } from '../../model/sessionTools.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { emitFor, type PlanServices } from '../services.ts';
import type { StagingPaths, Transaction } from '../transaction.ts';
import type { ActiveSession } from './activeSession.ts';
import { recordVersion } from './context.ts';
import { workingDirectory } from './toolJudgement.ts';

/** A session that runs: its process, its calls, and what the transcript already holds of it. */
export interface FollowedSession {
  readonly plan: QualifiedId;
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly location: PlanLocation;
  readonly active: ActiveSession;
  readonly harness: HarnessSession;
  /** Outputs that an earlier owner has told already. */
  readonly emitted: number;
}

/** How a session ended, the model that it named when it began, and what it did without a verdict. */
export interface SessionEnded extends SessionOutcome {
  readonly model?: string;
  readonly uncovered?: Diagnostic;
}

/** Follows a session to its end: every output becomes an event, and an accepted phase ends the process after a grace. */
export async function followSession(services: PlanServices, running: FollowedSession): Promise<SessionEnded> {
  const { active, harness } = running;
  const graceMs = services.settings.limits['exit-grace-seconds'] * 1000;
  const grace = endAfterGrace(services.clock, active.finished, graceMs, () => void endNow(services, harness, 'exited'));
  try {
    return await emitOutputs(services, running);
  } finally {
    grace.dispose();
  }
}

async function emitOutputs(services: PlanServices, running: FollowedSession): Promise<SessionEnded> {
  const { harness, transaction } = running;
  const { model, isReady, watch } = await readOutputs(services, running).catch(async (error: unknown) => {
    await endUnfollowed(services, running);
    throw error;
  });
  const outcome = await harness.ended;
  if (!isReady && (outcome.end === 'exited' || outcome.end === 'crashed')) {
    warn(services, running, 'harness/exitedBeforeReady', 'the program ended before its session began');
  }
  emitFor(services, running.plan, endedEvent(transaction.session, outcome));
  const uncovered = await watch.finish();
  return { ...outcome, ...defined({ model, uncovered }) };
}

/**
 * Ends a session whose outputs cannot be followed any more, and resolves when its processes are gone: its phase is about
 * to be interrupted, and a second try must not run beside it.
 */
async function endUnfollowed(services: PlanServices, { plan, harness }: FollowedSession): Promise<void> {
  try {
    await harness.kill('stopped');
    emitFor(services, plan, endedEvent(harness.session, await harness.ended));
  } catch (error) {
    services.log.warn('a session could not be ended', { session: harness.session, error: String(error) });
  }
}

async function readOutputs(services: PlanServices, running: FollowedSession) {
  const { harness, transaction } = running;
  const startedMs = services.clock.monotonicMs();
  // Unlike a program, a person is not slow to start.
  const isPerson = transaction.harness === 'person';
  let seq = 0;
  let firstUsage = true;
  let isReady = isPerson;
  let model: string | undefined;
  const watch = await watchCoverage(services, running);
  for await (const output of harness.outputs) {
    seq++;
    await watch.take(output);
    if (seq === 1 && running.emitted === 0 && !isPerson) {
      emitLatency(services, running, services.clock.monotonicMs() - startedMs);
    }
    if (seq > running.emitted) {
      emitFor(services, running.plan, { type: 'session.output', session: transaction.session, seq, output });
    }
    if (output.kind === 'ready') {
      isReady = true;
      model = output.model;
      if (!output.tools.includes(finishTool) && seq > running.emitted) {
        warn(services, running, 'harness/noTools', 'the session has no tools of Ravel, so it cannot finish its phase');
      }
      await recordVersion(services, services.layout.session(transaction.session), transaction, output.version);
    }
    if (firstUsage && output.kind === 'usage') {
      firstUsage = false;
      await reportUsage(services.disk, services.layout.session(transaction.session), output.usage);
    }
  }
  return { model, isReady, watch };
}

/**
 * Ends the session at its first tool call that no verdict covers, or whose command ran outside of its sandbox, and says so. Its outputs are read to their end before
 * anything of its phase is applied, so that none can come too late. So is the program's own record, if it keeps one that
 * tells more than its outputs.
 */
async function watchCoverage(services: Pick<PlanServices, 'clock' | 'emit' | 'log'>, running: FollowedSession) {
  const { active, harness, transaction } = running;
  const coverage = await active.coverage();
  let found: Diagnostic | undefined;
  const report = (problem: string, place?: DiagnosticPlace) => {
    found = diagnostic('gate/uncovered', transaction.plan, problem, place);
    emitFor(services, transaction.plan, { type: 'diagnostic', diagnostic: found });
  };
  const end = (gap: Uncovered | undefined) => {
    if (gap === undefined || found !== undefined) return;
    report(describeUncovered(gap));
    void endNow(services, harness, 'stopped');
  };
  // What is told besides the program's own record can lack how a command ended.
  const runs = harness.recordedCalls === undefined ? runCoverage(harness) : undefined;
  const recorded = readCalls(running, end);
  // Awaited at the end; until then a failure must not count as unhandled.
  recorded.catch(() => undefined);
  return {
    async take(output: HarnessOutput): Promise<void> {
      end(coverage.take(output));
      end(await runs?.take(output));
    },
    async finish(): Promise<Diagnostic | undefined> {
      const { left, error } = await recorded;
      // What was not decided is not applied anyway.
      if (found !== undefined || (await active.decided()) === undefined) return found;
      const gap = coverage.left() ?? left ?? (await runs?.left());
      if (gap !== undefined) report(describeUncovered(gap));
      else if (error !== undefined)
        report(describeUnrecorded(error.message), { help: codes['harness/unrecorded'].help });
      return found;
    },
  };
}

/**
 * Holds the program's own record of its calls against the verdicts, as it grows. Resolves after the session with a call
 * that may have run, or with what is wrong with the record.
 */
async function readCalls(
  running: FollowedSession,
  end: (gap: Uncovered | undefined) => void,
): Promise<{ readonly left?: Uncovered | undefined; readonly error?: RavelError }> {
  const { active, harness } = running;
  if (harness.recordedCalls === undefined) return {};
  for (let isOver = false; ; isOver = true) {
    try {
      const coverage = await active.coverage();
      const runs = runCoverage(harness);
      for await (const output of harness.recordedCalls) {
        end(coverage.take(output));
        end(await runs?.take(output));
        if (output.kind === 'toolEnded' && output.ran === false) await active.withdraw(output.callId);
      }
      return { left: coverage.left() ?? (await runs?.left()) };
    } catch (error) {
      if (!isRavelError(error, 'harness/unrecorded')) throw error;
      if (isOver) return { error };
    }
    // What could not be read a moment ago may be there for the next reader.
    await harness.ended;
  }
}

function runCoverage({ commandRuns }: HarnessSession): RunCoverage | undefined {
  return commandRuns && new RunCoverage(commandRuns);
}

async function endNow(
  services: Pick<PlanServices, 'log'>,
  harness: HarnessSession,
  end: 'exited' | 'stopped',
): Promise<void> {
  try {
    await harness.kill(end);
  } catch (error) {
    // What becomes of its phase is decided, and its limits still end it.
    services.log.warn('a session could not be ended', { session: harness.session, error: String(error) });
  }
}

function warn(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  { plan }: FollowedSession,
  code: Code,
  message: string,
): void {
  emitFor(services, plan, {
    type: 'diagnostic',
    diagnostic: diagnostic(code, plan, message, { severity: 'warning' }),
  });
}

function emitLatency(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  { plan, transaction }: FollowedSession,
  firstOutputMs: number,
): void {
  const { session, harness } = transaction;
  emitFor(services, plan, { type: 'spawn.measured', session, harness, firstOutputMs: Math.round(firstOutputMs) });
}

/** Everything the session host needs to start the session of a transaction. */
export function sessionSpec(
  services: Pick<PlanServices, 'layout' | 'settings' | 'sessionSocketPath' | 'entry'>,
  start: {
    readonly transaction: Transaction;
    readonly paths: StagingPaths;
    readonly location: PlanLocation;
    readonly systemPrompt: string;
    readonly token: string;
    readonly model: string | undefined;
    readonly scenario: string | undefined;
    readonly costUsd: number;
    readonly terminal?: SessionTerminal | undefined;
    readonly shell?: string | undefined;
    readonly recalls?: boolean;
  },
): SessionSpec {
  const { transaction, paths, location, systemPrompt, token, model, scenario, costUsd, terminal, shell, recalls } =
    start;
  const { limits } = services.settings;
  return {
    session: transaction.session,
    actor: transaction.plan,
    purpose: transaction.phase,
    sessionDirectory: services.layout.session(transaction.session),
    cwd: workingDirectory({ transaction, location, paths }),
    projectDirectory: location.projectDirectory,
    systemPrompt,
    mcpCommand: { ...services.entry, args: [...services.entry.args, 'mcp'] },
    token,
    socketPath: services.sessionSocketPath,
    vault: services.layout.root,
    limits: {
      // A person thinks, talks and goes to lunch.
      timeMs: limits[terminal === undefined ? 'session-minutes' : 'terminal-minutes'] * 60_000,
      outputBytes: limits['session-output-mib'] * 1024 * 1024,
      costUsd,
      orphanMs: limits['orphan-minutes-after-crash'] * 60_000,
      orphanAfterStopMs: limits['orphan-minutes-after-stop'] * 60_000,
    },
    ...defined({ terminal, shell }),
    ...(recalls === true && { recalls }),
    ...defined({ model, scenario, task: transaction.task }),
  };
}

export function hostFile(services: Pick<PlanServices, 'layout'>, session: Ulid): string {
  return join(services.layout.session(session), 'host.json');
}
