import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Repair } from '../../model/document.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { toRange, toTextEdits } from './ranges.ts';
import { editsOfAll } from './repairs.ts';
import { type StateDocuments, shownText } from './stateDocuments.ts';

const fixAll = vscode.CodeActionKind.SourceFixAll.append('ravel');

/** Quick fixes for what is wrong, and one action for all of those that are surely meant. */
export function registerCodeActions(documents: StateDocuments): Disposable {
  return vscode.languages.registerCodeActionsProvider(
    documents.selector,
    {
      async provideCodeActions(document, range, { only, diagnostics }) {
        const { api } = documents;
        if (api === undefined) return [];
        const wantsAll = only?.contains(fixAll) === true;
        if (!wantsAll && !diagnostics.some(({ source }) => source === 'ravel')) return [];
        const file = document.uri.fsPath;
        const { version } = document;
        const params = wantsAll ? { file } : { file, range: { start: range.start, end: range.end } };
        const { repairs } = await api.request('repairs', { ...params, text: shownText(document) });
        // Edits of a text that has changed meanwhile would hit other places.
        if (document.version !== version) return [];
        return wantsAll
          ? allActions(document, repairs)
          : repairs.flatMap((one) => toAction(document, one, diagnostics));
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAll] },
  );
}

/** An action belongs to the diagnostic that it fixes; we do not fix diagnostics of other extensions. */
function toAction(
  document: vscode.TextDocument,
  { title, isPreferred, code, range, edits }: Repair,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const at = toRange(range);
  const fixed = diagnostics.filter((one) => one.source === 'ravel' && codeOf(one) === code && one.range.isEqual(at));
  if (fixed.length === 0) return [];
  const action = new vscode.CodeAction(sanitizeLabel(title), vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(document.uri, toTextEdits(edits));
  action.diagnostics = fixed;
  action.isPreferred = isPreferred;
  return [action];
}

function allActions(document: vscode.TextDocument, repairs: readonly Repair[]): vscode.CodeAction[] {
  const edits = editsOfAll(repairs);
  if (edits.length === 0) return [];
  const action = new vscode.CodeAction(t('Fix all that Ravel can'), fixAll);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(document.uri, toTextEdits(edits));
  return [action];
}

function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}
