import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { commandLinePath } from './commandLine.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** Resolves once standard output holds `text`. */
  printed(text: string): Promise<void>;
  /** The same of standard error. */
  logged(text: string): Promise<void>;
}

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
}

/** Starts the bundled command line with nothing in its environment but PATH and what the test gives. */
export function startRavel(args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  return startProgram(process.execPath, [commandLinePath(), ...args], options);
}

function startProgram(program: string, args: readonly string[], options: ProgramOptions): RunningProgram {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...options.environment },
    stdio: 'pipe',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  const waiting: (() => void)[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    for (const look of waiting) look();
  });
  child.stdin.end(options.stdin ?? '');
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const when = (text: string, said: () => string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (said().includes(text)) resolve();
      };
      waiting.push(look);
      look();
      ended.then(() => reject(new Error(`the program ended without printing ${text}: ${stdout}${stderr}`)), reject);
    });
  return {
    ...{ child, ended },
    printed: (text) => when(text, () => stdout),
    logged: (text) => when(text, () => stderr),
  };
}

export function runRavel(args: readonly string[], options: ProgramOptions = {}): Promise<Ran> {
  return startRavel(args, options).ended;
}

/** Runs any program to its end in the same way. */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions = {}): Promise<Ran> {
  return startProgram(program, args, options).ended;
}
