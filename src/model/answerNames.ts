import type { ApprovalKind } from './approval.ts';
import type { PossibleAnswer } from './requests/approvals.ts';

interface Names {
  /** By its option, if the kind has some that are always the same. */
  readonly accept: string | Readonly<Record<string, string>>;
  readonly edit?: string;
  readonly reject: string;
}

/** What each answer does, as the name of a button. */
const names: Readonly<Record<ApprovalKind, Names>> = {
  'merge-conflict': {
    accept: { session: 'Take the Text of the Session', person: 'Keep Your Text' },
    edit: 'Decide Each Conflict…',
    reject: 'Drop the Phase…',
  },
  'unattributed-change': { accept: 'Keep the Changed Files', reject: 'Put the Files Back…' },
  'tool-request': { accept: 'Allow It Once', reject: 'Deny It…' },
  'needs-input': { accept: 'Send Answer', reject: 'Drop the Phase…' },
  'dirty-source-changed': {
    accept: { include: 'Commit Your Changes Too', 'leave-out': 'Leave Your Changes Out' },
    edit: 'Decide Each File…',
    reject: 'Leave the Commits Unmade…',
  },
  'branch-changed': { accept: 'Commit on This Branch', reject: 'Leave the Commits Unmade…' },
  'repository-hooks': { accept: 'Allow These Programs', reject: 'Run Nothing…' },
  'programs-changed': { accept: 'Accept the Changed Files', reject: 'Leave the Plan Stopped…' },
  'rule-suggestion': { accept: 'Accept the Rule', edit: 'Edit the Rule…', reject: 'Reject the Rule…' },
  'entry-deletion': { accept: 'Delete the Entry', reject: 'Keep the Entry…' },
  'learned-statement': { accept: 'Take It In', reject: 'Leave It Out…' },
  'contradicting-entries': { accept: 'Let the Newer One Replace It', reject: 'Keep Both…' },
  'entry-graduation': { accept: 'Mark It as Proven', reject: 'Leave It Staged…' },
  'new-plans': { accept: 'Make These Plans', edit: 'Edit the Proposal…', reject: 'Make Nothing…' },
  'goal-question': { accept: 'Send Answer', reject: 'Propose Nothing…' },
  'unroutable-message': { accept: 'Send to…', reject: 'Drop the Message…' },
};

/** An answer as it is named wherever a window offers it. */
export function answerName(
  kind: ApprovalKind,
  { decision, option }: Pick<PossibleAnswer, 'decision' | 'option'>,
): string {
  const { accept, edit = 'Edit the Answer…', reject } = names[kind];
  if (decision === 'edit') return edit;
  if (decision === 'reject') return reject;
  if (kind === 'unroutable-message' && option !== undefined) return `Send to ${option}`;
  if (typeof accept === 'string') return option === undefined ? accept : `Choose ${option}`;
  return accept[option ?? ''] ?? `Choose ${option ?? 'It'}`;
}
