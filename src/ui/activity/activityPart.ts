import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { NextTask } from '../../model/nextTasks.ts';
import { type CommandTable, registerCommands } from '../commands.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { type ActivityDocument, activityDocument } from './activityDocument.ts';
import { HappenedView, lastVisitTime, NextView } from './activityViews.ts';
import { nextChoices, optionsFor } from './nextChoices.ts';
import { putBackCommands } from './putBackCommands.ts';
import { snapshotCommands } from './snapshotCommands.ts';

/** What is next over all plans, and what happened in them. */
export const activityPart: Part = (ui) => {
  const pages = new ActivityPages(ui);
  const happened = new HappenedView(ui);
  const table: CommandTable = {
    ...nextCommands,
    async whatHappened() {
      const since = await whatHappened(ui, pages);
      happened.looked();
      return since;
    },
  };
  return disposeAll([
    pages,
    happened,
    new NextView(ui),
    registerCommands(ui, table),
    snapshotCommands(ui),
    putBackCommands(ui),
  ]);
};

/** Choices of a list that a person narrows by typing. */
const tasksShown = 200;

const nextCommands: CommandTable = {
  async runNext(ui) {
    ui.requireTrust();
    const { tasks } = await requireLink(ui).api.request('next', { limit: 1 });
    return runTask(ui, tasks[0]);
  },

  async nextTasks(ui) {
    ui.requireTrust();
    const { tasks } = await requireLink(ui).api.request('next', { limit: tasksShown });
    if (tasks.length === 0) return runTask(ui, undefined);
    const options = { title: t('Next Tasks'), matchOnDescription: true, placeHolder: t('Runs a cycle with the task') };
    const task = await ui.prompter.pick(nextChoices(tasks), options);
    return task && runTask(ui, task);
  },
};

async function runTask(ui: UiContext, task: NextTask | undefined): Promise<unknown> {
  if (task !== undefined) return vscode.commands.executeCommand('ravel.runCycle', task.plan, optionsFor(task));
  await ui.prompter.info(t('No plan has a task that can be started now.'));
  return undefined;
}

async function whatHappened(ui: UiContext, pages: ActivityPages): Promise<string> {
  const { vault } = requireLink(ui);
  const since = await lastVisitTime(ui, vault);
  const until = await pages.show(since);
  // In Restricted Mode nothing is written.
  if (until === undefined || !vscode.workspace.isTrusted) return since;
  await (await ui.machine.lastVisit(vault))?.save(until);
  return since;
}

const scheme = 'ravel-since';

interface Shown extends ActivityDocument {
  readonly until: string;
}

/** What happened since a time as a document that is read and not written; its lines lead to what they name. */
class ActivityPages implements Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #registered: Disposable;

  constructor(ui: UiContext) {
    this.#registered = disposeAll([
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: async (uri) => {
          const found = await requireLink(ui).api.request('since', { since: uri.query });
          const page = activityDocument(found);
          this.#shown.set(uri.toString(), { ...page, until: found.until });
          return page.text;
        },
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())),
      vscode.languages.registerDocumentLinkProvider(
        { scheme },
        { provideDocumentLinks: ({ uri }) => this.#links(uri) },
      ),
    ]);
  }

  /** The address holds the time, so that a window that comes back asks again. Resolves with how far it goes. */
  async show(since: string): Promise<string | undefined> {
    const uri = vscode.Uri.from({ scheme, path: '/What Happened.md', query: since });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
    return this.#shown.get(uri.toString())?.until;
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #links(uri: vscode.Uri): vscode.DocumentLink[] {
    return (this.#shown.get(uri.toString())?.links ?? []).map(({ line, start, end, command, arguments: given }) => {
      const target = vscode.Uri.parse(`command:ravel.${command}?${encodeURIComponent(JSON.stringify(given))}`);
      const link = new vscode.DocumentLink(new vscode.Range(line, start, line, end), target);
      link.tooltip = t('Open it');
      return link;
    });
  }
}
