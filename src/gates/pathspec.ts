import { hasWildcard, matchesWildcard } from './wildcard.ts';

/** Folder of the project that holds its plans; commits of the source never name it. */
const plansFolder = 'ravel';

/** Why a session may not name this pathspec, as a clause; undefined when it may. */
export function pathspecProblem(spec: string): string | undefined {
  const { path } = splitPathspec(spec);
  if (path === '') return 'it is empty';
  if (path.startsWith(':')) return 'its magic is not understood; only an exclusion such as ":!path" may be used';
  if (path.startsWith('/') || /^[a-z]:[\\/]/i.test(path)) return 'it is absolute; paths are relative to the project';
  const segments = segmentsOf(path);
  if (segments === undefined) return 'it leaves the project';
  if (segments[0] === plansFolder) return 'the plans are committed by code';
  if (segments[0] === '.git') return 'it lies in .git';
  return undefined;
}

/** Whether the specs together, exclusions considered, cover a changed path of the project. */
export function covers(specs: readonly string[], path: string): boolean {
  const parsed = specs.map(splitPathspec);
  const included = parsed.some((spec) => !spec.excluded && matchesSpec(spec.path, path));
  return included && !parsed.some((spec) => spec.excluded && matchesSpec(spec.path, path));
}

export function isPlanPath(path: string): boolean {
  return path === plansFolder || path.startsWith(`${plansFolder}/`);
}

function splitPathspec(spec: string): { readonly path: string; readonly excluded: boolean } {
  const exclusion = /^:(?:[!^]|\(exclude\))/.exec(spec);
  return { path: spec.slice(exclusion?.[0].length ?? 0), excluded: exclusion !== null };
}

function matchesSpec(spec: string, path: string): boolean {
  const plain = (segmentsOf(spec) ?? []).join('/');
  if (plain === '') return true;
  if (path === plain || path.startsWith(`${plain}/`)) return true;
  return hasWildcard(plain) && (matchesWildcard(plain, path) || matchesWildcard(`${plain}/*`, path));
}

/** Segments without `.` and `..`; undefined where the path climbs out. */
function segmentsOf(path: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}
