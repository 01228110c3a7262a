import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isQualifiedId, type QualifiedId } from '../../model/id.ts';
import { showFailure } from '../commands.ts';
import { type RowSubject, rowSubject } from '../messages/backlogRows.ts';
import { backlogMime } from '../messages/backlogView.ts';
import { type DispatchDraft, dispatchDraft, draftOfTask } from '../messages/dispatchForm.ts';
import { targetOf } from '../messages/targetChoices.ts';
import type { UiContext } from '../uiContext.ts';
import { planName } from './planRows.ts';

const ownRows = 'application/vnd.code.tree.ravel.plans';
const plainText = 'text/plain';
/** More is a file and not a task. */
const bodyLengthMax = 20_000;

/**
 * What is dropped on a plan is dispatched to it: a task of another plan, a text, such as a task that was selected in an
 * editor, or another plan, whose name then is the beginning of the reason. A plan of another project is suggested to that
 * project, and its root plan stands for the project itself.
 */
export function dropOnPlans(ui: UiContext): vscode.TreeDragAndDropController<string> {
  return {
    dragMimeTypes: [plainText],
    dropMimeTypes: [ownRows, backlogMime, plainText],
    handleDrag(keys, transfer) {
      transfer.set(plainText, new vscode.DataTransferItem(keys.join('\n')));
      transfer.set(ownRows, new vscode.DataTransferItem(keys));
    },
    async handleDrop(target, transfer) {
      if (target === undefined || !isQualifiedId(target)) return;
      try {
        ui.requireTrust();
        const draft = await givenBy(ui, transfer, target);
        await dispatchDraft(ui, { ...draft, target: targetOf(target, draft.from) });
      } catch (error) {
        showFailure(ui, error);
      }
    },
  };
}

async function givenBy(ui: UiContext, transfer: vscode.DataTransfer, target: QualifiedId): Promise<DispatchDraft> {
  const task = await draggedTask(transfer);
  if (task !== undefined) return draftOfTask(ui, task.plan, task.id);
  const rows: unknown = transfer.get(ownRows)?.value;
  const from: unknown = Array.isArray(rows) ? rows[0] : undefined;
  if (typeof from === 'string') return from === target ? {} : { reason: t`Asked for ${planName(from as QualifiedId)}` };
  const text = (await transfer.get(plainText)?.asString())?.trim();
  return text === undefined || text === '' ? {} : { body: text.slice(0, bodyLengthMax) };
}

/** The editor puts an empty text before what the view gave, under the same name. */
async function draggedTask(transfer: vscode.DataTransfer): Promise<RowSubject | undefined> {
  for (const [mime, item] of transfer) {
    if (mime !== backlogMime) continue;
    const subject = rowSubject(await item.asString());
    if (subject?.kind === 'task') return subject;
  }
  return undefined;
}
