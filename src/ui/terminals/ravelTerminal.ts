import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { RavelEvent } from '../../model/event.ts';
import type {
  ConnectTerminal,
  TerminalClient,
  TerminalExit,
  TerminalInfo,
  TerminalSize,
} from '../../model/terminal.ts';
import { OutputBatch } from './outputBatch.ts';
import { exitLines, goneLine, judgedLine, outcomeLines } from './terminalText.ts';

export interface RavelTerminalOptions {
  readonly info: TerminalInfo;
  readonly connect: ConnectTerminal;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** How it stands with the program behind a terminal of the editor. */
export type TerminalState = 'waiting' | 'attached' | 'judged' | 'over' | 'closed';

/**
 * A terminal of the editor for a program that runs elsewhere: it shows what the host of that program keeps and then what
 * it prints, and hands on what is typed. The window may go; the program stays. After a work session it says what came of
 * the phase, and stays until a key is pressed.
 */
export class RavelTerminal implements vscode.Pseudoterminal {
  readonly info: TerminalInfo;
  readonly #options: RavelTerminalOptions;
  readonly #writes = new vscode.EventEmitter<string>();
  readonly #closes = new vscode.EventEmitter<number | undefined>();
  readonly #batch: OutputBatch;
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;
  #state: TerminalState = 'waiting';
  #client: TerminalClient | undefined;
  #size: TerminalSize | undefined;
  #exitCode = 0;
  #wasRunning = false;
  #outcome: Extract<RavelEvent, { type: 'phase.ended' }> | undefined;

  constructor(options: RavelTerminalOptions) {
    this.info = options.info;
    this.#options = options;
    this.#batch = new OutputBatch(options.clock, (text) => this.#writes.fire(text));
  }

  get state(): TerminalState {
    return this.#state;
  }

  /** The editor does not always know how much room there is; it says so later. */
  open(dimensions: vscode.TerminalDimensions | undefined): void {
    if (dimensions !== undefined) this.setDimensions(dimensions);
    this.#attach().catch((error: unknown) => {
      this.#options.onError(error);
      this.#end(goneLine);
    });
  }

  /** Whether the program ran when the editor closed the terminal, or runs still. */
  get wasRunning(): boolean {
    return this.#wasRunning || this.#state === 'attached';
  }

  /** The editor has closed it; whether the program goes on is decided elsewhere. */
  close(): void {
    this.#wasRunning = this.#state === 'attached';
    this.#state = 'closed';
    this.#client?.dispose();
    this.#batch.dispose();
  }

  handleInput(text: string): void {
    if (this.#state === 'over') this.#closes.fire(this.#exitCode);
    else if (this.#state === 'attached') this.#client?.write(text);
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    // A panel that is folded away has no room at all.
    if (columns < 2 || rows < 1) return;
    this.#size = { columns: Math.min(columns, 1000), rows: Math.min(rows, 1000) };
    this.#client?.resize(this.#size);
  }

  /** What happens in the vault: the end of the phase is the last word of its terminal. */
  hear(event: RavelEvent): void {
    if (event.type !== 'phase.ended' || event.session !== this.info.terminal || event.phase !== 'work') return;
    this.#outcome = event;
    if (this.#state === 'judged') this.#end(outcomeLines(event));
  }

  async #attach(): Promise<void> {
    const client = await this.#options.connect(this.info.socketPath);
    if (this.#state === 'closed') {
      client.dispose();
      return;
    }
    this.#client = client;
    this.#state = 'attached';
    client.onData((text) => this.#batch.add(text));
    client.onExit((exit) => this.#onExit(exit));
    client.onLost(() => this.#onLost());
    if (this.#size !== undefined) client.resize(this.#size);
    client.attach();
  }

  #onExit(exit: TerminalExit): void {
    this.#batch.flush();
    this.#exitCode = exit.code;
    if (this.info.kind === 'work') {
      this.#judge();
      return;
    }
    const lines = exitLines(exit);
    if (lines === undefined) this.#closes.fire(exit.code);
    else this.#end(lines);
  }

  #onLost(): void {
    this.#batch.flush();
    if (this.info.kind === 'work') this.#judge();
    else this.#end(goneLine);
  }

  #judge(): void {
    if (this.#state === 'closed') return;
    this.#state = 'judged';
    if (this.#outcome === undefined) this.#writes.fire(judgedLine);
    else this.#end(outcomeLines(this.#outcome));
  }

  #end(lines: string): void {
    if (this.#state === 'closed') return;
    this.#state = 'over';
    this.#writes.fire(lines);
  }
}
