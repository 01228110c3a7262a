import { formatBytes, plural } from '../../base/text.ts';
import type { Check, CheckSeverity, Cleaning } from '../../model/requests/doctor.ts';
import type { Style } from './style.ts';
import { wrap } from './text.ts';

const signs: Readonly<Record<CheckSeverity, string>> = { ok: '✓', info: 'i', warning: '!', error: '✗' };

/** One check after the other; what is wrong with its remedy. */
export function formatChecks(checks: readonly Check[], style: Style, columns: number): string[] {
  const lines = checks.flatMap((check) => formatCheck(check, style, columns));
  return [...lines, '', summaryOf(checks)];
}

function formatCheck({ check, severity, subject, message, fix }: Check, style: Style, columns: number): string[] {
  const paint = { ok: style.good, info: style.accent, warning: style.notice, error: style.bad }[severity];
  // If nothing is wrong, the user does not need the path.
  const text = severity === 'ok' && subject.includes('/') ? message : `${subject}: ${message}`;
  const [first = '', ...rest] = wrap(text, columns - 15);
  return [
    `${paint(signs[severity])} ${check.padEnd(12)} ${first}`,
    ...rest.map((line) => `${' '.repeat(15)}${line}`),
    ...(fix === undefined ? [] : wrap(`fix: ${fix}`, columns - 15).map((line) => `${' '.repeat(15)}${line}`)),
  ];
}

function summaryOf(checks: readonly Check[]): string {
  const count = (severity: CheckSeverity) => checks.filter((one) => one.severity === severity).length;
  const parts = [
    ...(count('error') > 0 ? [plural(count('error'), 'error')] : []),
    ...(count('warning') > 0 ? [plural(count('warning'), 'warning')] : []),
  ];
  return parts.length === 0 ? 'Nothing is wrong.' : `${parts.join(', ')}.`;
}

/** What goes, the oldest first. */
export function formatCleaning(cleaning: Cleaning, style: Style): string[] {
  const { sessionFolders, count, bytes, removed, unremoved } = cleaning;
  if (count === 0) return ['Nothing can be removed: everything is needed or too recent.'];
  const hidden = count - sessionFolders.length;
  const what = `${plural(count, 'folder')}, ${formatBytes(bytes)}`;
  return [
    ...sessionFolders.map(({ path, bytes: size, changedAt }) => {
      return `${style.faint(changedAt.slice(0, 10))}  ${formatBytes(size).padStart(9)}  ${path}`;
    }),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    ...unremoved.map(({ path, reason }) => style.bad(`${path} stays: ${reason}`)),
    removed ? removedLine(what, unremoved.length) : `${what} can be removed.`,
  ];
}

function removedLine(what: string, unremoved: number): string {
  return unremoved === 0 ? `${what}: removed.` : `${what}: removed, except ${unremoved}.`;
}
