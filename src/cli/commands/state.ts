import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { exists, readText } from '../../base/files.ts';
import { createUlids } from '../../base/ulid.ts';
import { failure } from '../../model/codes.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import { personVerbNames, toolFromVerb, type VerbName, verbs } from '../../model/verbs.ts';
import { connect } from '../../server/client.ts';
import { withApi } from '../access.ts';
import type { CommandContext, Start } from '../context.ts';
import type { Ports } from '../ports.ts';

type ArgumentKind = 'text' | 'flag' | 'list' | 'nested';

interface ArgumentRow {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly description: string;
  readonly isRequired: boolean;
}

/** What `--json-args` takes, for the verbs whose arguments do not fit into options. */
const jsonExamples: Partial<Record<VerbName, string>> = {
  'commits/set': '{"commits": [{"paths": ["src/price.js"], "message": "Round half up"}]}',
  'session/set-latest':
    '{"title": "Rounding", "body": "...", "claims": [{"text": "It rounds", "evidence": [{"path": "src/price.js"}]}]}',
};

/** The name of the argument that `--body-file` fills, by preference. */
const bodyNames = ['body', 'description'];

const nounDescriptions: Readonly<Record<string, string>> = {
  backlog: 'the tasks',
  received: 'messages that wait for triage',
  memory: 'what was learned',
  session: 'the record of the latest session',
  commits: 'the commit specification',
  message: 'messages to other plans',
};

/**
 * Adds `state <noun> <verb> <plan> ...` to a program, made from the table of verbs. `start` starts the command; what it
 * is given is read from standard input and files only then.
 */
export function addStateCommands(program: Command, start: Start): void {
  const state = program.command('state').description('read and change the state files of a plan');
  const nouns = new Map<string, Command>();
  for (const name of personVerbNames) {
    const [noun = '', word = ''] = name.split('/');
    const parent = nouns.get(noun) ?? state.command(noun).description(nounDescriptions[noun] ?? '');
    nouns.set(noun, parent);
    const command = parent.command(word).description(verbs[name].summary);
    addArguments(command, name);
    command.action(() => start((context) => runVerb(context, name, command)));
  }
}

/** What a verb takes, by the schema that also checks it. */
export function argumentsOf(name: VerbName): ArgumentRow[] {
  const schema = z.toJSONSchema(verbs[name].args, { io: 'input', unrepresentable: 'any' });
  return Object.entries(schema.properties ?? {}).map(([argument, property]) => {
    const { type, items, enum: choices, description = '' } = asObject(property);
    const words = Array.isArray(choices) ? choices.join(' | ') : description;
    const isRequired = (schema.required ?? []).includes(argument);
    return { name: argument, kind: kindOf(type, items), description: String(words), isRequired };
  });
}

function addArguments(command: Command, name: VerbName): void {
  const rows = argumentsOf(name);
  const positional: readonly string[] = verbs[name].positional;
  command.argument('<plan>', 'the plan, or its project alone');
  command.usage(['[options]', ...['plan', ...positional].map((argument) => `<${argument}>`)].join(' '));
  for (const argument of positional) {
    const row = rows.find((other) => other.name === argument);
    // Optional for the parser only: the argument can stand in --json-args as well.
    command.argument(`[${argument}]`, describeRow(row));
  }
  for (const row of rows.filter((other) => !positional.includes(other.name))) {
    if (row.kind === 'flag') command.option(`--${row.name}`, describeRow(row));
    if (row.kind === 'text') command.option(`--${row.name} <text>`, describeRow(row));
    if (row.kind === 'list') command.option(`--${row.name} <a,b,...>`, describeRow(row));
  }
  const body = bodyArgument(rows);
  if (body !== undefined) command.option('--body-file <file>', `a file with the text, in place of --${body}`);
  command.option('--json-args <file>', 'a file with the arguments as one JSON object, `-` for standard input');
  const example = jsonExamples[name];
  if (example !== undefined) command.addHelpText('after', `\nThe file of --json-args, for example:\n  ${example}`);
}

async function runVerb(context: CommandContext, name: VerbName, command: Command): Promise<number> {
  const { ports, globals } = context;
  const [plan = '', ...given] = command.args;
  const args = await readArguments(ports, name, { given, options: command.opts() });
  assertComplete(name, args);
  const inSession = sessionOf(ports.environment);
  if (inSession !== undefined) {
    const result = await callAsSession(ports, inSession, { tool: toolFromVerb(name), args });
    if (result.isError) throw failure('gate/refused', name, result.text);
    context.result(result.text, [result.text]);
    return 0;
  }
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const answer = await api.request('state', { plan, verb: name, args });
    context.result(answer.result ?? null, [formatResult(answer.result)]);
    return 0;
  });
}

interface Given {
  /** What stood by position after the plan. */
  readonly given: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

async function readArguments(
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
    if (value !== undefined) args[row.name] = row.kind === 'list' ? splitList(String(value)) : value;
  }
  const body = bodyArgument(rows);
  const bodyFile = options['bodyFile'];
  if (body !== undefined && typeof bodyFile === 'string') {
    if (args[body] !== undefined) {
      throw failure('cli/usage', commandOf(name), `The text comes twice: by --${body} and by --body-file.`, {
        help: `Give --${body} or --body-file, not both.`,
      });
    }
    args[body] = await read(ports, '--body-file', bodyFile);
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
  throw failure('cli/usage', command, `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing.`, {
    help: `See \`${command} --help\`.`,
  });
}

function commandOf(name: VerbName): string {
  return `ravel state ${name.replace('/', ' ')}`;
}

async function readJson(ports: Ports, file: string): Promise<Record<string, unknown>> {
  const text = await read(ports, '--json-args', file);
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    throw failure('cli/usage', '--json-args', `${file} does not hold one JSON object.`, { cause });
  }
}

async function read(ports: Ports, option: string, file: string): Promise<string> {
  if (file === '-') return ports.stdin.readAll();
  const path = resolve(ports.workingDirectory, file);
  if (await exists(ports.disk, path)) return readText(ports.disk, path);
  throw failure('cli/noFile', option, `There is no file ${path}.`);
}

interface InSession {
  readonly session: string;
  readonly token: string;
  readonly socketPath: string;
}

/** Inside a session a verb acts on what the session was given, with the session's own rights (design 4, step 3). */
function sessionOf(environment: Ports['environment']): InSession | undefined {
  const session = environment['RAVEL_SESSION'];
  const token = environment['RAVEL_TOKEN'];
  const socketPath = environment['RAVEL_SOCKET'];
  if (!session || !token || !socketPath) return undefined;
  return { session, token, socketPath };
}

async function callAsSession(
  ports: Ports,
  { session, token, socketPath }: InSession,
  call: { readonly tool: string; readonly args: Record<string, unknown> },
): Promise<CallResult> {
  const client = await connect({ socketPath, clock: ports.clock });
  try {
    return await client.request('session_call', { session, token, call: createUlids(ports.clock)(), ...call });
  } finally {
    client.close();
  }
}

function formatResult(result: unknown): string {
  if (result === undefined || result === null) return 'Done.';
  return typeof result === 'string' ? result : JSON.stringify(result, undefined, 2);
}

function describeRow(row: ArgumentRow | undefined): string {
  if (row === undefined) return '';
  return [row.description, row.isRequired ? '(required)' : ''].filter((part) => part !== '').join(' ');
}

function bodyArgument(rows: readonly ArgumentRow[]): string | undefined {
  return bodyNames.find((name) => rows.some((row) => row.name === name));
}

function kindOf(type: unknown, items: unknown): ArgumentKind {
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'flag';
  return type === 'array' && asObject(items)['type'] === 'string' ? 'list' : 'nested';
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
