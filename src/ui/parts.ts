import { type Disposable, disposeAll } from '../base/disposable.ts';
import { activityPart } from './activity/activityPart.ts';
import { languageModelToolsPart } from './agents/languageModelTools.ts';
import { mcpServersPart } from './agents/mcpServers.ts';
import { registerApiKey } from './apiKeyCommands.ts';
import { registerCommands } from './commands.ts';
import { editorsPart } from './editors/editorsPart.ts';
import { newsPart } from './news/newsPart.ts';
import { routingPart } from './routing/routingPart.ts';
import { registerPhaseRunners } from './runner/phaseRunners.ts';
import { searchPart } from './search/searchPart.ts';
import { registerSecrets } from './secretCommands.ts';
import { startPart } from './start/startPart.ts';
import { registerStatusBar } from './statusBar.ts';
import { tasksPart } from './tasks/tasksPart.ts';
import { terminalsPart } from './terminals/terminalsPart.ts';
import type { Part, UiContext } from './uiContext.ts';
import { registerVaults } from './vaults.ts';
import { registerViews } from './views.ts';

const parts: readonly Part[] = [
  (ui) =>
    registerCommands(ui, {
      showLog: async ({ log }) => log.show(),
    }),
  registerViews,
  registerPhaseRunners,
  registerVaults,
  editorsPart,
  routingPart,
  registerStatusBar,
  newsPart,
  registerApiKey,
  registerSecrets,
  searchPart,
  activityPart,
  startPart,
  languageModelToolsPart,
  mcpServersPart,
  terminalsPart,
  tasksPart,
];

/** Registers every part of the window, in this order. None may read a file or start anything before it is asked to. */
export function registerParts(ui: UiContext): Disposable {
  return disposeAll(parts.map((part) => part(ui)));
}
