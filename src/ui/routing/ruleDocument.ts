import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { shownText } from '../editors/stateDocuments.ts';
import type { UiContext } from '../uiContext.ts';
import type { RuleReview } from './ruleReview.ts';
import { type RuleLines, ruleLines } from './suggestionPlaces.ts';

/** A text that is being typed is read when the keys rest. */
const typingMs = 150;

/** `routing.yaml` as an editor has it: where its rules stand, after every edit. */
export class RuleDocument implements Disposable {
  readonly #ui: UiContext;
  readonly #review: RuleReview;
  readonly #changes: Emitter<void>;
  readonly #subscriptions: Disposable;
  #timer: Disposable | undefined;
  #lines: readonly RuleLines[] = [];
  /** The text whose rules these are. */
  #read: { readonly document: vscode.TextDocument; readonly version: number } | undefined;

  constructor(ui: UiContext, review: RuleReview) {
    this.#ui = ui;
    this.#review = review;
    this.#changes = new Emitter(ui.onError);
    const { workspace, window } = vscode;
    this.#subscriptions = disposeAll([
      workspace.onDidChangeTextDocument(({ document }) => {
        if (this.isShownIn(document)) this.#readSoon(typingMs);
      }),
      workspace.onDidOpenTextDocument((document) => {
        if (this.isShownIn(document)) this.#readSoon(0);
      }),
      window.onDidChangeVisibleTextEditors(() => this.#followEditors()),
      ui.link.onDidChange(() => {
        [this.#lines, this.#read] = [[], undefined];
        this.#followEditors();
      }),
    ]);
    this.#followEditors();
  }

  /** The rules may stand elsewhere than before. */
  get onDidChange() {
    return this.#changes.event;
  }

  get uri(): vscode.Uri | undefined {
    const { file } = this.#review;
    return file === undefined ? undefined : vscode.Uri.file(file);
  }

  /** The rules of the text that an editor has; none while it is closed. */
  get lines(): readonly RuleLines[] {
    return this.#lines;
  }

  /** The text that an editor has. */
  get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((document) => this.isShownIn(document));
  }

  isShownIn({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
    return uri.scheme === 'file' && uri.fsPath === this.#review.file;
  }

  /** Shows the file, with the cursor at a line, which is asked for when the rules of its text are known. */
  async show(lineOf: () => number): Promise<void> {
    const { uri } = this;
    if (uri === undefined) return;
    const document = await vscode.workspace.openTextDocument(uri);
    await this.read(document);
    const at = new vscode.Position(Math.max(0, Math.min(lineOf(), document.lineCount - 1)), 0);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  }

  /** Reads the rules of a text now, for callers that need their lines at once; a text that was read is not read again. */
  async read(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const api = this.#ui.link.value?.api;
    if (api === undefined || (this.#read?.document === document && this.#read.version === version)) return;
    const { document: inspected } = await api.request('inspect_document', {
      file: document.uri.fsPath,
      text: shownText(document),
    });
    if (inspected === undefined || document.version !== version) return;
    this.#lines = ruleLines(inspected.records);
    this.#read = { document, version };
    this.#changes.emit();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#timer?.dispose();
    this.#changes.dispose();
  }

  #followEditors(): void {
    const isShown = vscode.window.visibleTextEditors.some(({ document }) => this.isShownIn(document));
    this.#review.wantRules(isShown);
    if (isShown) this.#readSoon(0);
  }

  #readSoon(delayMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#ui.clock.schedule(delayMs, () => {
      this.#timer = undefined;
      const { document } = this;
      if (document === undefined) return;
      // The owner went away; the next one reads the next text.
      this.read(document).catch((error: unknown) =>
        this.#ui.log.debug(`The rules could not be read: ${String(error)}`),
      );
    });
  }
}
