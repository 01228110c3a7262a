import { basename, dirname } from 'node:path';
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
  readonly #watched = new Map<string, Disposable>();
  readonly #subscriptions: Disposable;

  constructor(documents: StateDocuments, workplace: Workplace) {
    this.#documents = documents;
    this.#workplace = workplace;
    this.#subscriptions = disposeAll([
      vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: readSaved }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#look(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#leave(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#leave(document)),
    ]);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const watched of this.#watched.values()) watched.dispose();
  }

  #look(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!document.isDirty) this.#leave(document);
    else if (!this.#watched.has(key) && this.#documents.has(document)) this.#watched.set(key, this.#watch(document));
  }

  #leave({ uri }: vscode.TextDocument): void {
    this.#watched.get(uri.toString())?.dispose();
    this.#watched.delete(uri.toString());
  }

  #watch(document: vscode.TextDocument): Disposable {
    const { fsPath } = document.uri;
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(fsPath)), basename(fsPath));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    let isTold = false;
    const onChange = async () => {
      if (isTold || !document.isDirty || (await readSaved(document.uri)) === document.getText()) return;
      isTold = true;
      await this.#tell(document.uri);
      isTold = false;
    };
    const subscriptions = [watcher.onDidChange, watcher.onDidCreate].map((event) =>
      event(() => {
        onChange().catch((error: unknown) => this.#workplace.log.error(String(error)));
      }),
    );
    return disposeAll([watcher, ...subscriptions]);
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
