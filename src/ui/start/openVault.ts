import { failure } from '../../model/codes.ts';
import type { VaultLink } from '../vaultLink.ts';
import type { Workplace } from '../workplace.ts';

/** The vault of the window; throws `ui/noVault` where it shows none. */
export function requireVault({ link }: Pick<Workplace, 'link'>): VaultLink {
  if (link.value !== undefined) return link.value;
  throw failure('ui/noVault', 'window', 'This window shows no vault.');
}

/** Shows a vault in this window, and waits until it answers; throws what keeps it from that. */
export async function showVault(workplace: Workplace, vault: string): Promise<VaultLink> {
  await workplace.open(vault);
  const link = requireVault(workplace);
  if (link.state.kind === 'failed') throw link.state.error;
  return link;
}
