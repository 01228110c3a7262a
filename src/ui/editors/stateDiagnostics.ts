import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { Diagnostic, Severity } from '../../base/errors.ts';
import type { Finding, InspectedDocument } from '../../model/document.ts';
import { inWindowWords } from '../../model/windowCommands.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { toRange } from './ranges.ts';
import { closedFindings, ownFindings, pageOfCode } from './shownFindings.ts';
import type { StateDocuments } from './stateDocuments.ts';

/** A text is inspected this long after the last key press, in milliseconds. */
export const typingMs = 250;
/** How long after a change the whole vault is checked again. */
const vaultMs = 3_000;
/** And not sooner than this many times the duration of the last check. */
const vaultRest = 20;

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/**
 * The list of problems: of a document that is open what its text says, of all others what the verification of the vault
 * found on disk.
 */
export class StateDiagnostics implements Disposable {
  readonly #documents: StateDocuments;
  readonly #ui: UiContext;
  readonly #collection = vscode.languages.createDiagnosticCollection('ravel');
  readonly #timers = new Map<string, Disposable>();
  readonly #subscriptions: Disposable;
  /** Path through the vault of each document that is open, by its address. */
  readonly #open = new Map<string, string>();
  #closed: readonly vscode.Uri[] = [];
  #found: readonly Diagnostic[] = [];
  #vaultTimer: Disposable | undefined;
  #vaultTookMs = 0;

  constructor(documents: StateDocuments, ui: UiContext) {
    this.#documents = documents;
    this.#ui = ui;
    this.#subscriptions = disposeAll([
      this.#collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document, typingMs)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#drop(uri)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.map((uri) => this.#drop(uri))),
      vscode.extensions.onDidChange(() => this.#inspectAll()),
      documents.onDidChangeSelector(() => this.#begin()),
      documents.onDidChangeWorld(() => {
        this.#inspectAll();
        this.#scheduleVault();
      }),
    ]);
    this.#begin();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#vaultTimer?.dispose();
    for (const timer of this.#timers.values()) timer.dispose();
  }

  #begin(): void {
    this.#collection.clear();
    this.#open.clear();
    [this.#found, this.#closed] = [[], []];
    this.#inspectAll();
    if (this.#documents.selector.length > 0) this.#scheduleVault();
  }

  #inspectAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#schedule(document, 0);
  }

  #schedule(document: vscode.TextDocument, delayMs: number): void {
    if (!this.#documents.has(document)) return;
    const key = document.uri.toString();
    this.#timers.get(key)?.dispose();
    const timer = this.#ui.clock.schedule(delayMs, () => {
      this.#timers.delete(key);
      this.#show(document).catch(this.#ui.onError);
    });
    this.#timers.set(key, timer);
  }

  async #show(document: vscode.TextDocument): Promise<void> {
    const { version, uri } = document;
    const inspected = await this.#documents.inspect(document);
    // A later text is inspected by itself.
    if (inspected === undefined || document.isClosed || document.version !== version) return;
    const isNew = this.#open.get(uri.toString()) === undefined;
    this.#open.set(uri.toString(), inspected.file);
    this.#collection.set(uri, shownOf(inspected, uri, this.#ui.context.extensionUri));
    if (isNew) this.#showClosed();
  }

  #drop(uri: vscode.Uri): void {
    const key = uri.toString();
    this.#timers.get(key)?.dispose();
    this.#timers.delete(key);
    if (!this.#open.delete(key)) return;
    this.#collection.delete(uri);
    this.#showClosed();
  }

  #scheduleVault(): void {
    if (this.#vaultTimer !== undefined) return;
    this.#vaultTimer = this.#ui.clock.schedule(Math.max(vaultMs, this.#vaultTookMs * vaultRest), () => {
      this.#vaultTimer = undefined;
      this.#verify().catch((error: unknown) => this.#ui.log.debug(`Not verified: ${String(error)}`));
    });
  }

  async #verify(): Promise<void> {
    if (!vscode.workspace.getConfiguration('ravel').get<boolean>('verifyInBackground', true)) return;
    const { api } = this.#documents;
    if (api === undefined) return;
    const { clock } = this.#ui;
    const startMs = clock.monotonicMs();
    this.#found = (await api.request('verify', {})).diagnostics;
    this.#vaultTookMs = clock.monotonicMs() - startMs;
    this.#showClosed();
  }

  /** What was found in files that no editor shows. */
  #showClosed(): void {
    const shown = closedFindings(this.#found, new Set(this.#open.values()));
    const isOpen = (uri: vscode.Uri) => this.#open.has(uri.toString());
    const next = [...shown].map(([file, list]) => ({ uri: this.#uriOf(file), list }));
    for (const uri of this.#closed) if (!isOpen(uri)) this.#collection.delete(uri);
    const root = this.#ui.context.extensionUri;
    for (const { uri, list } of next) {
      if (!isOpen(uri))
        this.#collection.set(
          uri,
          list.map((one) => toDiagnostic(one, root)),
        );
    }
    this.#closed = next.map(({ uri }) => uri);
  }

  /** Diagnostics name files through the vault; a folder that the window has open is named by its own path. */
  #uriOf(file: string): vscode.Uri {
    for (const { folder, link } of this.#documents.folders) {
      if (link === undefined || !file.startsWith(`${link}/`)) continue;
      const real = vscode.Uri.file(folder + file.slice(link.length));
      if (vscode.workspace.getWorkspaceFolder(real) !== undefined) return real;
    }
    return vscode.Uri.file(file);
  }
}

/** Whether an extension is there that checks YAML by the schemas of our manifest. */
export function hasYamlExtension(): boolean {
  return vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined;
}

function shownOf({ kind, findings }: InspectedDocument, uri: vscode.Uri, root: vscode.Uri): vscode.Diagnostic[] {
  return ownFindings(findings, kind, hasYamlExtension()).map((one) => withRelated(toDiagnostic(one, root), one, uri));
}

function withRelated(shown: vscode.Diagnostic, { file, related }: Finding, uri: vscode.Uri): vscode.Diagnostic {
  if (related !== undefined && related.length > 0) {
    shown.relatedInformation = related.map((one) => {
      const at = one.file === file ? uri : vscode.Uri.file(one.file);
      return new vscode.DiagnosticRelatedInformation(new vscode.Location(at, toRange(one.range)), one.message);
    });
  }
  return shown;
}

export function toDiagnostic(
  { code, severity, message, range, help }: Diagnostic,
  root: vscode.Uri,
): vscode.Diagnostic {
  const at = range === undefined ? new vscode.Range(0, 0, 0, 0) : toRange(range);
  // If a form is wrong the line says it all; elsewhere what to do stands beside it.
  const text = help === undefined || code.startsWith('yaml/') ? message : `${message} ${inWindowWords(help)}`;
  const shown = new vscode.Diagnostic(at, sanitizeLabel(text, 1_000), severities[severity]);
  shown.source = 'ravel';
  const page = pageOfCode(code);
  shown.code = page === undefined ? code : { value: code, target: vscode.Uri.joinPath(root, page) };
  return shown;
}
