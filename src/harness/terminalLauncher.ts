import { execFile, spawn as systemSpawn } from 'node:child_process';
import { join } from 'node:path';
import { CachedPromise } from '../base/cachedPromise.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { messageOf, systemCode } from '../base/errors.ts';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { ProcessTable, Spawn } from '../base/processes.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { Settings } from '../model/settings.ts';
import {
  type TerminalInfo,
  type TerminalJob,
  type TerminalRecord,
  type TerminalSize,
  terminalRecordSchema,
  terminalVariable,
} from '../model/terminal.ts';
import type { SessionTerminal } from './adapter.ts';
import { inheritedEnvironment } from './environment.ts';
import { terminateSession } from './terminate.ts';

export interface TerminalLauncherOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly spawn?: Spawn;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  readonly entry: SessionTerminal['entry'];
  readonly vault: string;
  /** Where terminals write down about themselves. */
  readonly directory: string;
  /** The socket of a terminal: what is preferred, unless its path is too long for the system. */
  readonly chooseSocketPath: (preferred: string) => string;
}

export interface ShellStart {
  readonly terminal: Ulid;
  readonly plan: QualifiedId;
  readonly cwd: string;
  readonly title: string;
  readonly size: TerminalSize;
}

/** What a plain shell may have beside what every session has: it is a person who sits there. */
const shellNames = ['USER', 'LOGNAME', 'SHELL', 'DISPLAY', 'WAYLAND_DISPLAY', 'SSH_AUTH_SOCK', 'COLORTERM', 'EDITOR'];
/** How long the check of the native package, and the start of a terminal, may take, in milliseconds. */
const checkTimeoutMs = 20_000;
const startTimeoutMs = 20_000;
/** Milliseconds between two attempts to connect. */
const pollMs = 15;
const hostFile = /^([0-9A-Z]{26})\.(?:json|job\.json|sock)$/;

/** Starts, finds and ends the processes that hold terminals. They outlive the process that started them. */
export class TerminalLauncher {
  readonly #options: TerminalLauncherOptions;
  readonly #checked = new CachedPromise<void>();

  constructor(options: TerminalLauncherOptions) {
    this.#options = options;
  }

  /**
   * Whether terminals can be opened here; rejects with `terminal/unavailable`. It is tried in a process of its own, which
   * may die of it, and once: only a failure is tried again.
   */
  check(): Promise<void> {
    return this.#checked.get(() => this.#try());
  }

  /** The terminal that a work session is given. */
  async ofSession(session: Ulid, shown: Pick<SessionTerminal, 'title' | 'opening' | 'size'>): Promise<SessionTerminal> {
    const { entry } = this.#options;
    await this.#makeRoom();
    return { ...shown, socketPath: this.#socketPath(session), recordFile: this.#recordFile(session), entry };
  }

  /** Starts a shell in a project; resolves once it can be connected to. */
  async startShell({ terminal, plan, cwd, title, size }: ShellStart): Promise<TerminalInfo> {
    const { disk, directory, entry, environment, settings, vault, spawn = systemSpawn } = this.#options;
    await this.#makeRoom();
    const added = entry.environment ?? {};
    const job: TerminalJob = {
      ...{ terminal, kind: 'shell', plan, title, size, cwd, vault },
      ...shellOf(environment),
      socketPath: this.#socketPath(terminal),
      recordFile: this.#recordFile(terminal),
      hidden: Object.keys(added),
      orphanMs: settings.limits['orphan-minutes-after-crash'] * 60_000,
    };
    const jobFile = join(directory, `${terminal}.job.json`);
    await writeAtomic(disk, jobFile, `${JSON.stringify(job, undefined, 2)}\n`, { permissions: 0o600 });
    const gone = new AbortController();
    const child = spawn(entry.program, [...entry.args, 'terminal', jobFile], {
      cwd,
      env: { ...inheritedEnvironment(environment, [...shellNames, ...settings.environment.pass]), ...added },
      detached: true,
      stdio: 'ignore',
    });
    child.once('error', (cause) => gone.abort(cause));
    child.once('exit', () => gone.abort());
    child.unref();
    return this.waitFor(terminal, gone.signal);
  }

  /** Resolves once the terminal can be connected to; rejects with `terminal/gone` if it ended before. */
  async waitFor(terminal: Ulid, gone: AbortSignal): Promise<TerminalInfo> {
    const { clock } = this.#options;
    const deadline = clock.monotonicMs() + startTimeoutMs;
    for (;;) {
      const isGone = gone.aborted;
      const record = await this.#load(terminal);
      if (record !== undefined) return infoOf(record);
      if (isGone || clock.monotonicMs() > deadline) {
        throw failure('terminal/gone', terminal, 'The terminal ended before it could be shown.');
      }
      await delay(clock, pollMs);
    }
  }

  /** Terminals that live, the oldest first. */
  async list(): Promise<TerminalInfo[]> {
    const { disk, directory } = this.#options;
    const entries = await disk.readDirectory(directory).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    });
    const ids = entries.flatMap(({ name }) => (/^[0-9A-Z]{26}\.json$/.test(name) ? [name.slice(0, 26) as Ulid] : []));
    const records = await Promise.all(ids.sort().map((id) => this.#load(id)));
    return records.filter((record) => record !== undefined).map(infoOf);
  }

  /** Ends a terminal and everything it started; false if it does not live any more. */
  async close(terminal: Ulid): Promise<boolean> {
    const record = await this.#load(terminal);
    if (record === undefined) return false;
    const { host } = record;
    const group = { pid: host.pid, session: terminal, variable: terminalVariable, leader: host };
    await terminateSession(this.#options, group);
    return true;
  }

  /** What a terminal wrote down, as long as its process lives. */
  async #load(terminal: Ulid): Promise<TerminalRecord | undefined> {
    const { disk, processes } = this.#options;
    const text = await readTextIfExists(disk, this.#recordFile(terminal));
    const { data } = terminalRecordSchema.safeParse(text === undefined ? undefined : parseJson(text));
    if (data === undefined) return undefined;
    return (await processes.isAlive(data.host)) ? data : undefined;
  }

  /** A folder for terminals, without what is left of those whose host was killed. */
  async #makeRoom(): Promise<void> {
    const { disk, directory } = this.#options;
    await ensureDirectory(disk, directory, 0o700);
    const living = new Set((await this.list()).map(({ terminal }) => terminal));
    for (const { name } of await disk.readDirectory(directory)) {
      const [, terminal] = hostFile.exec(name) ?? [];
      if (terminal === undefined || living.has(terminal as Ulid)) continue;
      const { mtimeMs } = await disk.stat(join(directory, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      // A terminal that is just starting is alive although its record does not show it yet.
      if (this.#options.clock.wallMs() - mtimeMs < startTimeoutMs) continue;
      await disk.unlink(join(directory, name)).catch((error: unknown) => {
        if (systemCode(error) !== 'ENOENT') throw error;
      });
    }
  }

  #recordFile(terminal: Ulid): string {
    return join(this.#options.directory, `${terminal}.json`);
  }

  #socketPath(terminal: Ulid): string {
    return this.#options.chooseSocketPath(join(this.#options.directory, `${terminal}.sock`));
  }

  async #try(): Promise<void> {
    const { entry, environment } = this.#options;
    const env = { ...inheritedEnvironment(environment, []), ...entry.environment };
    const args = [...entry.args, 'terminal', '--check'];
    await new Promise<void>((resolve, reject) => {
      execFile(entry.program, args, { env, timeout: checkTimeoutMs }, (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(unavailable(stderr, error));
      });
    });
  }
}

/** Leaves out what matters only to the code that starts and ends terminals. */
function infoOf({ host: _host, ...info }: TerminalRecord): TerminalInfo {
  return info;
}

function unavailable(stderr: string, cause: Error) {
  const output = stderr.trim().split('\n').at(-1) ?? '';
  const message = output === '' ? `No terminal can be opened: ${messageOf(cause)}` : output;
  return failure('terminal/unavailable', 'terminal', message, { cause });
}

function shellOf(environment: TerminalLauncherOptions['environment']): { program: string; args: string[] } {
  if (process.platform === 'win32') return { program: environment['ComSpec'] ?? 'cmd.exe', args: [] };
  // As the terminals of macOS do: only a login shell reads what sets its PATH there.
  const args = process.platform === 'darwin' ? ['-l'] : [];
  return { program: environment['SHELL'] ?? '/bin/sh', args };
}
