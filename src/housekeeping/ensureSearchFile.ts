import { basename } from 'node:path';
import { commitOwnPaths } from '../git/vaultRepository.ts';
import type { PlanServices } from '../plans/services.ts';
import { addSearchFile } from '../vault/searchFile.ts';

type SearchPorts = Pick<PlanServices, 'disk' | 'layout' | 'git' | 'settings' | 'vaultCommits'>;

/** Lets an editor's search find the files of plans in a vault that an older Ravel made. */
export async function ensureSearchFile({ disk, layout, git, settings, vaultCommits }: SearchPorts): Promise<void> {
  const isMade = await addSearchFile(disk, layout);
  if (!isMade || settings.vault.commit !== 'auto') return;
  const paths = [basename(layout.searchFile)];
  await vaultCommits.run(() => commitOwnPaths(git, layout.root, paths, 'Let searches find the files of plans'));
}
