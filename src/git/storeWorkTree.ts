import { join } from 'node:path';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { type Git, gitText } from './git.ts';
import { locateRepository } from './repository.ts';
import { withTemporaryIndex } from './temporaryIndex.ts';

/**
 * Stores the work tree as it is, with what nothing ignores, and returns the hash of the tree. It adds objects to the
 * repository, and leaves the person's index as it is: only for a repository of our own.
 */
export async function storeWorkTree(git: Git, directory: string): Promise<string> {
  const { gitDirectory } = await locateRepository(git, directory);
  const index = join(gitDirectory, 'index');
  return withTemporaryIndex(git, gitDirectory, async (indexFile) => {
    await ifThere(index, () => git.disk.cloneFile(index, indexFile), leadsNowhere);
    const environment = { GIT_INDEX_FILE: indexFile };
    const settings = ['-c', 'core.fsync=none', '-c', 'core.safecrlf=false', '-c', 'advice.addEmbeddedRepo=false'];
    await git.run(directory, [...settings, 'add', '--all'], { environment });
    return gitText(git, directory, ['write-tree'], { environment });
  });
}
