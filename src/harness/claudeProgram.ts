import { delimiter, isAbsolute, join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { leadsNowhere } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import { claudeInstallation } from '../model/claudeInstallation.ts';
import { failure } from '../model/codes.ts';

/** Where its installers put the program, below a person's home and elsewhere; an editor's PATH often has none of them. */
const placesAtHome = ['.local/bin', '.claude/local', '.npm-global/bin', '.volta/bin', '.bun/bin', 'bin'];
const places = ['/opt/homebrew/bin', '/usr/local/bin'];

/**
 * The file to start for Claude Code: the named one, else the first of that name on PATH and then in the usual places.
 * Throws `harness/notExecutable` if only a file was found that may not be run, else `harness/missing`.
 */
export async function locateClaude(
  disk: Disk,
  program: string,
  inherited: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const candidates = program.includes('/') ? [program] : foldersOf(inherited).map((folder) => join(folder, program));
  let unusable: string | undefined;
  for (const candidate of candidates) {
    const kind = await kindOf(disk, candidate);
    if (kind === 'program') return candidate;
    if (kind === 'file') unusable ??= candidate;
  }
  if (unusable !== undefined) {
    throw failure(
      'harness/notExecutable',
      'claude-code',
      `Claude Code cannot be started: ${unusable} is not executable.`,
      {
        help: `\`chmod +x '${unusable}'\` lets you run it, if it is the right file.`,
      },
    );
  }
  const where = program.includes('/') ? `${program} is not a program` : `there is no program ${program} on PATH`;
  throw failure('harness/missing', 'claude-code', `Claude Code cannot be started: ${where}.`, {
    help: `Install Claude Code with \`${claudeInstallation}\`, or name its program in daemon.toml under [harnesses.claude-code]. Without it, \`ravel demo\` plays a whole cycle, \`ravel rehearse PLAN\` tries yours on a copy, \`ravel plan --from FILE\` makes plans of a list, \`ravel run PLAN --by-hand\` gives you the phase, and \`ravel run PLAN --harness scripted --scenario FILE\` plays one that you write (docs/scenarios.md).`,
  });
}

function foldersOf(inherited: Readonly<Record<string, string | undefined>>): string[] {
  const home = inherited['HOME'] ?? inherited['USERPROFILE'];
  const onPath = (inherited['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  // Without a home only the folders that PATH names count.
  if (home === undefined || !isAbsolute(home)) return onPath;
  return [...onPath, ...placesAtHome.map((place) => join(home, place)), ...places];
}

async function kindOf(disk: Disk, path: string): Promise<'program' | 'file' | undefined> {
  try {
    const { kind, mode } = await disk.stat(path);
    if (kind !== 'file') return undefined;
    return process.platform === 'win32' || (mode & 0o111) !== 0 ? 'program' : 'file';
  } catch (error) {
    if (leadsNowhere(error) || systemCode(error) === 'EACCES') return undefined;
    throw error;
  }
}
