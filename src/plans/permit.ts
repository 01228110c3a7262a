import { dirname, join, resolve } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { judgeTool, type ToolVerdict } from '../gates/toolGate.ts';
import type { ToolRequest } from '../model/verdict.ts';

/** More rounds than any chain of symlinks in one command can need. */
const roundsMax = 8;

/**
 * Judges a tool request with paths as they really are on disk. The gate is pure and asks for paths as it reads the
 * request, so it is asked again until it asks for none that was not looked up.
 */
export async function judgeToolOnDisk(disk: Disk, request: Omit<ToolRequest, 'resolvePath'>): Promise<ToolVerdict> {
  const known = new Map<string, string>();
  for (let round = 0; round < roundsMax; round++) {
    const unknown = new Set<string>();
    const verdict = judgeTool({
      ...request,
      resolvePath: (path) => {
        const absolute = resolve(request.projectDirectory, path);
        const real = known.get(absolute);
        if (real === undefined) unknown.add(absolute);
        return real ?? absolute;
      },
    });
    if (unknown.size === 0) return verdict;
    for (const path of unknown) known.set(path, await realAsFarAsItExists(disk, path));
  }
  return { decision: 'deny', reason: 'The paths of this request lead through too many links.' };
}

/** A path with the symlinks of its existing part resolved; what does not exist yet is appended as it is. */
export async function realAsFarAsItExists(disk: Disk, path: string): Promise<string> {
  const real = await disk.realPath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  return join(await realAsFarAsItExists(disk, parent), path.slice(parent.length));
}
