import type * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { RavelEvent } from '../model/event.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { QualifiedId } from '../model/id.ts';
import type { LastVisit } from '../model/lastVisit.ts';
import type { ProgramStart } from '../model/programStart.ts';
import type { Api } from '../model/protocol.ts';
import type { RehearsalReport } from '../model/rehearsal.ts';
import type { StartNeeds } from '../model/startNeeds.ts';
import type { ConnectTerminal } from '../model/terminal.ts';
import type { ApiKey } from './apiKey.ts';
import type { WindowNews } from './news/windowNews.ts';
import type { Observable } from './observable.ts';
import type { Prompter } from './prompter.ts';
import type { RecentPlans } from './recentPlans.ts';
import type { ShownPages } from './runner/shownPages.ts';
import type { VaultLink } from './vaultLink.ts';
import type { VaultModel } from './vaultModel.ts';

/** A demo that was made: a project and a vault of its own, in which one cycle can be played without any model. */
export interface Demo {
  readonly vault: string;
  readonly scenario: string;
  /** Adopts the project in the open vault, and gives its plan something to do. */
  begin(api: Api): Promise<QualifiedId>;
}

export interface RehearseRequest {
  readonly vault: string;
  readonly plan: QualifiedId;
  readonly harness: HarnessName;
  readonly onCopying: (size: { readonly files: number; readonly bytes: number }) => void;
  readonly onEvent: (event: RavelEvent) => void;
  readonly stop: AbortSignal;
}

/** What is done on this machine without a vault that is open. */
export interface Machine {
  makeVault(root: string, name: string): Promise<void>;
  /** Makes a demo in a folder that is not there yet. */
  makeDemo(folder: string): Promise<Demo>;
  /** Removes what lies in the folder of all demos, but for what is in use. */
  removeDemos(folder: string): Promise<void>;
  /** Runs a plan on a copy of its project and vault, and tells what that would have changed. */
  rehearse(request: RehearseRequest): Promise<RehearsalReport>;
  /** How our own command line is started. */
  commandLine(): Promise<ProgramStart>;
  /** Vaults which have adopted a project that one of the folders belongs to; of those `known`, and the configured one. */
  vaultsOf(folders: readonly string[], known: readonly string[]): Promise<readonly string[]>;
  /** Where a path leads once its links are followed; rejects if it leads to nothing. */
  realPath(path: string): Promise<string>;
  /** When the person last looked at what happened in a vault; undefined if this machine names no place for it. */
  lastVisit(vault: string): Promise<LastVisit | undefined>;
  /** What Ravel needs of this machine, looked for now. */
  startNeeds(): Promise<StartNeeds>;
  /** When the person is to be told nothing, such as `22:00-07:00`; empty for never. */
  quietHours(): Promise<string>;
  /** The person's own folder. */
  readonly home: string | undefined;
}

/** What every part of the window is handed: the vault of this window, and the editor's side of it. */
export interface UiContext {
  /** The vault that this window shows; undefined while it shows none. */
  readonly link: Observable<VaultLink | undefined>;
  /** What all views of this window show of its vault, kept by events. */
  readonly model: VaultModel;
  /** Shows another vault, or none, as the person wants it; it is remembered for this workspace. */
  open(vault: string | undefined): Promise<void>;
  /** The same, for what lies in the workspace; nothing is remembered. */
  show(vault: string | undefined): Promise<void>;
  /**
   * Throws `ui/untrusted` in Restricted Mode. Every command that runs or changes something asks first: what a menu does
   * not offer can still be called.
   */
  requireTrust(): void;
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  /** Logs a failure that no caller waits for. */
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
  /** Every question to the person goes through it. */
  readonly prompter: Prompter;
  /** What a person used last, for the pickers. */
  readonly recentPlans: RecentPlans;
  /** Tells the person what happens. */
  readonly news: WindowNews;
  readonly shownPages: ShownPages;
  readonly machine: Machine;
  readonly apiKey: ApiKey;
  /** Connects to the host of a terminal, past the owner of the vault. */
  readonly connectTerminal: ConnectTerminal;
}

/** A part of the window: registers what it has with the editor, and drops it when disposed. */
export type Part = (ui: UiContext) => Disposable;
