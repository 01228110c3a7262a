import { failure } from '../model/codes.ts';
import type { VaultLink } from './vaultLink.ts';
import type { Workplace } from './workplace.ts';

/** The vault of the window; throws `ui/noVault` where it shows none. */
export function requireLink({ link }: Pick<Workplace, 'link'>): VaultLink {
  if (link.value !== undefined) return link.value;
  throw failure('ui/noVault', 'window', 'No vault is open in this window.');
}
