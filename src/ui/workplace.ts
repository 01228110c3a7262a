import type * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Observable } from './observable.ts';
import type { Prompter } from './prompter.ts';
import type { VaultLink } from './vaultLink.ts';
import type { VaultModel } from './vaultModel.ts';

/** What every part of the workplace is handed: the vault of this window, and the editor's side of it. */
export interface Workplace {
  /** The vault that this window shows; undefined while it shows none. */
  readonly link: Observable<VaultLink | undefined>;
  /** What all views of this window show of its vault, kept by events. */
  readonly model: VaultModel;
  /** Shows another vault, or none. */
  open(vault: string | undefined): Promise<void>;
  /**
   * Throws `ui/untrusted` in Restricted Mode. Every command that runs or changes something asks first: what a menu does
   * not offer can still be called.
   */
  requireTrust(): void;
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  /** Every question to the person goes through it. */
  readonly prompter: Prompter;
}

/** A part of the workplace: registers what it has with the editor, and drops it when disposed. */
export type Part = (workplace: Workplace) => Disposable;
