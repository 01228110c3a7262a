import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { disposeAll } from '../../base/disposable.ts';
import { isQualifiedId, isUlid, type QualifiedId } from '../../model/id.ts';
import { type RunnerView, runnerTabs, toRunnerView } from '../../model/webview.ts';
import { type CommandTable, registerCommands } from '../commands.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import type { Part } from '../uiContext.ts';
import { requireLink, type VaultLink } from '../vaultLink.ts';
import { DraftStores, draftParts } from './draftStore.ts';
import { openTarget } from './openTarget.ts';
import { PagePanel } from './pagePanel.ts';
import { panelTitle } from './panelTitle.ts';
import { ShownTexts } from './shownTexts.ts';
import { whenLinked } from './whenLinked.ts';

const viewType = 'ravel.phaseRunner';

/** The phase runners of this window: one panel for each plan, which come back with the window. */
export const registerPhaseRunners: Part = (ui) => {
  const texts = new ShownTexts('ravel-shown');
  const drafts = new DraftStores('runner', draftParts(ui));
  const panels = new Map<QualifiedId, PagePanel>();
  const add = (link: VaultLink, panel: vscode.WebviewPanel, view: RunnerView) => {
    const runner = new PagePanel(ui, {
      ...{ link, panel, view, name: t('Phase Runner'), title: panelTitle(view.plan), icon: 'plan' },
      ...{ script: 'phaseRunner.js', drafts },
      open: (target) => openTarget(ui, texts, view.plan, target),
    });
    panels.set(view.plan, runner);
    panel.onDidDispose(() => {
      runner.dispose();
      if (panels.get(view.plan) === runner) panels.delete(view.plan);
    });
  };
  const show = (view: RunnerView) => {
    const link = requireLink(ui);
    const shown = panels.get(view.plan);
    if (shown !== undefined) {
      shown.show(view);
      return;
    }
    const panel = vscode.window.createWebviewPanel(viewType, '', vscode.ViewColumn.Active, { enableFindWidget: true });
    add(link, panel, view);
  };
  return disposeAll([
    texts,
    drafts,
    registerCommands(ui, runnerCommands(show)),
    // The panels of another vault would show its plans under the names of this one's.
    ui.link.onDidChange(() => {
      for (const { panel } of [...panels.values()]) panel.dispose();
    }),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      async deserializeWebviewPanel(panel, state) {
        const view = toRunnerView(state);
        const link = view && (await whenLinked(ui));
        if (view === undefined || link === undefined || panels.has(view.plan)) panel.dispose();
        else add(link, panel, view);
      },
    }),
  ]);
};

function runnerCommands(show: (view: RunnerView) => void): CommandTable {
  return {
    async openPlan(ui, argument) {
      const plan = await choosePlan(ui, argument, { title: t('Open Plan') });
      if (plan !== undefined) show({ plan });
      return plan;
    },
    async openSession(_ui, session, plan, tab) {
      if (typeof session !== 'string' || !isUlid(session)) return undefined;
      if (typeof plan !== 'string' || !isQualifiedId(plan)) return undefined;
      show({ plan, session, tab: runnerTabs.find((name) => name === tab) ?? 'session' });
      return session;
    },
  };
}
