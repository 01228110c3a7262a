import type { UiContext } from '../uiContext.ts';
import type { VaultLink } from '../vaultLink.ts';

/** The vault of the window, which may still be looked for when the window comes back. */
export function whenLinked({ link, clock }: Pick<UiContext, 'link' | 'clock'>): Promise<VaultLink | undefined> {
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
