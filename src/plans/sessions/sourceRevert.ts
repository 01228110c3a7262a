import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { withExecution } from '../../base/fileModes.ts';
import { ensureDirectory, exists, removeTree, writeAtomic } from '../../base/files.ts';
import { type Blob, changedPaths, readBlob } from '../../git/snapshot.ts';
import { failure } from '../../model/codes.ts';
import { projectPaths } from '../../vault/layout.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { PlanServices } from '../services.ts';
import { realAsFarAsItExists } from './judgeToolOnDisk.ts';

/**
 * Puts one source file back as it was when work began: the only change of source that an analysis can make. A file that
 * was dirty already is a person's, and stays. Returns a line that says what happened.
 */
export async function revertSource(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
  path: string,
): Promise<string> {
  const { disk, git } = services;
  const relative = normalize(path);
  const refuse = (message: string) => failure('state/notAllowed', location.id, message);
  if (isAbsolute(relative) || relative.startsWith('..')) throw refuse(`${path} is not inside the project`);
  if (relative.split(sep)[0] === projectPaths.ravel) throw refuse(`${path} is state, not source`);
  const target = join(location.projectDirectory, relative);
  if ((await realAsFarAsItExists(disk, target)) !== target) throw refuse(`${path} leads through a link`);
  const baseline = (await loadRunState(services, location.id)).baselines.work;
  if (baseline === undefined) throw refuse('there is no work baseline to go back to');
  if (baseline.dirty.some((entry) => entry.path === relative)) {
    throw refuse(`${path} had changes before work began; they are a person's`);
  }
  const changed = await changedPaths(git, location.projectDirectory, baseline.commit, [projectPaths.ravel]);
  // Also the answer to a call that is repeated after a crash, which had put the file back already.
  if (!changed.includes(relative)) return `${relative} is as it was when work began`;
  const old =
    baseline.commit === undefined
      ? undefined
      : await readBlob(git, location.projectDirectory, baseline.commit, relative);
  if (old === undefined) {
    await removeTree(disk, target);
    return `removed ${relative}, which was new`;
  }
  if (old.kind === 'symlink') throw refuse(`${path} was a link; put it back by hand`);
  await ensureDirectory(disk, dirname(target));
  await writeAtomic(disk, target, old.content, { permissions: await permissionsOf(disk, target, old) });
  return `put ${relative} back`;
}

/** Git knows of one bit only; the others stay as they are. */
async function permissionsOf(disk: Disk, target: string, { kind }: Blob): Promise<number> {
  const mode = (await exists(disk, target)) ? (await disk.lstat(target)).mode & 0o777 : 0o644;
  return withExecution(mode, kind === 'executable');
}
