import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { toTextEdits } from '../editors/ranges.ts';
import { toDiagnostic } from '../editors/stateDiagnostics.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import type { RuleDocument } from './ruleDocument.ts';
import { switchOff } from './ruleRepairs.ts';
import type { RuleReview } from './ruleReview.ts';

/** Told of the text as it is typed, with all that is wrong with the form of a document. */
const reportedElsewhere: ReadonlySet<string> = new Set(['rule/unknownTarget', 'rule/fileBroken', 'rule/duplicateId']);

/**
 * What is wrong with rules beside each other: one that no message reaches, or that says otherwise than the one before it.
 * That takes the history, so it is told of the file on disk, and not while it is typed.
 */
export function registerLint(
  { context }: UiContext,
  { review, document }: { readonly review: RuleReview; readonly document: RuleDocument },
): Disposable {
  const collection = vscode.languages.createDiagnosticCollection('ravel.rules');
  const show = () => {
    const { uri } = document;
    collection.clear();
    if (uri === undefined || document.document?.isDirty === true) return;
    const own = review.diagnostics.filter(({ code }) => code.startsWith('rule/') && !reportedElsewhere.has(code));
    collection.set(
      uri,
      own.map((one) => toDiagnostic(one, context.extensionUri)),
    );
  };
  return disposeAll([
    collection,
    review.onDidChange(show),
    document.onDidChange(show),
    vscode.languages.registerCodeActionsProvider(
      { scheme: 'file', pattern: '**/routing.yaml' },
      { provideCodeActions: (shown, _range, { diagnostics }) => actionsFor(document, shown, diagnostics) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  ]);
}

/** A rule that is in the way can be switched off: it stays, with what it says, and holds for nothing. */
async function actionsFor(
  document: RuleDocument,
  shown: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): Promise<vscode.CodeAction[]> {
  if (!document.isShownIn(shown)) return [];
  const ofRules = diagnostics.filter(({ source, code }) => source === 'ravel' && codeOf(code).startsWith('rule/'));
  if (ofRules.length === 0) return [];
  await document.read(shown);
  return ofRules.flatMap((problem) => {
    const { line } = problem.range.start;
    const rule = document.lines.find(({ first, last }) => first <= line && line <= last);
    const edit = rule && switchOff(shown.getText(), rule);
    if (rule === undefined || edit === undefined) return [];
    const title = t`Switch the rule ${sanitizeLabel(rule.id ?? '', 60)} off`;
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.set(shown.uri, toTextEdits([edit]));
    action.diagnostics = [problem];
    return [action];
  });
}

function codeOf(code: vscode.Diagnostic['code']): string {
  return String(typeof code === 'object' ? code.value : code);
}
