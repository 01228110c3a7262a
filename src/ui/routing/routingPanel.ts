import { t } from '@vscode/l10n';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isUlid } from '../../model/id.ts';
import { type RoutingView, toRoutingView } from '../../model/webview.ts';
import { registerCommands } from '../commands.ts';
import { SinglePage } from '../runner/singlePage.ts';
import type { UiContext } from '../uiContext.ts';

/** The page of routing, and the command that opens it. */
export function registerRoutingPanel(ui: UiContext): Disposable {
  const page = new SinglePage<RoutingView>(ui, {
    ...{ name: 'routing', title: t('Routing'), script: 'routing.js', texts: 'ravel-message', toView: toRoutingView },
  });
  const openRouting = async (_ui: UiContext, argument: unknown) =>
    page.show({
      page: 'routing',
      ...(typeof argument === 'string' && isUlid(argument) && { suggestion: argument }),
    });
  return disposeAll([page, registerCommands(ui, { openRouting })]);
}
