import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuoted } from '../../src/base/text.ts';

/** How a program in the place of bubblewrap differs from it. */
export interface StandIn {
  /** Arguments that come after those of all mounts, so that they take back what others did. */
  readonly added?: readonly string[];
  /** An argument that is left out, for others in its place. */
  readonly instead?: readonly [argument: string, ...others: string[]];
  /** Variables of its own process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Writes a program `bwrap` into a folder, to be the first of PATH; it starts the real one with other arguments. */
export function writeStandIn(folder: string, { added = [], instead = [''], environment = {} }: StandIn): void {
  const [left, ...others] = instead;
  const words = (list: readonly string[]) => list.map(shellQuoted).join(' ');
  const program = `#!/bin/bash
args=()
for word; do
  [ "$word" != --remount-ro ] || [[ " $* " != *' --norc '* ]] || args+=(${words(added)})
  if [ "$word" = ${shellQuoted(left)} ]; then args+=(${words(others)}); else args+=("$word"); fi
done
exec env ${words(Object.entries(environment).map(([name, value]) => `${name}=${value}`))} /usr/bin/bwrap "\${args[@]}"
`;
  writeFileSync(join(folder, 'bwrap'), program);
  chmodSync(join(folder, 'bwrap'), 0o755);
}
