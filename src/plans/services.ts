import type { Clock } from '../base/clock.ts';
import { formatTimestamp } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Diagnostic } from '../base/errors.ts';
import type { Journal } from '../base/journal.ts';
import type { Logger } from '../base/log.ts';
import type { ProcessTable } from '../base/processes.ts';
import type { SerialQueue } from '../base/semaphore.ts';
import type { Git } from '../git/git.ts';
import type { HarnessAdapter, SessionHost } from '../harness/adapter.ts';
import type { Confiner } from '../harness/confinement/confinement.ts';
import type { Consult } from '../harness/consultation.ts';
import type { RunScript } from '../harness/scripts.ts';
import type { TerminalLauncher } from '../harness/terminalLauncher.ts';
import type { MemoryService } from '../knowledge/memory/memoryService.ts';
import type { EventActor, EventBody, RavelEvent } from '../model/event.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { ReasoningPhase } from '../model/phase.ts';
import type { ProgramStart } from '../model/programStart.ts';
import type { SecretRow } from '../model/secretState.ts';
import type { SettingOverrides } from '../model/settingRows.ts';
import type { ExecutorName, Settings } from '../model/settings.ts';
import type { StoredValues } from '../model/storedValues.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { LockQueues } from '../vault/lockQueues.ts';
import type { PolicyStore } from './policyStore.ts';

/** The outside world as this room takes it: ports and the parts below it, built once in `core.ts`. */
export interface PlanServices {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly layout: VaultLayout;
  /** The settings in force. Read a value when you need it: a copy can be out of date. */
  readonly settings: Settings;
  /** Takes what `daemon.toml` says by now, as far as that can hold at once; absent if nothing is begun. */
  readonly refreshSettings?: () => Promise<void>;
  readonly git: Git;
  /** What the policies of the vault, its projects and its plans say of tools. */
  readonly policies: PolicyStore;
  /** The values of the person's secrets, which no gate lets through; throws while one cannot be read. */
  readonly storedSecrets: () => Promise<StoredValues>;
  /**
   * A value of JSON with the names of secrets in the place of their values, as far as these are known: for what goes to
   * places where no gate judges it.
   */
  readonly withoutSecrets: <T>(value: T) => T;
  /** How each secret of the person's configuration is; no value is in it. */
  readonly inspectSecrets: () => Promise<readonly SecretRow[]>;
  /** Takes the values that the person's editor keeps, which stay in memory. */
  readonly takeEditorSecrets: (secrets: ReadonlyMap<string, string>) => void;
  /** Chooses what sessions are given of their memories. */
  readonly memories: MemoryService;
  readonly host: SessionHost;
  readonly terminals: TerminalLauncher;
  readonly runScript: RunScript;
  readonly confiner: Confiner;
  readonly adapters: Readonly<Record<HarnessName, HarnessAdapter>>;
  /** Asks a fresh session one thing. */
  readonly consult: Consult;
  /** Ends a consultation whose owner died; resolves to the reason why its answer cannot be trusted, if there is one. */
  readonly endOrphan: (session: Ulid) => Promise<Diagnostic | undefined>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly newUlid: () => Ulid;
  readonly newToken: () => string;
  readonly emit: (event: RavelEvent) => void;
  readonly onEvent: (listener: (event: RavelEvent) => void) => Disposable;
  readonly log: Logger;
  /** The operating system's name for the person who decides here. */
  readonly person: string;
  /** What was replayed or undone after a crash (`runtime/ledger.jsonl`); only the owner of the vault keeps it. */
  readonly ledger?: Journal;
  /** Orders the changes that this process makes to each plan. */
  readonly lockQueues: LockQueues;
  /** Called after Ravel changed files of a plan, under its lock; absent if nothing follows from it. */
  readonly planWritten?: (plan: QualifiedId) => void;
  /** Makes commits in the vault's own repository one at a time. */
  readonly vaultCommits: SerialQueue;
  /** Folder of the shipped prompts. */
  readonly promptsDirectory: string;
  /** The socket of the vault's owner. */
  readonly socketPath: string;
  /** The socket for session tools, which find it in their environment. */
  readonly sessionSocketPath: string;
  /** What the owner sets over the vault's settings; `settings` holds them already. */
  readonly overrides?: SettingOverrides;
  /** How to start this program again, for the session tools. */
  readonly entry: ProgramStart;
}

/** What changes the files of a plan under its lock. */
export type PlanWriterPorts = Pick<
  PlanServices,
  'disk' | 'clock' | 'processes' | 'layout' | 'lockQueues' | 'planWritten'
>;

/** Stamps and emits an event of one plan, or of the vault as a whole. */
export function emitFor(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  actor: EventActor,
  body: EventBody,
): RavelEvent {
  const event = { at: formatTimestamp(services.clock.wallMs()), actor, ...body };
  services.emit(event);
  return event;
}

export function timestamp(services: { readonly clock: Clock }): string {
  return formatTimestamp(services.clock.wallMs());
}

/** Whether a harness can change files without a verb. A person can too, but their changes need no explanation. */
export function writesByItself(
  { adapters }: Pick<PlanServices, 'adapters'>,
  { harness, phase }: { readonly harness: ExecutorName; readonly phase: ReasoningPhase },
): boolean {
  return harness !== 'person' && adapters[harness].capabilities.writes[phase];
}
