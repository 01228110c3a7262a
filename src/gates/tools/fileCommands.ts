import { basename, dirname, join, resolve } from 'node:path';
import { decidingFiles } from '../../model/decidingFiles.ts';
import { hasWildcard } from '../wildcard.ts';
import { changedRole, foldersAfter, judgeOptions, judgeRole, judgeWord, marksOf } from './commandArguments.ts';
import { judgeNamedAfter } from './derivedNames.ts';
import { ask, type CommandPlace, doubt, type Objection, strictest } from './objection.ts';
import { type ProgramArguments, parseArguments } from './programArguments.ts';
import { type ProgramTable, table } from './programs/table.ts';
import type { ShellWord } from './shell/shell.ts';
import { mayName } from './shell/shellPattern.ts';
import type { Special } from './special.ts';
import { guardedNames } from './toolPath.ts';

/** `cp`, `mv` and `ln`: what is taken, where it comes to stand, and under which name. */
export function judgeCopy(known: ProgramTable): Special {
  return ({ name, rest, place }) => {
    const given = parseArguments(rest, known);
    const options = judgeOptions(name, given, rest, known, place);
    if (given.unknown !== undefined) return options;
    const { sources, target } = sourcesAndTarget(given);
    const recursive = marksOf(given).has('tree');
    const replaces = given.options.some((option) => option.name === '-T' || option.name === '--no-target-directory');
    const objections = [options];
    for (const source of sources) {
      objections.push(judgeSource(name, source, target, given, place));
      if (target !== undefined)
        objections.push(...judgeArrival(source, target, { bringsTree: recursive || name === 'mv', replaces }, place));
    }
    if (target !== undefined)
      objections.push(judgeWord(target, 'write', place), ...judgeBackups(sources, target, given, place));
    if (target === undefined && name === 'ln') objections.push(doubt(place, 'Where ln puts the link cannot be known.'));
    if (name !== 'cp' || recursive) recordArrivals(name, sources, target, place);
    return strictest(objections);
  };
}

/** What stood there is kept under its name and a suffix. */
function judgeBackups(
  sources: readonly ShellWord[],
  target: ShellWord,
  { options }: ProgramArguments,
  place: CommandPlace,
): readonly Objection[] {
  const suffix = options.find((option) => option.name === '-S' || option.name === '--suffix')?.values[0];
  if (suffix === undefined) return [];
  if (suffix.isDynamic) return [doubt(place, 'What a backup is called cannot be known.')];
  const kept = [target, ...sources.map(({ text }) => ({ ...target, text: join(target.text, basename(text)) }))];
  return kept.map((word) => judgeNamedAfter(word, (text) => text + suffix.text, place));
}

function recordArrivals(
  name: string,
  sources: readonly ShellWord[],
  target: ShellWord | undefined,
  { request, folders, arrivals }: CommandPlace,
): void {
  const to = target?.text ?? '.';
  for (const folder of folders) {
    for (const { text } of sources) {
      const source = resolve(folder, text);
      const isLink = name === 'ln' || arrivals.isLink(source) || leadsElsewhere(source, request);
      const paths = [join(to, basename(text)), ...(/^[./]*$/.test(to) ? [] : [to])];
      for (const path of paths) {
        arrivals.add(resolve(folder, path), isLink);
        arrivals.add(request.resolvePath(resolve(folder, path)), isLink);
      }
    }
  }
}

function leadsElsewhere(path: string, { resolvePath }: CommandPlace['request']): boolean {
  return resolvePath(path) !== join(resolvePath(dirname(path)), basename(path));
}

function sourcesAndTarget({ options, operands }: ProgramArguments): {
  readonly sources: readonly ShellWord[];
  readonly target: ShellWord | undefined;
} {
  const named = options.find(({ option }) => option.mark === 'target')?.values[0];
  if (named !== undefined) return { sources: operands, target: named };
  return operands.length < 2
    ? { sources: operands, target: undefined }
    : { sources: operands.slice(0, -1), target: operands.at(-1) };
}

function judgeSource(
  name: string,
  source: ShellWord,
  target: ShellWord | undefined,
  given: ProgramArguments,
  place: CommandPlace,
): Objection {
  if (name === 'mv') return judgeWord(source, 'remove', place);
  if (name === 'cp') {
    const role = changedRole('copy', marksOf(given));
    const follows = given.options.some((option) => ['-L', '-H', '--dereference'].includes(option.name));
    return judgeRole(name, source, role === 'tree' && follows ? 'follow' : role, place);
  }
  const isSymbolic = given.options.some((option) => option.name === '-s' || option.name === '--symbolic');
  if (!isSymbolic || source.isDynamic) return judgeWord(source, 'remove', place);
  // A link leads from where it stands. What is done through it later is not seen, so it must not lead to the plans.
  const folders = [target?.text ?? '.', dirname(target?.text ?? '.')].map((text) => ({
    ...source,
    text: `${text}/${source.text}`,
  }));
  const isRelative = given.options.some((option) => option.name === '-r' || option.name === '--relative');
  const leads = source.text.startsWith('/') ? [source] : isRelative ? [source, ...folders] : folders;
  return strictest(leads.map((word) => judgeWord(word, 'remove', place)));
}

interface Arrival {
  /** Whether a folder comes with all that is below it. */
  readonly bringsTree: boolean;
  /** Whether what comes takes the place of the target instead of a place within it. */
  readonly replaces: boolean;
}

/** A file that comes into a folder keeps its name; what is below a folder that is copied keeps its names too. */
function judgeArrival(
  source: ShellWord,
  target: ShellWord,
  { bringsTree, replaces }: Arrival,
  place: CommandPlace,
): readonly Objection[] {
  if (target.isDynamic || source.isDynamic) return [];
  const name = basename(source.text);
  const isContent = replaces || name === '.' || name === '..' || source.text.endsWith('/');
  const whole = bringsTree && isContent ? leaveForWhole(target, place) : undefined;
  if (replaces || name === '' || name === '.' || name === '..') return [whole];
  const names = hasWildcard(name) && source.isGlob ? namesOf(name, place) : [name];
  const arrivals = names.map((arriving) => ({ ...target, text: join(target.text, arriving) }));
  // A folder that is not there yet takes its new name from the target.
  const trees = bringsTree ? [...arrivals, ...(/^[./]*$/.test(target.text) ? [] : [target])] : [];
  return [
    whole,
    ...arrivals.map((word) => judgeWord(word, 'write', place)),
    ...trees.map((word) => leaveForWhole(word, place)),
  ];
}

function leaveForWhole(target: ShellWord, place: CommandPlace): Objection {
  return judgeWord(target, 'remove', place) === undefined
    ? undefined
    : ask(`What comes into ${target.text} may replace plans, git’s own files, or what others run.`);
}

/** The guarded names that a pattern may stand for; the plain names of files that decide what runs are among them. */
function namesOf(pattern: string, { request }: CommandPlace): readonly string[] {
  const deciding = decidingFiles.filter((name) => !name.includes('*') && !name.slice(0, -1).includes('/'));
  return [...guardedNames(request), ...deciding.map((name) => name.replace('/', ''))].filter((name) =>
    mayName(pattern, name),
  );
}

const tarTable = table(
  'text',
  'tree',
  `-ctxruAdvzjJaZpPhkmwOSWU -f=text -C=into -b=text -X=read --create --list --extract@ask --get@ask --append --update
   --file=text --gzip --bzip2 --xz --zstd --auto-compress --verbose --exclude=text --exclude-vcs --exclude-from=read
   --directory=into --strip-components=text --wildcards --no-wildcards --owner=text --group=text --mtime=text
   --sort=text --numeric-owner --same-owner --no-same-owner --keep-old-files --totals --format=text --dereference
   --null --help --version`,
);

/** Lists and packs; what is unpacked may be anything, links included. */
export const judgeTar: Special = ({ name, rest, place }) => {
  const [first, ...others] = rest;
  const bundled = first !== undefined && !first.isDynamic && /^[a-zA-Z]{1,40}$/.test(first.text);
  const words = bundled ? bundledOptions(first, others) : rest;
  const given = parseArguments(words, tarTable);
  const options = judgeOptions(name, given, rest, tarTable, place);
  if (given.unknown !== undefined) return options;
  const has = (...names: readonly string[]) => given.options.some((option) => names.includes(option.name));
  const archives = given.options.flatMap((option) =>
    option.name === '-f' || option.name === '--file' ? option.values : [],
  );
  const remote = archives.find(({ text }) => text.includes(':'));
  const isList = has('-t', '--list');
  const objections = [options];
  if (remote !== undefined) objections.push(ask(`tar would reach ${remote.text} over the network.`));
  objections.push(...archives.map((word) => judgeRole(name, word, isList ? 'read' : 'write', place)));
  if (isList) return strictest(objections);
  if (!has('-c', '--create') || has('-x', '--extract', '--get', '-r', '-u', '-A')) {
    return strictest([...objections, doubt(place, 'What tar unpacks may be anything; see what it holds with tar -t.')]);
  }
  const access = has('-h', '--dereference') ? 'follow' : 'tree';
  // Each `-C` counts for what follows it, so that an operand may lie in any of these folders.
  let { folders } = place;
  for (const option of given.options.filter(({ option: { role } }) => role === 'into'))
    folders = [...new Set([...folders, ...foldersAfter({ ...given, options: [option] }, { ...place, folders })])];
  return strictest([...objections, ...given.operands.map((word) => judgeWord(word, access, { ...place, folders }))]);
};

/** `tar czf out.tgz src` is `tar -c -z -f out.tgz src`: values of old options follow in their order. */
function bundledOptions(first: ShellWord, others: readonly ShellWord[]): readonly ShellWord[] {
  const rest = [...others];
  const words: ShellWord[] = [];
  for (const letter of first.text) {
    words.push({ ...first, text: `-${letter}` });
    if (tarTable.options.get(`-${letter}`)?.takes === 'value') words.push(...rest.splice(0, 1));
  }
  return [...words, ...rest];
}

const unzipTable = table('text', 'read text', '-lvqzt12hm -Z -o -n -d=write -p -c');

export const judgeUnzip: Special = ({ name, rest, place }) => {
  const given = parseArguments(rest, unzipTable);
  const options = judgeOptions(name, given, rest, unzipTable, place);
  if (given.unknown !== undefined) return options;
  const [archive] = given.operands;
  const onlyLists = given.options.some((option) => ['-l', '-v', '-z', '-t', '-Z'].includes(option.name));
  return strictest([
    options,
    archive === undefined ? undefined : judgeWord(archive, 'read', place),
    onlyLists ? undefined : doubt(place, 'What unzip unpacks may be anything; see what it holds with unzip -l.'),
  ]);
};
