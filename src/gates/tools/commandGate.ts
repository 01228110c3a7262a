import { basename } from 'node:path';
import { judgeByTable, judgeLikelyPaths } from './commandArguments.ts';
import { deniedPrograms, programTables, publishing } from './commandRules.ts';
import { judgePieces, judgeUnpacked } from './derivedNames.ts';
import { judgeCopy, judgeTar, judgeUnzip } from './fileCommands.ts';
import { judgeFind } from './findGate.ts';
import { judgeGit } from './gitGate.ts';
import {
  judgeAwk,
  judgeCmake,
  judgeCoverage,
  judgeFilter,
  judgeInterpreter,
  judgeMake,
  judgeMeasured,
  judgeOwnShell,
  judgePackageManager,
  judgePython,
  judgeSed,
} from './interpreters.ts';
import {
  ask,
  askUnknown,
  type CommandPlace,
  doubt,
  type Objection,
  objectionOfRule,
  reaches,
  refuse,
  strictest,
} from './objection.ts';
import { judgeKill, judgePrintenv, judgePs } from './processGate.ts';
import { nodeTools } from './programs/node.ts';
import { byNames, type ProgramTable, wordsOf } from './programs/table.ts';
import { judgeSearch } from './searchGate.ts';
import type { ShellWord } from './shell/shell.ts';
import { judgeShell } from './shellBuiltins.ts';
import type { Special } from './special.ts';
import { pathProblem } from './toolPath.ts';
import { judgeEnv, judgeNpx, judgeRunner, judgeWrapped, judgeXargs } from './wrappers.ts';

/** Each may be a path that is looked up on disk. */
const wordsMax = 300;

/** Judges a program and its arguments. */
export function judgeWords(words: readonly ShellWord[], place: CommandPlace): Objection {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  if (program.isDynamic || program.isGlob || program.isHome) return refuse('Which program would run cannot be known.');
  const ruled = objectionOfRule(`The command ${program.text}`, place.request.policy?.command(words));
  if (ruled?.decision === 'deny') return ruled;
  if (words.length > wordsMax)
    return askUnknown('It has more arguments than can be judged; use a pattern, or several commands.');
  const { name, objection } = programNamed(program.text, place);
  if (name === undefined)
    return strictest([ruled, objection, judgeLikelyPaths(rest, place), judgeOwnShell(words, place)]);
  return strictest([ruled, objection, judgeProgram(name, rest, place)]);
}

function judgeProgram(name: string, rest: readonly ShellWord[], place: CommandPlace): Objection {
  const known = programTables.get(name);
  const published = rest.find(({ text }) => publishing.has(text));
  if (published !== undefined && publishers.has(name) && rest.indexOf(published) <= 2)
    return refuse(`${name} ${published.text} reaches beyond the project.`);
  const special = specials.get(name);
  const judgeDefault = () => {
    if (known === undefined) return judgeLikelyPaths(rest, place);
    return judgeByTable(name, rest, known, place);
  };
  if (special !== undefined) return special({ name, rest, place, judgeWords, judgeDefault });
  if (fetchers.has(name) && mayReach(place))
    return strictest([judgeLikelyPaths(rest, place), judgeFetch(name, rest, place)]);
  const denied = deniedPrograms.get(name);
  if (denied !== undefined && !isLocalRequest(name, rest)) return refuse(`${name} is refused: ${denied}.`);
  if (known !== undefined) return judgeDefault();
  const paths = judgeLikelyPaths(rest, place);
  if (denied !== undefined) return strictest([paths, ask(`${name} talks to a server on this machine.`)]);
  return strictest([paths, doubt(place, `${name} is not on the list of programs that a session can run.`)]);
}

/** Programs that fetch, or send, what their arguments say. */
const fetchers: ReadonlySet<string> = new Set(wordsOf('curl wget aria2c http https xh'));

/** In a sandbox commands see no secrets, and the person who opens its network has seen the command. */
function mayReach({ request: { confinement, network = 'none' } }: CommandPlace): boolean {
  return confinement === 'confined' && network !== 'none';
}

/** As long as the network is closed, a server on the loopback is one that the same command started. */
function judgeFetch(name: string, rest: readonly ShellWord[], place: CommandPlace): Objection {
  if (!isLocalRequest(name, rest)) return reaches(place, `${name} uses the network.`);
  return place.request.network === 'open' ? ask(`${name} talks to a server on this machine.`) : undefined;
}

const systemFolder = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[^/]+$/;

/** Where package managers put programs of others. */
const packageFolder = /(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/bin|\.(?:tox|nox)\/[^/]+\/bin|vendor\/bin)\/[^/]+$/;

/**
 * The name by which the rules know a program. A file of the project has none, unless it came with a package, or is called as
 * a program that is known: such a copy stays what it is.
 */
function programNamed(
  text: string,
  { request, folders }: CommandPlace,
): { readonly name: string | undefined; readonly objection: Objection } {
  if (!text.includes('/')) return { name: text, objection: undefined };
  if (systemFolder.test(text)) return { name: basename(text), objection: undefined };
  const own = basename(text).replace(/(?<=^(?:python|pip|php|lua))[\d.]+$/, (version) =>
    version.startsWith('3') ? '3' : '',
  );
  // A link such as `.venv/bin/python` leads out of the project, to the program that it is named for.
  const name = packageFolder.test(text) || programTables.has(own) || specials.has(own) ? own : undefined;
  const isVirtual = /(?:^|\/)\.?venv\/bin\/python[\d.]*$/.test(text);
  const problem = folders
    .map((folder) => pathProblem(request, text, 'run', folder))
    .find((found) => found !== undefined);
  if (problem === undefined || (isVirtual && !text.startsWith('/') && !text.includes('..')))
    return { name, objection: undefined };
  return { name, objection: refuse(`The program ${text} may not run: ${problem.clause}.`) };
}

const publishers: ReadonlySet<string> = new Set(
  wordsOf(
    `npm pnpm yarn bun deno cargo gem poetry uv hatch pdm flit twine dotnet nuget mix stack cabal dune composer lerna dart
     flutter docker podman helm vsce ovsx`,
  ),
);

/** A request to a server on this machine, such as one that a test started, is a question and no refusal. */
function isLocalRequest(name: string, rest: readonly ShellWord[]): boolean {
  if (name !== 'curl' && name !== 'wget' && name !== 'openssl' && name !== 'gh') return false;
  if (name === 'gh') return false;
  const addresses = rest.filter(({ text }) => /:\/\/|^localhost|^127\.|^\[::1\]/.test(text));
  return (
    addresses.length > 0 &&
    addresses.every(({ text }) => /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?#]|$)/.test(text))
  );
}

function known(name: string): ProgramTable {
  const found = programTables.get(name);
  if (found === undefined) throw new Error(`There is no table for ${name}.`);
  return found;
}

const judgeRavel: Special = ({ rest }) => {
  const [subcommand] = rest;
  if (subcommand === undefined || subcommand.text === '--version' || subcommand.text === '--help') return undefined;
  if (subcommand.isDynamic) return refuse('What ravel would do cannot be known.');
  if (['mcp', 'scripted', 'daemon'].includes(subcommand.text))
    return refuse(`Ravel’s command ${subcommand.text} reaches beyond the project.`);
  // With the session's own rights; what runs, and what becomes of it, is a person's business.
  if (['state', 'status', 'verify', 'logs', 'help'].includes(subcommand.text)) return undefined;
  return ask(`Ravel’s command ${subcommand.text} is a person’s business.`);
};

const specials: ReadonlyMap<string, Special> = byNames<Special>({
  kill: judgeKill,
  ps: judgePs,
  printenv: judgePrintenv,
  env: judgeEnv,
  'nohup nice ionice stdbuf timeout time': judgeWrapped,
  xargs: judgeXargs,
  'npx bunx': judgeNpx(nodeTools),
  'poetry uv pdm hatch pipenv rye bundle': judgeRunner,
  'bash sh zsh dash ksh': ({ name, rest, place }) => judgeShell(rest, place, name),
  find: judgeFind,
  'python python3': (use) => judgePython(known(use.name))(use),
  'node tsx ts-node ruby perl php lua luajit Rscript java': (use) => judgeInterpreter(known(use.name))(use),
  sed: judgeSed,
  'awk gawk mawk nawk': judgeAwk,
  'jq yq': (use) => judgeFilter(known(use.name))(use),
  'grep egrep fgrep rg': (use) => judgeSearch(known(use.name))(use),
  'cp mv ln': (use) => judgeCopy(known(use.name))(use),
  tar: judgeTar,
  unzip: judgeUnzip,
  'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd': (use) => judgeUnpacked(known(use.name))(use),
  'split csplit': (use) => judgePieces(known(use.name))(use),
  'make gmake rake just': judgeMake,
  cmake: (use) => judgeCmake(known(use.name))(use),
  'c8 nyc': (use) => judgeMeasured(known(use.name))(use),
  coverage: judgeCoverage,
  'npm pnpm yarn bun': (use) => judgePackageManager(known(use.name))(use),
  git: judgeGit,
  ravel: judgeRavel,
});
