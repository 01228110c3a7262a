import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { ruleSentence } from '../../model/ruleText.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { RuleDocument } from './ruleDocument.ts';
import type { RuleReview } from './ruleReview.ts';
import { withRule } from './suggestionPlaces.ts';

const scheme = 'ravel-rule';

/** `routing.yaml` as it would be with a suggested rule: a text that is read and not written. */
export class RulePreview implements Disposable {
  readonly #review: RuleReview;
  readonly #document: RuleDocument;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: Disposable;

  constructor(review: RuleReview, document: RuleDocument) {
    this.#review = review;
    this.#document = document;
    const update = () => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) this.#changes.fire(uri);
    };
    this.#subscriptions = disposeAll([
      this.#changes,
      review.onDidChange(update),
      document.onDidChange(update),
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changes.event,
        provideTextDocumentContent: ({ query }) => this.#text(query),
      }),
    ]);
  }

  /** Shows what accepting would change, beside the file as it is. */
  async show(approval: string): Promise<void> {
    const row = this.#review.suggestion(approval);
    const { uri } = this.#document;
    if (row === undefined || uri === undefined) return;
    const after = vscode.Uri.from({ scheme, path: '/routing.yaml', query: approval });
    const title = t`With the rule: ${sanitizeLabel(ruleSentence(row.suggestion.rule), 80)}`;
    await vscode.commands.executeCommand('vscode.diff', uri, after, title, { preview: true });
  }

  /** The suggestion that a document shows. */
  suggestionOf({ scheme: own, query }: vscode.Uri): string | undefined {
    return own === scheme ? query : undefined;
  }

  /** Closes what showed a suggestion, since it is decided. */
  async close(approval: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && this.suggestionOf(input.modified) === approval,
    );
    await vscode.window.tabGroups.close(own);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #text(approval: string): Promise<string> {
    const { uri } = this.#document;
    if (uri === undefined) return '';
    const document = await vscode.workspace.openTextDocument(uri);
    const row = this.#review.suggestion(approval);
    // Once it is decided, the file itself says how.
    if (row === undefined) return document.getText();
    await this.#document.read(document);
    return withRule(document.getText(), row, this.#document.lines);
  }
}
