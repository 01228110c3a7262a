import type { Disk } from '../base/disk.ts';
import type { EventActor, SessionEnd } from '../model/event.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { Ulid } from '../model/id.ts';
import type { SessionPurpose } from '../model/sessionPurpose.ts';
import type { Settings } from '../model/settings.ts';
import type { TerminalSize } from '../model/terminal.ts';
import type { Usage } from '../model/usage.ts';
import type { Recording } from './recording.ts';

/** What a harness can do, as data; policy asks this and never the harness's name. */
export interface Capabilities {
  /** Whether its sessions of this purpose can change files or run commands by themselves. */
  readonly writes: Readonly<Record<SessionPurpose, boolean>>;
  readonly reportsCost: boolean;
}

/** Everything a fresh session is made of; absolute paths. */
export interface SessionSpec {
  readonly session: Ulid;
  /** Whom it is for: the plan of a phase. */
  readonly actor: EventActor;
  readonly purpose: SessionPurpose;
  /** `runtime/sessions/<ulid>`; holds `prompt.md` and `system.md`, takes spool, stderr, pid, exit and host.json. */
  readonly sessionDirectory: string;
  readonly cwd: string;
  /** What it may read, or work in; a consultation may have none. */
  readonly projectDirectory?: string;
  readonly systemPrompt: string;
  readonly model?: string;
  /** The program and arguments that start `ravel mcp`; RAVEL_SESSION and RAVEL_TOKEN are in the environment. */
  readonly mcpCommand: {
    readonly program: string;
    readonly args: readonly string[];
    /** Added for the session tools alone, and never for the agent program. */
    readonly environment?: Readonly<Record<string, string>>;
  };
  readonly token: string;
  /** The socket that takes the requests of sessions. */
  readonly socketPath: string;
  readonly vault: string;
  /** For the scripted harness: absolute path of the scenario. */
  readonly scenario?: string;
  /** The task of a work session, for the scripted harness's `${task}`. */
  readonly task?: string;
  readonly limits: SessionLimits;
  /** The terminal that a person sits at; without it the session runs by itself. */
  readonly terminal?: SessionTerminal;
  /** Whether it is told more of the memory when it uses a tool. */
  readonly recalls?: true;
  /** A program that runs its one argument as a shell command in the session's sandbox; without it there is none. */
  readonly shell?: string;
}

/** How a session gets a terminal: its program is started by a small host that holds the pseudo-terminal. */
export interface SessionTerminal {
  readonly title: string;
  /** The first words of the session, which the person sees there. */
  readonly opening: string;
  readonly size: TerminalSize;
  readonly socketPath: string;
  /** Where the host writes down that it listens. */
  readonly recordFile: string;
  /** What starts this program again; the host needs its environment and the agent program must not have it. */
  readonly entry: {
    readonly program: string;
    readonly args: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  };
}

export interface SessionLimits {
  readonly timeMs: number;
  readonly outputBytes: number;
  readonly costUsd: number;
  /** Watchdog: how long without an owner, after a crash and after an orderly stop. */
  readonly orphanMs: number;
  readonly orphanAfterStopMs: number;
}

/** How to start the program. Standard input is the file `stdin`; output goes to the spool. */
export interface HarnessCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Added to the allow-listed environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Files to write before the start, by absolute path (an MCP configuration, say); mode 0600. */
  readonly files: Readonly<Record<string, string>>;
  /** The same for programs; mode 0700. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Whether each command of the session is recorded before it runs, so that `openRuns` tells of all of them. */
  readonly recordsRuns?: true;
}

/** The commands of a session that went through its sandbox, as they were recorded before they ran. */
export interface CommandRuns {
  /** The tool whose calls run them. */
  readonly tool: string;
  /** What came since the last time: for each run the text that was run, perhaps with other words around it, and cut. */
  read(): Promise<readonly string[]>;
}

/** Turns lines of the harness's output into the common vocabulary; holds what a stream needs remembered. */
export interface OutputParser {
  /** `undefined` for a line that is known or unknown noise; `malformed` for one that is not a JSON object. */
  parse(line: string): readonly HarnessOutput[] | 'malformed' | undefined;
}

/** What is known of a session before it is prepared; without a purpose only what every session needs is checked. */
export type StartFacts = Pick<SessionSpec, 'actor' | 'scenario'> & Partial<Pick<SessionSpec, 'purpose'>>;

/** `unknown` if Ravel cannot look where the login is kept; `how` is a whole sentence. */
export interface Login {
  readonly state: 'found' | 'missing' | 'unknown';
  readonly how: string;
}

/** A kind of agent program. Pure but for `locate` and `checkStart`; processes, files and limits are the session host's business. */
export interface HarnessAdapter {
  readonly name: HarnessName;
  readonly capabilities: Capabilities;
  /** Names of environment variables of its own that a session may inherit; `*` at the end matches a prefix. */
  readonly environmentNames: readonly string[];
  /** The program to run, for the pre-flight; rejects with `harness/missing`. */
  locate(settings: Settings, environment: Readonly<Record<string, string | undefined>>): Promise<string>;
  /** What makes the program say its version and end; absent if it is a part of Ravel. */
  readonly versionArguments?: readonly string[];
  /** The oldest version that has all that `command` asks of it. */
  readonly oldestVersion?: string;
  /** What can be told of its login without a session and without the network. */
  findLogin?(environment: Readonly<Record<string, string | undefined>>): Promise<Login>;
  /** Folders outside of the project that its commands read, such as what it keeps of a person's shell. */
  readableFolders?(environment: Readonly<Record<string, string | undefined>>): readonly string[];
  /** What it adds by itself in each phase, as captured from its requests; the newest version first. */
  readonly recordings?: readonly Recording[];
  /**
   * Programs of a repository that its sessions there would run by themselves, and files that say which; absolute paths.
   * Absent if it runs none.
   */
  repositoryPrograms?(disk: Disk, settings: Settings, project: string): Promise<readonly string[]>;
  /** Whether there is what a session needs besides its program, for the pre-flight; rejects with a `harness/` code. */
  checkStart?(disk: Disk, start: StartFacts): Promise<void>;
  /** `environment` is what the program may inherit from. */
  command(
    spec: SessionSpec,
    program: string,
    settings: Settings,
    environment: Readonly<Record<string, string | undefined>>,
  ): HarnessCommand;
  createParser(): OutputParser;
  /** The program's own record of the tool calls of a session; absent if its output tells of all of them. */
  openRecord?(disk: Disk, sessionDirectory: string): CallsRecord;
  /** What was recorded of a session's commands, from the beginning; absent if no command is recorded. */
  openRuns?(disk: Disk, sessionDirectory: string): CommandRuns;
  /**
   * The same for a session with a person at its terminal; absent if there is none. What the program draws is for the
   * person: what it does is told by other ways, as lines of the spool in the common vocabulary.
   */
  readonly interactive?: Pick<HarnessAdapter, 'command' | 'createParser' | 'openRecord'>;
}

/** A record of a session's tool calls that its program keeps by itself. What was read is not read again. */
export interface CallsRecord {
  /** Whether there was anything to read up to now. */
  readonly isThere: boolean;
  /** How many bytes it has; 0 while there is none. */
  size(): Promise<number>;
  /**
   * The calls recorded since the last read; `isLast` says that nothing more will be written. Throws
   * `harness/unrecorded` if the file is not such a record, else the disk's errors.
   */
  read(isLast: boolean): AsyncIterable<HarnessOutput>;
}

/** A session that runs, started or re-adopted. */
export interface HarnessSession {
  readonly session: Ulid;
  readonly pid: number;
  /**
   * Outputs in order, always from the spool's beginning: parsing is deterministic, so the n-th output is the same for
   * every owner, and one that re-adopts skips those that the transcript already holds. Ends when the program ended.
   */
  readonly outputs: AsyncIterable<HarnessOutput>;
  /** Settles once the whole group is gone and the spool is read to its end. */
  readonly ended: Promise<SessionOutcome>;
  /**
   * What the program's own record tells of tool calls, from its beginning and as it grows; absent if the outputs tell of
   * all of them. Ends with the session. Throws `harness/unrecorded` if there is no record then, or none that can be read.
   */
  readonly recordedCalls?: AsyncIterable<HarnessOutput> | undefined;
  /** The commands that went through its sandbox, from the beginning; absent if they are not recorded. */
  readonly commandRuns?: CommandRuns | undefined;
  /** Ends the whole process group: SIGTERM, 500 ms, SIGKILL. Idempotent. */
  kill(reason: SessionEnd): Promise<void>;
}

export interface SessionOutcome {
  readonly end: SessionEnd;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs: number;
  readonly usage?: Usage;
  /** Whether the harness itself reported a good end (a result that is not an error). */
  readonly succeeded: boolean;
  /** Why the session's own watchdog ended it, as a sentence; the end is `stopped` then. */
  readonly watchdogReason?: string;
  /** The last 4096 bytes of standard error. */
  readonly stderrTail: string;
  readonly malformedLines: number;
  readonly outputBytes: number;
}

/** Starts and re-adopts sessions; the one door to agent programs for the rest of the program. */
export interface SessionHost {
  start(adapter: HarnessAdapter, spec: SessionSpec, signal: AbortSignal): Promise<HarnessSession>;
  /**
   * Takes over a session whose owner died, by what `host.json`, `pid` and `exit` in its directory say. If the group is
   * gone already, the outputs are read to their end and `ended` settles (`lost` when no exit was recorded).
   */
  reattach(adapter: HarnessAdapter, sessionDirectory: string): Promise<HarnessSession>;
  /**
   * Releases all sessions, which go on: their outputs end, their `ended` rejects with `run/stopped`, and nothing of
   * them is written or ended any more. Resolves once that is so.
   */
  release(): Promise<void>;
}
