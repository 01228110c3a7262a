import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { disposeAll } from '../disposables.ts';
import { plainLabel } from '../plainLabel.ts';
import type { Workplace } from '../workplace.ts';
import type { StateDocuments } from './stateDocuments.ts';

const scheme = 'ravel-saved';

/**
 * Tells when a session, or anybody else, changes a file that the person is just writing in. Nothing is lost either way:
 * the editor keeps what was typed, and refuses to save over what it has not seen.
 */
export class ChangedOnDisk implements Disposable {
  readonly #documents: StateDocuments;
  readonly #workplace: Workplace;
  /** What was on disk when the person began to write, or when they were last told, by address. */
  readonly #known = new Map<string, string>();
  readonly #subscriptions: Disposable;

  constructor(documents: StateDocuments, workplace: Workplace) {
    this.#documents = documents;
    this.#workplace = workplace;
    this.#subscriptions = disposeAll([
      vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: readSaved }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#watch(document)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#known.delete(uri.toString())),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
      documents.onDidChangeWorld(() => {
        for (const document of vscode.workspace.textDocuments) this.#compare(document);
      }),
    ]);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Keeps what is on disk once somebody begins to write. */
  #watch(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!document.isDirty) this.#known.delete(key);
    else if (!this.#known.has(key) && this.#documents.has(document)) {
      this.#guard(async () => {
        const text = await readSaved(document.uri);
        if (document.isDirty) this.#known.set(key, text);
      });
    }
  }

  #compare(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!document.isDirty || !this.#known.has(key)) return;
    this.#guard(async () => {
      const saved = await readSaved(document.uri);
      const known = this.#known.get(key);
      if (known === undefined || saved === known || saved === document.getText()) return;
      this.#known.set(key, saved);
      await this.#tell(document.uri);
    });
  }

  #guard(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#workplace.log.error(String(error)));
  }

  async #tell(uri: vscode.Uri): Promise<void> {
    const name = plainLabel(basename(uri.fsPath));
    const message = `${name} was changed on disk while you edit it. Your text is kept, and not saved.`;
    if ((await this.#workplace.prompter.warn(message, 'Compare')) === undefined) return;
    await vscode.commands.executeCommand('vscode.diff', uri.with({ scheme }), uri, `${name} (on disk ↔ yours)`);
  }
}

async function readSaved(uri: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(uri.with({ scheme: 'file' }));
  return new TextDecoder().decode(bytes);
}
