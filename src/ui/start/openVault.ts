import type { UiContext } from '../uiContext.ts';
import { requireLink, type VaultLink } from '../vaultLink.ts';

/** Shows a vault in this window, and waits until it answers; throws what keeps it from that. */
export async function showVault(ui: UiContext, vault: string): Promise<VaultLink> {
  await ui.open(vault);
  const link = requireLink(ui);
  if (link.state.kind === 'failed') throw link.state.error;
  return link;
}
