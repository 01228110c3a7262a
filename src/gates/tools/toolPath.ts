import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import type { ToolRequest } from '../../model/verdict.ts';

/** What a tool would do to a path. `remove` also covers moving it away and changing a whole tree. */
export type Access = 'read' | 'write' | 'remove';

type Place = Pick<ToolRequest, 'projectDirectory' | 'ravelDirectory' | 'resolvePath'>;

const devices: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/stdin']);

/** Files that hold secrets: neither read nor written by a session. */
const secretName =
  /^(?:\.env(?:\.(?!example$|sample$|template$|dist$).+)?|\.envrc|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|id_(?:rsa|dsa|ecdsa|ed25519)|[._]netrc|\.pgpass|\.git-credentials|\.htpasswd|credentials|secrets?\.(?:ya?ml|json|toml|env))$/i;

/** Files that decide what others run or whom they trust: read, but not written by a session. */
const guardedName = /^(?:\.npmrc|\.pypirc|\.yarnrc(?:\.ya?ml)?|\.gitmodules|\.gitconfig|\.mcp\.json)$/i;
const guardedFolder = /^(?:\.claude|\.husky|\.githooks)$/i;

/** No session reads the session log (design 4). */
const logName = /^session-log\.(?:yaml|md)$/i;

/** Whether a file's name says that no session should read it unasked: it may hold secrets, or is a session log. */
export function mayHoldSecrets(name: string): boolean {
  return secretName.test(name) || logName.test(name);
}

/** Why a tool may not use this path so, as a clause; undefined when it may. `from` is the folder it is relative to. */
export function pathProblem(
  place: Place,
  path: string,
  access: Access,
  from = place.projectDirectory,
): string | undefined {
  const absolute = followed(place, from, path);
  if (devices.has(absolute)) return undefined;
  const real = place.resolvePath(absolute);
  const inRavel = isWithin(place.ravelDirectory.toLowerCase(), real.toLowerCase());
  if (!isWithin(place.projectDirectory, real) && !inRavel) return 'it lies outside the project';
  const names = [...relative(place.projectDirectory, real).split(sep), basename(absolute)];
  if (names.some((name) => secretName.test(name))) return 'it may hold secrets';
  if (access === 'read') {
    return inRavel && names.some((name) => logName.test(name)) ? 'no session reads the session log' : undefined;
  }
  if (inRavel) return "the plans change only through the session's own tools";
  if (names.some((name) => name.toLowerCase() === '.git')) return "git's own files are not edited";
  if (names.some((name) => guardedName.test(name) || guardedFolder.test(name)))
    return 'it decides what others run or trust';
  if (access === 'remove' && holdsGuarded(place, real)) return 'it holds the whole project, its plans or its history';
  return undefined;
}

/** The path with its `..` taken as the system takes them: from where a link leads, not from where it stands. */
function followed(place: Place, from: string, path: string): string {
  if (!path.split('/').includes('..')) return resolve(from, path);
  let at = isAbsolute(path) ? parse(path).root : from;
  for (const segment of path.split('/')) {
    if (segment === '..') at = dirname(place.resolvePath(at));
    else if (segment !== '') at = join(at, segment);
  }
  return at;
}

/** The names that a pattern must not reach by accident. */
export function guardedNames(place: Place): readonly string[] {
  return [basename(place.ravelDirectory), '.git', '.env', 'session-log.yaml', '.npmrc', 'id_rsa'];
}

function holdsGuarded(place: Place, real: string): boolean {
  const guarded = [place.projectDirectory, place.ravelDirectory, resolve(place.projectDirectory, '.git')];
  return guarded.some((path) => isWithin(real, path));
}
