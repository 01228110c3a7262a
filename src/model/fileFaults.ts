import { defined } from '../base/defined.ts';
import type { Diagnostic } from '../base/errors.ts';
import { isReasoningPhase, type Phase } from './phase.ts';
import { filesStaged } from './phaseFiles.ts';
import { planFiles } from './plan.ts';

/** What is wrong with one file, in the words of every surface. */
export interface FileFault {
  /** `backlog.yaml, line 3: …`, with how much else is wrong in it. */
  readonly message: string;
  /** What to do. */
  readonly help?: string;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** One fault for each file, of its first problem; what is about no file stands for itself. */
export function fileFaults(problems: readonly Diagnostic[]): FileFault[] {
  const ofFiles = new Map<string, Diagnostic[]>();
  for (const [n, problem] of problems.entries()) {
    const key = problem.file ?? `${n}`;
    ofFiles.set(key, [...(ofFiles.get(key) ?? []), problem]);
  }
  return [...ofFiles.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : toFault(first, others.length),
  );
}

function toFault({ message, help, file, range }: Diagnostic, others: number): FileFault {
  const more = others === 0 ? '' : ` (and ${others} more in this file)`;
  const advice = defined({ help });
  if (file === undefined) return { message: message + more, ...advice };
  const line = range === undefined ? undefined : range.start.line + 1;
  const place = line === undefined ? baseName(file) : `${baseName(file)}, line ${line}`;
  // A reader of YAML says the line by itself.
  const text = message.startsWith(`Line ${line}: `) ? message.slice(`Line ${line}: `.length) : message;
  return { message: `${place}: ${text}${more}`, ...advice, file, ...defined({ line }) };
}

/** The problem that keeps a phase from beginning: a session would build on what it reads. */
export function faultFor<Problem extends Pick<Diagnostic, 'file' | 'severity'>>(
  phase: Phase | undefined,
  problems: readonly Problem[],
): Problem | undefined {
  const staged = phase !== undefined && isReasoningPhase(phase) ? filesStaged(phase) : [];
  const needed: ReadonlySet<string> = new Set([...staged, planFiles.marker, planFiles.phase]);
  return problems.find(
    ({ severity, file }) => severity === 'error' && file !== undefined && needed.has(baseName(file)),
  );
}

function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}
