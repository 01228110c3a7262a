import { type Command, Option } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { createUlids } from '../../base/ulid.ts';
import { taskGroupings } from '../../model/backlogOrder.ts';
import { failure } from '../../model/codes.ts';
import type { Json } from '../../model/json.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import {
  exampleOf,
  personVerbNames,
  toolFromVerb,
  type VerbExample,
  type VerbName,
  verbNames,
  verbs,
} from '../../model/verbs.ts';
import { connect } from '../../server/client.ts';
import type { CommandContext, Start } from '../context.ts';
import type { Ports } from '../ports.ts';
import { formatsOf } from '../render/recordFormats.ts';
import type { RecordView } from '../render/records.ts';
import { type ArgumentRow, argumentsOf, bodyArgument, readArguments } from './stateArguments.ts';

const nounDescriptions: Readonly<Record<string, string>> = {
  backlog: 'the tasks',
  received: 'messages that wait for triage',
  memory: 'what was learned',
  session: 'the log of sessions, and the record of the latest',
  phase: 'the phase that runs next',
  'phase-summary': 'the changes of a phase to the records',
  commits: 'the commit specification',
  message: 'messages to other plans',
  knowledge: 'what the vault and the project know; for sessions',
  source: 'the source, for sessions',
};

export interface StateCommandsOptions {
  /** Only verbs of nouns among these words have their arguments; without it all have. */
  readonly words?: readonly string[] | undefined;
  readonly environment: Ports['environment'];
}

/**
 * Adds `state <noun> <verb> <plan> ...` to a program, made from the table of verbs. `start` starts the command; what it
 * is given is read from standard input and files only then. Inside a session there are also the verbs that only one has.
 */
export function addStateCommands(program: Command, start: Start, { words, environment }: StateCommandsOptions): void {
  const state = program.command('state').description('read and change the state files of a plan');
  const nouns = new Map<string, Command>();
  for (const name of sessionOf(environment) === undefined ? personVerbNames : verbNames) {
    const [noun = '', word = ''] = name.split('/');
    const parent = nouns.get(noun) ?? state.command(noun).description(nounDescriptions[noun] ?? '');
    nouns.set(noun, parent);
    const command = parent.command(word).description(verbs[name].summary);
    if (words === undefined || words.includes(noun)) addArguments(command, name);
    command.action(() => start((context) => runVerb(context, name, command)));
  }
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
    if (row.kind === 'number') command.option(`--${row.name} <n>`, describeRow(row));
    if (row.kind === 'list') command.option(`--${row.name} <a,b,...>`, describeRow(row));
  }
  const body = bodyArgument(rows);
  if (body !== undefined) command.option('--body-file <file>', `a file with the text, in place of --${body}`);
  command.option('--json-args <file>', 'a file with the arguments as one JSON object, `-` for standard input');
  if ('reads' in verbs[name]) addViewOptions(command, name);
  const example = exampleOf(name);
  if (example !== undefined) command.addHelpText('after', formatExample(name, example));
}

function addViewOptions(command: Command, name: VerbName): void {
  command.addOption(new Option('--format <format>', 'the form of the answer').choices(formatsOf(name)).default('text'));
  if (name !== 'backlog/list') return;
  command.addOption(
    new Option('--group-by <field>', 'group the tasks by this field, as text or markdown').choices(taskGroupings),
  );
}

function formatExample(name: VerbName, { words, file }: VerbExample): string {
  const content = file === undefined ? '' : `\nThe file holds, for example:\n${file.replace(/^(?=.)/gm, '  ')}`;
  return `\nExample:\n  $ ravel state ${name.replace('/', ' ')} ${words}\n${content}`;
}

async function runVerb(context: CommandContext, name: VerbName, command: Command): Promise<number> {
  // With YAML, which no other command loads.
  const { formatChange, formatRecords } = await import('../render/records.ts');
  const { ports, globals, style, columns } = context;
  const [plan = '', ...given] = command.args;
  const options = command.opts();
  const args = await readArguments(ports, name, { given, options });
  const view: RecordView = { format: options['format'] ?? 'text', groupBy: options['groupBy'], style, columns };
  const inSession = sessionOf(ports.environment);
  if (inSession !== undefined) {
    const { isError, text } = await callAsSession(ports, inSession, { tool: toolFromVerb(name), args });
    if (isError) throw failure('gate/refused', name, text);
    const value = 'reads' in verbs[name] ? parseAnswer(text) : undefined;
    if (value === undefined) context.result(text, [text]);
    else context.result(value, formatRecords(name, value, view));
    return 0;
  }
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const { result = null, summary } = await api.request('state', { plan, verb: name, args });
    const lines =
      'reads' in verbs[name] ? formatRecords(name, result, view) : formatChange(name, { result, summary }, view);
    context.result(result, lines);
    return 0;
  });
}

/** What a reading tool answers is JSON. */
function parseAnswer(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // An owner of another version may answer in words; they are shown as they are.
    return undefined;
  }
}

interface InSession {
  readonly session: string;
  readonly token: string;
  readonly socketPath: string;
}

/**
 * Inside a session a verb acts on what the session was given, with the session's own rights; the plan's own files wait
 * for the merge.
 */
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

function describeRow(row: ArgumentRow | undefined): string {
  if (row === undefined) return '';
  return [row.description, row.isRequired ? '(required)' : ''].filter((part) => part !== '').join(' ');
}
