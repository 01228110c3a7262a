import { basename, dirname, relative, resolve } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { planFiles } from '../../model/plan.ts';
import { hasWildcard, matchesWildcard } from '../wildcard.ts';
import { judgeWord } from './commandArguments.ts';
import { decidingBelow, guardedExamples } from './guardedPaths.ts';
import { ask, type CommandPlace, doubt, type Objection, strictest } from './objection.ts';
import { mayBeNamed } from './searchScope.ts';
import type { ShellWord } from './shell/shell.ts';
import type { ProgramUse, Special } from './special.ts';
import { mayHoldSecrets, pathProblem } from './toolPath.ts';
import { unknownWord } from './wrappers.ts';

/** Tests and actions of find that only search, with the number of words that follow; after the manuals of GNU and BSD. */
const searchWords: ReadonlyMap<string, number> = new Map([
  ...each('-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -perm', 1),
  ...each('-mtime -ctime -atime -mmin -cmin -amin -user -group -uid -gid -links -inum -fstype -used -context', 1),
  ...each('-maxdepth -mindepth -printf -regextype', 1),
  ...each('-newer -anewer -cnewer -samefile -newermt -newerat -newerct', 1),
  ...each(
    '-print -print0 -ls -prune -quit -true -false -not -and -or -a -o -depth -d -xdev -mount -follow -noleaf -daystart',
    0,
  ),
  ...each(
    '-nouser -nogroup -readable -writable -executable -empty ( ) ! , -warn -nowarn -ignore_readdir_race -help -version',
    0,
  ),
]);
const starters: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const writers: ReadonlySet<string> = new Set(['-fprint', '-fprint0', '-fprintf', '-fls']);

function each(names: string, values: number): readonly (readonly [string, number])[] {
  return names.split(' ').map((name) => [name, values] as const);
}

/** Files that a pattern must not find when what is found is changed. */
const guardedFiles: readonly string[] = [
  ...Object.values(planFiles),
  ...[
    'HEAD',
    'config',
    'index',
    'ORIG_HEAD',
    'packed-refs',
    'main',
    'master',
    'pack-1.pack',
    'pack-1.idx',
    'pre-commit',
  ],
  ...[
    'pre-commit.sample',
    'description',
    'exclude',
    '.npmrc',
    '.gitattributes',
    'approvals.md',
    'notes.md',
    'a.yaml',
    'a.json',
  ],
];

export const judgeFind: Special = ({ rest, place, judgeWords }) => {
  const at0 = rest.findIndex(({ text }) => !/^-(?:[HLPEdsx]|O\d)$/.test(text));
  const after = at0 < 0 ? [] : rest.slice(at0);
  const end = after.findIndex(({ text, isDynamic }) => !isDynamic && /^(?:-|[(!,]$)/.test(text));
  const starts = end < 0 ? after : after.slice(0, end);
  const objections = starts.map((word) => judgeStart(word, place));
  if (rest.some(({ text }) => text === '-L' || text === '-follow'))
    objections.push(doubt(place, 'What find follows cannot be known.'));
  const expression = end < 0 ? [] : after.slice(end);
  const found = { starts, names: namesIn(expression) };
  for (let at = 0; at < expression.length; at++) {
    const { text = '', isDynamic = false } = expression[at] ?? {};
    if (isDynamic) {
      objections.push(doubt(place, 'What find does cannot be known.'));
    } else if (starters.has(text)) {
      const inner = commandAfter(expression, at);
      const folder = text.endsWith('dir')
        ? doubt(place, `find ${text} runs in folders that are not known.`)
        : undefined;
      objections.push(folder, ...judgeFound(found, inner, place, judgeWords));
      at += inner.length + 1;
    } else if (text === '-delete') {
      objections.push(judgeDeletion(found, place));
    } else if (writers.has(text)) {
      objections.push(judgeWord(expression[at + 1] ?? unknownWord, 'write', place));
      at += text === '-fprintf' ? 2 : 1;
    } else {
      const values = searchWords.get(text);
      if (values === undefined) return strictest([...objections, doubt(place, `find ${text} is not known.`)]);
      at += values;
    }
  }
  return strictest(objections);
};

function judgeStart(word: ShellWord, place: CommandPlace): Objection {
  if (word.isDynamic || (word.isGlob && /^[*?[]/.test(word.text)))
    return doubt(place, 'Where find starts cannot be known.');
  return judgeWord(word, 'stat', place);
}

interface Found {
  readonly starts: readonly ShellWord[];
  /** The patterns of names, if each file that is found fits one of them. */
  readonly names: readonly string[] | undefined;
}

function commandAfter(expression: readonly ShellWord[], at: number): readonly ShellWord[] {
  const end = expression.findIndex((word, index) => index > at && (word.text === ';' || word.text === '+'));
  return expression.slice(at + 1, end < 0 ? undefined : end);
}

/** Without `-not`, and with a name in each alternative before its actions, what is found has one of the names. */
function namesIn(expression: readonly ShellWord[]): readonly string[] | undefined {
  const names: string[] = [];
  let hasName = false;
  for (let at = 0; at < expression.length; at++) {
    const { text = '', isDynamic = false } = expression[at] ?? {};
    if (isDynamic || ['-not', '!', ','].includes(text)) return undefined;
    if (starters.has(text) || writers.has(text) || text === '-delete') {
      if (!hasName) return undefined;
      at += starters.has(text)
        ? commandAfter(expression, at).length + 1
        : text === '-fprintf'
          ? 2
          : text === '-delete'
            ? 0
            : 1;
    } else if (text === '-name' || text === '-iname') {
      const pattern = expression[++at] ?? unknownWord;
      if (pattern.isDynamic) return undefined;
      names.push(pattern.text);
      hasName = true;
    } else if (text === '-o' || text === '-or') {
      if (!hasName) return undefined;
      hasName = false;
    } else {
      at += searchWords.get(text) ?? 0;
    }
  }
  return hasName ? names : undefined;
}

/** What stands for a file that was found: one of the right kind if all are harmless, else something unknown. */
function foundWord({ starts, names }: Found, word: ShellWord, place: CommandPlace): ShellWord {
  const [start] = starts;
  const from = start?.text ?? '.';
  if (names === undefined || word.text !== '{}' || from.startsWith('-') || starts.some(({ isDynamic }) => isDynamic))
    return unknownWord;
  if (names.some((name) => reachesGuarded(name) || mayBeSecret(name)) || findsSecrets(starts, names, place))
    return unknownWord;
  const below = place.folders.some((folder) => pathProblem(place.request, from, 'stat', folder) !== undefined);
  return below ? unknownWord : { ...word, text: `${from}/${(names[0] ?? '').replace(/[*?[\]]/g, 'x')}`, isGlob: false };
}

/** The command is judged with a file below each start, and with each guarded path that may be found. */
function judgeFound(
  found: Found,
  inner: readonly ShellWord[],
  place: CommandPlace,
  judgeWords: ProgramUse['judgeWords'],
): readonly Objection[] {
  const withWord = (put: (word: ShellWord) => ShellWord) =>
    judgeWords(
      inner.map((word) => (word.text.includes('{}') ? put(word) : word)),
      place,
    );
  const guarded = guardedBelow(found, place).find(
    (path) => withWord((word) => ({ ...word, text: path, isGlob: false })) !== undefined,
  );
  if (guarded !== undefined) {
    const shown = relative(place.request.projectDirectory, guarded);
    return [
      withWord(() => unknownWord),
      doubt(place, `find may also reach ${shown}; start it at the folders that it is for.`),
    ];
  }
  const starts = found.starts.length === 0 ? [hereWord] : found.starts;
  return starts.map((start) => withWord((word) => foundWord({ ...found, starts: [start] }, word, place)));
}

/** The guarded paths below the starts that have one of the names, and the folders that lead to them. */
function guardedBelow({ starts, names }: Found, { request, folders }: CommandPlace): readonly string[] {
  if (names === undefined) return [];
  const from = starts.length === 0 ? ['.'] : starts.map(({ text }) => text);
  const tops = folders.flatMap((folder) => from.map((text) => request.resolvePath(resolve(folder, text))));
  const all = new Set(guardedExamples(request).flatMap((path) => withFolders(path, request.projectDirectory)));
  const deeper = new Set(tops.flatMap((top) => decidingBelow(top).flatMap((path) => withFolders(path, top))));
  return [
    ...[...all].filter(
      (path) => tops.some((top) => isWithin(top, path)) && names.some((name) => findMatches(name, basename(path))),
    ),
    // A pattern of sources stands for the sources of the folder that find starts at.
    ...[...deeper].filter((path) =>
      names.some((name) => findMatches(name, basename(path)) && !(hasWildcard(name) && isSource.test(path))),
    ),
  ];
}

const isSource = /\.(?:[cm]?[jt]sx?|py|sh|html)$/;

function withFolders(path: string, top: string): readonly string[] {
  const found: string[] = [];
  for (let at = path; at !== top && isWithin(top, at); at = dirname(at)) found.push(at);
  return found;
}

/** `find` matches a leading dot like any other character. A set in brackets may hold anything. */
function findMatches(pattern: string, name: string): boolean {
  return pattern.includes('[') || matchesWildcard(pattern.toLowerCase(), name.toLowerCase());
}

const hereWord: ShellWord = { text: '.', isDynamic: false, isGlob: false, isHome: false };

function judgeDeletion(found: Found, place: CommandPlace): Objection {
  const { starts, names } = found;
  const folders = starts.length === 0 ? [hereWord] : starts;
  const whole = strictest(folders.map((word) => judgeWord(word, 'remove', place)));
  if (names === undefined || names.some(reachesGuarded) || guardedBelow(found, place).length > 0) {
    return whole?.decision === 'deny' ? whole : ask('What find would delete cannot be known; give it -name.');
  }
  return strictest(folders.map((word) => judgeWord(word, 'write', place)));
}

function reachesGuarded(pattern: string): boolean {
  return guardedFiles.some((name) => mayBeNamed(pattern, name)) || pattern === '' || pattern.startsWith('.git');
}

/** Whether one of the files that a search would find is known to hold secrets. */
function findsSecrets(
  starts: readonly ShellWord[],
  names: readonly string[],
  { folders, request }: CommandPlace,
): boolean {
  const from = starts.length === 0 ? ['.'] : starts.map(({ text }) => text);
  return folders
    .flatMap((folder) => from.map((start) => request.secretFilesBelow(request.resolvePath(resolve(folder, start)))))
    .some(
      (found) => found === 'tooMany' || found.some((file) => names.some((name) => mayBeNamed(name, basename(file)))),
    );
}

/** By example: a pattern of names that ends like source or output cannot name a file that holds secrets. */
function mayBeSecret(pattern: string): boolean {
  const examples = [
    '.env',
    '.env.local',
    'a.pem',
    'a.key',
    'id_rsa',
    'id_ed25519',
    'credentials',
    'credentials.json',
    'secrets.yaml',
    'session-log.yaml',
  ];
  return (
    mayHoldSecrets(pattern.replace(/[*?]/g, 'x').replaceAll('\\', '')) ||
    examples.some((name) => mayBeNamed(pattern, name))
  );
}
