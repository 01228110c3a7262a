import { userInfo } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { isWithin } from '../../base/paths.ts';
import { submodulePaths } from '../../model/submodulePaths.ts';
import { inheritedEnvironment } from '../environment.ts';
import type { ConfinedPlace } from './confinement.ts';
import { redactGitConfig } from './redactGitConfig.ts';
import { foldersBetween, type RingFacts } from './ring.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders that hold sockets, and the files of other people. */
const hiddenFolders = ['/run', '/var/run', '/mnt/wslg'];

/**
 * What of a home commands may read: tools and their caches, and how git is set up. Everything else is kept from them. A
 * cache that programs write to all the time is not among them: they have one of their own in the session's home.
 */
const toolsOfHome = [
  ...['.asdf', '.bun', '.deno', '.dotnet', '.fnm', '.jenv', '.nvm', '.opam', '.pyenv', '.rbenv', '.rustup', '.rvm'],
  ...['.sdkman', '.volta', '.pnpm-store', '.yarn', '.npm/_cacache', '.nuget/packages', '.gem/ruby', 'go/bin', 'go/pkg'],
  ...['.cargo/bin', '.cargo/env', '.cargo/config.toml', '.cargo/registry', '.cargo/git'],
  ...['.cache/ms-playwright', '.cache/node', '.cache/pip', '.cache/uv', '.cache/yarn'],
  ...['.local/bin', '.local/lib', '.local/pipx', '.m2/repository', '.m2/wrapper', '.gradle/wrapper'],
  ...['fnm', 'mise', 'pnpm', 'pipx', 'uv/python', 'uv/tools', 'virtualenv'].map((name) => `.local/share/${name}`),
  ...['.gitconfig', '.gitignore', '.gitignore_global', '.gitattributes', '.config/git'],
];

/** Files that a super-user could read although the system keeps them from everybody else, and git's stored passwords. */
const secretFiles = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'];
const secretsOfHome = ['.config/git/credentials', '.cargo/credentials', '.cargo/credentials.toml'];

/** Variables that commands get where they are set; what a session inherits otherwise is the agent program's. */
const variables = [
  ...['CI', 'CLAUDECODE', 'COLORTERM', 'COREPACK_ENABLE_AUTO_PIN', 'EDITOR', 'FORCE_COLOR', 'GIT_EDITOR', 'GIT_PAGER'],
  ...['LOGNAME', 'NO_COLOR', 'OLDPWD', 'PAGER', 'PWD', 'RAVEL_SESSION', 'SHELL', 'SHLVL', 'USER'],
];
const closedVariables = /^(?:HOME|TMPDIR|XDG_RUNTIME_DIR|.*_proxy)$/i;

/** Gathers what a sandbox is laid out by. Folders and files that do not exist are not in it. */
export async function gatherRingFacts(
  { disk, environment }: { readonly disk: ReadingDisk; readonly environment: Environment },
  place: ConfinedPlace,
  own: Pick<RingFacts, 'temporary' | 'privateHome'>,
): Promise<RingFacts> {
  const { project, vault } = place;
  const homes = await realPaths(disk, [environment['HOME'], userInfo().homedir]);
  const shared = await realPaths(disk, ['/tmp', '/var/tmp', environment['TMPDIR']]);
  const hidden = await realPaths(disk, hiddenFolders);
  const covered = [...homes, ...shared, ...hidden];
  const known = [
    ...homes.flatMap((home) => toolsOfHome.map((path) => join(home, path))),
    ...(await Promise.all(homes.map((home) => preCommitPrograms(disk, home)))).flat(),
    ...place.readable,
  ];
  // Where names of hosts are looked up may be named by a link into a hidden folder.
  const resolver = (await realPaths(disk, ['/etc/resolv.conf'])).filter((path) =>
    covered.some((one) => isWithin(one, path)),
  );
  const tools = [...known, ...programFolders(environment['PATH'] ?? '', covered, known), ...resolver];
  const { gitDirectory, commonDirectory } = place.repository;
  const writable = place.writesGit === true ? [project, commonDirectory, gitDirectory] : [project];
  const fixed = [...(await guardedFiles(disk, place)), ...(await submoduleLinks(disk, project)), ...place.fixed];
  const secrets = [...secretFiles, ...homes.flatMap((home) => secretsOfHome.map((path) => join(home, path)))];
  const sockets = (await listeningSockets(disk)).filter(
    (path) => ![...covered, vault].some((folder) => isWithin(folder, path)) || isWithin(project, path),
  );
  return {
    ...{ project, repository: place.repository, vault, homes, hidden, ...own },
    // What holds all of these is no folder for temporary files.
    sharedFolders: shared.filter((path) => path !== dirname(path) && !homes.includes(path)),
    tools: (await existing(disk, tools)).filter((path) => !isWithin(vault, path)),
    writable,
    fixed: await withoutLinks(disk, fixed, writable),
    // A link may lead out of the project, to what is kept from commands or is nobody's secret.
    emptied: [
      ...(await realFiles(disk, place.secretFiles)).filter((path) => isWithin(project, path)),
      ...(await realFiles(disk, [...secrets, ...sockets])),
    ],
    replaced: await redactedConfigs(disk, [
      ...[place.repository.gitDirectory, place.repository.commonDirectory].map((folder) => join(folder, 'config')),
      join(place.repository.gitDirectory, 'config.worktree'),
      ...homes.flatMap((home) => ['.gitconfig', '.config/git/config'].map((path) => join(home, path))),
    ]),
    copied: place.copied ?? [],
    ...{ trackedSecrets: place.trackedSecrets, network: place.network },
    variables: variablesOf(environment, place.variables),
  };
}

/**
 * pre-commit works in the folder of its cache: it keeps there what it puts away of a tree. So the folder is a sandbox's
 * own, with the programs as they are and a copy of the index.
 */
export const preCommitCache = { folder: '.cache/pre-commit', index: 'db.db' };

async function preCommitPrograms(disk: ReadingDisk, home: string): Promise<string[]> {
  const folder = join(home, preCommitCache.folder);
  const entries = await disk.readDirectory(folder).catch(() => []);
  return entries.filter(({ kind }) => kind === 'directory').map(({ name }) => join(folder, name));
}

/** Folders and files beside `bin` that programs in it load their own parts from. */
const besidePrograms = ['include', 'lib', 'lib64', 'libexec', 'pyvenv.cfg'];

/**
 * A folder of PATH that lies in a hidden place, with the parts of its programs: `tool/bin` comes with `tool/lib`. Not all
 * of `tool`, where many programs keep a login.
 */
function programFolders(path: string, covered: readonly string[], known: readonly string[]): string[] {
  return path.split(delimiter).flatMap((folder) => {
    if (!isAbsolute(folder) || known.some((tool) => isWithin(tool, folder))) return [];
    if (!covered.some((hidden) => isWithin(hidden, folder) && hidden !== folder)) return [];
    const parent = dirname(folder);
    if (basename(folder) !== 'bin' || covered.includes(parent)) return [folder];
    return [folder, ...besidePrograms.map((name) => join(parent, name))];
  });
}

/** Far more than git ever writes: one that is not read is shown with its logins. */
const configurationBytesMax = 64 * 1024 * 1024;

/** Configurations of git that hold a login, as commands may see them. */
async function redactedConfigs(disk: ReadingDisk, paths: readonly string[]): Promise<RingFacts['replaced']> {
  const unique = [...new Set(paths)];
  const found = await disk.readEach(unique, configurationBytesMax);
  return unique.flatMap((path, at) => {
    const text = redactGitConfig(found[at]?.toString('utf8') ?? '');
    return text === undefined ? [] : [{ path, text }];
  });
}

function variablesOf(environment: Environment, added: readonly string[]): string[] {
  const named = added.filter((name) => !name.endsWith('*'));
  const names = [...Object.keys(inheritedEnvironment(environment, added)), ...variables, ...named];
  return [...new Set(names)]
    .filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !closedVariables.test(name))
    .sort();
}

/** What of git, and of the plans, may not be changed. A hook may change a repository, and not where it is or what it starts. */
async function guardedFiles(disk: ReadingDisk, { project, ravelDirectory, repository, writesGit }: ConfinedPlace) {
  const git = join(project, '.git');
  if (writesGit !== true) return [git, ravelDirectory];
  const { gitDirectory, commonDirectory } = repository;
  const isFolder = await disk.lstat(git).then(
    ({ kind }) => kind === 'directory',
    () => false,
  );
  // Those of submodules and of other working trees as well, which git in this one also reads.
  const names = ['config', 'config.worktree', 'commondir', 'gitdir', 'hooks', 'modules', 'worktrees'];
  const files = [gitDirectory, commonDirectory].flatMap((folder) => names.map((name) => join(folder, name)));
  return isFolder ? files : [git, ...files];
}

const submodulesBytesMax = 4 * 1024 * 1024;

/** The files that lead to the repositories of submodules: whoever changes one chooses what git runs there. */
async function submoduleLinks(disk: ReadingDisk, project: string): Promise<string[]> {
  // A session can put anything there: to read a pipe would wait for ever.
  const [bytes] = await disk.readEach([join(project, '.gitmodules')], submodulesBytesMax);
  const text = bytes?.toString('utf8') ?? '';
  return submodulePaths(text).map((path) => join(project, path, '.git'));
}

/** Paths that somebody listens at: a read-only file system does not keep anybody from connecting. */
async function listeningSockets(disk: ReadingDisk): Promise<string[]> {
  const text = await disk.readFile('/proc/net/unix').then(String, () => '');
  const paths = text.split('\n').flatMap((line) => {
    const fields = line.split(' ').filter((field) => field !== '');
    return fields[3] === '00010000' && fields[7]?.startsWith('/') === true ? [fields.slice(7).join(' ')] : [];
  });
  return [...new Set(paths)];
}

async function realFiles(disk: ReadingDisk, paths: readonly string[]): Promise<string[]> {
  const real = await realPaths(disk, paths);
  const kinds = await Promise.all(real.map(async (path) => (await disk.stat(path)).kind));
  return real.filter((_path, at) => kinds[at] !== 'directory');
}

async function realPaths(disk: ReadingDisk, paths: readonly (string | undefined)[]): Promise<string[]> {
  const real = await Promise.all(
    paths.map((path) =>
      path === undefined || !isAbsolute(path) ? undefined : disk.realPath(path).catch(() => undefined),
    ),
  );
  return [...new Set(real.filter((path) => path !== undefined))];
}

/** Those that are there. One that cannot be looked at cannot be read by a command either. */
async function existing(disk: ReadingDisk, paths: readonly string[]): Promise<string[]> {
  const unique = [...new Set(paths)];
  const kinds = await Promise.all(unique.map((path) => kindOf(disk, path)));
  return unique.filter((_path, at) => kinds[at] !== undefined);
}

/**
 * Those that are there, below one of `folders`, and not behind a link: a session can make a link below a folder that it
 * may change, and a mount follows it to wherever it leads.
 */
async function withoutLinks(
  disk: ReadingDisk,
  paths: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  const unique = [...new Set(paths)];
  const stands = unique.map(async (path) => {
    const folder = folders.findLast((one) => isWithin(one, path));
    if (folder === undefined) return false;
    const parts = [...foldersBetween(folder, path), path];
    const kinds = await Promise.all(parts.map((part) => kindOf(disk, part)));
    return kinds.every((kind) => kind !== undefined && kind !== 'symlink');
  });
  const found = await Promise.all(stands);
  return unique.filter((_path, at) => found[at]);
}

function kindOf(disk: ReadingDisk, path: string) {
  return disk.lstat(path).then(
    ({ kind }) => kind,
    () => undefined,
  );
}
