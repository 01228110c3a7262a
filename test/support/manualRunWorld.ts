import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runRavel, startRavel } from './runProgram.ts';
import type { World } from './world.ts';

/** What a person does in one round of their editor: by the name of an opened file, or the path of any other. */
export interface Round {
  /** The new text, or what is replaced by what. */
  readonly save?: Readonly<Record<string, string | readonly [string, string]>>;
  readonly exit?: number;
  /** The editor stays open, with its pid in a file `pid`. */
  readonly hang?: true;
}

const program = fileURLToPath(new URL('../fixtures/editor.mjs', import.meta.url));

/** Runs the plan's next phase by hand on the command line, with an editor that does this. */
export async function runManually(world: World, rounds: readonly Round[], ...flags: readonly string[]) {
  return runRavel(...(await commandOf(world, rounds, flags)));
}

export async function startManually(world: World, rounds: readonly Round[], ...flags: readonly string[]) {
  return startRavel(...(await commandOf(world, rounds, flags)));
}

/** What each round of the editor had opened. */
export async function openedFiles(world: World): Promise<string[]> {
  return (await readFile(join(world.root, 'opened.txt'), 'utf8')).trimEnd().split('\n');
}

async function commandOf(world: World, rounds: readonly Round[], flags: readonly string[]) {
  await writeFile(join(world.root, 'rounds.json'), JSON.stringify(rounds));
  await writeFile(join(world.root, 'round'), '0');
  const editor = `"${process.execPath}" "${program}" "${world.root}"`;
  const environment = { ...world.environment, EDITOR: editor };
  const args = ['run', world.plan, '--vault', world.vault, '--by-hand', '--json', ...flags];
  return [args, { environment }] as const;
}
