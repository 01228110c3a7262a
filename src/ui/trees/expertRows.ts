import { t } from '@vscode/l10n';
import { defined } from '../../base/defined.ts';
import type { Diagnostic } from '../../base/errors.ts';
import { localTime } from '../../base/localTime.ts';
import { counted } from '../../base/text.ts';
import type { OpenQuestionRow } from '../../model/requests/messages.ts';
import type { ReceiptRow } from '../../model/requests/receipts.ts';
import { questionRow } from '../messages/questionRows.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import type { VaultExperts } from '../vaultModel.ts';
import type { RowNode } from './groupedRows.ts';
import { joinParts, type TreeRow } from './treeRow.ts';

/** A row of the view of experts: one that is declared, or a declaration that cannot be read. */
export interface ExpertEntry {
  readonly row: TreeRow;
  /** Absolute path of the declaration. */
  readonly file?: string;
  readonly tooltip: string;
}

/** Answers below one expert; the others are in its list. */
const answersMax = 20;

/** The experts, each with its open questions and its latest answers. */
export function expertNodes(
  experts: VaultExperts,
  receipts: readonly ReceiptRow[],
  questions: readonly OpenQuestionRow[] = [],
): RowNode[] {
  return expertEntries(experts).map(({ file, row, tooltip }) => {
    const own = receipts.filter(({ expert }) => expert === row.id);
    const open = questions.filter(({ to }) => to === row.id).map((question) => ({ ...questionRow(question) }));
    const shown = own.slice(0, answersMax).map(answerNode);
    const all = own.length > answersMax ? [allAnswersNode(row.id)] : [];
    return {
      row: { ...row, ...defined({ command: clickOf(row, file) }) },
      tooltip,
      below: [...open, ...shown, ...all],
    };
  });
}

/** An expert opens as its page; a declaration that cannot be read opens as its file. */
function clickOf({ id, contextValue }: TreeRow, file: string | undefined): TreeRow['command'] {
  if (contextValue !== 'fault') return { command: 'ravel.openExpert', title: t('Open Expert'), arguments: [id] };
  return file === undefined
    ? undefined
    : { command: 'ravel.openEntry', title: t('Open Declaration'), arguments: [file] };
}

function answerNode(receipt: ReceiptRow): RowNode {
  const { id, question, at } = receipt;
  const label = sanitizeLabel(question);
  const words = receiptWords(receipt);
  const isUnsure = receipt.state === 'unknown' || !receipt.isSupported;
  return {
    row: {
      ...{ id: `receipt:${id}`, label, description: words, contextValue: 'receipt' },
      icon: { name: isUnsure ? 'question' : 'comment' },
      ariaLabel: t`Question, ${label}, ${words}`,
      command: { command: 'ravel.openReceipt', title: t('Open Answer'), arguments: [id] },
    },
    tooltip: [plainMarkdown(question), plainMarkdown(`${words}, ${localTime(at)}`)].join('\n\n'),
  };
}

function allAnswersNode(expert: string): RowNode {
  const label = t('All answers…');
  return {
    row: {
      ...{ id: `receipts:${expert}`, label, icon: { name: 'ellipsis' }, ariaLabel: label, contextValue: 'more' },
      command: { command: 'ravel.showReceipts', title: t('Show Answers'), arguments: [expert] },
    },
    tooltip: label,
  };
}

/** What became of a question, in words. */
export function receiptWords({
  state,
  isSupported,
  cites,
}: Pick<ReceiptRow, 'state' | 'isSupported' | 'cites'>): string {
  if (state === 'unknown') return t('not known');
  if (!isSupported) return t('answered without checked sources');
  return t`answered from ${counted(cites.length, t('{0} entry'), t('{0} entries'))}`;
}

export function expertEntries({ rows, actors, faults }: VaultExperts): ExpertEntry[] {
  const known = new Set<string>(rows.map(({ actor }) => actor));
  const declared = rows.map(({ actor, file, declaration }): ExpertEntry => {
    const summary = actors.get(actor);
    const problems = faults.filter(({ subject }) => subject === actor);
    const isMute = summary?.state === 'faulted';
    const words = [
      isMute && t('takes no messages'),
      problems.length > 0 && counted(problems.length, t('{0} problem'), t('{0} problems')),
      summary !== undefined && summary.queued > 0 && t`${summary.queued} waiting`,
      summary !== undefined &&
        summary.deadLetters > 0 &&
        counted(summary.deadLetters, t('{0} dead letter'), t('{0} dead letters')),
    ].filter((word) => word !== false);
    const label = sanitizeLabel(declaration['expert-id'], 120);
    const description = sanitizeLabel(declaration.description);
    const icon =
      isMute || problems.length > 0 ? { name: 'error', color: 'list.errorForeground' } : { name: 'mortar-board' };
    return {
      file,
      row: {
        id: actor,
        label,
        description: joinParts([...words, description]),
        icon,
        ariaLabel: joinParts([t`Expert ${label}`, ...words, description], ', '),
        contextValue: joinParts(['expert', isMute && 'mute'], '.'),
      },
      tooltip: expertTooltip(label, declaration, [
        ...problems.map(({ message }) => message),
        ...(summary?.fault === undefined ? [] : [summary.fault.message]),
      ]),
    };
  });
  const unread = faults.filter(({ subject }) => subject === undefined || !known.has(subject));
  return [...declared, ...unread.map(faultEntry)].sort((a, b) => (a.row.label < b.row.label ? -1 : 1));
}

function expertTooltip(
  label: string,
  { description, tags, 'knowledge-scope': scope }: VaultExperts['rows'][number]['declaration'],
  problems: readonly string[],
): string {
  return [
    `**${plainMarkdown(label)}**`,
    plainMarkdown(description),
    ...(tags.length === 0 ? [] : [t`Tags: ${tags.map((tag) => plainMarkdown(tag)).join(', ')}`]),
    t`Knows: ${scope.map((folder) => plainMarkdown(folder)).join(', ')}`,
    ...problems.map((problem) => t`Problem: ${plainMarkdown(problem)}`),
  ].join('\n\n');
}

/** A declaration that does not make an expert yet: the row says why, and opens the place. */
function faultEntry({ subject, message, file }: Diagnostic, at: number): ExpertEntry {
  const label = sanitizeLabel(subject ?? file ?? t('experts'), 120);
  const why = sanitizeLabel(message);
  return {
    ...defined({ file }),
    row: {
      id: `fault:${at}:${subject ?? ''}`,
      label,
      description: why,
      icon: { name: 'error', color: 'list.errorForeground' },
      ariaLabel: t`${label} cannot be read, ${why}`,
      contextValue: 'fault',
    },
    tooltip: plainMarkdown(message),
  };
}
