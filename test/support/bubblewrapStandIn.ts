import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a program in the place of bubblewrap differs from it. */
export interface StandIn {
  /** Arguments that come last, so that they take back what others did. */
  readonly added?: readonly string[];
  /** An argument that is left out, for others in its place. */
  readonly instead?: readonly [argument: string, ...others: string[]];
  /** Variables of its own process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A folder can be read like most of the system, so that nothing but the sandbox's own mounts keeps commands from it. */
export function showing(folder: string): StandIn {
  return { instead: ['--proc', '--ro-bind', folder, folder, '--proc'] };
}

/** Writes a program `bwrap` into a folder, to be the first of PATH; it starts the real one with other arguments. */
export function writeStandIn(folder: string, { added = [], instead = [''], environment = {} }: StandIn): void {
  const [left, ...others] = instead;
  const program = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const given = process.argv.slice(2);
const command = given.indexOf('--norc') - 1;
const args = [...given.slice(0, command), ...${JSON.stringify(added)}, ...given.slice(command)].flatMap((word) =>
  word === ${JSON.stringify(left)} ? ${JSON.stringify(others)} : [word],
);
const env = { ...process.env, ...${JSON.stringify(environment)} };
process.exitCode = spawnSync('/usr/bin/bwrap', args, { stdio: 'inherit', env }).status ?? 1;
`;
  writeFileSync(join(folder, 'bwrap'), program);
  chmodSync(join(folder, 'bwrap'), 0o755);
}
