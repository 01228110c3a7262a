import type { AccessPorts } from '../access/ports.ts';
import type { Disposable } from '../base/disposable.ts';
import type { RemovedSecret, SecretRow, WrittenStore } from '../model/secretState.ts';

/** Where text goes. `isTty` and `columns` say how it may look there. */
export interface Output {
  write(text: string): void;
  readonly isTty: boolean;
  readonly columns: number;
}

export interface Input {
  readonly isTty: boolean;
  /** All of standard input as text; with `bytesMax` no more of it than shows that it has more. */
  readAll(bytesMax?: number): Promise<string>;
  /** One line that a person types after `prompt`; undefined when the input ended. */
  ask(prompt: string): Promise<string | undefined>;
  /** The same, and what is typed is not shown. */
  askHidden(prompt: string): Promise<string | undefined>;
}

export type Interrupt = 'SIGINT' | 'SIGTERM';

/** The outside world of the command line. */
export interface Ports extends AccessPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly temporaryDirectory: string;
  /** Where the package lies: the folder that holds `demo/` and `dist/`. */
  readonly packageRoot: string;
  readonly version: string;
  /** Of the Node that runs this. */
  readonly nodeVersion: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  onInterrupt(listener: (signal: Interrupt) => void): Disposable;
  /** Opens files together in the person's editor, or the named one; resolves with its exit code, or throws `cli/noEditor`. */
  runEditor(files: readonly string[], editor?: string): Promise<number>;
  /** Shows a text in the person's pager until they leave it; false if there is none, and nothing was shown. */
  runPager(text: string): Promise<boolean>;
  /**
   * Tells the person something by each way of their configuration; resolves with what went wrong, as sentences, or with
   * undefined if there is no way. Throws `notify/badSettings`.
   */
  sendTestNotification(): Promise<readonly string[] | undefined>;
  readonly secrets: SecretsPort;
}

/** The secrets of the person's configuration. What it resolves with and throws has no value in it. */
export interface SecretsPort {
  /** Tries each. Throws `secrets/badSettings`. */
  list(): Promise<readonly SecretRow[]>;
  /** Tries one; throws `secrets/unknown`. */
  where(name: string): Promise<SecretRow>;
  set(given: { readonly name: string; readonly value: string; readonly store?: WrittenStore }): Promise<SecretRow>;
  remove(name: string): Promise<RemovedSecret>;
}
