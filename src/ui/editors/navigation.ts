import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { DocumentReference, RecordKind } from '../../model/document.ts';
import { hoverText } from './hoverText.ts';
import { outlineRows, type RecordOutlineRow } from './outline.ts';
import { toLocation, toRange } from './ranges.ts';
import { placesOf, referenceAt, renamableAt } from './renames.ts';
import { isCompletedElsewhere } from './shownFindings.ts';
import { hasYamlExtension } from './stateDiagnostics.ts';
import { type StateDocuments, shownText } from './stateDocuments.ts';

/** What a name is, where it leads to, who else names it, and what a document holds. */
export function registerNavigation(documents: StateDocuments): Disposable {
  const { selector } = documents;
  return disposeAll([
    vscode.languages.registerHoverProvider(selector, {
      provideHover: (document, position) => hoverAt(documents, document, position),
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      async provideDefinition(document, position) {
        const inspected = await documents.inspect(document);
        const target = inspected === undefined ? undefined : referenceAt(inspected, position)?.target;
        return target === undefined ? undefined : toLocation(ownFile(target, inspected?.file, document));
      },
    }),
    vscode.languages.registerReferenceProvider(selector, {
      async provideReferences(document, position) {
        const inspected = await documents.inspect(document);
        const named =
          inspected === undefined ? undefined : (renamableAt(inspected, position) ?? referenceAt(inspected, position));
        if (inspected === undefined || named === undefined) return [];
        const places = inspected.references.filter(({ kind, id }) => kind === named.kind && id === named.id);
        const ranges =
          named.kind === 'task' ? placesOf(inspected, { ...named, kind: 'task' }) : places.map(({ range }) => range);
        return ranges.map((range) => new vscode.Location(document.uri, toRange(range)));
      },
    }),
    vscode.languages.registerDocumentLinkProvider(selector, {
      async provideDocumentLinks(document) {
        const inspected = await documents.inspect(document);
        return (inspected?.references ?? []).flatMap((reference) => linkOf(reference));
      },
    }),
    vscode.languages.registerDocumentSymbolProvider(
      selector,
      {
        async provideDocumentSymbols(document) {
          const inspected = await documents.inspect(document);
          return outlineRows(inspected?.records ?? []).map(toSymbol);
        },
      },
      { label: 'Ravel' },
    ),
  ]);
}

async function hoverAt(
  documents: StateDocuments,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const { api } = documents;
  const inspected = await documents.inspect(document);
  if (api === undefined || inspected === undefined) return undefined;
  const at = { file: document.uri.fsPath, text: shownText(document), position: { line, character } };
  const { range, meaning, reference } = await api.request('describe_at', at);
  if (range === undefined) return undefined;
  if (reference === undefined) {
    if (meaning === undefined || isCompletedElsewhere(inspected.kind, hasYamlExtension())) return undefined;
    return new vscode.Hover(new vscode.MarkdownString(meaning), toRange(range));
  }
  const isPlan = reference.kind === 'plan' && reference.target !== undefined;
  // The kind of the name is shown anyway; the state of the plan is extra.
  const status = isPlan ? await api.request('status', { plan: reference.id }).catch(() => undefined) : undefined;
  const text = new vscode.MarkdownString(hoverText(reference, status));
  if (isPlan) {
    const argument = encodeURIComponent(JSON.stringify([reference.id]));
    text.isTrusted = { enabledCommands: ['ravel.openPlan', 'ravel.runPhase'] };
    text.appendMarkdown(
      t`\n\n[Open plan](command:ravel.openPlan?${argument}) · [Run phase](command:ravel.runPhase?${argument})`,
    );
  }
  return new vscode.Hover(text, toRange(range));
}

/** Tasks are found within their document, by going to the definition; a link to where one stands already would mislead. */
function linkOf({ kind, range, target, id }: DocumentReference): vscode.DocumentLink[] {
  if (target === undefined || kind === 'task') return [];
  const link = new vscode.DocumentLink(toRange(range), vscode.Uri.file(target.file));
  link.tooltip = t`Open ${id}`;
  return [link];
}

/** A target in the document itself is in the one that is open, whichever way led to it. */
function ownFile<T extends { readonly file: string }>(
  target: T,
  file: string | undefined,
  document: vscode.TextDocument,
): T {
  return target.file === file ? { ...target, file: document.uri.fsPath } : target;
}

const symbolKinds: Readonly<Record<RecordKind, vscode.SymbolKind>> = {
  task: vscode.SymbolKind.Event,
  message: vscode.SymbolKind.Interface,
  entry: vscode.SymbolKind.String,
  session: vscode.SymbolKind.Module,
  claim: vscode.SymbolKind.Boolean,
  commit: vscode.SymbolKind.Package,
  project: vscode.SymbolKind.Package,
  rule: vscode.SymbolKind.Operator,
  key: vscode.SymbolKind.Property,
};

function toSymbol({ name, detail, record, children }: RecordOutlineRow): vscode.DocumentSymbol {
  const kind = children.length > 0 ? vscode.SymbolKind.Array : symbolKinds[record.kind];
  const range = toRange(record.range);
  const selection = range.contains(toRange(record.idRange)) ? toRange(record.idRange) : range;
  const symbol = new vscode.DocumentSymbol(name, detail, kind, range, selection);
  symbol.children = children.map(toSymbol);
  return symbol;
}
