import { isAbsolute } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { failure } from '../model/codes.ts';

/** The real path of a folder that a person named. Throws `project/missing` for anything else. */
export async function resolveFolder(disk: Disk, named: string): Promise<string> {
  if (!isAbsolute(named)) throw failure('project/missing', named, `"${named}" is not an absolute path.`);
  const read = async () => {
    const path = await disk.realPath(named);
    return { path, ...(await disk.stat(path)) };
  };
  const found = await ifThere(named, read, leadsNowhere);
  if (found?.kind === 'directory') return found.path;
  throw failure('project/missing', named, `There is no folder ${named}.`);
}
