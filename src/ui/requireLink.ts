import { failure } from '../model/codes.ts';
import type { UiContext } from './uiContext.ts';
import type { VaultLink } from './vaultLink.ts';

/** The vault of the window; throws `ui/noVault` where it shows none. */
export function requireLink({ link }: Pick<UiContext, 'link'>): VaultLink {
  if (link.value !== undefined) return link.value;
  throw failure('ui/noVault', 'window', 'No vault is open in this window.');
}
