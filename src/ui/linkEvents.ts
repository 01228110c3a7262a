import { type Disposable, disposeAll } from '../base/disposable.ts';
import type { RavelEvent } from '../model/event.ts';
import type { UiContext } from './uiContext.ts';

/** Hears the events of the vault that the window shows, also after it shows another one. */
export function onVaultEvent({ link }: Pick<UiContext, 'link'>, listener: (event: RavelEvent) => void): Disposable {
  let listening: Disposable | undefined;
  const follow = () => {
    listening?.dispose();
    listening = link.value?.api.onEvent(listener);
  };
  follow();
  return disposeAll([link.onDidChange(follow), { dispose: () => listening?.dispose() }]);
}
