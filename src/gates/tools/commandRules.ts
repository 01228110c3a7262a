import { buildPrograms } from './programs/build.ts';
import { filePrograms } from './programs/files.ts';
import { languagePrograms } from './programs/languages.ts';
import { nodePrograms } from './programs/node.ts';
import { pythonPrograms } from './programs/python.ts';
import { servicePrograms } from './programs/services.ts';
import { systemPrograms } from './programs/system.ts';
import { type ProgramTable, wordsOf } from './programs/table.ts';
import { textPrograms } from './programs/text.ts';

/** Every program that is described by a table. */
export const programTables: ReadonlyMap<string, ProgramTable> = new Map([
  ...textPrograms,
  ...filePrograms,
  ...systemPrograms,
  ...nodePrograms,
  ...pythonPrograms,
  ...buildPrograms,
  ...languagePrograms,
  ...servicePrograms,
]);

/** Subcommands of package managers with which something leaves the machine, or a person's account is used. */
export const publishing: ReadonlySet<string> = new Set(
  wordsOf(
    'publish push upload hex.publish unpublish login logout adduser token owner access deprecate dist-tag yank star profile team org hook',
  ),
);

/** Programs that no session runs, and why. */
export const deniedPrograms: ReadonlyMap<string, string> = new Map([
  ...each('sudo su doas pkexec', 'a session has no rights but its own'),
  ...each(
    `curl wget nc ncat netcat telnet ssh scp sftp rsync ftp socat aria2c http https xh ping dig nslookup host gh glab
     ssh-add ssh-keygen ssh-agent mosh rclone`,
    'a session does not use the network by itself',
  ),
  ...each(
    'pkill killall xkill skill shutdown reboot halt poweroff systemctl service launchctl crontab at batch',
    'processes and the machine are not a session’s to control',
  ),
  ...each('setsid disown screen tmux daemonize', 'what a session starts ends with it'),
  ...each('dd mkfs mount umount fdisk chroot nsenter unshare chown chgrp', 'it reaches beyond the project'),
]);

function each(names: string, reason: string): readonly (readonly [string, string])[] {
  return wordsOf(names).map((name) => [name, reason] as const);
}
