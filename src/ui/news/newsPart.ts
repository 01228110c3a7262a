import * as vscode from 'vscode';
import { registerCommands } from '../commands.ts';
import { notify, notifyOfNews } from '../notify.ts';
import { isDemo } from '../start/demoPlace.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { isNewsSetting, mutedText, openSettings } from './newsText.ts';
import { WindowNews } from './windowNews.ts';

type NewsContext = Pick<UiContext, 'link' | 'clock' | 'onError' | 'context' | 'machine' | 'shownPages' | 'prompter'>;

/** What tells the person in this window what happens. Of a demo nothing is told: it tells everything by itself. */
export function createWindowNews(ui: NewsContext): WindowNews {
  const { link, clock, onError, machine, shownPages } = ui;
  return new WindowNews({
    ...{ link, clock, onError },
    isFocused: () => vscode.window.state.focused,
    isWanted: (setting) => !isDemo(ui) && vscode.workspace.getConfiguration('ravel.notifications').get(setting, true),
    isVisible: (news) => shownPages.show(news),
    quietHours: () => machine.quietHours(),
    show: (notice) => notifyOfNews(ui, notice),
  });
}

/** What the buttons of notifications do with them. */
export const newsPart: Part = (ui) => registerCommands(ui, { muteNotifications });

async function muteNotifications(ui: UiContext, setting: unknown): Promise<void> {
  if (!isNewsSetting(setting)) return;
  const settings = vscode.workspace.getConfiguration('ravel.notifications');
  const { Global, Workspace } = vscode.ConfigurationTarget;
  // What a workspace says goes before what the person says everywhere.
  const isOfWorkspace = settings.inspect(setting)?.workspaceValue !== undefined;
  await settings.update(setting, false, isOfWorkspace ? Workspace : Global);
  notify(ui, { tone: 'info', message: mutedText(setting), actions: [openSettings] });
}
