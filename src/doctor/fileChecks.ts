import type { Diagnostic } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import { fileFaults } from '../model/fileFaults.ts';
import type { Check } from '../model/requests/doctor.ts';
import { toCheck } from './vaultChecks.ts';

/** Files that doctor names; `verify` names all. */
const filesMax = 20;

/**
 * What verification found, one check for each file with its worst problem. A problem that one of the `others` tells is
 * not told again.
 */
export function checkFiles(root: string, found: readonly Diagnostic[], others: readonly Check[]): Check[] {
  const isTold = (problem: Diagnostic) => {
    const { message } = toCheck('files', problem);
    return others.some((other) => other.message === message || other.message.endsWith(problem.message));
  };
  const problems = found.filter((problem) => !isTold(problem));
  if (found.length === 0) {
    return [{ check: 'files', severity: 'ok', subject: root, message: 'Every file of the vault can be read.' }];
  }
  const files = groupByFile(problems);
  const shown = files.slice(0, filesMax).flatMap(checkFile);
  if (files.length <= filesMax) return shown;
  const message = `Problems in ${plural(files.length - filesMax, 'more file')}.`;
  return [...shown, { check: 'files', severity: 'warning', subject: root, message, fix: 'run `ravel verify`' }];
}

/** Errors first, in a file and among the files. */
function groupByFile(problems: readonly Diagnostic[]): (readonly Diagnostic[])[] {
  const worstFirst = [...problems].sort((a, b) => rank(a) - rank(b));
  const files = new Map<string | Diagnostic, readonly Diagnostic[]>();
  for (const problem of worstFirst) {
    const key = problem.file ?? problem;
    files.set(key, [...(files.get(key) ?? []), problem]);
  }
  return [...files.values()];
}

function rank({ severity }: Diagnostic): number {
  return severity === 'error' ? 0 : 1;
}

function checkFile(problems: readonly Diagnostic[]): Check[] {
  const [worst] = problems;
  const [fault] = fileFaults(problems);
  if (worst === undefined || fault === undefined) return [];
  const all = problems.length === 1 ? 'run `ravel verify` once it is repaired' : 'run `ravel verify` to see all';
  const { severity, subject } = worst;
  return [{ check: 'files', severity, subject, message: fault.message, fix: fault.help ?? all }];
}
