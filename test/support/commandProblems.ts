import { type Command, CommanderError } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { harnessNames } from '../../src/model/harnesses.ts';
import { phaseFromWord } from '../../src/model/phase.ts';
import { exampleOf, isVerbName } from '../../src/model/verbs.ts';
import { createFakePorts } from '../cli/fakePorts.ts';
import { type CommandWorld, placeFile } from './commandWorld.ts';
import type { DocumentedCommand } from './documentedCommands.ts';

/** What is wrong with a command of a paper, or undefined. State commands are run; of the others the parser is asked. */
export async function commandProblem(
  command: DocumentedCommand,
  world: () => Promise<CommandWorld>,
): Promise<string | undefined> {
  const words = await withCommands(command.words.map((word) => placeholders[word.replace(/[<>{}]/g, '')] ?? word));
  const problem = (await parseProblem(words, command.isPartial)) ?? valueProblem(words);
  if (problem !== undefined) return `${command.where}: \`${command.text}\`: ${problem}`;
  const isWhole = words[1] === 'state' && words.length > 4 && !words.includes('--help');
  const outcome = isWhole ? await runProblem(words, command.isPartial, await world()) : undefined;
  return outcome && `${command.where}: \`${command.text}\`: ${outcome}`;
}

/** What papers write where a reader puts something of their own. */
const placeholders: Readonly<Record<string, string>> = {
  PLAN: 'greeter',
  STATUS: 'done',
  PHASE: 'triage',
  HARNESS: 'scripted',
  SHA: 'HEAD',
  COMMIT: 'HEAD',
  OTHER: 'greeter/project-root/fresh',
  TIME: '2026-11-20T08:30:00Z',
  N: '5',
};

/** For looking names up; what parses keeps the values that it parsed, so every parse has a parser of its own. */
const tree = once(async () => (await parser()).command);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A placeholder in the place of a command stands for any. */
async function withCommands([program = '', ...words]: readonly string[]): Promise<string[]> {
  let command: Command | undefined = await tree();
  const result = [program];
  for (const word of words) {
    const inner: readonly Command[] = command?.commands ?? [];
    const named = inner.find((one) => one.name() === word);
    command = named ?? (/^(?:<[\w-]+>|[A-Z]+)$/.test(word) ? inner[0] : undefined);
    result.push(command?.name() ?? word);
  }
  return result;
}

/** The real parser; what it would start is left out. */
async function parser() {
  const program = createProgram(await createFakePorts({}));
  const silence = (command: Command): void => {
    // A group that does nothing by itself must go on doing so, else it would take unknown commands for arguments.
    if (Reflect.get(command, '_actionHandler') !== null) command.action(() => undefined);
    for (const inner of command.commands) silence(inner);
  };
  silence(program.command);
  return program;
}

/** A mention may leave out what the command needs, or name only a group of commands. */
const unfinished = [
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.help',
];

/** What the parser said to a command before: papers show most commands several times. */
const parsed = new Map<string, Promise<CommanderError | undefined>>();

async function parseProblem(words: readonly string[], isPartial: boolean): Promise<string | undefined> {
  const key = JSON.stringify(words);
  const parsing = parsed.get(key) ?? parse(words);
  parsed.set(key, parsing);
  const error = await parsing;
  if (error === undefined || error.exitCode === 0 || (isPartial && unfinished.includes(error.code))) return undefined;
  return error.message;
}

async function parse(words: readonly string[]): Promise<CommanderError | undefined> {
  const { command } = await parser();
  try {
    await command.parseAsync(words.slice(1), { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
}

/** Values that the parser takes as they come and only a started command would judge. */
function valueProblem(words: readonly string[]): string | undefined {
  const value = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
  const phase = value('--phase');
  if (phase !== undefined && phaseFromWord(phase) === undefined) return `there is no phase ${phase}`;
  const harness = value('--harness');
  const isHarness = harness === undefined || harnessNames.some((name) => name === harness);
  return isHarness ? undefined : `there is no harness ${harness}`;
}

/** Papers may name records and tasks of their own. */
const ofTheReader = ['state/unknownRecord', 'state/unknownDependency'];

async function runProblem(
  words: readonly string[],
  isPartial: boolean,
  world: CommandWorld,
): Promise<string | undefined> {
  await world.reset();
  const [program = '', state = '', noun = '', verb = '', plan = '', ...rest] = words;
  const isFresh = verb === 'init' || (plan.includes('/') && !plan.endsWith('/project-root'));
  const own = isFresh ? 'greeter/project-root/fresh' : 'greeter';
  const name = `${noun}/${verb}`;
  const example = isVerbName(name) ? exampleOf(name) : undefined;
  for (const [at, word] of rest.entries()) {
    const isFile = word === '--body-file' || word === '--json-args';
    if (isFile) await placeFile(world, rest[at + 1] ?? '', example?.file ?? 'Some text.\n');
  }
  const asked = [program, state, noun, verb, own, ...rest, '--json'];
  const { code, stdout } = await world.run(asked, { stdin: 'Some text.\n' });
  if (code === 0) return undefined;
  const { error } = JSON.parse(stdout);
  const accepted = [...ofTheReader, ...(isPartial ? ['cli/usage'] : [])];
  return accepted.includes(error.code) ? undefined : `${error.code}: ${error.message}`;
}
