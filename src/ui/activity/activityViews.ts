import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatTimestamp } from '../../base/clock.ts';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { localTime } from '../../base/localTime.ts';
import { dayMs } from '../../base/units.ts';
import type { Api } from '../../model/protocol.ts';
import { groupedRows } from '../trees/groupedRows.ts';
import { RowTree } from '../trees/rowTree.ts';
import { VisibleReading } from '../trees/visibleReading.ts';
import type { UiContext } from '../uiContext.ts';
import { happenedRows, nextRows } from './activityRows.ts';

/** Rows of the view of what is next; “Show Next Tasks…” finds the others. */
const tasksShown = 100;

type Grouped = ReturnType<typeof groupedRows>;

/** What can be started next over all plans, as a view of the panel. */
export class NextView implements Disposable {
  readonly #list: ReadList;

  constructor(ui: UiContext) {
    this.#list = new ReadList(ui, 'ravel.next', async (api) => {
      const { tasks } = await api.request('next', { limit: tasksShown });
      return nextRows(tasks);
    });
  }

  dispose(): void {
    this.#list.dispose();
  }
}

/**
 * What happened since this person last looked, as a view of the panel. It goes on from there until they have it shown as a
 * page, which is what counts as looking: a view that happens to be open does not.
 */
export class HappenedView implements Disposable {
  readonly #list: ReadList;

  constructor(ui: UiContext) {
    this.#list = new ReadList(ui, 'ravel.happened', async (api, vault) => {
      const since = await lastVisitTime(ui, vault);
      const found = await api.request('since', { since });
      this.#list.describe(t`since ${localTime(since)}`);
      return happenedRows(found);
    });
  }

  /** The person has looked: what happens counts from now on. */
  looked(): void {
    this.#list.touch();
  }

  dispose(): void {
    this.#list.dispose();
  }
}

/** When this person last looked at the vault; if they never did, a day ago. */
export async function lastVisitTime(ui: Pick<UiContext, 'machine' | 'clock'>, vault: string): Promise<string> {
  const look = await ui.machine.lastVisit(vault);
  const nowMs = ui.clock.wallMs();
  return formatTimestamp(Math.min((await look?.load()) ?? nowMs - dayMs, nowMs));
}

/** A view of rows that are read again when something of the vault changed, and only while the view is visible. */
class ReadList implements Disposable {
  readonly #ui: UiContext;
  readonly #tree = new RowTree(groupedRows([]));
  readonly #view: vscode.TreeView<string>;
  readonly #reading: VisibleReading;
  readonly #subscriptions: Disposable;

  constructor(ui: UiContext, id: string, read: (api: Api, vault: string) => Promise<Grouped>) {
    this.#ui = ui;
    this.#view = vscode.window.createTreeView(id, { treeDataProvider: this.#tree });
    this.#reading = new VisibleReading(this.#view, () => this.#read(read), ui.onError);
    this.#subscriptions = disposeAll([
      this.#reading,
      this.#tree,
      this.#view,
      ui.model.onDidChange(() => this.#reading.touch()),
    ]);
  }

  describe(text: string): void {
    this.#view.description = text;
  }

  touch(): void {
    this.#reading.touch();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #read(read: (api: Api, vault: string) => Promise<Grouped>): Promise<void> {
    const { model } = this.#ui;
    const { link } = model;
    const rows = link === undefined || model.stage !== 'ready' ? groupedRows([]) : await read(link.api, link.vault);
    if (model.link === link) this.#tree.show(rows, rows.keys);
  }
}
