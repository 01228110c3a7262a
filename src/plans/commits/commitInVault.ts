import { commitOwnPaths } from '../../git/vaultRepository.ts';
import type { PlanServices } from '../services.ts';

/**
 * Commits exactly these paths of the vault, relative to it, unless its settings leave commits to the person. One commit of
 * the vault is made after the other. Errors are those of `commitOwnPaths`.
 */
export async function commitInVault(
  { git, layout, settings, vaultCommits }: Pick<PlanServices, 'git' | 'layout' | 'settings' | 'vaultCommits'>,
  paths: readonly string[],
  message: string,
): Promise<void> {
  if (settings.vault.commit !== 'auto') return;
  await vaultCommits.run(() => commitOwnPaths(git, layout.root, paths, message));
}
