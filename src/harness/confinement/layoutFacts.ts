import { userInfo } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { isWithin } from '../../base/paths.ts';
import { submodulePaths, submodulesBytesMax } from '../../model/submodulePaths.ts';
import { inheritedEnvironment } from '../environment.ts';
import { borrowedObjects } from './borrowedObjects.ts';
import type { ConfinedPlace } from './confinement.ts';
import { redactGitConfig } from './redactGitConfig.ts';
import { resolvesOutside } from './resolvesOutside.ts';
import { foldersBetween, type LayoutFacts } from './sandboxLayout.ts';
import {
  findNamed,
  findSystem,
  folderAround,
  isCoveredBy,
  type SystemFacts,
  type SystemLink,
} from './systemFolders.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Programs expect it to be there; it holds sockets, so they find it empty. */
const socketsFolder = '/run';

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

/** Files that a super-user could read although the system keeps them from all other users, and git's stored passwords. */
const secretFiles = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'];
const secretsOfHome = ['.config/git/credentials', '.cargo/credentials', '.cargo/credentials.toml'];

/** Variables that commands get if they are set; what a session inherits otherwise is the agent program's. */
const variables = [
  ...['CI', 'CLAUDECODE', 'COLORTERM', 'COREPACK_ENABLE_AUTO_PIN', 'EDITOR', 'FORCE_COLOR', 'GIT_EDITOR', 'GIT_PAGER'],
  ...['LOGNAME', 'NO_COLOR', 'OLDPWD', 'PAGER', 'PWD', 'RAVEL_SESSION', 'SHELL', 'SHLVL', 'USER'],
];
const closedVariables = /^(?:HOME|TMPDIR|XDG_RUNTIME_DIR|.*_proxy)$/i;

export interface LayoutSources {
  readonly disk: ReadingDisk;
  readonly environment: Environment;
  /** Instead of those that systems have. */
  readonly systemFolders?: readonly string[] | undefined;
}

/** Gathers what a sandbox is laid out by. Folders and files that do not exist are not in it. */
export async function gatherLayoutFacts(
  { disk, environment, systemFolders }: LayoutSources,
  place: ConfinedPlace,
  own: Pick<LayoutFacts, 'temporary' | 'privateHome'>,
): Promise<LayoutFacts> {
  const { project, vault } = place;
  const homes = await realPaths(disk, [environment['HOME'], userInfo().homedir]);
  const shared = await realPaths(disk, ['/tmp', '/var/tmp', environment['TMPDIR']]);
  const system = await findSystem(disk, systemFolders);
  const hidden = [...(await realPaths(disk, [socketsFolder])), ...folderAround(place, system.folders)];
  const covers = [...homes, ...shared, ...hidden];
  const isCovered = (path: string) => isCoveredBy(path, covers, system.folders);
  const { gitDirectory, commonDirectory } = place.repository;
  const writable = place.writesGit === true ? [project, commonDirectory, gitDirectory] : [project];
  const where = { system, homes, covers, isCovered, writable };
  const { tools, links } = await findTools({ disk, environment }, place, where);
  const fixed = [...(await guardedFiles(disk, place)), ...(await submoduleLinks(disk, project)), ...place.fixed];
  const secrets = [...secretFiles, ...homes.flatMap((home) => secretsOfHome.map((path) => join(home, path)))];
  const shown = [project, place.repository.root, gitDirectory, commonDirectory, ...tools];
  const configurations = homes.flatMap((home) => ['.gitconfig', '.config/git/config'].map((path) => join(home, path)));
  const sockets = (await listeningSockets(disk)).filter(
    (path) => shown.some((folder) => isWithin(folder, path)) || !(isCovered(path) || isWithin(vault, path)),
  );
  return {
    ...{ project, repository: place.repository, vault, homes, hidden, ...own },
    system: { ...system, links: [...system.links, ...links] },
    // The root contains all of these, so it does not count as a folder for temporary files; nor does a home.
    sharedFolders: shared.filter((path) => path !== dirname(path) && !homes.includes(path)),
    tools: tools.filter((path) => !isWithin(vault, path)),
    gitParts: gitParts(place),
    writable,
    fixed: await withoutLinks(disk, fixed, writable),
    // A link can lead out of the repository, to a file that is already kept from commands or is not secret.
    emptied: [
      ...(await realFiles(disk, place.secretFiles)).filter((path) => isShown(place, path)),
      ...(await realFiles(disk, [...secrets, ...sockets])),
    ],
    replaced: await redactedConfigs(disk, [
      ...[gitDirectory, commonDirectory].map((folder) => join(folder, 'config')),
      join(gitDirectory, 'config.worktree'),
      ...(await leadingPast(disk, configurations, writable)),
    ]),
    copied: place.copied ?? [],
    ...{ trackedSecrets: place.trackedSecrets, network: place.network },
    variables: variablesOf(environment, place.variables),
  };
}

function isShown({ project, repository, vault }: ConfinedPlace, path: string): boolean {
  return isWithin(project, path) || (isWithin(repository.root, path) && !isWithin(vault, path));
}

/** What commands may read although it is covered or lies in no folder of the system, and the links that lead to it. */
async function findTools(
  { disk, environment }: Pick<LayoutSources, 'disk' | 'environment'>,
  place: ConfinedPlace,
  where: {
    readonly system: SystemFacts;
    readonly homes: readonly string[];
    readonly covers: readonly string[];
    readonly isCovered: (path: string) => boolean;
    readonly writable: readonly string[];
  },
): Promise<{ readonly tools: readonly string[]; readonly links: readonly SystemLink[] }> {
  const { system, homes, covers, isCovered, writable } = where;
  const find = async (paths: readonly string[]) =>
    findNamed(disk, await leadingPast(disk, paths, writable), [...covers, ...system.folders]);
  const [onPath, readable, home] = await Promise.all([
    find((environment['PATH'] ?? '').split(delimiter)),
    find(place.readable),
    find([environment['HOME'] ?? '']),
  ]);
  const known = [
    ...homes.flatMap((folder) => toolsOfHome.map((path) => join(folder, path))),
    ...(await Promise.all(homes.map((folder) => preCommitPrograms(disk, folder)))).flat(),
    ...readable.paths,
  ];
  const wholes = [place.project, place.vault, ...covers];
  const folders = onPath.paths.filter((path) => isCovered(path) && !wholes.some((one) => isWithin(path, one)));
  const tools = [
    ...known,
    ...programFolders(folders, { covers, known }),
    // Where names of hosts are looked up may be named by a link into a hidden folder.
    ...(await realPaths(disk, ['/etc/resolv.conf'])).filter(isCovered),
    ...(await borrowedObjects(disk, place.repository.commonDirectory)),
  ];
  return {
    tools: await leadingPast(disk, tools, writable),
    links: [...onPath.links, ...readable.links, ...home.links],
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
 * Folders of PATH that lie in a hidden place, with the parts of their programs: `tool/bin` comes with `tool/lib`. Not all
 * of `tool`, where many programs keep a login.
 */
function programFolders(
  folders: readonly string[],
  { covers, known }: { readonly covers: readonly string[]; readonly known: readonly string[] },
): string[] {
  return folders.flatMap((folder) => {
    if (known.some((tool) => isWithin(tool, folder))) return [];
    const parent = dirname(folder);
    if (basename(folder) !== 'bin' || covers.includes(parent)) return [folder];
    return [folder, ...besidePrograms.map((name) => join(parent, name))];
  });
}

/** Far more than git ever writes: one that is not read is shown with its logins. */
const configurationBytesMax = 64 * 1024 * 1024;

/** Configurations of git that hold a login, as commands may see them. */
async function redactedConfigs(disk: ReadingDisk, paths: readonly string[]): Promise<LayoutFacts['replaced']> {
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

/** What git has in a folder of its own, and reads. */
const gitNames = [
  ...['HEAD', 'FETCH_HEAD', 'ORIG_HEAD', 'packed-refs', 'config', 'config.worktree', 'shallow', 'index', 'description'],
  ...['objects', 'refs', 'reftable', 'info', 'hooks', 'logs', 'worktrees', 'modules', 'lfs', 'rr-cache', 'branches'],
];

/** Further working trees can lie in the folder of a bare repository: then only what is git's own is shown of it. */
function gitParts({ repository, writesGit }: ConfinedPlace): string[] {
  const { root, gitDirectory, commonDirectory } = repository;
  const isAround = root !== commonDirectory && isWithin(commonDirectory, root);
  if (writesGit === true || !isAround) return [gitDirectory, commonDirectory];
  return [...gitNames.map((name) => join(commonDirectory, name)), gitDirectory];
}

/** The files that lead to the repositories of submodules: changing one chooses what git runs there. */
async function submoduleLinks(disk: ReadingDisk, project: string): Promise<string[]> {
  // A session can put anything there: to read a pipe would wait for ever.
  const [bytes] = await disk.readEach([join(project, '.gitmodules')], submodulesBytesMax);
  const text = bytes?.toString('utf8') ?? '';
  return submodulePaths(text).map((path) => join(project, path, '.git'));
}

/** Paths with a listening socket: a read-only file system does not prevent connections to it. */
async function listeningSockets(disk: ReadingDisk): Promise<string[]> {
  const text = await disk.readFile('/proc/net/unix').then(String, () => '');
  const named = text.split('\n').flatMap((line) => {
    const fields = line.split(' ').filter((field) => field !== '');
    return fields[3] === '00010000' && fields[7] !== undefined ? [fields.slice(7).join(' ')] : [];
  });
  const paths = named.filter((name) => isAbsolute(name));
  const others = named.filter((name) => !isAbsolute(name) && !name.startsWith('@'));
  return [...new Set([...paths, ...(await relativeSockets(disk, others))])];
}

/** The system keeps a path as it was given: one that is not absolute counts from where some program works. */
async function relativeSockets(disk: ReadingDisk, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const processes = (await disk.readDirectory('/proc')).filter(({ name }) => /^\d+$/.test(name));
  const links = processes.map(({ name }) => disk.readLink(join('/proc', name, 'cwd')).catch(() => undefined));
  const folders = [...new Set((await Promise.all(links)).filter((path) => path !== undefined))];
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const kinds = await Promise.all(paths.map((path) => kindOf(disk, path)));
  return paths.filter((_path, at) => kinds[at] === 'other');
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

/** Those that are there, and that no link in `folders` leads to. One that cannot be looked at cannot be read by a command either. */
async function leadingPast(disk: ReadingDisk, paths: readonly string[], folders: readonly string[]): Promise<string[]> {
  const unique = [...new Set(paths)].filter(isAbsolute);
  const found = await Promise.all(unique.map((path) => resolvesOutside(disk, path, folders)));
  return unique.filter((_path, at) => found[at]);
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
