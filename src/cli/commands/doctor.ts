import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { exitCodes } from '../../model/codes.ts';
import type { Check } from '../../model/requests/doctor.ts';
import { type ClientApi, connect } from '../../server/client.ts';
import type { CommandContext, Start } from '../context.ts';
import type { Ports } from '../ports.ts';
import { formatChecks, formatCleaning } from '../render/doctor.ts';

/** As package.json says. */
export const oldestNode = '20.19';

const help = `
Checks the machine, the vault, its harnesses and its plans, and changes nothing. Exits with 1 if something is wrong.

With --clean it lists stale files of old sessions and phases, by the settings retention.days and retention.mib, and asks
before it removes them; without a terminal it removes nothing unless you give --yes. Files that a phase needs always stay.

Examples:
  $ ravel doctor
  $ ravel doctor --json
  $ ravel doctor --clean
  $ ravel doctor --clean --yes
`;

export interface DoctorFlags {
  readonly clean?: true;
  readonly yes?: true;
}

export function addDoctorCommands(program: Command, start: Start): void {
  program
    .command('doctor')
    .description('check everything that could keep the vault from working')
    .option('--clean', 'remove stale files of old sessions and phases')
    .option('--yes', 'with --clean: remove them without asking')
    .addHelpText('after', help)
    .action((options) => start((context) => (options.clean === true ? clean(context, options) : doctor(context))));
}

async function doctor(context: CommandContext): Promise<number> {
  const { style, columns } = context;
  const checks = [...checkProgram(context), ...(await checkVault(context)), ...(await checkRehearsals(context))];
  context.result({ checks }, formatChecks(checks, style, columns));
  return checks.some(({ severity }) => severity === 'error') ? 1 : 0;
}

function checkProgram({ ports }: CommandContext): Check[] {
  const about = { check: 'node', subject: 'node' } as const;
  const message = `Node ${ports.nodeVersion}, Ravel ${ports.version}.`;
  if (isAtLeast(ports.nodeVersion, oldestNode)) return [{ ...about, severity: 'ok', message }];
  return [{ ...about, severity: 'error', message, fix: `install Node ${oldestNode} or newer` }];
}

/** What killed rehearsals left belongs to the machine, and to no vault. */
async function checkRehearsals({ ports }: CommandContext): Promise<Check[]> {
  const stale = await ports.core.staleRehearsals();
  return stale.map((subject) => ({
    check: 'stale-files',
    severity: 'info',
    subject,
    message: 'This is the copy of a rehearsal that was killed.',
    fix: '`ravel doctor --clean`, or the next rehearsal',
  }));
}

/** A vault that cannot be opened is what is wrong then; everything else has to wait for that. */
async function checkVault({ ports, globals }: CommandContext): Promise<readonly Check[]> {
  try {
    const vault = await ports.core.findVault(globals.vault);
    const owner = await ports.core.findOwner(vault);
    if (owner !== undefined) return await checkThroughOwner(ports, vault, owner);
    return await checkHere(ports, vault);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    const { code, subject, message, help: fix } = error.diagnostic;
    const check = code.startsWith('server/') ? 'owner' : code === 'vault/badSettings' ? 'settings' : 'vault';
    return [{ check, severity: 'error', subject, message, ...defined({ fix }) }];
  }
}

interface Owner {
  readonly socketPath: string;
  readonly pid: number;
}

/** Asked once: others wait for an owner who is slow, but whether it is, is what is asked here. */
async function checkThroughOwner(ports: Ports, vault: string, owner: Owner): Promise<readonly Check[]> {
  const client = await connectOnce(ports, owner);
  if (client === undefined) return [describeSilence(owner), ...(await checkHere(ports, vault))];
  try {
    const { checks } = await client.request('doctor', {});
    return [describeOwner(client.owner.version, ports.version), ...checks];
  } finally {
    client.close();
  }
}

async function connectOnce({ clock }: Ports, { socketPath }: Owner): Promise<ClientApi | undefined> {
  try {
    return await connect({ socketPath, clock });
  } catch (error) {
    if (isRavelError(error, 'server/gone')) return undefined;
    throw error;
  }
}

/** Without the owner, who may be gone by now, or hang. */
async function checkHere(ports: Ports, vault: string): Promise<readonly Check[]> {
  const core = await ports.core.open(vault, 'local');
  try {
    return (await core.api.request('doctor', {})).checks;
  } finally {
    await core.stop();
  }
}

function describeSilence({ pid, socketPath }: Owner): Check {
  const message = `Process ${pid} owns the vault, but does not answer.`;
  const fix = `if that does not change, \`kill ${pid}\` and start it again; nothing that it acknowledged is lost`;
  return { check: 'owner', severity: 'error', subject: socketPath, message, fix };
}

function describeOwner(owner: string, own: string): Check {
  const about = { check: 'owner', subject: 'daemon' } as const;
  if (owner === own) return { ...about, severity: 'ok', message: 'The owner of the vault answers on its socket.' };
  const message = `The owner of the vault is Ravel ${owner}, and this is Ravel ${own}.`;
  return { ...about, severity: 'warning', message, fix: '`ravel shutdown`, then start it again' };
}

async function clean(context: CommandContext, { yes }: DoctorFlags): Promise<number> {
  const { ports, globals, style } = context;
  const copies = await ports.core.removeStaleRehearsals();
  if (copies.length > 0) context.note([`Removed ${plural(copies.length, 'copy', 'copies')} of killed rehearsals.`]);
  const found = await withApi(ports, globals.vault, 'local', ({ api }) => api.request('clean', { dryRun: true }));
  const asks = yes !== true && found.count > 0 && ports.stdin.isTty && globals.json !== true;
  if (asks) context.note(formatCleaning(found, style));
  if (found.count === 0 || !(yes === true || (asks && (await agrees(context))))) {
    context.result(found, asks ? ['Nothing was removed.'] : [...formatCleaning(found, style), ...howToRemove(found)]);
    return 0;
  }
  const done = await withApi(ports, globals.vault, 'owner', ({ api }) => api.request('clean', {}));
  context.result(done, formatCleaning(done, style));
  return done.unremoved.length === 0 ? 0 : exitCodes.internal;
}

async function agrees({ ports }: CommandContext): Promise<boolean> {
  const answer = await ports.stdin.ask('Remove it for good? [y/N] ');
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}

function howToRemove({ count }: { readonly count: number }): string[] {
  return count === 0 ? [] : ['Remove it with `ravel doctor --clean --yes`.'];
}

/** Compares versions number by number. */
function isAtLeast(version: string, oldest: string): boolean {
  const wanted = oldest.split('.').map(Number);
  const parts = version.split('.').map(Number);
  for (const [at, want] of wanted.entries()) {
    const part = parts[at] ?? 0;
    if (part !== want) return part > want;
  }
  return true;
}
