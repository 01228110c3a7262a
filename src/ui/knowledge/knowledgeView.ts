import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { Api } from '../../model/protocol.ts';
import { type EntryRow, entriesMax } from '../../model/requests/knowledge.ts';
import { onVaultEvent } from '../linkEvents.ts';
import { RowTree } from '../trees/rowTree.ts';
import { VisibleReading } from '../trees/visibleReading.ts';
import type { UiContext } from '../uiContext.ts';
import { type KnowledgePicture, knowledgeRows } from './knowledgeRows.ts';

/** Entries that the view reads; a search finds the others of a larger vault. */
const readMax = 5 * entriesMax;

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

async function readKnowledge(api: Api): Promise<Omit<KnowledgePicture, 'approvals'>> {
  const entries: EntryRow[] = [];
  let total = 0;
  do {
    const page = await api.request('entries', { after: entries.at(-1)?.entry, limit: entriesMax });
    entries.push(...page.entries);
    total = entries.length + page.more;
    if (page.entries.length === 0) break;
  } while (entries.length < Math.min(total, readMax));
  const { gaps } = await api.request('knowledge_gaps', {});
  // Entries can move from one page to the next while they are read.
  const once = [...new Map(entries.map((row) => [row.entry, row])).values()];
  return { entries: once, total, gaps };
}
