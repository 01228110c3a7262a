import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { UiContext } from '../uiContext.ts';
import { toRange, toTextEdits } from './ranges.ts';
import { type NamedThing, renamableAt, renameEdits, taskIdProblem } from './renames.ts';
import type { StateDocuments } from './stateDocuments.ts';

/** Gives a task another id wherever its backlog names it; a plan is renamed by the vault, with all that is its own. */
export function registerRenaming(documents: StateDocuments, ui: UiContext): Disposable {
  return vscode.languages.registerRenameProvider(documents.selector, {
    async prepareRename(document, position) {
      const { named } = await find(document, position);
      return { range: toRange(named.range), placeholder: named.id };
    },

    async provideRenameEdits(document, position, newName) {
      const { inspected, named } = await find(document, position);
      const edit = new vscode.WorkspaceEdit();
      if (named.kind === 'plan') {
        await renamePlan(named.id, newName);
        return edit;
      }
      const problem = taskIdProblem(inspected, named.id, newName);
      if (problem !== undefined) throw new Error(problem);
      const plan = inspected.plan === undefined ? undefined : ui.model.plan(inspected.plan);
      if (plan?.row?.running !== undefined) {
        throw new Error('A running phase of this plan uses the ID of this task. Rename it when the phase has ended.');
      }
      edit.set(document.uri, toTextEdits(renameEdits(inspected, named.id, newName)));
      return edit;
    },
  });

  async function find(document: vscode.TextDocument, position: vscode.Position) {
    const inspected = await documents.inspect(document);
    const named: NamedThing | undefined = inspected === undefined ? undefined : renamableAt(inspected, position);
    if (inspected === undefined || named === undefined) {
      throw new Error('Only the IDs of tasks and plans can be renamed here.');
    }
    return { inspected, named };
  }

  /** What moves is on disk at once and no edit of a text, so the person is asked. */
  async function renamePlan(from: string, to: string): Promise<void> {
    ui.requireTrust();
    const detail = t('Its folder moves, with the plans below it. Texts that mention the old ID stay as they are.');
    if (!(await ui.prompter.confirm(t`Rename the plan ${from} to ${to}?`, detail, t('Rename')))) return;
    await documents.api?.request('rename', { plan: from, to });
  }
}
