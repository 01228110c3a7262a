import * as z from 'zod';
import { failure } from '../../model/codes.ts';
import { type VerbName, verbs } from '../../model/verbs.ts';
import { readGiven } from '../givenText.ts';
import type { Ports } from '../ports.ts';

type ArgumentKind = 'text' | 'number' | 'flag' | 'list' | 'nested';

export interface ArgumentRow {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly description: string;
  readonly isRequired: boolean;
  /** What it can be, if that is a closed set. */
  readonly choices?: readonly string[];
}

/** The name of the argument that `--body-file` fills, by preference. */
const bodyNames = ['body', 'description'];

export interface Given {
  /** What stood by position after the plan. */
  readonly given: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a verb takes, by the schema that also checks it. */
export function argumentsOf(name: VerbName): ArgumentRow[] {
  const schema = z.toJSONSchema(verbs[name].args, { io: 'input', unrepresentable: 'any' });
  return Object.entries(schema.properties ?? {}).map(([argument, property]) => {
    const { type, items, enum: choices, description = '' } = asObject(property);
    const values = Array.isArray(choices) ? choices.join(' | ') : '';
    const words = [values, description].filter((part) => part !== '').join(': ');
    const isRequired = (schema.required ?? []).includes(argument);
    const row = { name: argument, kind: kindOf(type, items), description: words, isRequired };
    return Array.isArray(choices) ? { ...row, choices: choices.map(String) } : row;
  });
}

export function bodyArgument(rows: readonly ArgumentRow[]): string | undefined {
  return bodyNames.find((name) => rows.some((row) => row.name === name));
}

/** The arguments of a verb from all the places in which they may stand; throws what is missing or comes twice. */
export async function readArguments(ports: Ports, name: VerbName, given: Given): Promise<Record<string, unknown>> {
  const args = await gatherArguments(ports, name, given);
  assertComplete(name, args);
  return args;
}

async function gatherArguments(
  ports: Ports,
  name: VerbName,
  { given, options }: Given,
): Promise<Record<string, unknown>> {
  const rows = argumentsOf(name);
  const jsonArgs = options['jsonArgs'];
  const args: Record<string, unknown> = typeof jsonArgs === 'string' ? await readJson(ports, jsonArgs) : {};
  verbs[name].positional.forEach((argument, at) => {
    if (given[at] !== undefined) args[argument] = given[at];
  });
  for (const row of rows) {
    const value = options[camelCase(row.name)];
    if (value !== undefined) args[row.name] = typedValue(row.kind, value);
  }
  const body = bodyArgument(rows);
  const bodyFile = options['bodyFile'];
  if (body !== undefined && typeof bodyFile === 'string') {
    if (args[body] !== undefined) {
      throw failure('cli/usage', commandOf(name), `The text is given twice: by --${body} and by --body-file.`, {
        help: `Give --${body} or --body-file, not both.`,
      });
    }
    args[body] = await readGiven(ports, '--body-file', bodyFile);
  }
  for (const argument of bodyNames) {
    if (args[argument] === '-') args[argument] = await ports.stdin.readAll();
  }
  return args;
}

/** What is missing, in the words of the command line; anything else about the arguments is for the verb to judge. */
function assertComplete(name: VerbName, args: Readonly<Record<string, unknown>>): void {
  const positional: readonly string[] = verbs[name].positional;
  const missing = argumentsOf(name).filter((row) => row.isRequired && args[row.name] === undefined);
  if (missing.length === 0) return;
  const names = missing.map((row) =>
    positional.includes(row.name)
      ? `<${row.name}>`
      : row.kind === 'nested'
        ? `${row.name} (in --json-args)`
        : `--${row.name}`,
  );
  const command = commandOf(name);
  throw failure('cli/usage', command, `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing.`);
}

function commandOf(name: VerbName): string {
  return `ravel state ${name.replace('/', ' ')}`;
}

async function readJson(ports: Ports, file: string): Promise<Record<string, unknown>> {
  const text = await readGiven(ports, '--json-args', file);
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    throw failure('cli/usage', '--json-args', `${file} does not hold one JSON object.`, { cause });
  }
}

function kindOf(type: unknown, items: unknown): ArgumentKind {
  if (type === 'string') return 'text';
  if (type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  return type === 'array' && asObject(items)['type'] === 'string' ? 'list' : 'nested';
}

/** A text that is not a number stays a text, for the verb's schema to refuse. */
function typedValue(kind: ArgumentKind, value: unknown): unknown {
  if (kind === 'list') return splitList(String(value));
  return kind === 'number' && /^-?\d+$/.test(String(value)) ? Number(value) : value;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** As commander names the value of an option with hyphens. */
function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
