import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { ifThere } from '../../base/diskErrors.ts';
import { ensureDirectory, removeTree, sha256, writeAtomic } from '../../base/files.ts';
import { shellQuoted } from '../../base/text.ts';

/** In the folder of a session, which its commands do not see: a file for each command that may use the network once. */
export const networkTickets = 'network';

const mark = 'ravel-network-';
/** Hexadecimal characters of a ticket, which are 128 bits. */
const ticketCharacters = 32;
const named = /^: ravel-network-([0-9a-f]{32});\n/;

/**
 * Lets one command use the network, once: it resolves to the text to run in its place. That names a ticket, which the
 * program of the sandbox removes before it runs the command, and accepts only with the exact text that it was made for.
 * What a harness puts around a command does not count as part of it. `secret` is a text that cannot be guessed.
 */
export async function openNetworkOnce(
  disk: Disk,
  sessionDirectory: string,
  { command, secret }: { readonly command: string; readonly secret: string },
): Promise<string> {
  const ticket = sha256(secret).slice(0, ticketCharacters);
  const folder = join(sessionDirectory, networkTickets);
  const asked = `\n${command}\n`;
  await ensureDirectory(disk, folder, 0o700);
  await writeAtomic(disk, join(folder, ticket), asked, { permissions: 0o600 });
  return `: ${mark}${ticket};${asked}# ${mark}${ticket}`;
}

/** Takes back the ticket that such a text names, if it is still there; nothing for any other text. */
export async function removeTicket(disk: Disk, sessionDirectory: string, command: string): Promise<void> {
  const ticket = named.exec(command)?.[1];
  if (ticket === undefined) return;
  const file = join(sessionDirectory, networkTickets, ticket);
  await ifThere(file, () => disk.unlink(file));
}

/** After this no command of the session can use the network by an earlier answer. */
export function removeTickets(disk: Disk, sessionDirectory: string): Promise<void> {
  return removeTree(disk, join(sessionDirectory, networkTickets));
}

/** Lines of the sandbox's program that set `network` to `open` for a `$command` with a ticket. */
export function takeTicket(folder: string, { mv, tr }: { readonly mv: string; readonly tr: string }): string {
  // A harness quotes a command as it likes, so quotes are left out when two texts are compared.
  const strip = `${shellQuoted(tr)} -d ${shellQuoted(`'"\\\\`)}`;
  return `case $command in *': ${mark}'*)
  asked=\${command#*': ${mark}'}
  ticket=\${asked%%[!0-9a-f]*}
  asked=\${asked#*;}
  asked=\${asked%"# ${mark}$ticket"*}
  file=${shellQuoted(folder)}/$ticket
  if [ \${#ticket} = ${ticketCharacters} ] && ${shellQuoted(mv)} "$file" "$file.used" 2>/dev/null; then
    [ "$(printf %s "$asked" | ${strip})" != "$(${strip} < "$file.used")" ] || network=open
  fi ;;
esac`;
}
