import * as vscode from 'vscode';
import { isQualifiedId, isUlid, type QualifiedId } from '../../model/id.ts';
import { type RunnerView, runnerTabs, toRunnerView } from '../../model/webview.ts';
import { type CommandTable, registerCommands } from '../commands.ts';
import { disposeAll } from '../disposables.ts';
import { requireLink } from '../requireLink.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import type { VaultLink } from '../vaultLink.ts';
import type { Part, Workplace } from '../workplace.ts';
import { RunnerPanel } from './runnerPanel.ts';
import { ShownTexts } from './shownTexts.ts';

const viewType = 'ravel.phaseRunner';

/** The phase runners of this window: one panel for each plan, which come back with the window. */
export const registerPhaseRunners: Part = (workplace) => {
  const texts = new ShownTexts();
  const panels = new Map<QualifiedId, RunnerPanel>();
  const add = (link: VaultLink, panel: vscode.WebviewPanel, view: RunnerView) => {
    const runner = new RunnerPanel(workplace, { link, panel, view, texts });
    panels.set(view.plan, runner);
    panel.onDidDispose(() => {
      runner.dispose();
      if (panels.get(view.plan) === runner) panels.delete(view.plan);
    });
  };
  const show = (view: RunnerView) => {
    const link = requireLink(workplace);
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
    registerCommands(workplace, runnerCommands(show)),
    // The panels of another vault would show its plans under the names of this one's.
    workplace.link.onDidChange(() => {
      for (const { panel } of [...panels.values()]) panel.dispose();
    }),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      async deserializeWebviewPanel(panel, state) {
        const view = toRunnerView(state);
        const link = view && (await linkOf(workplace));
        if (view === undefined || link === undefined || panels.has(view.plan)) panel.dispose();
        else add(link, panel, view);
      },
    }),
  ]);
};

function runnerCommands(show: (view: RunnerView) => void): CommandTable {
  return {
    async openPlan(workplace, argument) {
      const plan = await choosePlan(workplace, argument, { title: 'Open Plan' });
      if (plan !== undefined) show({ plan });
      return plan;
    },
    async openSession(_workplace, session, plan, tab) {
      if (typeof session !== 'string' || !isUlid(session)) return undefined;
      if (typeof plan !== 'string' || !isQualifiedId(plan)) return undefined;
      show({ plan, session, tab: runnerTabs.find((name) => name === tab) ?? 'session' });
      return session;
    },
  };
}

/** The vault of the window, which may still be looked for when the window comes back. */
function linkOf({ link, clock }: Workplace): Promise<VaultLink | undefined> {
  if (link.value !== undefined) return Promise.resolve(link.value);
  return new Promise((resolve) => {
    const finish = (found: VaultLink | undefined) => {
      subscription.dispose();
      timer.dispose();
      resolve(found);
    };
    const subscription = link.onDidChange((found) => finish(found));
    const timer = clock.schedule(vaultWaitMs, () => finish(undefined));
  });
}

/** A window that has shown no vault for so long has none. */
const vaultWaitMs = 60_000;
