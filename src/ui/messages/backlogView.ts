import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isRavelError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { isQualifiedId, type QualifiedId } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import { planName } from '../trees/planRows.ts';
import { RowTree } from '../trees/rowTree.ts';
import { VisibleReading } from '../trees/visibleReading.ts';
import type { UiContext } from '../uiContext.ts';
import { type BacklogPicture, backlogRows } from './backlogRows.ts';

/** What a row of this view carries when it is dragged: its key as text, which is all that reaches another view. */
export const backlogMime = 'application/vnd.ravel.backlog';

/** Tasks and messages of the plan that is selected among the plans; read only while the view is visible. */
export class BacklogView implements Disposable {
  readonly #ui: UiContext;
  readonly #tree = new RowTree(backlogRows(undefined));
  readonly #view: vscode.TreeView<string>;
  readonly #subscriptions: Disposable;
  readonly #reading: VisibleReading;
  #plan: QualifiedId | undefined;
  /** The one that is shown: the first of all until one is selected. */
  #shown: QualifiedId | undefined;

  constructor(ui: UiContext, onDidSelect: vscode.Event<vscode.TreeViewSelectionChangeEvent<string>>) {
    this.#ui = ui;
    this.#view = vscode.window.createTreeView('ravel.backlog', {
      treeDataProvider: this.#tree,
      dragAndDropController: {
        dragMimeTypes: [backlogMime],
        dropMimeTypes: [],
        handleDrag: ([key = ''], transfer) => transfer.set(backlogMime, new vscode.DataTransferItem(key)),
      },
    });
    this.#reading = new VisibleReading(this.#view, () => this.#read(), ui.onError);
    this.#subscriptions = disposeAll([
      this.#reading,
      this.#tree,
      this.#view,
      onDidSelect(({ selection: [key] }) => {
        if (key === undefined || !isQualifiedId(key) || key === this.#plan) return;
        this.#plan = key;
        this.#reading.touch();
      }),
      ui.model.onDidChange(({ plans, messages }) => {
        if (messages || plans === 'all' || (this.#shown !== undefined && plans.has(this.#shown))) this.#reading.touch();
      }),
    ]);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #read(): Promise<void> {
    const { model } = this.#ui;
    const { link } = model;
    const plan = this.#plan !== undefined && model.plan(this.#plan) !== undefined ? this.#plan : firstPlan(model);
    this.#shown = plan;
    if (link === undefined || plan === undefined || model.stage !== 'ready') return this.#show(undefined);
    const picture = await readPicture(link.api, plan);
    if (model.link === link) this.#show(picture);
  }

  /** What is to be done in a task of the shown plan. Who only rests on a row hears of no failure. */
  async #describe(id: string, signal: AbortSignal): Promise<string | undefined> {
    const { api } = this.#ui.model.link ?? {};
    const plan = this.#shown;
    if (api === undefined || plan === undefined) return undefined;
    try {
      const { result } = await api.request('state', { plan, verb: 'backlog/show', args: { id } }, signal);
      const description = isRecord(result) ? result['description'] : undefined;
      return typeof description === 'string' && description.trim() !== '' ? description : undefined;
    } catch (error) {
      if (isRavelError(error) || signal.aborted) return undefined;
      throw error;
    }
  }

  #show(picture: BacklogPicture | undefined): void {
    this.#tree.show(
      backlogRows(picture, (task, signal) => this.#describe(task, signal)),
      'all',
    );
    this.#view.description = picture === undefined ? '' : planName(picture.plan);
  }
}

function firstPlan({ outline }: UiContext['model']): QualifiedId | undefined {
  const [plan] = outline.nodes.keys();
  return plan;
}

async function readPicture(api: Api, plan: QualifiedId): Promise<BacklogPicture> {
  const list = async (verb: string) => (await api.request('state', { plan, verb, args: {} })).result;
  const [backlog, received, sent, { pending }] = await Promise.all([
    list('backlog/list'),
    list('received/list'),
    list('message/list'),
    api.request('routing', {}),
  ]);
  return {
    plan,
    tasks: (backlog as Pick<BacklogPicture, 'tasks'>).tasks,
    received: (received as { readonly messages: BacklogPicture['received'] }).messages,
    sent: (sent as { readonly messages: BacklogPicture['sent'] }).messages,
    pending,
  };
}
