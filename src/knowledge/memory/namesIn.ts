import { codeIn } from './codeIn.ts';

/** A run of what paths are made of. */
const pathRun = /[\p{L}\p{M}\p{N}_.@~+/-]+/gu;
/** A run of what identifiers are made of. */
const wordRun = /[\p{L}\p{N}_$]+/gu;

const extension = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** More than a word of a language: it has a hump, or parts that are joined. */
const joined = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/;
/** Characters of an identifier; shorter ones are in every file. */
const identifierLengthMin = 4;

/** The paths and file names in a text, each in one form (`samePath`), without dots around them. */
export function pathsIn(text: string): string[] {
  return [...text.matchAll(pathRun)].flatMap(([run]) => {
    const path = samePath(bare(run));
    return path !== '' && (path.includes('/') || extension.test(path)) ? path : [];
  });
}

/** One form for the ways to write a path: composed letters, one slash between its parts, no part that is the folder itself. */
export function samePath(path: string): string {
  const composed = path.normalize('NFC');
  if (!composed.includes('//') && !composed.includes('/./')) return composed;
  const parts = composed.split('/');
  return parts.filter((part, at) => at === 0 || (part !== '' && part !== '.')).join('/');
}

/** What names of files have in common that a file system can take for one: it may not tell cases apart. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** The identifiers in a piece of code that no other text would have by chance, each once. */
export function identifiersIn(code: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [word] of code.matchAll(wordRun)) {
    if (word.length >= identifierLengthMin && joined.test(word)) found.add(word);
  }
  return found;
}

/** The identifiers that a text writes as code. */
export function codeIdentifiersIn(text: string): ReadonlySet<string> {
  return identifiersIn(codeIn(text).join('\n'));
}

/** Without the folder itself before it, and without dots and slashes behind it. */
function bare(run: string): string {
  let start = 0;
  while (run.startsWith('./', start)) start += 2;
  let end = run.length;
  while (end > start && (run[end - 1] === '.' || run[end - 1] === '/')) end -= 1;
  return run.slice(start, end);
}
