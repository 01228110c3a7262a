import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { exitCodes, failure } from '../../model/codes.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatActors, formatDeadLetters } from '../render/actors.ts';
import { formatNoteSent } from '../render/messages.ts';
import { sendFromCommand } from '../sendFromCommand.ts';
import { whenRouted } from '../whenRouted.ts';

const noteHelp = `
A running session reads it with its next step. If none is running, the command waits a few seconds until the plan
has read it; then it is listed under "received" until triage.

Examples:
  $ ravel note x "Leave the parser alone for now"
  $ ravel note x - < hints.txt
`;

const deadLettersHelp = `
A dead letter is a message that its plan could not take in. Fix the cause that it names, then redeliver it. An id can be
shortened to its beginning.

Examples:
  $ ravel dead-letters
  $ ravel dead-letters redeliver 01M0
  $ ravel dead-letters discard 01M0
`;

const actorsHelp = `
Shows which actors are active, waiting or faulted, and which have dead letters. All others are dormant.

Example:
  $ ravel actors
`;

const reviveHelp = `
An actor that crashed too often, or whose mailbox is damaged, takes in nothing until a person revives it.

Example:
  $ ravel revive x
`;

/** How long the command waits for the plan to take the note in, in milliseconds. */
const noteWaitMs = 5_000;

/** Messages by hand, and what became of those that plans and experts were sent. */
export function addActorCommands(command: Command, start: Start): void {
  command
    .command('note <plan> <text>')
    .description('tell a plan something: its running session, or else its next triage; - reads standard input')
    .addHelpText('after', noteHelp)
    .action((plan, text) => start((context) => note(context, plan, text)));
  command
    .command('actors')
    .description('list the actors that are active, waiting or faulted')
    .addHelpText('after', actorsHelp)
    .action(() => start(actors));
  command
    .command('revive <actor>')
    .description('let a faulted plan or expert take in messages again')
    .addHelpText('after', reviveHelp)
    .action((actor) => start((context) => revive(context, actor)));
  addDeadLetterCommands(command, start);
}

function addDeadLetterCommands(command: Command, start: Start): void {
  const group = command
    .command('dead-letters')
    .description('list, redeliver or discard messages that could not be delivered')
    .addHelpText('after', deadLettersHelp);
  group
    .command('list [plan]', { isDefault: true })
    .description('list all of them, or those of one plan')
    .action((plan) => start((context) => deadLetters(context, plan)));
  group
    .command('redeliver <id>')
    .description('deliver it to its plan again')
    .action((id) => start((context) => redeliver(context, id)));
  group
    .command('discard <id>')
    .description('discard it')
    .action((id) => start((context) => discard(context, id)));
}

async function note(context: CommandContext, named: string, given: string): Promise<number> {
  const text = given === '-' ? await context.ports.stdin.readAll() : given;
  if (text.trim() === '')
    throw failure('cli/usage', 'note', 'The note is empty.', { help: 'Say what the plan needs to know.' });
  const sent = await sendFromCommand(context, async (open, id) => {
    const told = whenRouted(context, open, id, noteWaitMs);
    try {
      const accepted = await open.api.request('send', { id, to: named, type: 'note', text });
      const delivery = accepted.session === undefined ? await told.delivery() : undefined;
      return { ...accepted, ...defined({ delivery }) };
    } finally {
      told.dispose();
    }
  });
  context.result(sent, formatNoteSent(sent, context.style));
  if (sent.delivery?.kind === 'declined') return exitCodes.refused;
  return sent.delivery?.kind === 'dead' ? exitCodes.conflict : 0;
}

async function actors(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('actors', {});
    context.result(found, formatActors(found.actors, style, columns));
    return 0;
  });
}

async function deadLetters(context: CommandContext, plan: string | undefined): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('dead_letters', defined({ actor: plan }));
    context.result(found, formatDeadLetters(found.deadLetters, style, columns));
    return 0;
  });
}

async function redeliver(context: CommandContext, letter: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const done = await api.request('redeliver', { message: letter });
    context.result(done, [`${done.actor} is given the message ${done.message} once more.`]);
    return 0;
  });
}

async function discard(context: CommandContext, letter: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const done = await api.request('discard', { message: letter });
    context.result(done, [`The message ${done.message} for ${done.actor} is dropped.`]);
    return 0;
  });
}

async function revive(context: CommandContext, named: string): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const row = await api.request('revive', { actor: named });
    const healthy = row.wasFaulted ? [] : [`${row.actor} was not stopped; nothing had to be revived.`];
    context.result(row, [...healthy, ...formatActors([row], style, columns)]);
    return 0;
  });
}
