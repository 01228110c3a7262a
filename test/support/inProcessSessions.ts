import { ChildProcess, spawn as systemSpawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import { isRavelError } from '../../src/base/errors.ts';
import { writeFully } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Spawn } from '../../src/base/processes.ts';
import { sessionFiles } from '../../src/harness/hostRecord.ts';
import { runScripted, type ScriptedPorts } from '../../src/harness/scriptedProgram.ts';
import { terminateSession } from '../../src/harness/terminate.ts';
import { runMcp } from '../../src/mcp/mcp.ts';
import { failure } from '../../src/model/codes.ts';
import type { Api } from '../../src/model/protocol.ts';
import { protocolVersion } from '../../src/model/protocolVersion.ts';
import { type ClientApi, type ConnectOptions, connect } from '../../src/server/client.ts';
import type { CloseReason } from '../../src/server/socketTransport.ts';
import { Life } from './life.ts';
import { PretendProcesses } from './pretendProcesses.ts';
import { systemError } from './tracingDisk.ts';

/** A vault's owner in this process, as sessions reach it without a socket. */
interface Endpoint {
  readonly api: Api;
  readonly closes: Emitter<CloseReason>;
}

/**
 * Plays sessions of the scripted harness inside the test's own process: the same player and session tools, the same
 * files, and a pretended process for each, which outlives the owner that started it and can be signalled. Its `spawn`
 * starts everything else for real. A session of it has no way to leave its process group.
 */
export class InProcessSessions {
  readonly processes = new PretendProcesses();
  readonly #playing = new Set<Playing>();
  readonly #doors = new Map<string, Endpoint>();

  readonly spawn: Spawn = (program, args, options) => {
    const session = sessionIn(program, args, options.env ?? {});
    if (session === undefined) return systemSpawn(program, args, options);
    const child = new ChildProcess();
    if (!existsSync(String(options.cwd))) {
      setImmediate(() => child.emit('error', systemError('ENOENT')));
      return child;
    }
    const playing = new Playing(session, this.processes, (ports) => this.#connect(ports));
    this.#playing.add(playing);
    Object.assign(child, { pid: playing.pid });
    setImmediate(() => {
      child.emit('spawn');
      void playing.run().then((code) => {
        this.#playing.delete(playing);
        child.emit('exit', code, null);
        child.emit('close', code, null);
      });
    });
    return child;
  };

  /** Lets sessions reach an owner that has no server on this socket. Tell why the door closes. */
  openDoor(socketPath: string, api: Api): { close(reason: CloseReason): void } {
    const door: Endpoint = { api, closes: new Emitter<CloseReason>(() => undefined) };
    this.#doors.set(socketPath, door);
    return {
      close: (reason) => {
        if (this.#doors.get(socketPath) === door) this.#doors.delete(socketPath);
        door.closes.emit(reason);
      },
    };
  }

  /** Whether a session is played whose files lie below a folder. */
  hasBelow(folder: string): boolean {
    return [...this.#playing].some(({ directory }) => !relative(folder, directory).startsWith('..'));
  }

  /** Ends the sessions whose files lie below a folder. */
  async endBelow(folder: string): Promise<void> {
    for (const playing of this.#playing) {
      if (relative(folder, playing.directory).startsWith('..')) continue;
      playing.endAll();
      await playing.ended;
    }
  }

  async #connect(options: ConnectOptions): Promise<ClientApi> {
    try {
      return await connect(options);
    } catch (error) {
      const door = this.#doors.get(options.socketPath);
      if (door === undefined || !isRavelError(error, 'server/gone')) throw error;
      return clientOf(door, options.socketPath);
    }
  }
}

/** Those of this worker: a session is the next owner's as well. */
export const inProcessSessions = new InProcessSessions();

interface SessionOrder {
  readonly directory: string;
  readonly planFile: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The session that a program's arguments start, where it is one of the scripted harness without a terminal. */
function sessionIn(
  program: string,
  args: readonly string[],
  environment: SessionOrder['environment'],
): SessionOrder | undefined {
  const [, , name, directory] = args;
  const planFile = args.at(-1);
  if (program !== '/bin/sh' || name !== 'ravel-session' || args.at(-2) !== 'scripted') return undefined;
  if (directory === undefined || planFile === undefined) return undefined;
  return { directory, planFile, environment };
}

/** One session, with what its shell, its program and its tools do in processes of their own elsewhere. */
class Playing {
  readonly pid: number;
  readonly directory: string;
  readonly #order: SessionOrder;
  readonly #processes: PretendProcesses;
  readonly #connect: (options: ConnectOptions) => Promise<ClientApi>;
  readonly #life = new Life();
  readonly #groups = new Set<number>();
  readonly #tools: { close(): void }[] = [];
  #state: 'alive' | 'gone' = 'alive';
  #end: (how: { readonly code?: number }) => void = () => undefined;
  readonly #ending = new Promise<{ readonly code?: number }>((resolve) => {
    this.#end = resolve;
  });
  ended: Promise<unknown> = Promise.resolve();

  constructor(
    order: SessionOrder,
    processes: PretendProcesses,
    connectTo: (options: ConnectOptions) => Promise<ClientApi>,
  ) {
    this.#order = order;
    this.#processes = processes;
    this.#connect = connectTo;
    this.directory = order.directory;
    this.pid = processes.add({
      isAlive: () => this.#state === 'alive',
      signal: (signal) => this.#signal(signal),
    });
    processes.addSession(order.environment['RAVEL_SESSION'] ?? '', {
      pid: this.pid,
      groups: () => this.#livingGroups(),
    });
  }

  /** Resolves with the exit code once the session has no process any more but what it left running; null: by SIGKILL. */
  run(): Promise<number | null> {
    const running = this.#run();
    this.ended = running;
    return running;
  }

  endAll(): void {
    for (const group of this.#livingGroups()) process.kill(-group, 'SIGKILL');
    if (this.#state === 'alive') this.#signal('SIGKILL');
  }

  async #run(): Promise<number | null> {
    const start = (await this.#processes.identityOf(this.pid)).startTime;
    // As /proc shows a process: its start time is the 22nd field.
    const stat = `${this.pid} (sh) S 1 ${Array.from({ length: 17 }, () => '0').join(' ')} ${start} 0`;
    await write(nodeDisk, join(this.directory, 'pid'), `${this.pid}\n${stat}\n`);
    if (existsSync(join(this.directory, sessionFiles.tooLate))) {
      this.#state = 'gone';
      return 0;
    }
    const { stdout, stderr } = { stdout: this.#stream('spool'), stderr: this.#stream('stderr') };
    const play = async () => {
      try {
        return { code: await runScripted(this.#order.planFile, this.#ports(stdout, stderr)) };
      } catch (error) {
        await write(this.#life.disk(nodeDisk), join(this.directory, 'stderr'), `${String(error)}\n`);
        return { code: 1 };
      }
    };
    const { code } = await Promise.race([play(), this.#ending]);
    this.#life.end();
    for (const tools of this.#tools) tools.close();
    await this.#life.quiet();
    if (code !== undefined) await write(nodeDisk, join(this.directory, 'exit'), `${code}\n`);
    this.#state = 'gone';
    return code ?? null;
  }

  #ports(stdout: Writable, stderr: Writable): ScriptedPorts {
    const disk = this.#life.disk(nodeDisk);
    const clock = this.#life.clock(systemClock);
    const { environment } = this.#order;
    return {
      ...{ disk, clock, environment, stdout, stderr },
      // The program alone: its shell lives to write down how it ended.
      crash: (signal) => this.#end({ code: 128 + constants.signals[signal] }),
      spawn: this.#life.spawn((program, args, options) => {
        const child = systemSpawn(program, args, { ...options, env: { ...environment }, detached: true });
        if (child.pid !== undefined) this.#groups.add(child.pid);
        return child;
      }),
      connectTools: ({ env }) => {
        const [input, output] = [new PassThrough(), new PassThrough()];
        void runMcp({
          ...{ disk, clock, input, output, version: '0.0.0' },
          environment: env ?? {},
          connect: this.#connect,
          endGroup: (group) => terminateSession({ clock: systemClock, processes: this.#processes.table() }, group),
        }).catch((error: unknown) => {
          // As a process that ends: its reader hears the end.
          stderr.write(`ravel mcp: ${String(error)}\n`);
          output.end();
        });
        const transport = new StdioServerTransport(output, input);
        this.#tools.push({
          close: () => {
            input.destroy();
            output.destroy();
          },
        });
        return transport;
      },
    };
  }

  /** Of the session's shell and of its program; the shell survives what can be caught. */
  #signal(signal: NodeJS.Signals): void {
    this.#end(signal === 'SIGKILL' ? {} : { code: 128 + constants.signals[signal] });
    this.#life.end();
  }

  #livingGroups(): number[] {
    return [...this.#groups].filter((group) => {
      try {
        return process.kill(-group, 0);
      } catch {
        this.#groups.delete(group);
        return false;
      }
    });
  }

  #stream(name: string): Writable {
    const disk = this.#life.disk(nodeDisk);
    const path = join(this.directory, name);
    return new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        write(disk, path, text).then(() => done(), done);
      },
    });
  }
}

async function write(disk: Disk, path: string, text: string): Promise<void> {
  const file = await disk.open(path, 'append', 0o600);
  try {
    await writeFully(file, Buffer.from(text));
  } finally {
    await file.close();
  }
}

/** A client of an owner in this process; what passes is copied as a socket would. */
async function clientOf({ api, closes }: Endpoint, socketPath: string): Promise<ClientApi> {
  const drops = new Emitter<number>(() => undefined);
  const closed = new Emitter<CloseReason>(() => undefined);
  let isClosed = false;
  const gone = () => failure('server/gone', socketPath, 'The owner of the vault is gone.');
  const pending = new Set<(error: Error) => void>();
  const subscriptions: Disposable[] = [];
  const close = (reason: CloseReason) => {
    if (isClosed) return;
    isClosed = true;
    for (const subscription of subscriptions) subscription.dispose();
    closed.emit(reason);
    for (const reject of pending) reject(gone());
  };
  subscriptions.push(closes.event(close));
  const request: Api['request'] = async (name, params, signal) => {
    if (isClosed) throw gone();
    let onGone: (error: Error) => void = () => undefined;
    const lost = new Promise<never>((_resolve, reject) => {
      onGone = reject;
    });
    pending.add(onGone);
    try {
      return copyOf(await Promise.race([api.request(name, copyOf(params), signal), lost]));
    } finally {
      pending.delete(onGone);
    }
  };
  return {
    request,
    owner: await request('hello', { protocol: protocolVersion }),
    onEvent: (listener) => {
      const subscription = api.onEvent((event) => listener(copyOf(event)));
      subscriptions.push(subscription);
      return toDisposable(() => subscription.dispose());
    },
    onDidClose: closed.event,
    onDidDrop: drops.event,
    close: () => close('closed'),
  };
}

function copyOf<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
