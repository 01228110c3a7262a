import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Completion } from '../../model/document.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { toRange } from './ranges.ts';
import { isCompletedElsewhere } from './shownFindings.ts';
import { hasYamlExtension } from './stateDiagnostics.ts';
import { type StateDocuments, shownText } from './stateDocuments.ts';

const kinds: Readonly<Record<Completion['kind'], vscode.CompletionItemKind>> = {
  key: vscode.CompletionItemKind.Property,
  word: vscode.CompletionItemKind.EnumMember,
  reference: vscode.CompletionItemKind.Reference,
  file: vscode.CompletionItemKind.File,
};

/** Keys, words and ids, where they can stand. */
export function registerCompletions(documents: StateDocuments): Disposable {
  const provider: vscode.CompletionItemProvider = {
    async provideCompletionItems(document, position, token) {
      const { api } = documents;
      const inspected = await documents.inspect(document);
      if (api === undefined || inspected === undefined || token.isCancellationRequested) return undefined;
      const { line, character } = position;
      const at = { file: document.uri.fsPath, text: shownText(document), position: { line, character } };
      const { completions, isCut } = await api.request('complete_at', at);
      const isElsewhere = isCompletedElsewhere(inspected.kind, hasYamlExtension());
      const own = completions.filter(({ kind }) => !isElsewhere || kind === 'reference' || kind === 'file');
      return new vscode.CompletionList(own.map(toItem), isCut);
    },
  };
  return vscode.languages.registerCompletionItemProvider(documents.selector, provider, ':', '/', '[', '"', "'", ' ');
}

export function toItem(
  { label, kind, insert, range, detail, documentation, filter }: Completion,
  at: number,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem({
    label,
    ...(detail !== undefined && { description: sanitizeLabel(detail) }),
  });
  item.kind = kinds[kind];
  item.insertText = insert;
  item.range = toRange(range);
  // They come in the order in which they are likely to be meant.
  item.sortText = String(at).padStart(6, '0');
  if (filter !== undefined) item.filterText = filter;
  if (documentation !== undefined) item.documentation = markdownOf(kind, documentation);
  return item;
}

/** The meaning of a key is our own text; titles and descriptions are not, so they are escaped. */
function markdownOf(kind: Completion['kind'], text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(kind === 'key' ? text : plainMarkdown(text));
}
