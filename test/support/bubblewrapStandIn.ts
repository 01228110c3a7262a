import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuoted } from '../../src/base/text.ts';

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
  const words = (list: readonly string[]) => list.map(shellQuoted).join(' ');
  const program = `#!/bin/bash
args=()
for word; do
  [ "$word" != --norc ] || args=("\${args[@]::\${#args[@]}-1}" ${words(added)} "\${args[-1]}")
  if [ "$word" = ${shellQuoted(left)} ]; then args+=(${words(others)}); else args+=("$word"); fi
done
exec env ${words(Object.entries(environment).map(([name, value]) => `${name}=${value}`))} /usr/bin/bwrap "\${args[@]}"
`;
  writeFileSync(join(folder, 'bwrap'), program);
  chmodSync(join(folder, 'bwrap'), 0o755);
}
