import type { ApprovalKind, VaultApprovalKind } from '../model/approval.ts';
import { branchChanged, dirtySourceChanged } from './commitQuestions.ts';
import type { DecisionHandler } from './decisionHandler.ts';
import { mergeConflict } from './mergeConflict.ts';
import { needsInput } from './needsInput.ts';
import { programsChanged } from './programsChanged.ts';
import { repositoryHooks } from './repositoryHooks.ts';
import { unattributedChange } from './unattributedChange.ts';

/** A request of a session that runs, and so of no phase that waits, is answered by a grant; what stands has its own. */
type WaitingKind = Exclude<ApprovalKind, 'tool-request' | VaultApprovalKind>;

/** The handler of each kind of question that a phase waits for; a missing one does not compile. */
export const decisionHandlers: Readonly<Record<WaitingKind, DecisionHandler>> = {
  'merge-conflict': mergeConflict,
  'unattributed-change': unattributedChange,
  'needs-input': needsInput,
  'dirty-source-changed': dirtySourceChanged,
  'branch-changed': branchChanged,
  'repository-hooks': repositoryHooks,
  'programs-changed': programsChanged,
};
