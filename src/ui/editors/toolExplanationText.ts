import { t } from '@vscode/l10n';
import type { ToolExplanation } from '../../model/requests/policy.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** What the gates would answer to a use of a tool, in one line: the answer, what decided it, and why. */
export function toolExplanationText({ decision, call, gate, rule, reason }: ToolExplanation): string {
  const answers = {
    allow: t('Allowed: {0}', call),
    ask: t('You would be asked: {0}', call),
    deny: t('Refused: {0}', call),
  };
  const by =
    rule !== undefined
      ? t`Rule ${rule.id ?? rule.text}, ${rule.line === undefined ? rule.file : `${rule.file}:${rule.line}`}.`
      : gate === undefined
        ? t('No gate has anything against it.')
        : t`Gate ${gate}.`;
  return sanitizeLabel([answers[decision], by, reason ?? ''].join(' · '), 1000);
}
