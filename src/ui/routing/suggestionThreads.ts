import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { SuggestionRow } from '../../model/requests/routing.ts';
import { ContextKeys } from '../contextKeys.ts';
import type { UiContext } from '../uiContext.ts';
import type { RuleDocument } from './ruleDocument.ts';
import type { RuleReview } from './ruleReview.ts';
import { anchorOf } from './suggestionPlaces.ts';
import { threadCommands, threadLabel, threadMarkdown } from './suggestionText.ts';

interface Shown {
  readonly thread: vscode.CommentThread;
  body: string;
}

/**
 * A thread of comments for each suggested rule, in `routing.yaml` where it would stand. It is collapsed until a person asks
 * for it, follows the rules as they are typed, and goes when the suggestion is decided, here or elsewhere.
 */
export class SuggestionThreads implements Disposable {
  readonly #review: RuleReview;
  readonly #document: RuleDocument;
  readonly #menus: ContextKeys;
  readonly #subscriptions: Disposable;
  readonly #threads = new Map<string, Shown>();
  /** Made with the first suggestion: most vaults have none. */
  #controller: vscode.CommentController | undefined;
  #opened: string | undefined;

  constructor(ui: UiContext, parts: { readonly review: RuleReview; readonly document: RuleDocument }) {
    const { review, document } = parts;
    this.#review = review;
    this.#document = document;
    this.#menus = new ContextKeys(ui);
    this.#subscriptions = disposeAll([
      review.onDidChange(() => this.#draw()),
      document.onDidChange(() => this.#draw()),
      ui.link.onDidChange(() => this.#clear()),
    ]);
  }

  /** The suggestion whose thread was opened last, as long as it waits. */
  get opened(): string | undefined {
    return this.#opened;
  }

  lineOf(row: SuggestionRow): number {
    const { lines, document } = this.#document;
    return anchorOf(row, lines, document?.lineCount ?? Number.MAX_SAFE_INTEGER);
  }

  /** Opens the thread of a suggestion and closes that of the one before. */
  open(row: SuggestionRow): void {
    // A thread that is only now made is made open: the editor can miss a change right after.
    this.#opened = row.approval;
    this.#draw();
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    for (const [approval, { thread }] of this.#threads) {
      const state = approval === row.approval ? Expanded : Collapsed;
      if (thread.collapsibleState !== state) thread.collapsibleState = state;
    }
  }

  /** Closes the thread that is open: it would stand in the middle of a diff of the file. */
  close(): void {
    const opened = this.#opened === undefined ? undefined : this.#threads.get(this.#opened);
    if (opened !== undefined) opened.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  }

  /** The suggestion of a thread that a menu hands over. */
  suggestionOf(thread: unknown): SuggestionRow | undefined {
    for (const [approval, shown] of this.#threads) {
      if (shown.thread === thread) return this.#review.suggestion(approval);
    }
    return undefined;
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#clear();
    this.#controller?.dispose();
  }

  #clear(): void {
    for (const { thread } of this.#threads.values()) thread.dispose();
    this.#threads.clear();
    this.#opened = undefined;
  }

  #draw(): void {
    const rows = this.#review.suggestions;
    const { file } = this.#review;
    this.#menus.set({
      'ravel.hasSuggestions': rows.length > 0,
      'ravel.ruleFiles': file === undefined ? [] : [file],
      'ravel.ruleForms': rows.map(({ approval }) => `ravel-answer-${approval}.yaml`),
    });
    const waiting = new Set<string>(rows.map(({ approval }) => approval));
    for (const [approval, { thread }] of this.#threads) {
      if (waiting.has(approval)) continue;
      thread.dispose();
      this.#threads.delete(approval);
      if (this.#opened === approval) this.#opened = undefined;
    }
    for (const row of rows) this.#drawOne(row);
  }

  #drawOne(row: SuggestionRow): void {
    const { uri } = this.#document;
    if (uri === undefined) return;
    const line = this.lineOf(row);
    const range = new vscode.Range(line, 0, line, 0);
    const body = threadMarkdown(row);
    const label = threadLabel(row, this.#review.suggestions);
    let shown = this.#threads.get(row.approval);
    if (shown === undefined) {
      this.#controller ??= vscode.comments.createCommentController('ravel.routing', t('Ravel Routing'));
      const thread = this.#controller.createCommentThread(uri, range, []);
      thread.canReply = false;
      thread.contextValue = 'suggestion';
      const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
      thread.collapsibleState = row.approval === this.#opened ? Expanded : Collapsed;
      thread.state = vscode.CommentThreadState.Unresolved;
      shown = { thread, body: '' };
      this.#threads.set(row.approval, shown);
    }
    const { thread } = shown;
    if (thread.range?.start.line !== line) thread.range = range;
    if (thread.label !== label) thread.label = label;
    if (shown.body === body) return;
    shown.body = body;
    thread.comments = [commentOf(row, body)];
  }
}

function commentOf({ createdAt }: SuggestionRow, text: string): vscode.Comment {
  const body = new vscode.MarkdownString(text);
  body.isTrusted = { enabledCommands: [...threadCommands] };
  const timestamp = new Date(createdAt);
  return {
    body,
    mode: vscode.CommentMode.Preview,
    author: { name: 'Ravel' },
    contextValue: 'suggestion',
    ...(Number.isNaN(timestamp.valueOf()) ? {} : { timestamp }),
  };
}
