import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { sha256 } from '../base/files.ts';
import { mayHoldToken } from '../model/decidingFiles.ts';
import { decidingPathspecs, watchedAtTop } from './decidingFiles.ts';
import type { Git } from './git.ts';
import { readHooks } from './hooks.ts';
import { findInnerFiles, todoFile } from './innerRepositories.ts';
import { type Setting, settingText, startsProgram } from './programSettings.ts';
import { answers } from './repository.ts';
import { findRepositoryFiles, textsOfAbsence } from './repositoryFiles.ts';
import { splitNul } from './splitNul.ts';

/** What of a repository decides what git and other programs run, as it is at one moment. */
export interface Fingerprint {
  /** Top of the work tree, absolute, symlinks resolved. */
  readonly root: string;
  /** Settings of the repository that start programs, by `settingText`. */
  readonly settings: readonly string[];
  /** SHA-256 of each file of the hooks folder, by its name. */
  readonly hooks: Readonly<Record<string, string>>;
  /** By path from the root, with `/`; what lies outside of it is absolute. */
  readonly files: Readonly<Record<string, WatchedFile>>;
}

export interface WatchedFile {
  /** Changes with the content, the kind and the executable bit. */
  readonly hash: string;
  /** Of short text files that hold no tokens, to show what changed. */
  readonly text?: string | undefined;
}

/**
 * Files that a fingerprint covers, bytes of one that are hashed, and bytes of one and of all together that a person is
 * shown.
 */
const filesMax = 2000;
const hashedBytesMax = 16 * 1024 * 1024;
const shownBytesMax = 32 * 1024;
const shownBytesAll = 128 * 1024;

/** Bounded: at most 2,000 files, in the order of their names, and 2,000 of submodules and other working trees; of one over 16 MiB only size and time count. */
export async function takeFingerprint(git: Git, directory: string): Promise<Fingerprint> {
  // First, since it refuses what would hold git up.
  const { files: configurations, included } = await git.settings(directory);
  // As configured, for the folder of the hooks; a place that git may not take for a repository `ls-files` refuses below.
  const asked = [['--show-toplevel'], ['--show-prefix'], ['--git-path', 'hooks']];
  const [root = '', prefix = '', folder = ''] = await answers(git, directory, asked, { asConfigured: true });
  const { gitDirectories } = await findRepositoryFiles(git.disk, directory);
  const [hooks, named, inner] = await Promise.all([
    readHooks(git, directory, resolve(directory, folder)),
    findDecidingFiles(git, directory, { gitDirectories, root, project: join(root, prefix) }),
    findInnerFiles(git.disk, gitDirectories, root),
  ]);
  const files: Record<string, WatchedFile> = {};
  let shown = 0;
  const add = (path: string, file: WatchedFile) => {
    shown += file.text?.length ?? 0;
    const { hash, text } = file;
    files[nameOf(root, path)] = { hash, ...(text !== undefined && shown <= shownBytesAll && { text }) };
  };
  for (const [path, settings] of configurations) if (settings.length > 0) add(path, describeSettings(settings));
  if (included.length > 0) add(join(root, '(included settings)'), describeSettings(included));
  for (const path of [...new Set([...hooks.map((hook) => hook.path), ...named])].sort().slice(0, filesMax)) {
    const file = await describe(git, path);
    if (file !== undefined) add(path, file);
  }
  for (const path of gitDirectories.map((folder) => join(folder, todoFile))) {
    const file = await describeTodo(git, path);
    if (file !== undefined) add(path, file);
  }
  for (const path of inner.filter((file) => !configurations.has(file)).slice(0, filesMax)) {
    const file = await (path.endsWith(todoFile) ? describeTodo(git, path) : describe(git, path));
    // An address in a configuration may hold a password.
    if (file !== undefined && !isAsAbsent(path, file)) add(path, { hash: file.hash });
  }
  return {
    root,
    settings: [...configurations.values(), included].flat().filter(startsProgram).map(settingText),
    hooks: Object.fromEntries(hooks.map((hook) => [hook.name, hook.sha256])),
    files,
  };
}

/** Notes that programs keep for each branch; they change with every day's work and decide nothing. */
const idle = /^branch\..*\.(?!(?:remote|pushremote|merge)$)[a-z0-9-]+$/s;

/** Values that may be a secret: a token in a header, or a name and password in an address. */
const secret = /header|token|password|secret|auth|cookie/i;

function describeSettings(settings: readonly Setting[]): WatchedFile {
  const counting = settings.filter(({ key }) => !idle.test(key));
  const lines = counting.map(({ key, value }) =>
    secret.test(key) ? `${key} = (not shown)` : `${key} = ${value.replace(/\/\/[^/@\s]*@/g, '//(not shown)@')}`,
  );
  const text = lines.join('\n');
  return { hash: sha256(JSON.stringify(counting)), ...(text.length <= shownBytesMax && { text }) };
}

async function findDecidingFiles(
  git: Git,
  directory: string,
  {
    gitDirectories,
    root,
    project,
  }: { readonly gitDirectories: readonly string[]; readonly root: string; readonly project: string },
): Promise<string[]> {
  // Where objects are borrowed from is shown to whatever runs in a sandbox.
  const found = gitDirectories.flatMap((folder) => [
    join(folder, 'info', 'attributes'),
    join(folder, 'objects', 'info', 'alternates'),
  ]);
  found.push(join(root, '.git'));
  // Those at the top even if git ignores them.
  for (const top of new Set([root, project.replace(/\/$/, '')])) {
    found.push(...(await watchedAtTop(git.disk, top, filesMax)));
  }
  const listed = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--full-name',
    '--',
    ...decidingPathspecs,
  ];
  const { stdout } = await git.run(directory, listed);
  found.push(...splitNul(stdout).map((path) => join(root, path)));
  return found;
}

async function describe({ disk }: Git, path: string): Promise<WatchedFile | undefined> {
  const itself = await ifThere(path, () => disk.lstat(path), leadsNowhere);
  if (itself === undefined) return undefined;
  const link = itself.kind === 'symlink' ? `link:${sha256(await disk.readLink(path))}:` : '';
  const stat = await ifThere(path, () => disk.stat(path), leadsNowhere);
  if (stat === undefined || stat.kind !== 'file') return { hash: `${link}${stat?.kind ?? 'nothing'}` };
  const kind = (stat.mode & 0o111) === 0 ? 'file' : 'program';
  if (stat.size > hashedBytesMax) return { hash: `${link}${kind}:${stat.size}:${stat.mtimeMs}` };
  const content = await disk.readFile(path);
  const text = content.toString('utf8');
  // What a link leads to may lie anywhere, and be a key.
  const isItself = (await disk.realPath(path)) === path;
  const isShort = content.length <= shownBytesMax;
  const isShown = isItself && isShort && !mayHoldToken(path.split(sep)) && Buffer.from(text).equals(content);
  return { hash: `${link}${kind}:${sha256(content)}`, ...(isShown && { text }) };
}

/** A plan may be looked at while hooks run for another one in the same repository, or after a crash. */
function isAsAbsent(path: string, { hash }: WatchedFile): boolean {
  const text = textsOfAbsence.get(basename(path));
  return text !== undefined && hash === `file:${sha256(text)}`;
}

/** Of a rebase only what it would run: a person may be at one in another working tree. */
async function describeTodo(git: Git, path: string): Promise<WatchedFile | undefined> {
  const [bytes] = await git.disk.readEach([path], hashedBytesMax);
  if (bytes === undefined) return describe(git, path);
  const lines = bytes.toString('utf8').split('\n');
  const text = lines.filter((line) => ['x', 'exec'].includes(line.trimStart().split(/[ \t]/, 1)[0] ?? '')).join('\n');
  return text === '' ? undefined : { hash: sha256(text), ...(text.length <= shownBytesMax && { text }) };
}

function nameOf(root: string, path: string): string {
  const name = relative(root, path).split(sep).join('/');
  return name.startsWith('../') || isAbsolute(name) ? path : name;
}
