import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { isRegistrySettings } from '../../model/decidingFiles.ts';
import type { PolicyAnswer } from '../../model/policy.ts';
import type { ToolRequest } from '../../model/verdict.ts';
import { decidesWhatRuns, leadsToDeciding } from './decidingFiles.ts';
import { sayRule } from './objection.ts';

/**
 * What a tool would do to a path. `stat` shows no content, only names, sizes and the like; `tree` also reads everything
 * below, and `follow` what links below lead to; `remove` also covers moving it away and changing everything below; `run` is for a file of the project that says what
 * a program does.
 */
export type Access = 'stat' | 'read' | 'tree' | 'follow' | 'write' | 'remove' | 'run';

export type ToolPlace = Pick<
  ToolRequest,
  'projectDirectory' | 'ravelDirectory' | 'resolvePath' | 'secretFilesBelow' | 'confinement' | 'policy' | 'policyFiles'
>;

/** Why a tool may not simply use a path so, as a clause. */
export interface PathProblem {
  readonly decision: 'deny' | 'ask';
  readonly clause: string;
  /** Which gate objects; the one for commands if absent. */
  readonly gate?: 'protected' | 'policy';
  readonly ruled?: PolicyAnswer;
}

const devices: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/stdin', '/dev/tty']);
const endlessDevices: ReadonlySet<string> = new Set(['/dev/zero', '/dev/random', '/dev/urandom', '/dev/full']);

/** What programs bring with them, and what tells of the machine and holds nothing of a person. */
const systemFolders: readonly string[] = ['/usr/include', '/usr/lib', '/usr/lib64', '/usr/share', '/usr/src', '/lib'];
const systemFiles: ReadonlySet<string> = new Set([
  ...['/etc/os-release', '/etc/lsb-release', '/etc/debian_version', '/etc/hosts', '/etc/timezone', '/etc/shells'],
  ...['/proc/cpuinfo', '/proc/meminfo', '/proc/version', '/proc/loadavg', '/proc/uptime', '/usr/lib/os-release'],
]);
const sharedTemporaryFolders: readonly string[] = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', '/dev/shm'];

/** Names of files that hold secrets: no session reads or writes them unasked. Matched against a folded name. */
const secretNames: readonly RegExp[] = [
  /^\.env(?:$|[.\-_~](?!(?:example|sample|template|dist|defaults?|test\.example)$))/,
  /^[^.].*\.env$/,
  /^\.(?:secrets?|dockerconfigjson)$/,
  /^\.dev\.vars(?:$|\.)/,
  /\.tfvars(?:\.json)?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|tfstate)\.(?:bak|old|orig|backup|save|\d{1,4})$/,
  /\.(?:keytab|kubeconfig)$/,
  /^kubeconfig(?:$|\.)/,
  /^\.?vault[-_]?pass(?:word|wd)?(?:$|\.txt$)/,
  /(?:^|[-_.])tokens?\.txt$/,
  /^(?:credentials?\.tfrc\.json|local\.settings\.json)$/,
  /^\.envrc$/,
  /\.(?:pem|key|p12|pfx|pkcs12|jks|keystore|kdbx?|ppk|gpg|p8|pgp|age|tfstate|ovpn|agekey)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?\d{0,3}(?:$|[.\-_~](?!pub$))/,
  /^[._]netrc$/,
  /^\.(?:pgpass|my\.cnf|git-credentials|htpasswd|dockercfg|s3cfg|boto|vault-token|npmrc\.local|authinfo|pypirc)$/,
  /^(?:credentials?|secrets?|passwords?)(?:$|\.(?:ya?ml|json|toml|env|txt|ini|cfg|conf|csv|properties|db|enc)$)/,
  /(?:^|[-_.])(?:credentials?|secrets?)\.(?:ya?ml|json|toml|env|ini|properties)$/,
  /^(?:service[-_]?account|gcp[-_]?key|firebase[-_]?adminsdk|client_secret).*\.json$/,
  /^(?:auth|master)\.(?:key|json)$/,
];
const secretFolders: ReadonlySet<string> = new Set([
  ...['.ssh', '.aws', '.gnupg', '.kube', '.password-store', '.secret', '.secrets', '.credentials'],
]);

/** As long as a path of the system can be. */
export const pathLengthMax = 4096;

/**
 * No session reads the session log, nor the parts of it that were put aside: what a later session needs is in the
 * memory.
 */
const logName = /^session-log\.(?:[0-9.-]{1,40}\.)?(?:yaml|md)$/;

/** Whether a file's name says that no session should read it unasked: it may hold secrets, or is a session log. */
export function mayHoldSecrets(name: string): boolean {
  const folded = foldName(name);
  return isSecret(folded) || logName.test(folded);
}

/**
 * A name as file systems that fold names would compare it: without case, with one form for each letter, without marks that
 * are not seen and without dots and blanks at its end.
 */
function foldName(name: string): string {
  const seen = name
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toLowerCase();
  let end = seen.length;
  while (end > 0 && (seen.charAt(end - 1) === '.' || seen.charAt(end - 1) === ' ')) end -= 1;
  return end === 0 ? seen : seen.slice(0, end);
}

/** Whether a path, by its segments, may lead to a secret or a session log: by a name, or by a folder that holds them. */
export function mayLeadToSecret(segments: readonly string[]): boolean {
  const names = segments.map(foldName);
  return names.some((name) => isSecret(name) || secretFolders.has(name) || logName.test(name)) || isDockerLogin(names);
}

/**
 * The part of a file's path that says that it may hold secrets or is a session log: its own name, or a folder around it.
 * A folder named `secrets` alone says nothing, since sources have such names.
 */
export function secretPart(segments: readonly string[]): string | undefined {
  const name = segments.at(-1) ?? '';
  if (mayHoldSecrets(name)) return name;
  const folder = segments.slice(0, -1).find((segment) => secretFolders.has(foldName(segment)));
  return folder ?? (isDockerLogin(segments.map(foldName)) ? name : undefined);
}

function isSecret(folded: string): boolean {
  return secretNames.some((pattern) => pattern.test(folded));
}

/** Why a tool may not use this path so; undefined when it may. `from` is the folder it is relative to. */
export function pathProblem(
  place: ToolPlace,
  path: string,
  access: Access,
  from = place.projectDirectory,
): PathProblem | undefined {
  if (path.includes('\0') || path.length > pathLengthMax) return deny('it is not a path');
  const absolute = followed(place, from, path);
  if (access === 'run' && isDevice(absolute)) return deny('what would run cannot be seen');
  if (devices.has(absolute) && access !== 'remove') return undefined;
  const real = place.resolvePath(absolute);
  const problem = problemOf(place, absolute, real, access);
  if (problem?.decision === 'deny' || access === 'stat') return problem;
  const ruled = ruledPath(place, { named: absolute, real }, access);
  if (ruled === undefined) return problem;
  // What is protected is asked about, whatever the policy allows.
  if (ruled.action === 'allow') return problem?.gate === 'protected' ? problem : undefined;
  if (ruled.action === 'ask' && problem?.gate === 'protected') return problem;
  return { decision: ruled.action, clause: `it ${sayRule(ruled)}`, gate: 'policy', ruled };
}

/** The rule of the policy about a path, or about what is below it if the path is used as a whole. */
function ruledPath({ policy }: ToolPlace, path: { named: string; real: string }, access: Access) {
  if (policy === undefined) return undefined;
  const use = access === 'write' || access === 'remove' ? 'Edit' : 'Read';
  const ruled = policy.path(use, path);
  if (ruled?.action === 'deny' || !['tree', 'follow', 'remove'].includes(access)) return ruled;
  const below = policy.below(use, path.real);
  return below === undefined ? ruled : { ...below, action: 'ask' as const };
}

function problemOf(place: ToolPlace, absolute: string, real: string, access: Access): PathProblem | undefined {
  const inRavel = isWithin(foldPath(place.ravelDirectory), foldPath(real));
  const isEdit = access === 'write' || access === 'remove';
  if (isEdit && place.policyFiles?.some((file) => isWithin(foldPath(real), foldPath(file))))
    return deny('it decides what sessions can do');
  if (!isWithin(place.projectDirectory, real) && !inRavel) return problemOutside(place, real, access);
  const names = [...relative(place.projectDirectory, real).split(sep), basename(absolute)].map(foldName);
  const isChange = access === 'write' || access === 'remove' || access === 'run';
  const decides =
    isChange && access !== 'run' && (decidesWhatRuns(names.slice(0, -1)) || decidesWhatRuns(names.slice(-1)));
  if (
    access !== 'stat' &&
    !decides &&
    (names.some((name) => isSecret(name) || secretFolders.has(name)) || isDockerLogin(names))
  )
    return deny('it may hold secrets');
  if (access === 'tree' || access === 'follow') return secretsBelow(place, real, access === 'follow');
  if (!isChange) {
    if (access === 'read' && inRavel && names.some((name) => logName.test(name)))
      return deny('no session reads the session log');
    if (access === 'read' && isGitConfig(names)) return question('it may hold the password of a server');
    return access === 'read' && mayHoldRegistryToken(absolute) ? tokenIn(place, real) : undefined;
  }
  if (inRavel) return deny("the plans change only through the session's own tools");
  if (names.includes('.git')) return deny("git's own files are not edited");
  if (access === 'remove' && holdsGuarded(place, real))
    return deny('it holds the whole project, its plans or its history');
  if (access === 'remove' && leadsToDeciding(names.slice(0, -1)))
    return question('what it holds may decide what other programs run or trust');
  return decides ? question('it decides what other programs run or trust') : undefined;
}

function isDockerLogin(names: readonly string[]): boolean {
  return names.includes('.docker') && names.at(-1) === 'config.json';
}

function deny(clause: string): PathProblem {
  return { decision: 'deny', clause, gate: 'protected' };
}

function question(clause: string): PathProblem {
  return { decision: 'ask', clause, gate: 'protected' };
}

function foldPath(path: string): string {
  return path.split(sep).map(foldName).join(sep);
}

function isGitConfig(names: readonly string[]): boolean {
  return names.includes('.git') && ['config', 'config.worktree', 'credentials'].includes(names.at(-1) ?? '');
}

/** Whether a path is that of a file in which package managers keep the token of a registry, among other settings. */
export function mayHoldRegistryToken(path: string): boolean {
  return isRegistrySettings(path.split(sep).map(foldName));
}

function tokenIn(place: ToolPlace, real: string): PathProblem | undefined {
  const found = place.secretFilesBelow(dirname(real));
  if (found === 'tooMany') return question('it may hold the token of a registry');
  return found.includes(real) ? deny('it holds the token of a registry') : undefined;
}

/** Whether an absolute path is a configuration of git, which may hold the password of a server. */
export function isGitConfigFile(path: string): boolean {
  return isGitConfig(path.split(sep).map(foldName));
}

function problemOutside(place: ToolPlace, real: string, access: Access): PathProblem | undefined {
  const isChange = access === 'write' || access === 'remove' || access === 'run';
  if (!isChange && isOfSystem(real)) return undefined;
  const temporary = sharedTemporaryFolders.find((folder) => isWithin(folder, real) && folder !== real);
  if (temporary === undefined || !isTemporaryFile(place, temporary, relative(temporary, real)))
    return deny('it lies outside the project');
  return place.confinement === 'confined'
    ? undefined
    : { decision: 'ask', clause: 'it lies in the temporary folder, which other programs use too' };
}

/** Whether an absolute path lies where programs keep temporary files, a folder of which each sandbox has its own. */
export function isSharedTemporary(path: string): boolean {
  return sharedTemporaryFolders.some((folder) => isWithin(folder, path));
}

/** What a device or an open file of a process gives is not known before it is read. */
function isDevice(absolute: string): boolean {
  return /^\/(?:dev(?!\/shm\/)|proc)(?:\/|$)/.test(absolute);
}

function isOfSystem(real: string): boolean {
  return systemFiles.has(real) || endlessDevices.has(real) || systemFolders.some((folder) => isWithin(folder, real));
}

/**
 * Whatever starts with a dot is a person's setting or a secret, wherever the home folder lies. Beside a project that lies
 * in the temporary folder itself, folders are other people's work.
 */
function isTemporaryFile(place: ToolPlace, folder: string, path: string): boolean {
  const names = path.split(sep);
  if (names.length > 1 && isWithin(folder, place.projectDirectory)) return false;
  return !names.some((name) => name.startsWith('.') || isSecret(foldName(name)));
}

function secretsBelow(place: ToolPlace, real: string, followsLinks: boolean): PathProblem | undefined {
  const found = secretsToGuard(place, real);
  if (found === 'tooMany') return question('it holds too many files to know whether one of them holds secrets');
  const [first] = found.filter((path) => followsLinks || !leadsOut(place, path));
  if (first === undefined) return undefined;
  return question(
    `it holds ${relative(real, first) || basename(first)}, which may hold secrets; name or exclude files`,
  );
}

/**
 * The secret files below a folder that a command could read: a sandbox keeps them from what it runs, except for the plans
 * and the configuration of git.
 */
export function secretsToGuard(place: ToolPlace, real: string): readonly string[] | 'tooMany' {
  const found = place.secretFilesBelow(real);
  if (place.confinement !== 'confined' || isWithin(place.ravelDirectory, real)) return found;
  return found === 'tooMany' ? [] : found.filter(isGitConfigFile);
}

/** Whether the path of a file inside the project says that it may hold secrets. */
export function isSecretFile({ projectDirectory }: Pick<ToolPlace, 'projectDirectory'>, path: string): boolean {
  return secretPart(relative(projectDirectory, path).split(sep)) !== undefined;
}

/** A link that leads out of the project is among the secret files too; who reads a whole tree does not follow it. */
function leadsOut(place: ToolPlace, path: string): boolean {
  return !isSecretFile(place, path) && !isWithin(place.projectDirectory, place.resolvePath(path));
}

/** The path with its `..` taken as the system takes them: from where a link leads, not from where it stands. */
function followed(place: ToolPlace, from: string, path: string): string {
  if (!path.split('/').includes('..')) return resolve(from, path);
  let at = isAbsolute(path) ? parse(path).root : from;
  for (const segment of path.split('/')) {
    if (segment === '..') at = dirname(place.resolvePath(at));
    else if (segment !== '') at = join(at, segment);
  }
  return at;
}

/** The names that a pattern must not reach by accident. */
export function guardedNames(place: ToolPlace): readonly string[] {
  return [basename(place.ravelDirectory), '.git', '.env', '.env.local', 'session-log.yaml', '.npmrc', 'config'];
}

/** Whether everything below `real` includes the plans or git's own files. */
function holdsGuarded(place: ToolPlace, real: string): boolean {
  const guarded = [place.projectDirectory, place.ravelDirectory, resolve(place.projectDirectory, '.git')];
  return guarded.some((path) => isWithin(real, path));
}
