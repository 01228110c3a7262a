import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RehearsalReport } from '../../src/model/rehearsal.ts';
import { runHere } from './commandHere.ts';
import { exactTree } from './exactTree.ts';
import { type Ran, type RunningProgram, startRavel } from './runProgram.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';
import type { World } from './world.ts';

export interface Rehearsed extends Ran {
  /** What standard output holds as `--json`; undefined if it is an error. */
  readonly report: RehearsalReport | undefined;
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** A place for the copies of rehearsals, apart from the world, all of which has to stay as it is. */
export interface RehearsalPlace {
  readonly temporary: string;
  readonly environment: Readonly<Record<string, string>>;
  start(args: readonly string[]): RunningProgram;
  rehearse(...args: readonly string[]): Promise<Rehearsed>;
  /** The same command in this process: for one that starts nothing. */
  rehearseHere(...args: readonly string[]): Promise<Rehearsed>;
  /** What rehearsals left in the temporary folder. */
  left(): Promise<string[]>;
  /** The whole world, byte for byte and stamp for stamp. */
  exact(): string[];
}

export async function makeRehearsalPlace(
  world: Pick<World, 'root' | 'vault' | 'plan' | 'environment'>,
  more: Readonly<Record<string, string>> = {},
): Promise<RehearsalPlace> {
  const temporary = join(await makeTemporaryDirectory(), 'tmp');
  await mkdir(temporary);
  const environment = { ...world.environment, ...more, TMPDIR: temporary };
  const wordsOf = (args: readonly string[]) => [
    ...['rehearse', ...planIn(args, world.plan), '--vault', world.vault],
    ...args,
  ];
  const start = (args: readonly string[]) => startRavel(wordsOf(args), { environment });
  return {
    ...{ temporary, environment, start },
    rehearse: async (...args) => readRehearsed(await start([...args, '--json']).ended),
    rehearseHere: async (...args) => readRehearsed(await runHere(wordsOf([...args, '--json']), { environment })),
    left: async () => (await readdir(temporary)).filter((name) => name.startsWith('ravel-rehearsal-')),
    exact: () => exactTree(world.root),
  };
}

function readRehearsed(ran: Ran): Rehearsed {
  const lines = ran.stdout.trim().split('\n');
  const said = JSON.parse(lines.at(-1) || '{}');
  return { ...ran, report: said.result, error: said.error };
}

/** The world's plan, unless the arguments begin with another one. */
function planIn([first = '--']: readonly string[], plan: string): string[] {
  return first.startsWith('--') ? [plan] : [];
}
