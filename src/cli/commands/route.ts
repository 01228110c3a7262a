import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/json.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import { formatTarget, onlyTarget, type TargetFields, targetOfWord } from '../../model/namedTarget.ts';
import type { Api, RequestParams, RequestResults } from '../../model/protocol.ts';
import type { CommandContext, Start } from '../context.ts';
import { readGiven } from '../givenText.ts';
import { formatExplanation, formatRoute, formatRoutes } from '../render/routes.ts';

interface RouteOptions {
  readonly explain?: string;
  readonly from?: string;
  readonly to?: string;
  readonly question?: true;
  readonly limit?: string;
}

const help = `
FILE for --explain is an entry in the form of dispatches.yaml or queries.yaml, or any text, which is then the message
itself. Nothing is sent, and no session is asked. TARGET is a plan, project:NAME, expert:NAME or auto, the default.
Without MESSAGE and --explain the command lists the latest decisions, newest first.

Examples:
  $ ravel route --explain left.yaml --from shop     an entry that shop left, without sending it
  $ ravel route --explain - --to auto < mail.txt    where a text would go
  $ ravel route                                     how messages were routed
  $ ravel route 01M0A9XQYJ6N8K3T5V7W9Y1Z2A          how one of them was routed
`;

export function addRouteCommand(command: Command, start: Start): void {
  command
    .command('route [message]')
    .description('show how messages were routed; with --explain, where one would go, and why')
    .option('--explain <file>', 'a message that is not sent; - is standard input')
    .option('--from <plan>', 'the plan that would send it (default: you)')
    .option('--to <target>', 'its target; overrides the one in the file')
    .option('--question', 'treat the file as a question, not as a task')
    .option('--limit <count>', 'maximum number of decisions (20)')
    .addHelpText('after', help)
    .action((message, options) => start((context) => route(context, message, options)));
}

async function route(context: CommandContext, message: string | undefined, options: RouteOptions): Promise<number> {
  const { ports, globals } = context;
  if (options.explain === undefined) return show(context, message, options);
  const params = await toParams(await readGiven(ports, '--explain', options.explain), options);
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const explained = await api.request('explain_route', params);
    context.result(explained, formatExplanation(explained, context));
    return 0;
  });
}

async function show(context: CommandContext, message: string | undefined, { limit }: RouteOptions): Promise<number> {
  const count = Number(limit ?? 20);
  if (!Number.isInteger(count) || count < 1)
    throw failure('cli/usage', '--limit', `"${limit}" is not a whole number above 0.`);
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    if (message === undefined) {
      const found = await listRoutes(api, count);
      context.result(found, formatRoutes(found.routes, context));
      return 0;
    }
    const [found] = (await api.request('routes', { message })).routes;
    if (found === undefined) {
      throw failure('routing/unknownSubject', message, `No decision about the message ${message} is recorded.`, {
        help: 'See `ravel route` for the messages that were routed, `ravel routing` for those in transit.',
      });
    }
    context.result(found, formatRoute(found, context));
    return 0;
  });
}

/** As many as one request answers at most. */
const pageMax = 500;

/** The newest decisions, page by page: one has as many as fit into an answer. */
async function listRoutes(api: Pick<Api, 'request'>, count: number): Promise<RequestResults['routes']> {
  const routes: RequestResults['routes']['routes'][number][] = [];
  let next: Ulid | undefined;
  do {
    const limit = Math.min(pageMax, count - routes.length);
    const page = await api.request('routes', { limit, ...defined({ before: next }) });
    routes.push(...page.routes);
    next = page.next;
  } while (next !== undefined && routes.length < count);
  return { routes, ...defined({ next }) };
}

/** An entry as a plan leaves it, or a text that is all of the message. */
async function toParams(text: string, { from, to, question }: RouteOptions): Promise<RequestParams<'explain_route'>> {
  const entry = await entryOf(text);
  const fields = entry === undefined ? { body: text } : fieldsOf(entry);
  const isQuestion = question === true || (entry !== undefined && typeof entry['question'] === 'string');
  const named = to === undefined ? fields.named : formatTarget(targetOfWord(to));
  return {
    on: isQuestion ? 'query' : 'dispatch',
    ...defined({ from }),
    ...(named ?? { target: 'auto' }),
    ...defined({ reason: fields.reason }),
    body: fields.body,
  };
}

interface MessageFields {
  readonly body: string;
  readonly reason?: string;
  readonly named?: TargetFields;
}

/** The one entry of a file, or the first of its list; undefined for what is only text. */
async function entryOf(text: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    // A text that is not YAML is the message itself.
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const list = value['dispatches'] ?? value['queries'];
  const entry: unknown = Array.isArray(list) ? list[0] : value;
  return isRecord(entry) && (typeof entry['body'] === 'string' || typeof entry['question'] === 'string')
    ? entry
    : undefined;
}

function fieldsOf(entry: Readonly<Record<string, unknown>>): MessageFields {
  const texts = Object.fromEntries(Object.entries(entry).filter(([, value]) => typeof value === 'string'));
  const { reason, body, question } = texts as Readonly<Partial<Record<'reason' | 'body' | 'question', string>>>;
  const named = onlyTarget(texts as TargetFields);
  return {
    body: body ?? question ?? '',
    ...defined({ reason }),
    ...(Object.keys(named).length > 0 && { named }),
  };
}
