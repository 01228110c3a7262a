import { t } from '@vscode/l10n';
import type { HarnessName } from '../../model/harnesses.ts';
import type { Check, CheckSeverity } from '../../model/requests/doctor.ts';
import { inWindowWords, windowCommandsIn } from '../../model/windowCommands.ts';
import { type NextAction, typeInTerminal } from '../nextSteps.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

export interface DoctorReport {
  /** Markdown. */
  readonly text: string;
  /** What can be done about the finding of a line; several can stand on one. */
  readonly lenses: readonly { readonly line: number; readonly action: NextAction }[];
}

const headings: readonly (readonly [CheckSeverity, string])[] = [
  ['error', t('To fix')],
  ['warning', t('To check')],
  ['info', t('Worth knowing')],
  ['ok', t('All is well')],
];

/** The harnesses that the window itself helps to set up. */
const guides: ReadonlyMap<string, NextAction> = new Map<HarnessName, NextAction>([
  ['claude-code', { title: t('Connect Claude Code'), command: 'ravel.connectClaudeCode' }],
]);

/** What the doctor found, the worst first, as a document with links to the fixes. */
export function doctorReport(vault: string, checks: readonly Check[]): DoctorReport {
  const lines = [t('# Ravel Doctor'), '', t`Vault: ${sanitizeLabel(vault)}`, '', verdict(checks)];
  const lenses: { line: number; action: NextAction }[] = [];
  for (const [severity, heading] of headings) {
    const found = checks.filter((check) => check.severity === severity);
    if (found.length === 0) continue;
    lines.push('', `## ${heading}`, '');
    for (const check of found) {
      lenses.push(...actionsOf(check).map((action) => ({ line: lines.length, action })));
      lines.push(
        `- ${check.check}, ${sanitizeLabel(subjectIn(vault, check.subject))}: ${sanitizeLabel(check.message, 1000)}`,
      );
      if (check.fix !== undefined) lines.push(t`  - To do: ${sanitizeLabel(inWindowWords(check.fix), 1000)}`);
    }
  }
  return { text: `${lines.join('\n')}\n`, lenses };
}

/** What lies in the vault by its path in it: the vault is named once, at the top. */
function subjectIn(vault: string, subject: string): string {
  if (subject === vault) return t('the vault');
  return subject.startsWith(`${vault}/`) ? subject.slice(vault.length + 1) : subject;
}

function verdict(checks: readonly Check[]): string {
  const count = (severity: CheckSeverity) => checks.filter((check) => check.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors + warnings === 0) return t('This vault has no problems.');
  const parts = [errors > 0 && t`${errors} to fix`, warnings > 0 && t`${warnings} to check`].filter(Boolean);
  return t`Found: ${parts.join(', ')}.`;
}

/**
 * A fix names what to type between backticks. What the window can do itself is a command of it; the rest is put into a
 * terminal, and sent off by the person.
 */
function actionsOf({ check, severity, subject, fix }: Check): NextAction[] {
  if (severity === 'ok') return [];
  const guide = check === 'harness' ? guides.get(subject) : undefined;
  if (guide !== undefined) return [guide];
  return [...(fix ?? '').matchAll(/`([^`\n]+)`/g)].map(
    ([, text = '']) =>
      // One line of a fix names one command at most.
      windowCommandsIn(`\`${text}\``, subject)[0] ??
      typeInTerminal(t`Type ${sanitizeLabel(text, 80)}`, sanitizeLabel(text, 2000)),
  );
}
