import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { type DocumentLook, documentLengthMax } from '../../model/document.ts';
import type { Api } from '../../model/protocol.ts';
import type { DocumentFolder } from '../../model/requests/documents.ts';
import type { UiContext } from '../uiContext.ts';

type DocumentsContext = Pick<UiContext, 'link' | 'model' | 'log' | 'onError'>;

interface Looked {
  readonly version: number;
  readonly look: Promise<DocumentLook | undefined>;
}

/**
 * The files of the vault that people edit, and a look at each state of their texts. All that an editor shows of one state
 * comes from one request.
 */
export class StateDocuments implements Disposable {
  readonly #ui: DocumentsContext;
  /** By document and not by address: one that is opened again starts to count its versions again. */
  #looks = new WeakMap<vscode.TextDocument, Looked>();
  readonly #folderChanges: Emitter<void>;
  readonly #worldChanges: Emitter<void>;
  readonly #subscriptions: Disposable;
  #folders: readonly DocumentFolder[] = [];
  #selector: readonly vscode.DocumentFilter[] = [];

  constructor(ui: DocumentsContext) {
    this.#ui = ui;
    const { onError } = ui;
    this.#folderChanges = new Emitter(onError);
    this.#worldChanges = new Emitter(onError);
    this.#subscriptions = disposeAll([
      ui.link.onDidChange((link) => {
        if (link === undefined) this.#take([]);
      }),
      ui.model.onDidChange(({ plans, experts }) => {
        if (plans === 'all') this.#refresh();
        if (plans === 'all' || plans.size > 0 || experts) this.forget();
      }),
    ]);
    this.#refresh();
  }

  /** Which documents are ours; providers are registered for it. */
  get selector(): readonly vscode.DocumentFilter[] {
    return this.#selector;
  }

  get folders(): readonly DocumentFolder[] {
    return this.#folders;
  }

  get onDidChangeSelector() {
    return this.#folderChanges.event;
  }

  /** What a document names may have changed, though its text did not. */
  get onDidChangeWorld() {
    return this.#worldChanges.event;
  }

  /** The vault of the window; undefined while there is none. */
  get api(): Api | undefined {
    return this.#ui.link.value?.api;
  }

  has(document: vscode.TextDocument): boolean {
    return this.#selector.length > 0 && vscode.languages.match(this.#selector, document) > 0;
  }

  /** A look at the text in the editor; undefined if it is not a document of ours, and while the vault is away. */
  look(document: vscode.TextDocument): Promise<DocumentLook | undefined> {
    const known = this.#looks.get(document);
    if (known !== undefined && known.version === document.version) return known.look;
    const look = this.#lookAt(document);
    this.#looks.set(document, { version: document.version, look });
    return look;
  }

  /** The next call of `look` looks again. */
  forget(): void {
    this.#looks = new WeakMap();
    this.#worldChanges.emit();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#folderChanges.dispose();
    this.#worldChanges.dispose();
  }

  async #lookAt(document: vscode.TextDocument): Promise<DocumentLook | undefined> {
    const { api } = this;
    if (api === undefined || !this.has(document)) return undefined;
    try {
      return (await api.request('look_at', { file: document.uri.fsPath, text: shownText(document) })).look;
    } catch (error) {
      // The owner went away; the next one is asked again when it is there.
      this.#ui.log.debug(`No look at ${document.uri.fsPath}: ${String(error)}`);
      this.#looks.delete(document);
      return undefined;
    }
  }

  #refresh(): void {
    this.api?.request('documents', {}).then(
      ({ folders }) => this.#take(folders),
      (error: unknown) => this.#ui.log.debug(`The documents are not known: ${String(error)}`),
    );
  }

  #take(folders: readonly DocumentFolder[]): void {
    if (JSON.stringify(folders) === JSON.stringify(this.#folders)) return;
    this.#folders = folders;
    this.#selector = folders.flatMap(({ folder, patterns }) =>
      patterns.map((pattern) => ({
        scheme: 'file',
        pattern: new vscode.RelativePattern(vscode.Uri.file(folder), pattern),
      })),
    );
    this.#looks = new WeakMap();
    this.#folderChanges.emit();
  }
}

/** Of a text that is too large to be looked at, as much as says so: it is not sent at each key. */
export function shownText(document: vscode.TextDocument): string {
  const text = document.getText();
  return text.length > documentLengthMax ? text.slice(0, documentLengthMax + 1) : text;
}
