import * as vscode from 'vscode';
import type { RavelExtension } from '../../../src/extension.ts';
import type { UiContext } from '../../../src/ui/uiContext.ts';

/** The extension's own ui, once the vault of the window is read. */
export async function readContext(): Promise<UiContext> {
  const extension = vscode.extensions.getExtension<RavelExtension>('ravel.ravel');
  if (extension === undefined) throw new Error('The extension is not there.');
  const { ui } = await extension.activate();
  await whenSeen(ui, () => (ui.model.stage === 'ready' ? true : undefined));
  return ui;
}

/** Resolves with what `look` finds, as soon as the model has changed so that it finds something. */
export function whenSeen<T>({ model }: UiContext, look: () => T | undefined): Promise<T> {
  const now = look();
  if (now !== undefined) return Promise.resolve(now);
  return new Promise((resolve) => {
    const subscription = model.onDidChange(() => {
      const found = look();
      if (found === undefined) return;
      subscription.dispose();
      resolve(found);
    });
  });
}

/** Resolves once the tab in front has such a label: the host hears of a new tab a moment after it was opened. */
export function whenShown(isWanted: (label: string) => boolean): Promise<void> {
  const { tabGroups } = vscode.window;
  const isShown = () => isWanted(tabGroups.activeTabGroup.activeTab?.label ?? '');
  if (isShown()) return Promise.resolve();
  return new Promise((resolve) => {
    const subscription = tabGroups.onDidChangeTabs(() => {
      if (!isShown()) return;
      subscription.dispose();
      resolve();
    });
  });
}
