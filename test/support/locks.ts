import { ensureDirectory } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { VaultLayout } from '../../src/vault/layout.ts';

/** Removes the locks of plans: an owner that a test let die in this process would be taken for one that lives. */
export async function removeLocks({ plans }: Pick<VaultLayout, 'plans'>): Promise<void> {
  await ensureDirectory(nodeDisk, plans);
  for (const { name } of await nodeDisk.readDirectory(plans)) {
    if (name.includes('.lock')) await nodeDisk.unlink(`${plans}/${name}`);
  }
}
