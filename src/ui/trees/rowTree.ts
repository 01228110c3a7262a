import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { cancellable } from '../cancellation.ts';
import { RenderedRows, type Rows } from './renderedRows.ts';
import type { TreeRow } from './treeRow.ts';

/** Shows rows as a tree of the editor; draws again what changed, and nothing else. */
export class RowTree implements vscode.TreeDataProvider<string>, Disposable {
  readonly #changes = new vscode.EventEmitter<string[] | undefined>();
  readonly #memory = new RenderedRows();
  #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get onDidChangeTreeData(): vscode.Event<string[] | undefined> {
    return this.#changes.event;
  }

  /** From now on shows these; `touched` says where to look for differences. */
  show(rows: Rows, touched: Iterable<string> | 'all'): void {
    this.#rows = rows;
    const changed = touched === 'all' ? 'all' : this.#memory.changed(touched, rows);
    if (changed === 'all') {
      this.#memory.forget();
      this.#changes.fire(undefined);
    } else if (changed.length > 0) {
      this.#changes.fire([...changed]);
    }
  }

  getChildren(key?: string): string[] {
    if (key !== undefined) return [...this.#rows.childrenOf(key)];
    const roots = this.#rows.roots();
    this.#memory.renderedRoots(roots);
    return [...roots];
  }

  getParent(key: string): string | undefined {
    return this.#rows.parentOf(key);
  }

  getTreeItem(key: string): vscode.TreeItem {
    this.#memory.rendered(key, this.#rows);
    const row = this.#rows.rowOf(key);
    // Gone between two looks: the next one draws the view without it.
    if (row === undefined) return new vscode.TreeItem('');
    return toTreeItem(row, this.#collapsible(key));
  }

  async resolveTreeItem(item: vscode.TreeItem, key: string, token: vscode.CancellationToken): Promise<vscode.TreeItem> {
    const text = await cancellable(token, (signal) => this.#rows.tooltipOf(key, signal));
    if (text !== undefined) item.tooltip = new vscode.MarkdownString(text);
    return item;
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #collapsible(key: string): vscode.TreeItemCollapsibleState {
    if (this.#rows.childrenOf(key).length === 0) return vscode.TreeItemCollapsibleState.None;
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    return this.#rows.isOpen(key) ? Expanded : Collapsed;
  }
}

function toTreeItem(
  { id, label, description, icon, ariaLabel: spoken, contextValue: tokens, command: click }: TreeRow,
  collapsible: number,
): vscode.TreeItem {
  const item = new vscode.TreeItem(label, collapsible);
  item.id = id;
  if (description !== undefined) item.description = description;
  item.iconPath =
    icon.color === undefined
      ? new vscode.ThemeIcon(icon.name)
      : new vscode.ThemeIcon(icon.name, new vscode.ThemeColor(icon.color));
  item.accessibilityInformation = { label: spoken };
  item.contextValue = tokens;
  if (click !== undefined) item.command = { ...click, arguments: [...click.arguments] };
  return item;
}
