import { requireLink } from '../requireLink.ts';
import type { VaultLink } from '../vaultLink.ts';
import type { Workplace } from '../workplace.ts';

/** Shows a vault in this window, and waits until it answers; throws what keeps it from that. */
export async function showVault(workplace: Workplace, vault: string): Promise<VaultLink> {
  await workplace.open(vault);
  const link = requireLink(workplace);
  if (link.state.kind === 'failed') throw link.state.error;
  return link;
}
