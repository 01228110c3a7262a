import { assert } from '../base/assert.ts';

/** Plan path below `<vault>/projects/`, such as `Demo/project-root/child`, or `expert:<id>`. */
export type QualifiedId = string & { readonly __qualifiedId: true };

/** A ULID: an identity, never an order, since clocks jump. */
export type Ulid = string & { readonly __ulid: true };

/** The reserved name of a project's one root plan. */
export const rootPlanName = 'project-root';

/** The whole id of a plan as a person names it: a project alone stands for its root plan. Other names stay as they are. */
export function wholePlanName(name: string): string {
  return name.includes('/') || name.startsWith('expert:') ? name : `${name}/${rootPlanName}`;
}

const expertPattern = /^expert:[a-z][a-z0-9-]*$/;

/** Why `text` is not a qualified id, as a sentence; undefined if it is one. */
export function qualifiedIdProblem(text: string): string | undefined {
  if (text.startsWith('expert:')) {
    return expertPattern.test(text) ? undefined : 'an expert id is lower-case letters, digits and hyphens';
  }
  const segments = text.split('/');
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  if (segments[1] !== rootPlanName) return `a plan id has the form <project>/${rootPlanName}[/<child>...]`;
  if (segments.lastIndexOf(rootPlanName) !== 1) return `"${rootPlanName}" stands only once, right after the project`;
  return undefined;
}

/** Why `name` cannot be a project, as a sentence; undefined when it can. */
export function projectNameProblem(name: string): string | undefined {
  if (name === rootPlanName) return `the name "${rootPlanName}" is reserved for root plans`;
  if (name.includes('/')) return 'it holds a slash';
  return qualifiedIdProblem(`${name}/${rootPlanName}`);
}

/** What moves the cursor, ends a line, or turns the direction of what follows: a name would look like another one. */
export const hiddenCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'a part between slashes is empty';
  if (segment.startsWith('.')) return `the part "${segment}" starts with a dot`;
  if (/[\\:]/.test(segment) || hiddenCharacters.test(segment))
    return `the part "${segment}" has a character that a path cannot have`;
  if (/\p{Surrogate}/u.test(segment)) return 'a part holds half of a character';
  if (segment.length > 120) return 'a part is longer than 120 characters';
  if (utf8Length(segment) > 255) return 'a part is longer than 255 bytes, the limit for the name of a folder';
  return undefined;
}

function utf8Length(text: string): number {
  return encodeURIComponent(text).replace(/%../g, '.').length;
}

export function isQualifiedId(text: string): text is QualifiedId {
  return qualifiedIdProblem(text) === undefined;
}

/** For ids that the program itself made; what a person typed is checked with `qualifiedIdProblem`. */
export function toQualifiedId(text: string): QualifiedId {
  assert(isQualifiedId(text), `not a qualified id: ${text}`);
  return text;
}

export function projectOf(id: QualifiedId): string {
  const project = id.split('/')[0];
  assert(project !== undefined && !id.startsWith('expert:'), `an expert has no project: ${id}`);
  return project;
}

/** Each plan before those below it. Part by part: as texts, "a b" would come between "a" and "a/c". */
export function compareIds(one: string, two: string): number {
  const parts = two.split('/');
  for (const [at, part] of one.split('/').entries()) {
    const other = parts[at];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return one === two ? 0 : -1;
}

/** Names of files go up to 255 bytes; what is left is for endings such as those of locks and temporary files. */
const segmentLengthMax = 160;

/**
 * A qualified id as one path segment, so that in `runtime/` a child plan never mixes with its parent's folders.
 * Percent-encoding of everything outside letters, digits, `.`, `_` and `-`; reversed by `idFromSegment`. The segment of
 * a plan far down would be longer than any name of a file: it is its beginning, `~` and a digest of the id, which
 * nothing reverses.
 */
export function segmentFromId(id: QualifiedId): string {
  const encoded = encodeURIComponent(id).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  if (encoded.length <= segmentLengthMax) return encoded;
  const digest = digestOf(encoded);
  return `${encoded.slice(0, segmentLengthMax - digest.length - 1)}~${digest}`;
}

/** FNV-1a over 128 bits: spread widely enough that two ids never meet by chance. */
function digestOf(text: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const character of text)
    hash = BigInt.asUintN(128, (hash ^ BigInt(character.charCodeAt(0))) * 0x1000000000000000000013bn);
  return hash.toString(16).padStart(32, '0');
}

/** The id that a segment stands for; undefined for a shortened one, and for anything else. */
export function idFromSegment(segment: string): QualifiedId | undefined {
  if (segment.includes('~')) return undefined;
  try {
    const text = decodeURIComponent(segment);
    return isQualifiedId(text) ? text : undefined;
  } catch {
    // A stray percent sign: no id is written like that.
    return undefined;
  }
}

const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export function isUlid(text: string): text is Ulid {
  return ulidPattern.test(text);
}

/**
 * Id of a record from its title: ASCII letters and digits in lower case, everything else a hyphen, runs collapsed, ends
 * trimmed; `-2`, `-3` ... on a collision; `fallback` if the title has nothing to offer.
 */
export function allocateSlug(title: string, taken: ReadonlySet<string>, fallback: string): string {
  const slug =
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || fallback;
  if (!taken.has(slug)) return slug;
  for (let n = 2; ; n++) {
    const candidate = `${slug}-${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Characters of a part of an id by which a person can name it; fewer would fit too many. */
export const idPartLengthMin = 4;
