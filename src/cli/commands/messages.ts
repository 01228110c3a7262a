import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { capitalized, shellWord } from '../../base/text.ts';
import { exitCodes, failure } from '../../model/codes.ts';
import { isUlid, type Ulid, wholePlanName } from '../../model/id.ts';
import { formatTarget, type Target, targetOfWord } from '../../model/namedTarget.ts';
import type { Api, RequestResults } from '../../model/protocol.ts';
import type { Answer } from '../../model/requests/messages.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import type { CommandContext, Start } from '../context.ts';
import { readGiven } from '../givenText.ts';
import { formatDiagnostic } from '../render/diagnostics.ts';
import {
  formatAnswer,
  formatAskedBack,
  formatDelivery,
  formatPending,
  formatReceived,
  formatSent,
  formatUnanswered,
  type ReceivedRow,
} from '../render/messages.ts';
import { sendFromCommand } from '../sendFromCommand.ts';
import { rowWithId } from '../shortId.ts';
import { whenRouted } from '../whenRouted.ts';

const dispatchHelp = `
TARGET is a plan, or a project for its root plan; project:NAME for the right plan of that project; expert:NAME; or auto.
A named plan gets the message at once. Within a project, and with auto, rules, scores and finally a session find the right
plan. The message waits under "received" until triage makes a task of it or declines it; with --from, the sending plan
learns which. If BODY is -, it is read from standard input.

Examples:
  $ ravel dispatch x/project-root "The parser drops the last line." --reason "Seen in production"
  $ ravel dispatch project:x --body-file review.md --reason "From the review"
  $ ravel dispatch auto - --reason "No team owns this" < mail.txt
  $ ravel dispatch x --from y --task fix-the-parser --reason "The parser belongs to x"
`;

const askHelp = `
TARGET is a plan, or a project for its root plan; project:NAME for the plan of that project that knows; expert:NAME; or
auto. A fresh session answers for a plan, from its memory and its backlog, and for an expert from its part of the
knowledge, with the words that the answer rests on. The command waits for the answer; ravel answer shows it at any time.
If QUESTION is -, it is read from standard input.

Examples:
  $ ravel ask x/project-root "Which encodings does the parser take?"
  $ ravel ask auto - --from y < question.txt
  $ ravel ask x "Who owns the cache?" --wait 0
  $ ravel ask expert:rust "When does a future need to be pinned?"
`;

const answerHelp = `
With --give you answer in the place of the plan or expert that was asked; the first answer holds.

Examples:
  $ ravel answer 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
  $ ravel answer 01M0A9XQYJ6N8K3T5V7W9Y1Z2A --give "Only UTF-8."
`;

const replyHelp = `
An expert can ask back before it answers. The command waits for the answer, or for the next question back.

Example:
  $ ravel reply 01M0A9XQYJ6N8K3T5V7W9Y1Z2A "It runs on one thread."
`;

const receivedHelp = `
A message to a plan waits until the next triage, or you, makes a task of it or declines it; its sender learns the outcome.
You can shorten an id to its beginning or its end.

Examples:
  $ ravel received x
  $ ravel received promote x Y1Z2A --title "Fix the parser" --category parser
  $ ravel received decline x Y1Z2A --reason "It was fixed in March"
`;

const promoteHelp = `
Example:
  $ ravel received promote x Y1Z2A --title "Fix the parser" --category parser
`;

const declineHelp = `
Example:
  $ ravel received decline x Y1Z2A --reason "It was fixed in March"
`;

const routingHelp = `
A message that no plan takes needs your decision: see ravel approvals. ravel route shows how messages were routed.

Example:
  $ ravel routing
`;

/** Messages that find their receivers: tasks handed on, questions, and what a plan was sent. */
export function addMessageCommands(command: Command, start: Start): void {
  addSendingCommands(command, start);
  command
    .command('answer <query>')
    .description('show the answer to a question, or its state; or give the answer yourself')
    .option('--give <text>', 'the answer, in the place of whom was asked')
    .addHelpText('after', answerHelp)
    .action((query, { give }) =>
      start((context) => (give === undefined ? answer(context, query) : giveAnswer(context, query, give))),
    );
  command
    .command('reply <query> <text>')
    .description('reply to what was asked back about your question')
    .option('--wait <seconds>', 'how long to wait for the answer (600)')
    .addHelpText('after', replyHelp)
    .action((query, text, { wait }) => start((context) => reply(context, { query, text, wait })));
  command
    .command('routing')
    .description('list messages that are being routed now')
    .addHelpText('after', routingHelp)
    .action(() => start(routing));
  addReceivedCommands(command, start);
}

function addSendingCommands(command: Command, start: Start): void {
  const from = ['--from <plan>', 'the plan that sends it (default: you)'] as const;
  const suggest = ['--suggest <plan>', 'the plan of the project that should probably get it'] as const;
  command
    .command('dispatch <target> [body]')
    .description('hand a task to a plan, or let Ravel find the right one')
    .option('--reason <text>', 'why the receiver should do it, in a sentence; required')
    .option('--body <text>', 'the task, instead of BODY')
    .option('--body-file <file>', 'the same, from a file')
    .option('--task <task>', 'a task of the sending plan; its text is the body unless you give one')
    .option(...from)
    .option(...suggest)
    .option('--wait <seconds>', 'how long to wait until a receiver is found (600)')
    .addHelpText('after', dispatchHelp)
    .action((target, body, options) => start((context) => dispatch(context, { target, body, ...options })));
  command
    .command('ask <target> <question>')
    .description('ask a plan or an expert, or let Ravel find one that knows')
    .option('--reason <text>', 'why you ask')
    .option(...from)
    .option(...suggest)
    .option('--wait <seconds>', 'how long to wait for the answer (600)')
    .addHelpText('after', askHelp)
    .action((target, question, options) => start((context) => ask(context, { target, question, ...options })));
}

function addReceivedCommands(command: Command, start: Start): void {
  const group = command
    .command('received')
    .description('list the messages of a plan, and promote or decline them')
    .addHelpText('after', receivedHelp);
  group
    .command('list <plan>', { isDefault: true })
    .description('list the messages that wait for triage')
    .option('--all', 'also messages that were promoted or declined')
    .action((plan, { all = false }) => start((context) => received(context, plan, all)));
  group
    .command('promote <plan> <id>')
    .description('turn it into a task')
    .requiredOption('--title <text>', 'of the task')
    .requiredOption('--category <text>', 'of the task')
    .option('--description <text>', 'of the task (default: the message)')
    .addHelpText('after', promoteHelp)
    .action((plan, id, options) => start((context) => decide(context, 'promote', { plan, id, options })));
  group
    .command('decline <plan> <id>')
    .description('decline it, and tell its sender why')
    .requiredOption('--reason <text>', 'a reason that helps the sender')
    .addHelpText('after', declineHelp)
    .action((plan, id, options) => start((context) => decide(context, 'decline', { plan, id, options })));
}

interface SendingFlags {
  readonly target: string;
  readonly from?: string;
  readonly suggest?: string;
  readonly reason?: string;
  readonly wait?: string;
}

interface DispatchFlags extends SendingFlags {
  readonly body?: string;
  readonly bodyFile?: string;
  readonly task?: string;
}

async function dispatch(context: CommandContext, flags: DispatchFlags): Promise<number> {
  const { from, task } = flags;
  const waitMs = toWaitMs(flags.wait);
  const body = await bodyOf(context, flags);
  const reason = flags.reason?.trim() ?? '';
  if (reason === '') throw failure('cli/usage', 'dispatch', 'Say with --reason why the receiver should do it.');
  const target = targetOf(flags);
  const params = { ...formatTarget(target), reason, ...(from && { from }), ...(task && { task }) };
  const sent = await sendFromCommand(context, async (open, id) => {
    const text = body ?? (await taskText(open.api, flags));
    const routed = whenRouted(context, open, id, waitMs);
    try {
      const taken = await open.api.request('dispatch', { ...params, id, body: text });
      const outcome = taken.outcome ?? (await routed.outcome());
      const delivery = outcome?.kind === 'routed' ? await routed.delivery() : undefined;
      if (target.kind !== 'plan') await warnOfBrokenRules(context, open.api);
      return { ...taken, ...defined({ outcome, delivery }) };
    } finally {
      routed.dispose();
    }
  });
  refuse(sent.message, sent.outcome);
  const { message, outcome, delivery } = sent;
  context.result(
    sent,
    delivery === undefined
      ? formatSent(message, outcome, context.style)
      : formatDelivery(message, delivery, context.style),
  );
  if (delivery?.kind === 'declined') return exitCodes.refused;
  return outcome?.kind === 'waiting' || delivery?.kind === 'dead' ? exitCodes.conflict : 0;
}

/** A receiver was looked for with the last rules that could be read, or with none. */
async function warnOfBrokenRules({ note, style, columns }: CommandContext, api: Api): Promise<void> {
  const { diagnostics } = await api.request('rules', {});
  const broken = diagnostics.filter(({ code }) => code === 'rule/fileBroken');
  note(broken.flatMap((problem) => formatDiagnostic(problem, style, columns)));
}

interface AskFlags extends SendingFlags {
  readonly question: string;
}

async function ask(context: CommandContext, flags: AskFlags): Promise<number> {
  const question = (flags.question === '-' ? await context.ports.stdin.readAll() : flags.question).trim();
  if (question === '') throw failure('cli/usage', 'ask', 'The question is empty.');
  const { from, reason } = flags;
  const seconds = toWaitMs(flags.wait) / 1000;
  const params = { ...formatTarget(targetOf(flags)), question, ...(from && { from }), ...(reason && { reason }) };
  const asked = await sendFromCommand(context, async (open, id) => {
    const routed = whenRouted(context, open, id, 0);
    try {
      return await open.api.request('ask', { ...params, id, 'wait-seconds': seconds });
    } finally {
      routed.dispose();
    }
  });
  refuse(asked.query, asked.outcome);
  const { answer: given, askedBack, query, outcome } = asked;
  if (given === undefined && askedBack === undefined) {
    context.result(asked, formatSent(query, outcome, context.style, 'question'));
  } else {
    context.result(asked, formatEnd(asked, context));
  }
  if (given !== undefined) return codeOf(given);
  // A user who did not want to wait has what they asked for.
  return outcome?.kind === 'waiting' || seconds > 0 ? exitCodes.conflict : 0;
}

/** The answer, or what is asked back instead. */
function formatEnd({ query, answer, askedBack }: RequestResults['reply'], context: CommandContext): string[] {
  if (answer !== undefined) return formatAnswer(answer, context);
  return askedBack === undefined ? formatUnanswered(query, undefined) : formatAskedBack(query, askedBack, context);
}

async function reply(
  context: CommandContext,
  { query, text, wait }: { readonly query: string; readonly text: string; readonly wait?: string },
): Promise<number> {
  const seconds = toWaitMs(wait) / 1000;
  const said = text.trim();
  if (said === '') throw failure('cli/usage', 'reply', 'The reply is empty.');
  const end = await sendFromCommand(context, (open, id) =>
    open.api.request('reply', { query, text: said, id, 'wait-seconds': seconds }),
  );
  context.result(end, formatEnd(end, context));
  if (end.answer !== undefined) return codeOf(end.answer);
  return seconds > 0 ? exitCodes.conflict : 0;
}

async function giveAnswer(context: CommandContext, query: string, given: string): Promise<number> {
  const text = given.trim();
  if (text === '') throw failure('cli/usage', 'answer', 'The answer is empty.');
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const done = await api.request('answer_in_place', { query, text });
    const { note, result, style } = context;
    // Someone was quicker.
    if (done.answer.text !== text) note([style.bad('The question had its answer already:')]);
    result(done, formatAnswer(done.answer, context));
    return done.answer.text === text ? 0 : exitCodes.conflict;
  });
}

/** A message without a receiver is an error, with the code that says why. */
function refuse(message: string, outcome: RouteOutcome | undefined): void {
  if (outcome?.kind !== 'refused') return;
  const { code, reason, help } = outcome;
  throw failure(code, message, `It could not be sent: ${reason}.`, defined({ help }));
}

function targetOf({ target, suggest, from }: Pick<SendingFlags, 'target' | 'suggest' | 'from'>): Target {
  const isProject = isProjectName(target);
  const named = targetOfWord(suggest !== undefined && isProject ? `project:${target}` : target);
  // A plan hands work to another project, which may have a better receiver than the plan that it thinks of.
  const isOther = isProject && from !== undefined && from.split('/')[0] !== target;
  if (suggest === undefined && isOther) return { kind: 'project', name: target, suggested: wholePlanName(target) };
  if (suggest === undefined) return named;
  if (named.kind !== 'project') {
    throw failure('cli/usage', '--suggest', '--suggest works only if TARGET is the project of that plan.', {
      help: 'Name the project as TARGET, or the plan itself without --suggest.',
    });
  }
  return { ...named, suggested: suggest };
}

function isProjectName(target: string): boolean {
  return target !== 'auto' && !target.includes(':') && !target.includes('/');
}

async function bodyOf({ ports }: CommandContext, flags: DispatchFlags): Promise<string | undefined> {
  const { body, bodyFile, task } = flags;
  if (body !== undefined && bodyFile !== undefined) {
    throw failure('cli/usage', 'dispatch', 'A message has one body: give BODY, --body or --body-file.');
  }
  const text =
    bodyFile === undefined
      ? body === '-'
        ? await ports.stdin.readAll()
        : body
      : await readGiven(ports, '--body-file', bodyFile);
  if (text === undefined && task !== undefined) return undefined;
  if (text === undefined || text.trim() === '') {
    throw failure('cli/usage', 'dispatch', 'The message is empty: give BODY, --body-file or --task.');
  }
  return text;
}

/** Title and description of the task that is handed on. */
async function taskText(api: Api, { from, task = '' }: DispatchFlags): Promise<string> {
  if (from === undefined) throw failure('cli/usage', '--task', 'A task belongs to a plan: name the plan with --from.');
  const { result } = await api.request('state', { plan: from, verb: 'backlog/show', args: { id: task } });
  const { title, description } = result as { readonly title: string; readonly description?: string | null };
  return description == null || description.trim() === '' ? title : `${title}\n\n${description}`;
}

function toWaitMs(text = '600'): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= 3600) return seconds * 1000;
  throw failure('cli/usage', '--wait', `"${text}" is not a number of seconds from 0 to 3600.`, {
    help: 'The default is 600; with 0 the command does not wait.',
  });
}

async function answer(context: CommandContext, query: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const found = await api.request('answer', { query });
    const { askedBack, pending } = found;
    const isOpen = found.answer === undefined && askedBack === undefined;
    context.result(
      found,
      isOpen ? formatUnanswered(query, pending) : formatEnd({ query: query as Ulid, ...found }, context),
    );
    if (found.answer !== undefined) return codeOf(found.answer);
    return found.pending?.state.startsWith('refused') ? exitCodes.refused : exitCodes.conflict;
  });
}

function codeOf({ state }: Answer): number {
  return state === 'answered' ? 0 : exitCodes.refused;
}

async function routing(context: CommandContext): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const found = await api.request('routing', {});
    context.result(found, formatPending(found, context));
    return 0;
  });
}

async function received(context: CommandContext, plan: string, all: boolean): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const rows = await listReceived(api, plan, all);
    context.result({ messages: rows }, formatReceived(rows, plan, context));
    return 0;
  });
}

async function listReceived(api: Api, plan: string, all: boolean): Promise<readonly ReceivedRow[]> {
  const { result } = await api.request('state', { plan, verb: 'received/list', args: { all } });
  return (result as { readonly messages: readonly ReceivedRow[] }).messages;
}

interface Decision {
  readonly plan: string;
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
}

async function decide(context: CommandContext, verb: 'promote' | 'decline', decision: Decision): Promise<number> {
  const { plan, id: named, options } = decision;
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const id = await wholeMessageId(api, plan, named);
    const args = { id, ...options };
    const done: RequestResults['state'] = await api.request('state', { plan, verb: `received/${verb}`, args });
    const next = verb === 'promote' ? [`See it with \`ravel state backlog list ${shellWord(plan)}\`.`] : [];
    context.result(done, [`${capitalized(done.summary)}; its sender learns the outcome.`, ...next]);
    return 0;
  });
}

/** The id of a message that waits, by a part of it; a whole one is left to the request. */
async function wholeMessageId(api: Api, plan: string, named: string): Promise<string> {
  if (isUlid(named.toUpperCase())) return named.toUpperCase();
  const waiting = await listReceived(api, plan, false);
  const message = waiting.find(({ id }) => id === named) ?? rowWithId(named, waiting, 'messages', ({ id }) => id);
  if (message !== undefined) return message.id;
  throw failure('state/unknownRecord', plan, `No message ${named} waits under "received" of ${plan}.`);
}
