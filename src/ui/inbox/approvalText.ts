import { t } from '@vscode/l10n';
import { isRecord } from '../../base/json.ts';
import { localTime } from '../../base/localTime.ts';
import { counted } from '../../base/text.ts';
import { answerName } from '../../model/answerNames.ts';
import { withoutPlan } from '../../model/questionText.ts';
import type { DeadLetterRow } from '../../model/requests/actors.ts';
import type { ApprovalPage } from '../../model/requests/approvals.ts';
import { plainBlock, plainText, sanitizeLabel } from '../sanitizeLabel.ts';

/** What is asked, without the phase and the plan before it, which are named beside it anyway. */
function questionOf({ subject, plan }: Pick<ApprovalPage, 'subject' | 'plan'>): string {
  const rest = sanitizeLabel(withoutPlan(subject, plan));
  return rest === '' ? sanitizeLabel(subject) : rest;
}

/** For a row, which has little room: what the question is about, and why it is asked if that is said apart. */
export function rowParts(question: Pick<ApprovalPage, 'kind' | 'subject' | 'plan'>): {
  readonly about: string;
  readonly why?: string;
} {
  const subject = questionOf(question);
  // The title of the statement stands behind the reason, where a narrow view cuts it off.
  const at = question.kind === 'learned-statement' ? subject.indexOf(': ') : -1;
  return at < 0 ? { about: subject } : { about: subject.slice(at + 2), why: subject.slice(0, at) };
}

/** A question as a page to read: what is asked, all that belongs to it, and what each answer does. */
export function approvalDocument(page: ApprovalPage): string {
  const { kind, asks, plan, createdAt, shown, answers } = page;
  return [
    `# ${questionOf(page)}`,
    `${asks} (${sanitizeLabel(plan ?? t('the vault'))}, ${sanitizeLabel(localTime(createdAt), 40)})`,
    // The text of a mere question is its heading already.
    ...(shown.trim() === questionOf(page) ? [] : [plainBlock(shown)]),
    t('## Possible answers'),
    answers
      .map((answer) => `- ${sanitizeLabel(answerName(kind, answer))}: ${sanitizeLabel(answer.does, 400)}`)
      .join('\n'),
    t('Answer with the buttons above this text, or with “Ravel: Answer Question…”.\n'),
  ].join('\n\n');
}

/** In place of a question that does not exist any more. */
export function answeredDocument(message: string): string {
  return t`# This question has been answered\n\n${sanitizeLabel(message, 1000)}\n`;
}

export function deadLetterDocument({
  message: letter,
  actor,
  type,
  from,
  at,
  attempts,
  reason,
  text,
}: DeadLetterRow): string {
  return [
    t`# A ${sanitizeLabel(type, 40)} that did not arrive`,
    t`From ${sanitizeLabel(from)} to ${sanitizeLabel(actor)}, given up at ${sanitizeLabel(localTime(at), 40)} after ${counted(attempts, t('{0} try'), t('{0} tries'))}.`,
    t`Why: ${sanitizeLabel(reason, 1000)}`,
    plainBlock(text),
    t`Redeliver it when the cause is fixed, or discard it. Its ID is ${letter}.\n`,
  ].join('\n\n');
}

/** Both sides of a question, to be compared. */
export interface ApprovalSides {
  readonly left: string;
  readonly right: string;
  readonly title: string;
}

/** Undefined for a question that has no two sides. */
export function approvalSides(page: ApprovalPage): ApprovalSides | undefined {
  const { kind, details, plan = t('the vault') } = page;
  const heading = `${[page.asks, `${sanitizeLabel(plan)}: ${questionOf(page)}`].map((line) => `# ${line}`).join('\n')}\n`;
  const make = (stretches: readonly Stretch[], title: string): ApprovalSides | undefined =>
    stretches.length === 0
      ? undefined
      : {
          left: heading + stretches.map(({ place, left }) => sideText(place, left)).join(''),
          right: heading + stretches.map(({ place, right }) => sideText(place, right)).join(''),
          title: `${title}: ${sanitizeLabel(plan)}`,
        };
  if (kind === 'merge-conflict') return make(conflictStretches(details), t('Yours ↔ Session'));
  if (kind === 'contradicting-entries') return make(entryStretches(details), t('Older ↔ Newer'));
  if (kind === 'unattributed-change') return make(changeStretches(details), t('Before ↔ Now'));
  return undefined;
}

interface Stretch {
  readonly place: string;
  readonly left: unknown;
  readonly right: unknown;
}

function sideText(place: string, value: unknown): string {
  const text =
    value === undefined || value === null ? '(nothing)' : typeof value === 'string' ? value : stringify(value);
  return `\n## ${place}\n\n${plainText(text)}\n`;
}

function stringify(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? '';
}

function conflictStretches(details: unknown): Stretch[] {
  if (!isRecord(details) || 'findings' in details) return [];
  return Object.entries(details).flatMap(([file, conflicts]) =>
    (Array.isArray(conflicts) ? conflicts : []).filter(isRecord).map((conflict) => ({
      place: [file, conflict['list'], conflict['record'], conflict['field']]
        .filter((part) => typeof part === 'string')
        .map((part) => sanitizeLabel(part))
        .join(' › '),
      left: conflict['person'],
      right: conflict['session'],
    })),
  );
}

function entryStretches(details: unknown): Stretch[] {
  if (!isRecord(details)) return [];
  const { older, newer, olderText, newerText } = details;
  return [
    {
      place: t`${sanitizeLabel(String(older))} and ${sanitizeLabel(String(newer))}`,
      left: olderText,
      right: newerText,
    },
  ];
}

function changeStretches(details: unknown): Stretch[] {
  const files = isRecord(details) && Array.isArray(details['files']) ? details['files'] : [];
  return files.filter(isRecord).flatMap((file) => {
    const { was, is, before, now } = file;
    // What it was, or is, may not be known or be too long to be kept.
    if ((was === undefined && before !== null) || (is === undefined && now !== null)) return [];
    return [{ place: sanitizeLabel(String(file['file'])), left: was, right: is }];
  });
}
