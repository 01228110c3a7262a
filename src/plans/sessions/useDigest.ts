import { basename, isAbsolute, join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { ifThere, namesNothing } from '../../base/diskErrors.ts';
import { sha256 } from '../../base/files.ts';
import { isWithin } from '../../base/paths.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';

/** Files in which runners of tasks find what a name such as `release` stands for. */
const taskFiles: readonly string[] = [
  ...['package.json', 'Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile', 'Rakefile', 'Taskfile.yml'],
  ...['composer.json', 'pyproject.toml', 'Cargo.toml', 'build.gradle', 'build.gradle.kts', 'pom.xml', 'mix.exs'],
  ...['CMakeLists.txt', 'meson.build', 'deno.json', 'Gemfile', 'setup.py', 'tox.ini', 'noxfile.py'],
];

/** Files whose content counts; of what is larger or more, the time and size do. */
const filesMax = 200;
const bytesMax = 4 * 1024 * 1024;

/**
 * Tells what a request would use from what it would use later: where its paths lead, and for a command the content of each
 * file that it names and of the files that define tasks. `paths` has the absolute paths with what they are on the disk.
 */
export async function digestOfUse(
  disk: Disk,
  project: string,
  { tool_name: tool }: PermitArgs,
  paths: ReadonlyMap<string, string>,
): Promise<string> {
  const led = [...paths].sort(([one], [other]) => (one < other ? -1 : 1));
  if (tool !== 'Bash') return sha256(JSON.stringify(led));
  const folders = new Set([project, ...led.map(([, real]) => real)]);
  const named = [...folders].flatMap((folder) => taskFiles.map((name) => join(folder, name)));
  const files = [...new Set([...led.map(([, real]) => real), ...named])].filter(
    (path) => isAbsolute(path) && (isWithin(project, path) || !taskFiles.includes(basename(path))),
  );
  const contents: unknown[] = [];
  for (const path of files.sort()) {
    const stat = await ifThere(path, () => disk.stat(path), namesNothing);
    if (stat?.kind !== 'file') continue;
    const isRead = stat.size <= bytesMax && contents.length < filesMax;
    contents.push([path, isRead ? sha256(await disk.readFile(path)) : [stat.size, stat.mtimeMs]]);
  }
  return sha256(JSON.stringify([led, contents]));
}
