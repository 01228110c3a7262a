import { onAbort, rejectOnAbort } from '../base/abort.ts';
import { defined } from '../base/defined.ts';
import { type Diagnostic, isRavelError, RavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { Confinement } from '../model/confinement.ts';
import type { RavelEvent } from '../model/event.ts';
import { type HarnessName, scenarioHarness } from '../model/harnesses.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Phase } from '../model/phase.ts';
import type { Api } from '../model/protocol.ts';
import {
  compareRecords,
  type RehearsalReport,
  type RehearsedRefusal,
  repliesBetween,
  restorePaths,
  type WithheldMessage,
} from '../model/rehearsal.ts';
import type { CycleReport } from '../model/requests/runs.ts';
import { openAsOwner } from './openApi.ts';
import type { AccessPorts, PreparedRehearsal } from './ports.ts';

/** Bytes that are copied unless a person allows more. */
const usualCopyBytes = 4 * 1024 ** 3;

export interface RehearseOptions {
  /** Absolute path of the vault. */
  readonly vault: string;
  /** The plan as a person names it. */
  readonly plan: string;
  readonly harness: HarnessName;
  /** Absolute path; what the scripted harness plays. */
  readonly scenario?: string | undefined;
  readonly task?: string | undefined;
  readonly cycles?: number | undefined;
  readonly bytesMax?: number | undefined;
  readonly keep?: boolean | undefined;
  readonly onCopying?: ((size: { readonly files: number; readonly bytes: number }) => void) | undefined;
  readonly onBegin?: ((plan: QualifiedId, project: string) => void) | undefined;
  /** Events of the plan as they come, with the paths of the originals. */
  readonly onEvent?: ((event: RavelEvent) => void) | undefined;
  /** Ends the copying, or stops the run as `ravel stop` does, and its report is still given. */
  readonly stop: AbortSignal;
  /** Waits for nothing more: what runs is ended, and the copy removed. */
  readonly leave: AbortSignal;
}

/**
 * Runs a plan on a copy of its project and its vault, tells what that would have changed, and removes the copy. The
 * originals are only read, and no message is sent. Throws what keeps the plan from running, and `run/stopped` if it was
 * stopped before it ran.
 */
export async function rehearse(ports: AccessPorts, options: RehearseOptions): Promise<RehearsalReport> {
  const { vault, plan, harness, bytesMax = usualCopyBytes, onCopying, stop } = options;
  const session = await ports.core.sessionAround(vault);
  if (session !== undefined) {
    throw failure('session/personOnly', vault, `A process of session ${session} must not rehearse a plan.`);
  }
  const request = { vault, plan, harness, bytesMax, onCopying };
  const prepared = await ports.core.prepareRehearsal(request, stop).catch((error: unknown) => {
    throw stop.aborted ? stoppedEarly(plan) : error;
  });
  let isKept = false;
  try {
    const report = restorePaths(await runOnCopy(ports, options, prepared), prepared.places);
    if (options.keep !== true) return report;
    const folder = await prepared.keep();
    isKept = true;
    return { ...report, copy: { ...report.copy, folder } };
  } catch (error) {
    throw isRavelError(error) ? new RavelError(restorePaths(error.diagnostic, prepared.places), error) : error;
  } finally {
    if (!isKept) await prepared.remove();
  }
}

async function runOnCopy(
  ports: AccessPorts,
  options: RehearseOptions,
  prepared: PreparedRehearsal,
): Promise<RehearsalReport> {
  const { harness, stop, leave, onEvent, onBegin } = options;
  const { plan, places } = prepared;
  const withheld: WithheldMessage[] = [];
  const seen = new Seen(plan);
  // The copy has no owner but this one.
  const open = () => prepared.open((message) => withheld.push(message));
  const opened = await openAsOwner({ ...ports, core: { ...ports.core, open } }, prepared.vault);
  try {
    const { api } = opened;
    api.onEvent((event) => {
      if (!seen.take(event)) return;
      onEvent?.(restorePaths(event, places));
    });
    onBegin?.(plan, prepared.project);
    const before = await prepared.records();
    const startedMs = ports.clock.monotonicMs();
    const report = await runCycle(api, options, plan, { stop, leave });
    const durationMs = ports.clock.monotonicMs() - startedMs;
    const after = await prepared.records();
    const { approvals } = await api.request('approvals', {});
    const source = await prepared.source();
    return {
      ...{ plan, project: prepared.project, harness, report },
      tasks: compareRecords(before.tasks, after.tasks),
      memory: compareRecords(before.memory, after.memory),
      ...source,
      withheld: [...withheld, ...repliesBetween(before, after)],
      refusals: seen.refusals,
      questions: approvals.map(({ kind, subject }) => ({ kind, subject })),
      problems: seen.problems,
      ...defined({ confinement: seen.confinement, outside: prepared.outside }),
      costUsd: harness === scenarioHarness ? 0 : costOf(report),
      durationMs,
      copy: prepared.copy,
    };
  } finally {
    await opened.stop();
  }
}

/** What the scripted harness says of costs is made up; nothing was paid. */
function costOf({ phases }: CycleReport): number {
  return phases.reduce((sum, { usage }) => sum + (usage?.costUsd ?? 0), 0);
}

async function runCycle(
  api: Api,
  { harness, scenario, task, cycles = 1 }: RehearseOptions,
  plan: QualifiedId,
  { stop, leave }: { readonly stop: AbortSignal; readonly leave: AbortSignal },
): Promise<CycleReport> {
  if (stop.aborted) throw stoppedEarly(plan);
  // Whether it could be stopped shows in how the run ends.
  const stopping = onAbort(stop, () => void api.request('stop', { plan }).catch(() => undefined));
  const how = { harness, cycles, ...defined({ scenario, task }) };
  try {
    return await rejectOnAbort(api.request('run_cycle', { plan, ...how }, leave), leave);
  } catch (error) {
    throw leave.aborted ? stoppedEarly(plan) : error;
  } finally {
    stopping.dispose();
  }
}

function stoppedEarly(plan: string): RavelError {
  return failure('run/stopped', plan, `The rehearsal of ${plan} was stopped.`);
}

/** What events tell that the report of a run does not have. */
class Seen {
  readonly refusals: RehearsedRefusal[] = [];
  readonly problems: Diagnostic[] = [];
  confinement: Confinement | undefined;
  readonly #plan: QualifiedId;
  #phase: Phase | undefined;

  constructor(plan: QualifiedId) {
    this.#plan = plan;
  }

  /** Whether the event is about the plan. */
  take(event: RavelEvent): boolean {
    if (event.actor !== this.#plan) return false;
    if (event.type === 'phase.started') this.#phase = event.phase;
    if (event.type === 'session.started') this.confinement = event.confinement ?? this.confinement;
    if (event.type === 'diagnostic' && event.diagnostic.severity !== 'info') this.problems.push(event.diagnostic);
    if (event.type !== 'gate.judged' || event.outcome === 'accept' || event.outcome === 'modify') return true;
    const { gate, subject, call, reason = '', findings = [] } = event;
    const why = [reason, ...findings].filter((text) => text !== '').join(' ');
    this.refusals.push({ gate, reason: why, ...defined({ phase: this.#phase, subject, call }) });
    return true;
  }
}
