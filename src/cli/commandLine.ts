import { type Command, CommanderError, type Option } from 'commander';
import { type Diagnostic, isRavelError, messageOf } from '../base/errors.ts';
import { capitalized } from '../base/text.ts';
import { codes, diagnostic, exitCodes, failure, kindOf } from '../model/codes.ts';
import { createContext } from './context.ts';
import type { Ports } from './ports.ts';
import { createProgram, type Program } from './program.ts';

/**
 * Runs one command and gives its exit code. The catch boundary of the command line: an error becomes a message and an
 * exit code.
 */
export async function runCommandLine(args: readonly string[], ports: Ports): Promise<number> {
  const program = createProgram(ports, args);
  try {
    if (args[0] === 'help' && args.length > 1) return showHelp(program.command, args.slice(1));
    await parse(program, args);
    return program.exitCode();
  } catch (error) {
    if (error instanceof CommanderError) return endParsing(error, args, ports, program);
    return report(error, args, ports, program);
  } finally {
    program.context()?.close();
  }
}

/** Without a command, the state of the vault is shown; commander would show its help, and call that an error. */
async function parse({ command, start }: Program, args: readonly string[]): Promise<void> {
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const isBare = error instanceof CommanderError && error.code === 'commander.help' && error.exitCode !== 0;
    if (!isBare || meant(command, args).command !== command) throw error;
    const { overview } = await import('./commands/overview.ts');
    await start(overview);
  }
}

/** The help of a command at any depth. Commander knows the first level alone, and shows its own for what is unknown. */
function showHelp(command: Command, words: readonly string[]): number {
  let shown = command;
  for (const word of words.filter((one) => !one.startsWith('-'))) {
    const inner = shown.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner === undefined) {
      throw failure('cli/usage', word, `There is no command ${pathOf(shown)} ${word}.`, { help: seeHelp(shown) });
    }
    shown = inner;
  }
  shown.outputHelp();
  return 0;
}

/** Help and version were printed already; anything else commander throws is a mistake in the arguments. */
function endParsing(error: CommanderError, args: readonly string[], ports: Ports, program: Program): number {
  if (error.exitCode === 0) return 0;
  const { command, next } = meant(program.command, args);
  if (error.code === 'commander.help') return showCommandsOf(command, args, ports, program);
  if (takesSecret(command)) {
    const problem = 'A value is never an argument: it is asked for, or read from standard input.';
    return report(failure('cli/usage', pathOf(command), problem, { help: seeHelp(command) }), args, ports, program);
  }
  const text = unknownInner(error, command, next) ?? error.message.replace(/^error: /, '').replace(/\n/g, ' ');
  const message = `${capitalized(text)}${/[.?)]$/.test(text) ? '' : '.'}`;
  const failed = failure('cli/usage', `ravel ${args.join(' ')}`.trim(), message, { help: seeHelp(command) });
  return report(failed, args, ports, program);
}

/** A group alone says what it has, which is not a mistake of a person; a program that reads JSON meant something else. */
function showCommandsOf(group: Command, args: readonly string[], ports: Ports, program: Program): number {
  if (!args.includes('--json')) {
    group.outputHelp();
    return 0;
  }
  const names = group.commands.map((inner) => inner.name()).join(', ');
  const message = `${pathOf(group)} needs one of its commands: ${names}.`;
  return report(failure('cli/usage', pathOf(group), message, { help: seeHelp(group) }), args, ports, program);
}

/** Whether what a person typed by mistake may be a secret, and is not repeated. */
function takesSecret(command: Command): boolean {
  return pathOf(command).endsWith(' secrets set');
}

/**
 * Commander passes a word that is not a command of a group to the default command of the group, and then says of that
 * command, which the person did not name, that it has too many arguments.
 */
function unknownInner({ code }: CommanderError, { commands }: Command, next: string | undefined): string | undefined {
  if (code !== 'commander.excessArguments' || commands.length === 0) return undefined;
  return next === undefined ? undefined : `unknown command '${next}'`;
}

/** The innermost command that the arguments name, as far as they name one, and the first word behind it. */
function meant(command: Command, args: readonly string[]): { readonly command: Command; readonly next?: string } {
  let named = command;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word.startsWith('-')) {
      const option = optionsOf(named).find(({ long, short }) => word === long || word === short);
      // The next word is its value.
      if (option?.required === true) at += 1;
      continue;
    }
    const inner = named.commands.find((one) => one.name() === word);
    if (inner === undefined) return { command: named, next: word };
    named = inner;
  }
  return { command: named };
}

/** Those of the command, and of all around it. */
function optionsOf(command: Command): readonly Option[] {
  return command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function seeHelp(command: Command): string {
  return `See \`${pathOf(command)} --help\`.`;
}

/** The help of a mistake in the arguments names the command that was used, unless it says more than that. */
function namingCommand(diagnosed: Diagnostic, command: Command): Diagnostic {
  return diagnosed.help === codes['cli/usage'].help ? { ...diagnosed, help: seeHelp(command) } : diagnosed;
}

function report(error: unknown, args: readonly string[], ports: Ports, program: Program): number {
  const options = { color: !args.includes('--no-color'), json: args.includes('--json') };
  const context = program.context() ?? createContext(ports, options);
  if (isRavelError(error)) {
    context.error(namingCommand(error.diagnostic, meant(program.command, args).command));
    return exitCodes[kindOf(error)];
  }
  const stack = error instanceof Error ? error.stack : undefined;
  ports.log.error('a command failed without a diagnostic', { message: messageOf(error), stack });
  context.error(diagnostic('base/internal', 'ravel', messageOf(error)));
  return exitCodes.internal;
}
