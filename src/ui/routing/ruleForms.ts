import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { toItem } from '../editors/completionProvider.ts';
import { toRange } from '../editors/ranges.ts';
import { toDiagnostic, typingMs } from '../editors/stateDiagnostics.ts';
import { approvalOf } from '../inbox/approvalPages.ts';
import type { UiContext } from '../uiContext.ts';
import { asRuleFile, fromRuleFile, toRuleFile } from './ruleForm.ts';
import type { RuleReview } from './ruleReview.ts';

const selector: vscode.DocumentFilter = { scheme: 'untitled', language: 'yaml' };

/** Documents in which a suggested rule is edited: checked and completed as the rule would be in `routing.yaml`. */
export function registerRuleForms(ui: UiContext, review: RuleReview): Disposable {
  const collection = vscode.languages.createDiagnosticCollection('ravel.rule');
  const changes = new vscode.EventEmitter<void>();
  const timers = new Map<string, Disposable>();
  const isForm = ({ uri }: vscode.TextDocument) =>
    uri.scheme === 'untitled' && review.suggestion(approvalOf(uri)) !== undefined;
  const check = (document: vscode.TextDocument) => {
    const key = document.uri.toString();
    timers.get(key)?.dispose();
    const run = () => {
      timers.delete(key);
      showProblems(ui, review, { document, collection }).catch((error: unknown) =>
        ui.log.debug(`The rule is not checked: ${String(error)}`),
      );
    };
    if (isForm(document)) timers.set(key, ui.clock.schedule(typingMs, run));
  };
  return disposeAll([
    ...[collection, changes],
    { dispose: () => [...timers.values()].map((timer) => timer.dispose()) },
    review.onDidChange(() => {
      changes.fire();
      for (const document of vscode.workspace.textDocuments) check(document);
    }),
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: (document) => (isForm(document) ? formLenses(document.uri) : []),
    }),
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: (document, position) =>
          isForm(document) ? complete(ui, review, document, position) : [],
      },
      ...[':', '/', '"', "'", ' '],
    ),
  ]);
}

function formLenses(uri: vscode.Uri): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, tooltip: string, command: string) =>
    new vscode.CodeLens(top, { title, tooltip, command, arguments: [uri] });
  return [
    lens(t('Save Rule'), t('Put the rule into routing.yaml as it is here, and commit the change'), 'ravel.saveRule'),
    lens(t('Cancel'), t('Leave the suggestion as it is'), 'ravel.cancelRule'),
  ];
}

async function showProblems(
  { link, context }: UiContext,
  { file }: RuleReview,
  {
    document,
    collection,
  }: { readonly document: vscode.TextDocument; readonly collection: vscode.DiagnosticCollection },
): Promise<void> {
  const api = link.value?.api;
  if (api === undefined || file === undefined) return;
  const { version } = document;
  const text = document.getText();
  const { document: inspected } = await api.request('inspect_document', { file, text: asRuleFile(text) });
  if (inspected === undefined || document.isClosed || document.version !== version) return;
  const shown = inspected.findings.map(({ range, ...finding }) =>
    toDiagnostic(
      { ...finding, ...(range !== undefined && { range: fromRuleFile(text, range) }) },
      context.extensionUri,
    ),
  );
  collection.set(document.uri, shown);
}

async function complete(
  { link }: UiContext,
  { file }: RuleReview,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): Promise<vscode.CompletionList | undefined> {
  const api = link.value?.api;
  if (api === undefined || file === undefined) return undefined;
  const text = document.getText();
  const position = toRuleFile(text, { line, character });
  const { completions, isCut } = await api.request('complete_at', { file, text: asRuleFile(text), position });
  const items = completions.map((one, at) => {
    const item = toItem(one, at);
    item.range = toRange(fromRuleFile(text, one.range));
    return item;
  });
  return new vscode.CompletionList(items, isCut);
}
