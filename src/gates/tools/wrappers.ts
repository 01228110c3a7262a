import { afterOptions, judgeLikelyPaths, judgeOptions } from './commandArguments.ts';
import { ask, doubt, type Objection, refuse, strictest } from './objection.ts';
import { parseArguments } from './programArguments.ts';
import { byNames, type ProgramTable, table } from './programs/table.ts';
import { knownStart, type ShellWord } from './shell/shell.ts';
import { isUnknown } from './shellBuiltins.ts';
import { judgeExported, judgeVariable } from './shellVariables.ts';
import type { Special } from './special.ts';

/** Operands that come from elsewhere, such as what `xargs` reads. */
export const unknownWord: ShellWord = { text: '', isDynamic: true, isGlob: false, isHome: false };

const wrapperTables: ReadonlyMap<string, ProgramTable> = byNames({
  nohup: table('text', 'text', '', { stops: true }),
  nice: table('text', 'text', '-n=text -# --adjustment=text', { stops: true }),
  ionice: table('text', 'text', '-c=text -n=text -t', { stops: true }),
  stdbuf: table('text', 'text', '-i=text -o=text -e=text --input=text --output=text --error=text', { stops: true }),
  time: table('text', 'text', '-p -v', { stops: true }),
  timeout: table(
    'text',
    'text',
    '-fpv -k=text -s=text --foreground --kill-after=text --signal=text --preserve-status --verbose',
    {
      stops: true,
    },
  ),
});

/** Programs that only start another one; `timeout` first takes a duration. */
export const judgeWrapped: Special = ({ name, rest, place, judgeWords }) => {
  const known = wrapperTables.get(name);
  if (known === undefined) return doubt(place, `What ${name} would start is not known.`);
  const given = parseArguments(rest, known);
  if (given.unknown !== undefined) return refuse(`${name} ${given.unknown.text} cannot be judged; leave it out.`);
  return strictest([
    judgeOptions(name, { ...given, operands: [] }, rest, known, place),
    judgeWords(name === 'timeout' ? given.operands.slice(1) : given.operands, place),
  ]);
};

export const judgeEnv: Special = ({ rest, place, judgeWords }) => {
  let at = 0;
  const objections: Objection[] = [];
  for (; at < rest.length; at++) {
    const word = rest[at];
    const text = word === undefined ? '' : knownStart(word);
    if (word?.isMany === true) return refuse('What env is given cannot be known; put variables in double quotes.');
    const assigned = /^([A-Za-z_]\w*)=/.exec(text);
    if (assigned?.[1] !== undefined) {
      const value = word && { ...word, text: text === word.text ? word.text.slice(assigned[0].length) : '' };
      objections.push(judgeExported(assigned[1], value, place));
    } else if (word === undefined || isUnknown(word)) {
      return refuse('What env sets or runs cannot be known.');
    } else if (text === '-u') {
      const name = rest[++at];
      if (name === undefined || isUnknown(name)) return refuse('Which variable env removes cannot be known.');
      objections.push(judgeVariable(name.text, place));
    } else if (text === '--') {
      at += 1;
      break;
    } else if (text.startsWith('-')) {
      return refuse('This use of env cannot be judged.');
    } else {
      break;
    }
  }
  if (at === rest.length) return strictest([...objections, ask('env alone shows the environment.')]);
  return strictest([...objections, judgeWords(rest.slice(at), place)]);
};

const xargsTable = table(
  'text',
  'text',
  `-0rtxp -I=text -J=text -R=text -n=text -P=text -L=text -l?text -d=text -s=text -E=text -a=ask --null --no-run-if-empty
   --verbose --exit --max-args=text --max-procs=text --max-lines?text --delimiter=text --max-chars=text --replace?text
   --arg-file=ask --process-slot-var=ask`,
  { stops: true },
);

/** The operands come from elsewhere, so the command is judged with one that is unknown, wherever it is put. */
export const judgeXargs: Special = ({ name, rest, place, judgeWords }) => {
  const given = parseArguments(rest, xargsTable);
  const options = judgeOptions(name, { ...given, operands: [] }, rest, xargsTable, place);
  if (given.unknown !== undefined || given.operands.length === 0) return options;
  // Of several markers one counts, by rules that programs differ on.
  const replaced = given.options.flatMap((option) =>
    ['-I', '-J', '-R', '--replace'].includes(option.name) ? option.values.map(({ text }) => text) : [],
  );
  const markers = ['{}', ...replaced].filter((marker) => marker !== '');
  const words = given.operands.map((word) =>
    markers.some((marker) => word.text.includes(marker)) ? unknownWord : word,
  );
  return strictest([options, judgeWords([...words, unknownWord], place)]);
};

/** A tool that is known runs; anything else would be fetched first. */
export function judgeNpx(tools: ReadonlySet<string>): Special {
  return ({ name, rest, place, judgeWords }) => {
    const at = afterOptions(rest, new Set());
    const tool = rest[at]?.text ?? '';
    const options = rest.slice(0, at);
    const question =
      options.some(({ text }) => text !== '--no-install' && text !== '--no' && text !== '--') || !tools.has(tool)
        ? doubt(place, `${name} ${tool} may fetch a program from the network and run it.`)
        : undefined;
    if (question !== undefined || !tools.has(tool)) return strictest([judgeLikelyPaths(rest, place), question]);
    return judgeWords(rest.slice(at), place);
  };
}

/** `poetry run`, `uv run` and others run a command among the packages of the project. */
export const judgeRunner: Special = ({ name, rest, place, judgeWords, judgeDefault }) => {
  const [first, ...words] = rest;
  if (first === undefined || (first.text !== 'run' && first.text !== 'exec')) return judgeDefault();
  if (words[0]?.text.startsWith('-') === true)
    return strictest([
      judgeLikelyPaths(words, place),
      doubt(place, `${name} ${first.text} ${words[0].text} is not known to be harmless.`),
    ]);
  const installs = name === 'uv' ? doubt(place, 'uv run may install packages from the network.') : undefined;
  return strictest([installs, judgeWords(words, place)]);
};
