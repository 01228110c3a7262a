import * as vscode from 'vscode';
import type { QualifiedId } from '../../model/id.ts';
import { tell } from '../commands.ts';
import type { Workplace } from '../workplace.ts';
import { dispatchTo } from './planCommands.ts';
import { planName } from './planRows.ts';

const ownRows = 'application/vnd.code.tree.ravel.plans';
const plainText = 'text/plain';
/** More is a file and not a task. */
const bodyLengthMax = 20_000;

/**
 * What is dropped on a plan is dispatched to it: a text, such as a task that was selected in an editor, or another plan,
 * whose name then is the beginning of the reason.
 */
export function dropOnPlans(workplace: Workplace): vscode.TreeDragAndDropController<string> {
  return {
    dragMimeTypes: [plainText],
    dropMimeTypes: [ownRows, plainText],
    handleDrag(keys, transfer) {
      transfer.set(plainText, new vscode.DataTransferItem(keys.join('\n')));
      transfer.set(ownRows, new vscode.DataTransferItem(keys));
    },
    async handleDrop(target, transfer) {
      if (target === undefined) return;
      try {
        workplace.requireTrust();
        await dispatchTo(workplace, target as QualifiedId, await givenBy(transfer, target));
      } catch (error) {
        tell(workplace, error);
      }
    },
  };
}

async function givenBy(
  transfer: vscode.DataTransfer,
  target: string,
): Promise<{ readonly body?: string; readonly reason?: string }> {
  const rows: unknown = transfer.get(ownRows)?.value;
  const [from] = Array.isArray(rows) ? rows : [];
  if (typeof from === 'string') return from === target ? {} : { reason: `Asked for ${planName(from as QualifiedId)}` };
  const text = (await transfer.get(plainText)?.asString())?.trim();
  return text === undefined || text === '' ? {} : { body: text.slice(0, bodyLengthMax) };
}
