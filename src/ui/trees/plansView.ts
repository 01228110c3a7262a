import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isRavelError } from '../../base/errors.ts';
import type { QualifiedId } from '../../model/id.ts';
import { phases } from '../../model/phase.ts';
import type { Choice } from '../choice.ts';
import { ContextKeys } from '../contextKeys.ts';
import { isDemo } from '../start/demoPlace.ts';
import type { UiContext } from '../uiContext.ts';
import type { VaultChange } from '../vaultModel.ts';
import { dropOnPlans } from './dropOnPlans.ts';
import { askingPlans, planTooltip } from './planRows.ts';
import {
  describeFilter,
  filteredStates,
  type PlanTree,
  planTree,
  type TreeChoice,
  type TreeFilter,
  toTreeChoice,
} from './planTree.ts';
import type { Rows } from './renderedRows.ts';
import { RowTree } from './rowTree.ts';
import { joinParts } from './treeRow.ts';

const memento = 'ravel.plans';

/** The view of plans: a tree of projects and their plans, filtered and in the order that a person chose. */
export class PlansView implements Disposable {
  readonly #ui: UiContext;
  readonly #tree: RowTree;
  readonly #view: vscode.TreeView<string>;
  readonly #subscriptions: Disposable;
  readonly #menus: ContextKeys;
  /** Rows that the person opened or closed, which the editor forgets while a filter hides them. */
  readonly #opened = new Map<string, boolean>();
  #choice: TreeChoice;
  #plans: PlanTree;
  /** Plans that asked something when the tree was last drawn. */
  #asking: ReadonlySet<QualifiedId> = new Set();

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#menus = new ContextKeys(ui);
    this.#choice = toTreeChoice(ui.context.workspaceState.get(memento));
    this.#plans = this.#buildTree();
    this.#tree = new RowTree(this.#rows());
    this.#view = vscode.window.createTreeView('ravel.plans', {
      treeDataProvider: this.#tree,
      showCollapseAll: true,
      dragAndDropController: dropOnPlans(ui),
    });
    this.#subscriptions = disposeAll([
      this.#tree,
      this.#view,
      ui.model.onDidChange((change) => this.#follow(change)),
      this.#view.onDidExpandElement(({ element }) => this.#remember(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#remember(element, false)),
    ]);
    this.#describe();
  }

  get onDidSelect(): vscode.Event<vscode.TreeViewSelectionChangeEvent<string>> {
    return this.#view.onDidChangeSelection;
  }

  get choice(): TreeChoice {
    return this.#choice;
  }

  async choose(choice: TreeChoice): Promise<void> {
    this.#choice = choice;
    await this.#ui.context.workspaceState.update(memento, choice);
    this.#show('all');
  }

  /** Asks for a filter; every part of it can be taken away again. */
  async askFilter(): Promise<void> {
    const { prompter } = this.#ui;
    const { filter, order } = this.#choice;
    const kind = await prompter.pick(filterChoices(filter), {
      title: t('Filter Plans'),
      placeHolder: t('Show plans …'),
    });
    if (kind === undefined) return;
    if (kind !== 'text') return this.choose({ order, filter: { ...filter, ...kind } });
    const text = await prompter.input({
      title: t('Filter Plans'),
      prompt: t('Part of the name or the description. Empty shows all plans.'),
      value: filter.text ?? '',
    });
    if (text === undefined) return;
    const { text: _, ...rest } = filter;
    await this.choose({ order, filter: text.trim() === '' ? rest : { ...rest, text: text.trim() } });
  }

  clearFilter(): Promise<void> {
    return this.choose({ ...this.#choice, filter: {} });
  }

  async reveal(plan: QualifiedId): Promise<void> {
    if (this.#plans.rowOf(plan) === undefined) await this.clearFilter();
    await this.#view.reveal(plan, { select: true, focus: true, expand: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #follow({ plans, approvals, progress }: VaultChange): void {
    if (plans === 'all') {
      this.#show('all');
      return;
    }
    if (progress) this.#describe();
    const { asking } = this.#surroundings;
    const before = this.#asking;
    const touched = new Set<string>(plans);
    if (approvals) for (const plan of [...asking, ...before]) touched.add(plan);
    if (touched.size > 0) this.#show(touched);
  }

  get #surroundings() {
    return { asking: askingPlans(this.#ui.model.approvals) };
  }

  #buildTree(): PlanTree {
    const surroundings = this.#surroundings;
    this.#asking = surroundings.asking;
    return planTree(this.#ui.model.outline, this.#choice, surroundings);
  }

  #show(touched: ReadonlySet<string> | 'all'): void {
    const before = this.#plans;
    this.#plans = this.#buildTree();
    const redrawn =
      touched === 'all' || !sameSet(before.visible, this.#plans.visible) ? 'all' : this.#withAbove(touched);
    this.#tree.show(this.#rows(), redrawn);
    this.#describe();
  }

  /** A project says how those below it stand; an order by attention moves a plan among its neighbours. */
  #withAbove(touched: ReadonlySet<string>): ReadonlySet<string> {
    const all = new Set(touched);
    for (const key of touched) {
      for (let at: string | undefined = key; at !== undefined; at = this.#plans.parentOf(at as QualifiedId))
        all.add(at);
    }
    return all;
  }

  #rows(): Rows {
    const tree = this.#plans;
    return {
      roots: () => tree.roots(),
      childrenOf: (key) => tree.childrenOf(key as QualifiedId),
      parentOf: (key) => tree.parentOf(key as QualifiedId),
      isOpen: (key) =>
        (tree.visible === undefined ? this.#opened.get(key) : undefined) ?? tree.isOpen(key as QualifiedId),
      rowOf: (key) => tree.rowOf(key as QualifiedId),
      tooltipOf: (key, signal) => this.#tooltip(key, signal),
    };
  }

  /** What a filter found opens by itself, and is not remembered. */
  #remember(key: string, isOpen: boolean): void {
    if (this.#plans.visible === undefined) this.#opened.set(key, isOpen);
  }

  async #tooltip(plan: string, signal: AbortSignal): Promise<string | undefined> {
    const api = this.#ui.model.link?.api;
    if (api === undefined) return undefined;
    try {
      return planTooltip(await api.request('status', { plan }, signal));
    } catch (error) {
      // A tooltip is not worth an error message: the row already says what is known.
      if (isRavelError(error) || signal.aborted) return undefined;
      throw error;
    }
  }

  #message(filter: string | undefined): string {
    const { outline, verifying } = this.#ui.model;
    if (filter !== undefined && this.#plans.matches === 0 && outline.nodes.size > 0)
      return t('No plans match the filter.');
    return verifying === undefined ? '' : t`Checking the vault: ${verifying.done} of ${verifying.total} plans`;
  }

  #describe(): void {
    const { model } = this.#ui;
    const filter = describeFilter(this.#choice.filter);
    this.#view.description = joinParts([
      isDemo(this.#ui) && 'demo',
      filter !== undefined && t`${filter} · ${this.#plans.matches} of ${model.outline.nodes.size}`,
    ]);
    this.#view.message = this.#message(filter);
    const isRead = model.stage !== 'none' && model.stage !== 'opening';
    this.#menus.set({
      'ravel.hasPlans': model.outline.nodes.size > 0,
      'ravel.isRead': isRead,
      'ravel.isFiltered': filter !== undefined,
    });
  }
}

type FilterChoice = 'text' | { readonly [Name in keyof TreeFilter]: TreeFilter[Name] | undefined };

function filterChoices({ text, phase, state }: TreeFilter): Choice<FilterChoice>[] {
  const states: Choice<FilterChoice>[] = filteredStates.map((value) => ({
    label: t`that are ${value}`,
    value: { state: value },
  }));
  const byPhase: Choice<FilterChoice>[] = phases.map((value) => ({
    label: t`in the phase ${value}`,
    value: { phase: value },
  }));
  return [
    { label: t('by a text …'), ...(text !== undefined && { description: t`now “${text}”` }), value: 'text' },
    ...(state === undefined
      ? []
      : [{ label: t('in every state'), description: t`now ${state}`, value: { state: undefined } }]),
    ...states,
    ...(phase === undefined
      ? []
      : [{ label: t('in every phase'), description: t`now ${phase}`, value: { phase: undefined } }]),
    ...byPhase,
  ];
}

function sameSet(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && [...a].every((one) => b.has(one));
}
