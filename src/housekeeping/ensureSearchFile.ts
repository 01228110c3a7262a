import { basename } from 'node:path';
import { commitInVault } from '../plans/commits/commitInVault.ts';
import type { PlanServices } from '../plans/services.ts';
import { addSearchFile } from '../vault/searchFile.ts';

type SearchPorts = Pick<PlanServices, 'disk' | 'layout' | 'git' | 'settings' | 'vaultCommits'>;

/** Lets an editor's search find the files of plans in a vault that an older Ravel made. */
export async function ensureSearchFile(ports: SearchPorts): Promise<void> {
  const { disk, layout } = ports;
  if (!(await addSearchFile(disk, layout))) return;
  await commitInVault(ports, [basename(layout.searchFile)], 'Let searches find the files of plans');
}
