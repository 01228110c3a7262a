import { spawn as systemSpawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import type { Spawn } from '../base/processes.ts';
import { OutputHead } from '../base/processOutput.ts';
import { runProcess } from '../base/runProcess.ts';

/**
 * Node does not offer what the kernel knows of a connection's other end. Perl is part of nearly every Linux, and reads it
 * from descriptor 3: option 17 (SO_PEERCRED) at level 1 (SOL_SOCKET), whose first field is the pid.
 */
const question =
  'open(my $socket, "+<&=3") or exit 1; my $peer = getsockopt($socket, 1, 17) or exit 1; print unpack("i", $peer);';
const perl = '/usr/bin/perl';
/** How long the question may take, in milliseconds. */
const timeoutMs = 2_000;
/** More than any pid has digits, so that a longer answer is not taken for one. */
const pidBytesMax = 64;

export interface SocketPeerOptions {
  readonly clock: Clock;
  readonly spawn?: Spawn;
}

/** Pid of the process that made a connection, by the descriptor of our end; undefined if the system does not tell. */
export async function socketPeer(descriptor: number, options: SocketPeerOptions): Promise<number | undefined> {
  const { clock, spawn = systemSpawn } = options;
  const stdout = new OutputHead(pidBytesMax, 'drop');
  // The descriptor, not the socket: Node would stop reading a socket that a child was handed.
  const job = { program: perl, args: ['-e', question], environment: {}, stdout, descriptors: [descriptor], timeoutMs };
  await runProcess(job, { clock, spawn });
  const output = stdout.bytes.toString('latin1');
  // The kernel says 0 of a process that this process could not see either.
  return /^[1-9]\d{0,9}$/.test(output) ? Number(output) : undefined;
}
