import { t } from '@vscode/l10n';
import { isRecord } from '../../base/json.ts';
import type { ApprovalPage } from '../../model/requests/approvals.ts';
import type { EntryPage } from '../../model/requests/knowledge.ts';
import { plainText, sanitizeLabel } from '../sanitizeLabel.ts';
import type { ApprovalSides } from './approvalText.ts';

/** The path of the entry that is nearest to a learned statement, from the vault on; undefined if none is near. */
export function nearestPath({ kind, details }: Pick<ApprovalPage, 'kind' | 'details'>): string | undefined {
  if (kind !== 'learned-statement' || !isRecord(details) || !Array.isArray(details['near'])) return undefined;
  const near: readonly unknown[] = details['near'];
  const [first] = near;
  return isRecord(first) && typeof first['path'] === 'string' ? first['path'] : undefined;
}

/** A learned statement beside the entry that is nearest to it, line by line; an entry that is gone is said to be. */
export function nearestSides(
  { details, plan, subject }: Pick<ApprovalPage, 'details' | 'plan' | 'subject'>,
  path: string,
  entry: Pick<EntryPage, 'row' | 'body'> | undefined,
): ApprovalSides {
  const { title, body, plan: learner } = isRecord(details) ? details : {};
  const who = sanitizeLabel(plan ?? (typeof learner === 'string' ? learner : 'a plan'));
  const left =
    entry === undefined
      ? sideText(
          t('In the vault already'),
          t('Gone'),
          path,
          t('The entry was moved or removed since the question was asked.'),
        )
      : sideText(
          t('In the vault already'),
          entry.row.title,
          t`${entry.row.entry}, ${entry.row.status}, ${entry.row.confidence} confidence`,
          withoutSuperseded(entry.body),
        );
  const said = typeof body === 'string' ? body : subject;
  const name = typeof title === 'string' ? title : subject;
  return {
    left,
    right: sideText(t('Learned, and not in the vault yet'), name, t`learned by ${who}`, said),
    title: t`Nearest Entry ↔ Learned: ${who}`,
  };
}

/** What an entry says now: statements that were superseded would hide the difference. */
function withoutSuperseded(body: string): string {
  const lines = body.split('\n');
  const at = lines.findIndex((line) => line.trimEnd() === '## Superseded');
  return at < 0 ? body : lines.slice(0, at).join('\n');
}

/** Both sides have the same lines above their text, so that these stand beside each other. */
function sideText(what: string, title: string, place: string, text: string): string {
  return `# ${what}\n\n${sanitizeLabel(title)}\n${sanitizeLabel(place)}\n\n${plainText(text).trim()}\n`;
}
