import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/** How many texts are kept: those of documents that were closed long ago are not needed again. */
const keptMax = 50;

/** Texts that are not files, as read-only documents. */
export class ShownTexts implements Disposable {
  readonly #scheme: string;
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  /** An editor asks one of these for the documents of a scheme. */
  constructor(scheme: string) {
    this.#scheme = scheme;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) =>
        this.#texts.get(query) ?? t('This text is no longer available. Open it again from its page.'),
    });
  }

  /** The address of a document with this text; `path` names it, and its language by its ending. */
  keep(path: string, text: string): vscode.Uri {
    const query = String(++this.#count);
    this.#texts.set(query, text);
    for (const old of this.#texts.keys()) {
      if (this.#texts.size <= keptMax) break;
      this.#texts.delete(old);
    }
    return vscode.Uri.from({ scheme: this.#scheme, path: `/${path.replace(/^\/+/, '')}`, query });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
