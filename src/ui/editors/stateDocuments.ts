import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { documentLengthMax, type InspectedDocument } from '../../model/document.ts';
import type { Api } from '../../model/protocol.ts';
import type { DocumentFolder } from '../../model/requests/documents.ts';
import type { UiContext } from '../uiContext.ts';

type DocumentsContext = Pick<UiContext, 'link' | 'model' | 'log' | 'onError'>;

interface Inspection {
  readonly version: number;
  readonly inspected: Promise<InspectedDocument | undefined>;
}

/**
 * The files of the vault that people edit, and what Ravel finds in each state of their texts. All that an editor shows of one state
 * comes from one request.
 */
export class StateDocuments implements Disposable {
  readonly #ui: DocumentsContext;
  /** By document and not by address: one that is opened again starts to count its versions again. */
  #inspections = new WeakMap<vscode.TextDocument, Inspection>();
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

  /** What Ravel finds in the text of the editor; undefined if it is not a document of ours, and while the vault is away. */
  inspect(document: vscode.TextDocument): Promise<InspectedDocument | undefined> {
    const known = this.#inspections.get(document);
    if (known !== undefined && known.version === document.version) return known.inspected;
    const inspected = this.#request(document);
    this.#inspections.set(document, { version: document.version, inspected });
    return inspected;
  }

  /** The next call of `inspect` asks again. */
  forget(): void {
    this.#inspections = new WeakMap();
    this.#worldChanges.emit();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#folderChanges.dispose();
    this.#worldChanges.dispose();
  }

  async #request(document: vscode.TextDocument): Promise<InspectedDocument | undefined> {
    const { api } = this;
    if (api === undefined || !this.has(document)) return undefined;
    try {
      return (await api.request('inspect_document', { file: document.uri.fsPath, text: shownText(document) })).document;
    } catch (error) {
      // The owner went away; the next one is asked again when it is there.
      this.#ui.log.debug(`Could not inspect ${document.uri.fsPath}: ${String(error)}`);
      this.#inspections.delete(document);
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
    this.#inspections = new WeakMap();
    this.#folderChanges.emit();
  }
}

/** Of a text that is too large to be inspected, as much as says so: it is not sent at each key. */
export function shownText(document: vscode.TextDocument): string {
  const text = document.getText();
  return text.length > documentLengthMax ? text.slice(0, documentLengthMax + 1) : text;
}
