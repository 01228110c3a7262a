import type { Diagnostic } from '../../base/errors.ts';
import { harmless, plural } from '../../base/text.ts';
import { isQualifiedId } from '../../model/id.ts';
import type { Style } from './style.ts';
import { wrap } from './text.ts';

/** A diagnostic in a few lines: what it is and about whom, what is wrong, what to do, and where to look. */
export function formatDiagnostic(diagnostic: Diagnostic, style: Style, columns = 100): string[] {
  const { severity, code, subject, message, help } = diagnostic;
  const paint = severity === 'error' ? style.bad : severity === 'warning' ? style.notice : style.accent;
  const place = placeOf(diagnostic);
  return [
    `${paint(severity)} ${style.strong(code)}  ${harmless(subject)}`,
    ...wrap(message, columns - 2).map((line) => `  ${line}`),
    ...(help === undefined ? [] : wrap(`help: ${named(help, subject)}`, columns - 2).map((line) => `  ${line}`)),
    ...(place === undefined ? [] : [`  ${style.faint(harmless(place))}`]),
  ];
}

export function formatDiagnostics(diagnostics: readonly Diagnostic[], style: Style, columns?: number): string[] {
  return diagnostics.flatMap((diagnostic) => formatDiagnostic(diagnostic, style, columns));
}

/** `2 errors, 1 warning`; empty if there is nothing. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Diagnostic['severity']) => diagnostics.filter((one) => one.severity === severity).length;
  const parts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('info'), 'note'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, noun]) => plural(number, noun))
    .join(', ');
}

/** Commands that can be typed as they stand, if it is about one plan whose id needs no quotes. */
function named(help: string, subject: string): string {
  if (!isQualifiedId(subject) || !/^[\w./-]+$/.test(subject)) return help;
  return help.replace(/`ravel [^`]*`/g, (command) => command.replace(/\bPLAN\b/, subject));
}

/** `file:line:column`, counted from one as editors and compilers print it. */
function placeOf({ file, range }: Diagnostic): string | undefined {
  if (file === undefined || range === undefined) return file;
  return `${file}:${range.start.line + 1}:${range.start.character + 1}`;
}
