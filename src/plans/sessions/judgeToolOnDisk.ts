import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { fileError, ifThere, namesNothing } from '../../base/diskErrors.ts';
import { isRavelError } from '../../base/errors.ts';
import type { ToolVerdict } from '../../gates/tools/toolGate.ts';
import type { ToolRequest } from '../../model/verdict.ts';
import { findSecretFiles } from './secretFiles.ts';

/** More rounds than any chain of symlinks in one command can need. */
const roundsMax = 8;
/** As many as the system follows in one path. */
const linksMax = 40;

/**
 * Judges a tool request with paths as they really are on disk, and with the files that may hold secrets. The gate is pure
 * and asks for these as it reads the request, so it is asked again until it asks for none that was not looked up. A path that the system does not tell the
 * truth about is denied. `known` is given the paths that were looked at, each with what it is on the disk.
 */
export async function judgeToolOnDisk(
  disk: Disk,
  request: Omit<ToolRequest, 'resolvePath' | 'secretFilesBelow'>,
  known = new Map<string, string>(),
): Promise<ToolVerdict> {
  // The gate reads a shell and knows many programs; most windows that open a vault run no session.
  const { judgeTool } = await import('../../gates/tools/toolGate.ts');
  const secretFiles = new Map<string, readonly string[] | 'tooMany'>();
  for (let round = 0; round < roundsMax; round++) {
    const unknown = new Set<string>();
    const unsearched = new Set<string>();
    const verdict = judgeTool({
      ...request,
      resolvePath: (path) => {
        const absolute = resolve(request.projectDirectory, path);
        const real = known.get(absolute);
        if (real === undefined) unknown.add(absolute);
        return real ?? absolute;
      },
      secretFilesBelow: (folder) => {
        const found = secretFiles.get(folder);
        if (found === undefined) unsearched.add(folder);
        return found ?? [];
      },
    });
    if (unknown.size === 0 && unsearched.size === 0) return verdict;
    try {
      for (const path of unknown) known.set(path, await realAsFarAsItExists(disk, path));
      for (const folder of unsearched)
        secretFiles.set(folder, await findSecretFiles(disk, request.projectDirectory, folder));
    } catch (error) {
      if (!isRavelError(error)) throw error;
      return { decision: 'deny', reason: `Where this request leads cannot be told: ${error.message}` };
    }
  }
  return { decision: 'deny', reason: 'The paths of this request lead through too many links.' };
}

/**
 * A path with its symlinks resolved, also those that lead to what does not exist yet: a write to such a link
 * makes a file where it leads. The rest of what does not exist is appended as it is. Throws `disk/denied` or
 * `disk/failed` if the system does not tell.
 */
export async function realAsFarAsItExists(disk: Disk, path: string): Promise<string> {
  return resolvePath({ disk, linksLeft: linksMax }, path);
}

interface Resolution {
  readonly disk: Disk;
  linksLeft: number;
}

async function resolvePath(resolution: Resolution, path: string): Promise<string> {
  const { disk } = resolution;
  const real = await ifThere(path, () => disk.realPath(path), namesNothing);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = await resolvePath(resolution, parent);
  const place = join(folder, basename(path));
  const stat = await ifThere(place, () => disk.lstat(place), namesNothing);
  if (stat?.kind !== 'symlink') return place;
  const target = await ifThere(place, () => disk.readLink(place), namesNothing);
  return target === undefined ? place : followLink(resolution, folder, target);
}

/** Segment by segment: a `..` leaves the folder that a link before it leads to, not the one it stands in. */
async function followLink(resolution: Resolution, folder: string, target: string): Promise<string> {
  resolution.linksLeft--;
  if (resolution.linksLeft < 0) {
    const message = `The links from ${folder} to ${target} lead on and on.`;
    throw fileError('disk/failed', folder, message, { help: 'Remove the links, or name the file that is meant.' });
  }
  let at = isAbsolute(target) ? parse(target).root : folder;
  for (const segment of target.split(sep)) {
    at = segment === '..' ? dirname(at) : await resolvePath(resolution, join(at, segment));
  }
  return at;
}
