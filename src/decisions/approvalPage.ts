import { defined } from '../base/defined.ts';
import { visible } from '../base/fence.ts';
import { formatCount, plural } from '../base/text.ts';
import {
  type Approval,
  type ApprovalKind,
  acceptOf,
  approvalRows,
  decisionsFor,
  isVaultApproval,
  type VaultApprovalKind,
} from '../model/approval.ts';
import type { Conflict } from '../model/merge.ts';
import type { ApprovalPage, ApprovalRow, PossibleAnswer } from '../model/requests/approvals.ts';
import type { DirtyPath } from '../plans/commits/commitQuestion.ts';
import type { ChangedProgram } from '../plans/commits/programsQuestion.ts';
import type { HookFile } from '../plans/phases/hooksQuestion.ts';
import { type ConflictsByFile, formatConflicts } from '../plans/proposals/conflictForm.ts';
import type { UnattributedFile } from '../plans/proposals/unattributed.ts';
import { formatYaml } from '../yaml/yaml.ts';
import { formatPaths } from './commitQuestions.ts';
import { describeToolRequest } from './toolRequestPage.ts';
import type { VaultApprovalPage } from './vaultApprovals.ts';

export function approvalRow(approval: Approval): ApprovalRow {
  const { id, kind, plan, subject, createdAt, options, contentHash, deferredUntil } = approval;
  return {
    ...{ approval: id, kind, subject, createdAt, options, decisions: decisionsFor(approval), contentHash },
    ...defined({ plan, deferredUntil }),
  };
}

/**
 * Everything that a person needs to answer, and what each answer does. A phase's question is all in its file; how a
 * standing one stands now is told by its effect, and given as `now`.
 */
export function approvalPage(approval: Approval, file: string, now?: VaultApprovalPage): ApprovalPage {
  const { kind, details } = approval;
  const { shown: text, form } = now ?? (isVaultApproval(kind) ? { shown: '' } : pageOf(kind, details));
  const canEdit = decisionsFor(approval).includes('edit');
  return {
    ...approvalRow(approval),
    asks: approvalRows[kind].asks,
    shown: shownPart(visible(text.trimEnd()), file),
    details,
    answers: decisionsFor(approval).flatMap((decision) => answersOf(approval, decision)),
    ...(canEdit && form !== undefined && { form }),
    file,
  };
}

/** What a person reads of a question before it is too much for a screen; in characters. */
const [beginningMax, endMax] = [15_000, 4_000];

/** The end counts as much as the beginning, since that is where a long command could hide something. */
function shownPart(text: string, file: string): string {
  const left = text.length - beginningMax - endMax;
  if (left <= 0) return text;
  const note = `(${formatCount(left)} characters are left out here; all of it is in ${file})`;
  return `${text.slice(0, beginningMax)}\n\n${note}\n\n${text.slice(-endMax)}`;
}

type PhaseKind = Exclude<ApprovalKind, VaultApprovalKind>;

function pageOf(kind: PhaseKind, details: unknown): VaultApprovalPage {
  const form = forms[kind]?.(details);
  return { shown: shown[kind](details), ...defined({ form }) };
}

function answersOf(approval: Approval, decision: PossibleAnswer['decision']): PossibleAnswer[] {
  const { kind, options, details } = approval;
  const { edit, reject, text } = approvalRows[kind];
  const accept = acceptOf(kind, details);
  if (decision === 'reject') return [{ decision, does: reject }];
  if (decision === 'edit') return edit === undefined ? [] : [{ decision, does: edit }];
  if (typeof accept === 'string') {
    const named = options.map((option) => ({ decision, option, does: accept }));
    return [...named, { decision, ...defined({ text }), does: accept }];
  }
  return Object.entries(accept).map(([option, does]) => ({ decision, option, does }));
}

const forms: Readonly<Partial<Record<PhaseKind, (details: unknown) => string>>> = {
  'merge-conflict': (details) => formatConflicts(details as ConflictsByFile),
  'dirty-source-changed': (details) => formatPaths((details as { readonly paths: readonly DirtyPath[] }).paths),
};

/** The details of each kind in a form for people; a kind without one does not compile. */
const shown: Readonly<Record<PhaseKind, (details: unknown) => string>> = {
  'merge-conflict': (details) => {
    const { findings } = details as { readonly findings?: readonly string[] };
    if (findings !== undefined) return findings.map((finding) => `- ${finding}`).join('\n');
    return Object.entries(details as ConflictsByFile)
      .flatMap(([file, conflicts]) => conflicts.map((conflict) => describeConflict(file, conflict)))
      .join('\n\n');
  },
  'unattributed-change': (details) => {
    const { files } = details as { readonly files: readonly UnattributedFile[] };
    return files.length === 0 ? 'Every file is as it was.' : files.map(describeChange).join('\n\n');
  },
  'tool-request': describeToolRequest,
  'needs-input': (details) => (details as { readonly question: string }).question,
  'dirty-source-changed': (details) => {
    const { paths } = details as { readonly paths: readonly DirtyPath[] };
    return paths.map(({ path, now }) => `- ${path}${now === null ? ' (gone now)' : ''}`).join('\n');
  },
  'branch-changed': (details) => {
    const { before, now } = details as { readonly before: string; readonly now: string | null };
    return `work began on    ${before}\nchecked out now  ${now ?? 'no branch'}`;
  },
  'programs-changed': (details) => {
    const { files, count } = details as { readonly files: readonly ChangedProgram[]; readonly count: number };
    const more = count > files.length ? [`and ${plural(count - files.length, 'more file')}`] : [];
    return [...files.map(describeChange), ...more].join('\n\n');
  },
  'repository-hooks': (details) => {
    const { files } = details as { readonly files: readonly HookFile[] };
    const describe = ({ path, sha256, text }: HookFile) =>
      `${path}  (sha256 ${sha256.slice(0, 12)})\n${indent(text ?? 'It is too long to be shown here.')}`;
    return files.map(describe).join('\n\n');
  },
};

function describeConflict(file: string, { list, record, field, base, session, person, reason }: Conflict): string {
  const place = [file, list, record, field].filter((part) => part !== undefined).join(' › ');
  const side = (name: string, value: unknown) =>
    `  ${name}\n${indent(value === undefined ? '(nothing)' : typeof value === 'string' ? value : formatYaml(value), 4)}`;
  return [place, `  ${reason}`, side('before', base), side('session', session), side('you', person)].join('\n');
}

function describeChange({ file, before, now, was, is }: UnattributedFile): string {
  const what = before === null ? 'is new' : now === null ? 'is gone' : 'was changed';
  if (before !== null && was === undefined) return `${file} ${what}; what it was is not known.`;
  if (now !== null && is === undefined) return `${file} ${what}; its text is not shown here.`;
  return `${file} ${what}:\n${indent(diffLines(was ?? '', is ?? ''))}`;
}

/** The lines between the first and the last difference, those that went and those that came. */
function diffLines(was: string, is: string): string {
  const [old, now] = [was.split('\n'), is.split('\n')];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const went = old.slice(head, old.length - tail).map((line) => `- ${line}`);
  const came = now.slice(head, now.length - tail).map((line) => `+ ${line}`);
  return [`line ${head + 1}:`, ...went, ...came].join('\n');
}

function indent(text: string, columns = 2): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(columns)}${line}`.trimEnd())
    .join('\n');
}
