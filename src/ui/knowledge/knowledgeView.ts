import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { Api } from '../../model/protocol.ts';
import { onVaultEvent } from '../linkEvents.ts';
import { RowTree } from '../trees/rowTree.ts';
import { VisibleReading } from '../trees/visibleReading.ts';
import type { UiContext } from '../uiContext.ts';
import { listEntries } from './chooseEntry.ts';
import { type KnowledgePicture, knowledgeRows } from './knowledgeRows.ts';

/** The entries of the vault and its projects, what waits for a person, and gaps; read only while the view is visible. */
export class KnowledgeView implements Disposable {
  readonly #ui: UiContext;
  readonly #tree = new RowTree(knowledgeRows(undefined));
  readonly #view: vscode.TreeView<string>;
  readonly #subscriptions: Disposable;
  readonly #reading: VisibleReading;
  #known: Omit<KnowledgePicture, 'approvals'> | undefined;

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#view = vscode.window.createTreeView('ravel.knowledge', { treeDataProvider: this.#tree });
    this.#reading = new VisibleReading(this.#view, () => this.#read(), ui.onError);
    this.#subscriptions = disposeAll([
      this.#reading,
      this.#tree,
      this.#view,
      onVaultEvent(ui, ({ type }) => {
        if (type === 'knowledge.changed' || type === 'knowledge.gap') this.#reading.touch();
      }),
      new EntryFiles(ui, () => this.#reading.touch()),
      ui.model.onDidChange(({ plans, experts, approvals }) => {
        if (plans === 'all' || experts) this.#reading.touch();
        else if (approvals) this.#show();
      }),
    ]);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #read(): Promise<void> {
    const { model } = this.#ui;
    const { link } = model;
    const known = link === undefined || model.stage !== 'ready' ? undefined : await readKnowledge(link.api);
    if (model.link !== link) return;
    this.#known = known;
    this.#show();
  }

  #show(): void {
    const { approvals } = this.#ui.model;
    const rows = knowledgeRows(this.#known === undefined ? undefined : { ...this.#known, approvals });
    this.#tree.show(rows, rows.keys);
  }
}

/** Entries that a person or another program changes as files, of which the vault tells nothing. */
class EntryFiles implements Disposable {
  readonly #onChanged: () => void;
  readonly #subscriptions: Disposable;
  #watched: Disposable | undefined;
  #vault: string | undefined;

  constructor({ link }: Pick<UiContext, 'link'>, onChanged: () => void) {
    this.#onChanged = onChanged;
    this.#subscriptions = disposeAll([
      link.onDidChange((now) => this.#follow(now?.vault)),
      // The entries of a project lie outside of the vault's folder.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isInKnowledge(uri.path)) onChanged();
      }),
    ]);
    this.#follow(link.value?.vault);
  }

  dispose(): void {
    this.#watched?.dispose();
    this.#subscriptions.dispose();
  }

  #follow(vault: string | undefined): void {
    if (vault === this.#vault) return;
    this.#vault = vault;
    this.#watched?.dispose();
    this.#watched = undefined;
    if (vault === undefined) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vault, 'knowledge/**'));
    const listeners = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete].map((on) => on(this.#onChanged));
    this.#watched = disposeAll([watcher, ...listeners]);
  }
}

function isInKnowledge(path: string): boolean {
  return path.endsWith('.md') && path.includes('/knowledge/');
}

async function readKnowledge(api: Api): Promise<Omit<KnowledgePicture, 'approvals'>> {
  const { entries, total } = await listEntries(api);
  const { gaps } = await api.request('knowledge_gaps', {});
  return { entries, total, gaps };
}
