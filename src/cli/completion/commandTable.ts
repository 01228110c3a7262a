import type { Argument, Command, Option } from 'commander';
import { defined } from '../../base/defined.ts';
import { failure } from '../../model/codes.ts';
import { isVerbName } from '../../model/verbs.ts';
import { argumentsOf } from '../commands/stateArguments.ts';
import { createCommands } from '../program.ts';
import { sourcesAt } from './placeholders.ts';
import type { CommandRow, OptionRow, Slot, Source } from './table.ts';

/**
 * The table of commands that completions are answered from, made of the commands themselves. The build saves it beside
 * the program. Throws if `placeholders.ts` does not say what stands at the placeholder of a command.
 */
export function commandTable(): CommandRow {
  return rowOf(
    createCommands({ version: '', writeHelp: () => undefined, start: async () => undefined, environment: {} }),
    [],
  );
}

/** Hidden commands are left out. */
function rowOf(command: Command, path: readonly string[], beside: readonly string[] = []): CommandRow {
  const helper = command.createHelp();
  const inner = helper.visibleCommands(command);
  const names = inner.map((one) => one.name());
  // What `help` explains are the commands beside it.
  const choices = path.at(-1) === 'help' ? new Map([['command', beside]]) : choicesOfVerb(path);
  return {
    name: command.name(),
    about: command.description(),
    commands: inner.map((one) => rowOf(one, [...path, one.name()], names)),
    options: helper.visibleOptions(command).map((option) => optionRow(option, path, choices)),
    slots: command.registeredArguments.map((argument) => slotOf(argument, path, choices)),
    ...defined({ usual: usualCommand(command) }),
  };
}

/** Commander keeps the name to itself. */
function usualCommand(command: Command): string | undefined {
  const name: unknown = Reflect.get(command, '_defaultCommandName');
  return typeof name === 'string' ? name : undefined;
}

function optionRow(option: Option, path: readonly string[], choices: Choices): OptionRow {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
  const about = option.description;
  if (!option.required && !option.optional) return { flags, about };
  const start = option.flags.search(/[<[]/);
  const placeholder = option.flags.slice(start + 1, -1).replace(/\.\.\.$/, '');
  const name = option.name();
  const isList = placeholder === 'a,b,';
  // An option of a state verb says nothing but `<text>`: its own name tells what it takes.
  const named = path[0] === 'state' && (isList || placeholder === 'text') ? name : placeholder;
  const sources = choices.get(name) ?? option.argChoices ?? undefined;
  const found = sources === undefined ? known(path, named, option.flags) : [sources];
  const { variadic: isVariadic, optional: isOptional } = option;
  return { flags, about, value: { sources: found, isVariadic, isOptional, ...(isList && { isList }) } };
}

function slotOf(argument: Argument, path: readonly string[], choices: Choices): Slot {
  const name = argument.name();
  const closed = choices.get(name) ?? argument.argChoices;
  return { sources: closed === undefined ? known(path, name, name) : [closed], isVariadic: argument.variadic };
}

function known(path: readonly string[], placeholder: string, text: string): readonly Source[] {
  const sources = sourcesAt(path, placeholder);
  if (sources !== undefined) return sources;
  const command = ['ravel', ...path].join(' ');
  throw failure('base/internal', text, `Nothing says what can stand at ${text} of ${command}.`);
}

type Choices = ReadonlyMap<string, readonly string[]>;

/** The closed sets among the arguments of a state verb, by the names of the arguments. */
function choicesOfVerb([noun, ...words]: readonly string[]): Choices {
  const verb = words.join('/');
  if (noun !== 'state' || !isVerbName(verb)) return new Map();
  return new Map(argumentsOf(verb).flatMap(({ name, choices }) => (choices === undefined ? [] : [[name, choices]])));
}
