import { ensureDirectory } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Processes, ProcessIdentity } from '../../src/base/processes.ts';
import type { VaultLayout } from '../../src/vault/layout.ts';

/** Removes the locks of plans: an owner that a test let die in this process would be taken for one that lives. */
export async function removeLocks({ locks }: Pick<VaultLayout, 'locks'>): Promise<void> {
  await ensureDirectory(nodeDisk, locks);
  for (const { name } of await nodeDisk.readDirectory(locks)) await nodeDisk.unlink(`${locks}/${name}`);
}

/** A process table filled by the test; the first entry is the asking process. */
export function tableOf(...living: readonly ProcessIdentity[]): Processes {
  const [self = { pid: 1, startTime: 'a', bootId: 'boot' }] = living;
  const identify = async (pid: number) => living.find((identity) => identity.pid === pid);
  return {
    self: async () => self,
    identify,
    isAlive: async (identity) => {
      const now = await identify(identity.pid);
      return now?.startTime === identity.startTime && now.bootId === identity.bootId;
    },
  };
}
