import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { registerCommands } from '../commands.ts';
import { onVaultEvent } from '../linkEvents.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { ChangedOnDisk } from './changedOnDisk.ts';
import { registerCodeActions } from './codeActions.ts';
import { registerCodeLenses } from './codeLenses.ts';
import { registerCompletions } from './completionProvider.ts';
import { editorCommands } from './editorCommands.ts';
import { registerNavigation } from './navigation.ts';
import { registerRenaming } from './renaming.ts';
import { registerSideTexts } from './sideTexts.ts';
import { StateDiagnostics } from './stateDiagnostics.ts';
import { StateDocuments } from './stateDocuments.ts';

/** Everything that editors show of the files of plans and of the vault. */
export const editorsPart: Part = (ui) => {
  const documents = new StateDocuments(ui);
  return disposeAll([
    documents,
    new StateDiagnostics(documents, ui),
    new ChangedOnDisk(documents, ui),
    registerCommands(ui, editorCommands(documents)),
    registerSides(ui),
    registerProviders(documents, ui),
  ]);
};

/** Providers know which documents are theirs, so they are registered again where that changes. */
function registerProviders(documents: StateDocuments, ui: UiContext): Disposable {
  let providers = register();
  const subscription = documents.onDidChangeSelector(() => {
    providers.dispose();
    providers = register();
  });
  return disposeAll([{ dispose: () => providers.dispose() }, subscription]);

  function register(): Disposable {
    if (documents.selector.length === 0) return disposeAll([]);
    return disposeAll([
      registerCodeActions(documents),
      registerCodeLenses(documents, ui),
      registerCompletions(documents),
      registerNavigation(documents),
      registerRenaming(documents, ui),
    ]);
  }
}

/** A session that uses a verb has changed what it stages. */
function registerSides({ link, onError }: UiContext): Disposable {
  return registerSideTexts(
    async (side) => (await link.value?.api.request('changed_file', side))?.text ?? '',
    (listener) =>
      onVaultEvent({ link }, (event) => {
        if (event.type === 'session.verb' && event.applied) listener(event.session);
      }),
    onError,
  );
}
