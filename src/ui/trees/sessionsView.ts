import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { SessionRow } from '../../model/requests/sessions.ts';
import { isDemo } from '../start/demoPlace.ts';
import type { UiContext } from '../uiContext.ts';
import { flatRows } from './flatRows.ts';
import { RowTree } from './rowTree.ts';
import { type SessionEntry, sessionEntries } from './sessionRows.ts';

/** Sessions that the view lists, the newest first. */
const sessionsAtOnce = 50;

/** The view of sessions: those that run first, then the latest. They are read only while the view is visible. */
export class SessionsView implements Disposable {
  readonly #ui: UiContext;
  readonly #tree: RowTree;
  readonly #view: vscode.TreeView<string>;
  readonly #subscriptions: Disposable;
  #entries: readonly SessionEntry[] = [];
  #recent: readonly SessionRow[] = [];
  #state: 'fresh' | 'stale' | 'reading' = 'stale';

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#tree = new RowTree(flatRows([]));
    this.#view = vscode.window.createTreeView('ravel.sessions', { treeDataProvider: this.#tree });
    this.#subscriptions = disposeAll([
      this.#tree,
      this.#view,
      this.#view.onDidChangeVisibility(() => this.#refresh()),
      ui.model.onDidChange(({ sessions, plans }) => {
        if (sessions) this.#state = 'stale';
        if (sessions || plans === 'all') this.#refresh();
        else if ([...plans].some((plan) => ui.model.plan(plan)?.row?.running !== undefined)) this.#draw();
      }),
    ]);
  }

  /** What a row stands for. */
  entry(key: unknown): SessionEntry | undefined {
    return this.#entries.find(({ session }) => session === key);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #refresh(): void {
    this.#draw();
    if (!this.#view.visible || this.#state !== 'stale') return;
    this.#read().catch(this.#ui.onError);
  }

  async #read(): Promise<void> {
    const { model } = this.#ui;
    const { link } = model;
    if (link === undefined || model.stage !== 'ready') return;
    this.#state = 'reading';
    const { sessions } = await link.api.request('sessions', { limit: sessionsAtOnce }).catch((error: unknown) => {
      this.#state = 'stale';
      throw error;
    });
    if (model.link !== link) return;
    this.#recent = sessions;
    this.#draw();
    // What changed while they were read is read once more.
    if (this.#state === 'reading') this.#state = 'fresh';
    else this.#refresh();
  }

  #draw(): void {
    const { model, clock } = this.#ui;
    if (model.link === undefined) this.#recent = [];
    // What a demo reports as costs is prepared.
    const rows = isDemo(this.#ui) ? this.#recent.map(({ usd: _, ...row }) => row) : this.#recent;
    const entries = sessionEntries(model.outline, rows, { wallMs: clock.wallMs() });
    this.#entries = entries;
    this.#tree.show(
      flatRows(entries),
      entries.map(({ row }) => row.id),
    );
  }
}
