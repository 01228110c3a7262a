import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import type { StateDocuments } from './stateDocuments.ts';

const scheme = 'ravel-saved';

/**
 * Tells when a session, or anything else, changes a file that the person is just writing in. Nothing is lost either way:
 * the editor keeps what was typed, and refuses to save over what it has not seen.
 */
export class ChangedOnDisk implements Disposable {
  readonly #documents: StateDocuments;
  readonly #ui: UiContext;
  /** What was on disk when the person began to write, or when they were last told, by address. */
  readonly #known = new Map<string, string>();
  readonly #subscriptions: Disposable;

  constructor(documents: StateDocuments, ui: UiContext) {
    this.#documents = documents;
    this.#ui = ui;
    this.#subscriptions = disposeAll([
      vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: readSaved }),
      vscode.workspace.onDidOpenTextDocument((document) => this.#keep(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#keep(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#keep(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
      documents.onDidChangeSelector(() => this.#keepAll()),
      documents.onDidChangeWorld(() => {
        for (const document of vscode.workspace.textDocuments) this.#compare(document);
      }),
    ]);
    this.#keepAll();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #keepAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#keep(document);
  }

  /** A document without unsaved changes is what is on disk. */
  #keep(document: vscode.TextDocument): void {
    if (!document.isDirty && this.#documents.has(document)) this.#known.set(document.uri.toString(), textOf(document));
  }

  #compare(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!document.isDirty || !this.#known.has(key)) return;
    this.#guard(async () => {
      const saved = await readSaved(document.uri);
      const known = this.#known.get(key);
      if (known === undefined || saved === known || saved === textOf(document)) return;
      this.#known.set(key, saved);
      await this.#show(document.uri);
    });
  }

  #guard(work: () => Promise<void>): void {
    work().catch(this.#ui.onError);
  }

  async #show(uri: vscode.Uri): Promise<void> {
    const name = sanitizeLabel(basename(uri.fsPath));
    const message = t`${name} was changed on disk while you were editing it. Your text is kept but not saved.`;
    if ((await this.#ui.prompter.warn(message, t('Compare'))) === undefined) return;
    await vscode.commands.executeCommand('vscode.diff', uri.with({ scheme }), uri, `${name} (on disk ↔ yours)`);
  }
}

async function readSaved(uri: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(uri.with({ scheme: 'file' }));
  return withLineFeeds(new TextDecoder().decode(bytes));
}

function textOf(document: vscode.TextDocument): string {
  return withLineFeeds(document.getText());
}

/** An editor shows one kind of line end, whatever the file mixes. */
function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
