import { type Command, Option } from 'commander';
import { oneLine } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import {
  placeText,
  type RemovedSecret,
  type SecretRow,
  secretValueBytesMax,
  type WrittenStore,
  writtenStores,
} from '../../model/secretState.ts';
import type { CommandContext, Start } from '../context.ts';

const help = `
The table [secrets] of ~/.config/ravel/config.toml names your secrets and says where each is kept: docs/settings.md. Their
values are never printed.

Examples:
  $ ravel secrets list                      try each; ends with 1 if one cannot be read
  $ ravel secrets set NPM_TOKEN             asks for the value, and shows nothing of it
  $ ravel secrets set NPM_TOKEN < file      takes it from standard input
`;

export function addSecretsCommands(command: Command, start: Start): void {
  const secrets = command
    .command('secrets')
    .description('see and keep the secrets whose values no session may pass on')
    .addHelpText('after', help);
  secrets
    .command('list', { isDefault: true })
    .description('try each secret of your configuration, and say where it is kept')
    .addHelpText('after', help)
    .action(() => start(list));
  secrets
    .command('where <name>')
    .description('say which store has a secret, and whether it can be read now')
    .addHelpText('after', '\nExample:\n  $ ravel secrets where NPM_TOKEN\n')
    .action((name: string) => start((context) => where(context, name)));
  secrets
    .command('set <name>')
    .description('keep a value, which is asked for or read from standard input, and name it in your configuration')
    .addOption(new Option('--in <store>', 'where a new one is kept').choices(writtenStores))
    .addHelpText(
      'after',
      '\nWithout --in a new secret goes into the keychain of the system, or an age file if there is none.\n\nExamples:\n  $ ravel secrets set NPM_TOKEN\n  $ pass show shop/database | ravel secrets set DATABASE --in age\n',
    )
    .action((name: string, { in: store }: { readonly in?: WrittenStore }) =>
      start((context) => set(context, name, store)),
    );
  secrets
    .command('remove <name>')
    .description('remove a secret from its store and its name from your configuration')
    .addHelpText('after', '\nExample:\n  $ ravel secrets remove NPM_TOKEN\n')
    .action((name: string) => start((context) => remove(context, name)));
}

async function list(context: CommandContext): Promise<number> {
  const rows = await context.ports.secrets.list();
  const lines = rows.length === 0 ? ['Your configuration names no secret.'] : rows.map(lineOf);
  context.result(rows, lines);
  return rows.some(({ state }) => state === 'failed') ? 1 : 0;
}

async function where(context: CommandContext, name: string): Promise<number> {
  const row = await context.ports.secrets.where(name);
  context.result(row, [lineOf(row)]);
  return row.state === 'failed' ? 1 : 0;
}

async function set(context: CommandContext, name: string, store: WrittenStore | undefined): Promise<number> {
  const value = await givenValue(context, name);
  const row = await context.ports.secrets.set({ name, value, ...(store !== undefined && { store }) });
  context.result(row, [`Kept: ${lineOf(row)}`]);
  return row.state === 'failed' ? 1 : 0;
}

/** Never an argument: those are in the list of processes and in the history of the shell. */
async function givenValue({ ports }: CommandContext, name: string): Promise<string> {
  const { stdin } = ports;
  if (!stdin.isTty) return (await stdin.readAll(secretValueBytesMax + 2)).replace(/\r?\n$/, '');
  const typed = await stdin.askHidden(`Value of ${oneLine(name).slice(0, 80)} (it is not shown): `);
  if (typed === undefined) throw failure('secrets/badValue', name, 'No value was given.');
  return typed;
}

async function remove(context: CommandContext, name: string): Promise<number> {
  const source = await context.ports.secrets.remove(name);
  context.result(source, [removedText(source)]);
  return 0;
}

function removedText({ name, place, keptFor }: RemovedSecret): string {
  const where = placeText(place);
  if (keptFor !== undefined)
    return `${name} is named no more. Its value stays in the ${where} for ${keptFor.join(', ')}.`;
  const stays = place.kind === 'environment' || place.kind === 'command';
  return stays
    ? `${name} is not looked for any more. Its value stays in the ${where}.`
    : `Removed from the ${where}: ${name}`;
}

function lineOf(row: SecretRow): string {
  const { name, place, note, sameAs } = row;
  const same = sameAs === undefined ? [] : [`the same value as ${sameAs.join(', ')}`];
  const notes = [...same, ...(note === undefined ? [] : [note])].map((text) => `; ${text}`);
  return `${name}  ${placeText(place)}  ${stateText(row)}${notes.join('')}`;
}

function stateText(row: SecretRow): string {
  switch (row.state) {
    case 'guarded':
      return 'its value is looked for';
    case 'absent':
      return 'has no value here';
    case 'unseen':
      return 'is read by windows of the editor';
    case 'short':
      return 'its value is too short to be looked for';
    case 'failed':
      return `cannot be read: ${row.problem}`;
  }
}
