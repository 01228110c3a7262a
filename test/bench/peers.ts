import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BenchRow, median, round } from './bench.ts';

/** Another program that can do the measured work. It takes a turn in every round. */
export interface Peer {
  readonly name: string;
  /** Milliseconds of each counted round. */
  readonly times: number[];
}

/** A peer that a goal names and that is not on this machine. */
export interface AbsentPeer {
  readonly name: string;
  /** How to install it. */
  readonly remedy: string;
}

/** What the bench stops at its end, in reverse order. */
export type Closing = (() => Promise<unknown>)[];

export function isThere<P extends Peer>(peer: P | AbsentPeer): peer is P {
  return 'times' in peer;
}

/**
 * Compares our rounds with those of the peers that the goal names. We meet the goal when we are ahead of all of them, and
 * `partly` when we are ahead of those on this machine and another one is missing.
 */
export function compareWithPeers(
  ours: readonly number[],
  peers: readonly (Peer | AbsentPeer)[],
  rate: (times: readonly number[]) => string,
): { readonly ok: BenchRow['ok']; readonly note: string } {
  const found = peers.filter(isThere).map(({ name, times }) => {
    const ahead = median(times.map((time, n) => time / (ours[n] ?? Number.NaN)));
    return { isAhead: ahead > 1, said: `${name} ${rate(times)} (ours is ${round(ahead, 2)} × that)` };
  });
  const absent = peers.flatMap((peer) => (isThere(peer) ? [] : [`not compared with ${peer.name} (${peer.remedy})`]));
  const isAhead = found.every((peer) => peer.isAhead);
  return {
    ok: isAhead && absent.length > 0 ? 'partly' : isAhead,
    note: [...found.map(({ said }) => said), ...absent].join('; '),
  };
}

/**
 * Starts an installed program, which runs until `closing` ends it. Resolves with the line that says it is ready, or undefined
 * when the program is not installed.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  ready: RegExp,
  closing: Closing,
): Promise<RegExpExecArray | undefined> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const isStarted = await once(child, 'spawn').then(
    () => true,
    () => false,
  );
  if (!isStarted) return undefined;
  const exited = once(child, 'exit');
  closing.push(async () => {
    child.kill();
    await exited;
  });
  let said = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const match = ready.exec(said);
      if (match !== null) resolve(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then(() => reject(new Error(`${program} ended before it was ready: ${said.slice(-2000)}`)), reject);
  });
}
