import { join, resolve } from 'node:path';
import type { Disk, EntryKind } from '../base/disk.ts';
import { ifThere, leadsNowhere, namesNothing } from '../base/diskErrors.ts';
import { exists, walkFiles } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import type { Settings } from '../model/settings.ts';
import { beginningOf, tooLarge } from './programFile.ts';

/** Bytes of a settings file that are read; a larger one is refused. */
const settingsBytesMax = 4 * 1024 * 1024;

/** The settings that a repository brings along, if they are let in, and the scripts that they name inside the project. */
export async function claudeRepositoryPrograms(
  disk: Disk,
  { harnesses }: Settings,
  project: string,
): Promise<string[]> {
  if (harnesses['claude-code']['setting-sources'] !== 'project') return [];
  const folder = join(project, '.claude');
  if (!(await exists(disk, folder))) return [];
  const settings: string[] = [];
  for (const { name } of await disk.readDirectory(folder)) {
    const kind = /^settings.*\.json$/.test(name) ? await kindOf(disk, join(folder, name)) : undefined;
    if (kind !== undefined && kind !== 'directory') settings.push(join(folder, name));
  }
  if (settings.length === 0) return [];
  const hooks = join(folder, 'hooks');
  const scripts = (await exists(disk, hooks)) ? await walkFiles(disk, hooks) : [];
  const found = new Set([...settings, ...scripts.map((name) => join(hooks, name))]);
  for (const file of settings) {
    const { bytes, size } = await beginningOf(disk, file, settingsBytesMax);
    if (size > settingsBytesMax) throw tooLarge(file, size, settingsBytesMax);
    for (const named of namedPaths(bytes.toString('utf8'), project)) {
      if ((await kindOf(disk, named)) === 'file') found.add(named);
    }
  }
  return [...found];
}

/** Also asked of words of a command that could name no file. */
async function kindOf(disk: Disk, path: string): Promise<EntryKind | undefined> {
  const isNothing = (error: unknown) => namesNothing(error) || leadsNowhere(error);
  return (await ifThere(path, () => disk.stat(path), isNothing))?.kind;
}

/** Every word of the settings that could lead to a file of the project. */
function namedPaths(text: string, project: string): string[] {
  const whole = text.replace(/\$\{?CLAUDE_PROJECT_DIR\}?/g, project);
  // A quote inside a command can end a word or be in the middle of one.
  const words = ['', ' '].flatMap((quote) =>
    whole
      .replace(/\\"|'/g, quote)
      .replaceAll('\\', '')
      .split(/[\s"`;|&()<>{}[\]=,]+/),
  );
  const paths = words.filter((word) => word !== '' && word.length < 4096).map((word) => resolve(project, word));
  return [...new Set(paths)].filter((path) => path !== project && isWithin(project, path));
}
