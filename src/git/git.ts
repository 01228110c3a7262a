import { spawn as systemSpawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { isRavelError, systemCode } from '../base/errors.ts';
import type { Processes, Spawn } from '../base/processes.ts';
import { OutputHead, OutputTail } from '../base/processOutput.ts';
import { type EndCause, runProcess } from '../base/runProcess.ts';
import { failure } from '../model/codes.ts';
import type { ConfineHooks } from './confinedHooks.ts';
import { type AcceptedIn, type AskSettings, createHardening, type RepositorySettings } from './hardening.ts';
import { ownEnvironment } from './ownSettings.ts';

/** Runs git, and checks every exit code. The other files of this room say what to run. */
export interface Git {
  readonly clock: Clock;
  readonly disk: Disk;
  /**
   * Runs `git <args>` in `directory`. Rejects with `git/missing`, `project/missing`, `git/timedOut`,
   * `git/notARepository`, `git/noIdentity`, `git/indexLocked`, `git/headMoved` or `git/failed`.
   */
  run(directory: string, args: readonly string[], options?: GitRunOptions): Promise<GitResult>;
  settings(directory: string): Promise<RepositorySettings>;
  readonly processes?: Pick<Processes, 'self' | 'identify'> | undefined;
  readonly confineHooks?: ConfineHooks | undefined;
  readonly accepted?: AcceptedIn | undefined;
  /** Directories in which git knew who commits; all are forgotten when it refuses a commit because it does not. */
  readonly identified: Set<string>;
}

export interface GitOptions {
  /** Of this process; only the names of an allow-list reach git and its hooks. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly disk: Disk;
  /** Tells whose a temporary index is; without it those of killed processes stay. */
  readonly processes?: Pick<Processes, 'self' | 'identify'> | undefined;
  readonly spawn?: Spawn;
  /** Goes before every start, and rejects if git must not run: what git changes is out of the disk's sight. */
  readonly mayStart?: () => Promise<void>;
  /** Keeps the hooks of a repository, which are its programs, to it; without it they run as git starts them. */
  readonly confineHooks?: ConfineHooks | undefined;
  readonly program?: string;
  readonly timeoutMs?: number;
  /** What repositories may start; without it everything that they say, but for what `ownSettings` switches off. */
  readonly accepted?: AcceptedIn | undefined;
}

export interface GitRunOptions {
  /** Whether the repository's hooks run; `assertHooksAccepted` goes before. */
  readonly hooks?: boolean;
  /** Leaves all settings as the repository has them: only for what starts nothing and asks about them. */
  readonly asConfigured?: boolean;
  /** Added to the allow-listed environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Exit codes that are answers and no failures; `[0]` unless told. */
  readonly okCodes?: readonly number[];
  /** Take this much of the output and end git there, instead of failing when it is more than the room can hold. */
  readonly cutBytes?: number;
}

export interface GitResult {
  readonly stdout: Buffer;
  /** The end of it, at most 64 KiB. */
  readonly stderr: string;
  readonly code: number;
  /** Whether the output was longer than `cutBytes`. */
  readonly cut: boolean;
}

/**
 * Bytes of an answer of git, if the caller sets no other limit; bytes and characters of what git reports as an error.
 */
const outputBytesMax = 64 * 1024 * 1024;
const stderrBytesMax = 64 * 1024;
const stderrTailChars = 2000;
/** How long git has to take its lock files away, which it does on SIGTERM. */
const graceMs = 500;

export function createGit(options: GitOptions): Git {
  const { clock, disk, spawn = systemSpawn, program = 'git', timeoutMs = 120_000 } = options;
  const person = inheritedEnvironment(options.environment);
  const identified = new Set<string>();
  const startOnce = async (directory: string, args: readonly string[], own: Environment, run: GitRunOptions) => {
    const stdout = new OutputHead(run.cutBytes ?? outputBytesMax, 'end');
    const stderr = new OutputTail(stderrBytesMax);
    const environment = { ...person, ...own, ...run.environment };
    const limits = { stdin: run.stdin, stdout, stderr, timeoutMs, graceMs };
    const job = { program, args, workingDirectory: directory, environment, ...limits };
    const end = await runProcess(job, { clock, spawn });
    if (end.cause === 'notStarted') throw end.error;
    const code = end.code ?? endedBySignal;
    return { cause: end.cause, code, stdout: stdout.bytes, stderr: stderr.bytes.toString('utf8') };
  };
  const start: typeof startOnce = async (...job) => {
    await options.mayStart?.();
    const ending = await startOnce(...job);
    return lostCommondir(ending) ? startOnce(...job) : ending;
  };
  const startFailure = async (directory: string, error: unknown): Promise<never> => {
    if (isRavelError(error)) throw error;
    // The operating system gives ENOENT for a missing folder and for a missing program alike.
    const folderExists = await disk.stat(directory).then(
      (stat) => stat.kind === 'directory',
      () => false,
    );
    if (!folderExists) {
      throw failure('project/missing', directory, `The folder ${directory} does not exist.`, { cause: error });
    }
    if (systemCode(error) === 'ENOENT') {
      throw failure('git/missing', directory, `The program "${program}" was not found.`, { cause: error });
    }
    throw failure('git/failed', directory, `git could not be started in ${directory}.`, { cause: error });
  };
  const ask: AskSettings = async (directory, args, stdin) => {
    // A configuration that git cannot read is told by the command that was wanted.
    const run = defined({ stdin });
    const asking = start(directory, args, ownEnvironment, run).catch((error: unknown) =>
      startFailure(directory, error),
    );
    return judge(directory, args, { okCodes: [0, ...unreadable] }, await asking).stdout;
  };
  function judge(directory: string, args: readonly string[], run: GitRunOptions, ending: Ending): GitResult {
    const { cause, stdout, stderr, code } = ending;
    const command = commandOf(args);
    const cut = cause === 'enoughOutput';
    if (cause === 'timedOut') {
      throw failure('git/timedOut', directory, `git ${command} was ended after ${timeoutMs} ms.${afterOutput(stderr)}`);
    }
    if (cut && run.cutBytes === undefined) {
      throw failure('git/failed', directory, `git ${command} answered with more than ${outputBytesMax} bytes.`);
    }
    if (cut) return { stdout, stderr, code: 0, cut };
    if ((run.okCodes ?? [0]).includes(code)) return { stdout, stderr, code, cut };
    const failed = failureOf(directory, command, code, stderr);
    if (isRavelError(failed, 'git/noIdentity')) identified.clear();
    throw failed;
  }
  const hardening = createHardening({ disk, person, accepted: options.accepted, ask });
  return {
    clock,
    disk,
    processes: options.processes,
    accepted: options.accepted,
    confineHooks: options.confineHooks,
    identified,
    settings: (directory) => hardening.settingsIn(directory),
    async run(directory, args, run = {}) {
      const environment =
        run.asConfigured === true
          ? Promise.resolve(ownEnvironment)
          : hardening.environmentFor(directory, commandOf(args), run.hooks === true);
      const ending = await environment
        .then((own) => start(directory, args, own, run))
        .catch((error: unknown) => startFailure(directory, error));
      return judge(directory, args, run, ending);
    },
  };
}

/** The output as text, without the newline at its end. */
export async function gitText(
  git: Git,
  directory: string,
  args: readonly string[],
  options?: GitRunOptions,
): Promise<string> {
  const { stdout } = await git.run(directory, args, options);
  return stdout.toString('utf8').replace(/\n$/, '');
}

/** The end of what git or a hook printed, as the rest of a sentence; '' if it printed nothing. */
export function afterOutput(stderr: string): string {
  const text = stderr.trim().slice(-stderrTailChars);
  return text === '' ? '' : ` It said: ${text}`;
}

type Environment = Readonly<Record<string, string>>;

/**
 * Variables that reach git. None that names a repository, an index or an object store: a Ravel that was started from a
 * hook would work in the wrong place. No key agent: nothing here talks to a remote. The user's own configuration can be
 * in the environment too, but `GIT_CONFIG_PARAMETERS` comes from the git that started Ravel and not from the user.
 */
const inheritedNames = [
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|GNUPGHOME)$/i,
  /^XDG_/,
  /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$/,
  /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL)$/,
  /^(SYSTEMROOT|COMSPEC|PATHEXT|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|TEMP|TMP)$/i,
];

function inheritedEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && inheritedNames.some((pattern) => pattern.test(name))) inherited[name] = value;
  }
  return inherited;
}

/**
 * Stands for the exit code of a git that a signal ended; git never exits with it by itself, and no caller takes it for
 * an answer.
 */
const endedBySignal = 255;

/** How git ends where a configuration is not one. */
const unreadable = [3, 128];

interface Ending {
  readonly cause: EndCause;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number;
}

/** A stand-in (`plans/commits/standIns.ts`) went between two looks of git at it; git had not begun with anything. */
function lostCommondir({ code, stderr }: Ending): boolean {
  return code === 128 && stderr.startsWith('fatal: failed to read ') && stderr.includes('/commondir: No such file');
}

/** The command among the arguments: `-c key=value` and `--literal-pathspecs` stand before it. */
function commandOf(args: readonly string[]): string {
  let at = 0;
  while (args[at]?.startsWith('-')) at += args[at] === '-c' ? 2 : 1;
  return args[at] ?? '';
}

function failureOf(directory: string, command: string, code: number, stderr: string) {
  // Only what git itself dies of has these codes; a hook may say anything, and ends a command with 1.
  if (code >= 128) {
    if (/not a git repository|must be run in a work tree|cannot use bare repository/.test(stderr)) {
      return failure('git/notARepository', directory, `${directory} is not inside the work tree of a git repository.`);
    }
    if (/tell me who you are|empty ident name|auto-detection is disabled|auto-detect email/.test(stderr)) {
      return failure('git/noIdentity', directory, `git does not know who commits in ${directory}.`);
    }
    if (/index\.lock': File exists/.test(stderr)) {
      return failure('git/indexLocked', directory, `The index of the repository is locked.${afterOutput(stderr)}`);
    }
    if (/cannot lock ref '[^'\n]*': is at [0-9a-f]+ but expected|reference already exists/.test(stderr)) {
      return failure('git/headMoved', directory, 'The branch moved while a commit was made; nothing was committed.', {
        help: 'Another commit was made at the same moment. Run the phase again.',
      });
    }
  }
  return failure('git/failed', directory, `git ${command} ended with code ${code}.${afterOutput(stderr)}`);
}
