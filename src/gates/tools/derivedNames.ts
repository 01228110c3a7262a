import { judgeWord } from './commandArguments.ts';
import { type CommandPlace, doubt, type Objection, strictest } from './objection.ts';
import { type ProgramArguments, parseArguments } from './programArguments.ts';
import type { ProgramTable } from './programs/table.ts';
import type { ShellWord } from './shell/shell.ts';
import type { Special } from './special.ts';
import { pathProblem } from './toolPath.ts';

/** A file that a program names after one that it is given is written as well, and may be one that decides what others run. */
export function judgeNamedAfter(word: ShellWord, name: (text: string) => string, place: CommandPlace): Objection {
  return word.isDynamic ? undefined : judgeWord({ ...word, text: name(word.text) }, 'write', place);
}

/** `gunzip .npmrc.gz` writes `.npmrc`. */
export function judgeUnpacked(known: ProgramTable): Special {
  return ({ name, rest, place, judgeDefault }) => {
    const { operands, options } = parseArguments(rest, known);
    const suffix = options.find((option) => option.name === '-S' || option.name === '--suffix');
    return strictest([
      judgeDefault(),
      suffix === undefined ? undefined : doubt(place, `What ${name} names its files cannot be told.`),
      ...operands.map((word) => judgeNamedAfter(word, (text) => text.replace(/\.[^./]*$/, ''), place)),
    ]);
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `split -a1 a .npmr` writes `.npmra`, `.npmrb` and `.npmrc`. */
export function judgePieces(known: ProgramTable): Special {
  return ({ name, rest, place, judgeDefault }) => {
    const given = parseArguments(rest, known);
    const prefix = prefixOf(name, given);
    return strictest([judgeDefault(), prefix === undefined ? undefined : judgePrefix(name, prefix, given, place)]);
  };
}

function prefixOf(name: string, { operands, options }: ProgramArguments): ShellWord | undefined {
  return name === 'split'
    ? operands[1]
    : options.find((option) => option.name === '-f' || option.name === '--prefix')?.values[0];
}

function judgePrefix(name: string, prefix: ShellWord, { options }: ProgramArguments, place: CommandPlace): Objection {
  const length = options.find((option) => ['-a', '-n', '--suffix-length', '--digits'].includes(option.name));
  const isLonger =
    name === 'split' && length?.name !== '-n' && length !== undefined && !/^[12]$/.test(length.values[0]?.text ?? '');
  const ends = isLonger
    ? []
    : [...letters].flatMap((first) => [first, ...[...letters].map((second) => first + second)]);
  const { request, folders } = place;
  const reached = ends.some((end) =>
    folders.some((folder) => pathProblem(request, prefix.text + end, 'write', folder) !== undefined),
  );
  return isLonger || reached
    ? doubt(place, `${name} may write a file that decides what others run; name another prefix.`)
    : undefined;
}
