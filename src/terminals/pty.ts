import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { arch } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { TerminalExit, TerminalSize } from '../model/terminal.ts';

export interface PtyJob {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
}

/** A program on a pseudo-terminal; it leads a session and a group of its own. */
export interface Pty {
  readonly pid: number;
  /** Whole characters; bytes that are not UTF-8 come as U+FFFD. */
  onData(listener: (text: string) => void): Disposable;
  /** The program is gone. What it printed last may still come. */
  onExit(listener: (exit: TerminalExit) => void): Disposable;
  write(text: string): void;
  resize(size: TerminalSize): void;
  /** While it is paused the program waits, once the system's own buffer is full. */
  pause(): void;
  resume(): void;
  /** Tells the program that its terminal is gone, as the system does when a terminal is closed. */
  hangUp(): void;
}

type NativeEvent<T> = (listener: (value: T) => void) => Disposable;

/** What we use of the package. */
interface NativePtys {
  spawn(
    program: string,
    args: string[],
    options: {
      readonly name: string;
      readonly cols: number;
      readonly rows: number;
      readonly cwd: string;
      readonly env: Record<string, string>;
    },
  ): NativePty;
}

interface NativePty {
  readonly pid: number;
  readonly onData: NativeEvent<string>;
  readonly onExit: NativeEvent<{ readonly exitCode: number; readonly signal?: number }>;
  /** Not documented. */
  readonly _socket?: Socket;
  write(text: string): void;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  kill(signal?: string): void;
}

/** So long without any output a program that ended has said all; and it is not waited for longer than that. */
const quietMs = 50;
const quietMsMax = 10_000;

export type StartPty = (job: PtyJob) => Pty;

/**
 * The door to pseudo-terminals. The package has a part that is built for each system, so it is loaded when the first
 * terminal is wanted, in a process of its own, and everything else works if it is missing. Rejects with
 * `terminal/unavailable`.
 */
export async function loadPty(disk: Disk, clock: Clock): Promise<StartPty> {
  const require = createRequire(import.meta.url);
  try {
    if (process.platform === 'darwin') await makeHelperExecutable(disk, require);
    // Under a name of its own, so that no bundler follows it.
    const { spawn }: NativePtys = require('node-pty');
    return (job) => startWith(spawn, clock, job);
  } catch (cause) {
    throw failure('terminal/unavailable', 'node-pty', `No terminal can be opened: ${firstLine(messageOf(cause))}`, {
      cause,
    });
  }
}

/** Some ways to install lose the permission of the program that starts others on macOS. */
async function makeHelperExecutable(disk: Disk, require: NodeJS.Require): Promise<void> {
  const helper = require.resolve(`@lydell/node-pty-${process.platform}-${arch()}/spawn-helper`);
  const { mode } = await disk.stat(helper);
  if ((mode & 0o111) === 0) await disk.changeMode(helper, 0o755);
}

function startWith(spawn: NativePtys['spawn'], clock: Clock, { program, args, cwd, environment, size }: PtyJob): Pty {
  const { columns: cols, rows } = size;
  const pty = spawn(program, [...args], { name: 'xterm-256color', cols, rows, cwd, env: { ...environment } });
  readToTheEnd(pty._socket, clock);
  return {
    pid: pty.pid,
    onData: (listener) => pty.onData(listener),
    onExit: (listener) =>
      pty.onExit(({ exitCode, signal }) =>
        listener({ code: exitCode, ...(signal !== undefined && signal !== 0 && { signal }) }),
      ),
    write: (text) => pty.write(text),
    resize: (next) => pty.resize(next.columns, next.rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    hangUp: () => pty.kill(process.platform === 'win32' ? undefined : 'SIGHUP'),
  };
}

/**
 * Shortly after its program ended the package closes a terminal, whether or not all of it was read: here it is read until
 * nothing comes any more. If the package changes inside, its own way is left as it is.
 */
function readToTheEnd(socket: NativePty['_socket'], clock: Clock): void {
  if (socket === undefined) return;
  const close = socket.destroy.bind(socket);
  let pieces = 0;
  socket.on('data', () => {
    pieces++;
  });
  socket.destroy = () => {
    // Little is left, and no client can hold it back any more.
    socket.pause = () => socket;
    socket.resume();
    const sinceMs = clock.monotonicMs();
    // Pieces are counted and not timed: however late two checks are, what waited is read between them.
    const closeWhenQuiet = (before: number | undefined) => {
      clock.schedule(quietMs, () => {
        if (pieces === before || clock.monotonicMs() - sinceMs >= quietMsMax) close();
        else closeWhenQuiet(pieces);
      });
    };
    closeWhenQuiet(undefined);
    return socket;
  };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
