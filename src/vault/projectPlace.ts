import { dirname, join, sep } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import type { RavelError } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import { failure } from '../model/codes.ts';
import { rootPlanName } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { projectPaths, VaultLayout } from './layout.ts';

/**
 * What keeps a folder from being a project, wherever its files would be fine: sessions may read and change all that is
 * below it. `path` is real, `home` is the home folder of the person, if it is known. Undefined if nothing does.
 */
export async function projectPlaceProblem(
  disk: Disk,
  { root }: VaultLayout,
  { path, home }: { readonly path: string; readonly home: string | undefined },
): Promise<RavelError | undefined> {
  if (isWithin(root, path)) return failure('project/inVault', path, `${path} belongs to the vault itself.`);
  if (await exists(disk, new VaultLayout(path).identity)) {
    return failure('project/inVault', path, `${path} is a vault itself.`);
  }
  if (dirname(path) === path) return badPlace(path, 'is the root of the file system');
  const realHome = home === undefined ? undefined : await ifThere(home, () => disk.realPath(home), leadsNowhere);
  if (realHome !== undefined && isWithin(path, realHome)) {
    return badPlace(path, path === realHome ? 'is your home folder' : 'holds your home folder');
  }
  if (path.split(sep).includes('.git') || (await isGitDirectory(disk, path))) {
    return badPlace(path, 'is where git keeps a repository, and holds no files of a project');
  }
  const project = await projectAround(disk, path);
  return project === undefined ? undefined : badPlace(path, `holds plans of the project ${project}`);
}

function badPlace(path: string, what: string): RavelError {
  return failure('project/badPlace', path, `${path} ${what}.`);
}

/** A bare repository, or what stands in the place of `.git` elsewhere. */
async function isGitDirectory(disk: Disk, path: string): Promise<boolean> {
  const found = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => exists(disk, join(path, name))));
  return found.every(Boolean);
}

/** The project whose `ravel/` a folder is, or lies in. */
async function projectAround(disk: Disk, path: string): Promise<string | undefined> {
  const parts = path.split(sep);
  for (const [at, part] of parts.entries()) {
    if (part !== projectPaths.ravel || at === 0) continue;
    const folder = parts.slice(0, at + 1).join(sep);
    if (await exists(disk, join(folder, rootPlanName, planFiles.marker))) return dirname(folder);
  }
  return undefined;
}
