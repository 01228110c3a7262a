import { shellQuoted } from '../../base/text.ts';
import { takeTicket } from './networkTicket.ts';
import type { Network, SandboxLayout } from './sandboxLayout.ts';

export interface ShellFileParts {
  /** The engine with its arguments, up to the command. */
  readonly engine: (network: Network) => readonly [program: string, ...args: string[]];
  readonly layout: Pick<SandboxLayout, 'emptied' | 'index' | 'variables' | 'network'>;
  /** By which names commands have their home and their temporary files. */
  readonly home: string;
  readonly temporary: string;
  /** Absolute paths: what stands on PATH may be the project's. */
  readonly programs: Readonly<Record<'bash' | 'env' | 'cp' | 'mv' | 'tr' | 'git', string>>;
  /** An empty file that stands for each that may not be read. */
  readonly emptyFile: string;
  /** Files that are shown in the place of others. */
  readonly shown: readonly { readonly path: string; readonly copy: string }[];
  /** Where the shown index is kept. */
  readonly indexFile: string;
  /** Where commands that may use the network once have their tickets. */
  readonly ticketFolder: string;
  /** How the engine shows one file in the place of another. */
  readonly cover: (shown: string, path: string) => readonly string[];
}

/**
 * A program for `/bin/sh` that runs its one argument in the sandbox. The environment is set from nothing before the engine
 * starts: the engine's own process can be looked at from inside. If the engine is missing nothing is run.
 */
export function formatShellFile(parts: ShellFileParts): string {
  const { engine, layout, home, temporary, programs, emptyFile, indexFile, ticketFolder, cover } = parts;
  const { emptied, index, variables, network } = layout;
  const run = (kept: readonly string[], with_: Network) =>
    `exec ${shellQuoted(programs.env)} -i ${kept.map((name) => `\${${name}+"${name}=$${name}"}`).join(' ')} HOME=${shellQuoted(home)} TMPDIR=${shellQuoted(temporary)} ${words(engine(with_))} "$@" ${shellQuoted(programs.bash)} --norc -c "$command"`;
  const [program] = engine(network);
  const covered = [...emptied.map((path) => ({ path, copy: emptyFile })), ...parts.shown].map(
    ({ path, copy }) => `[ ! -e ${shellQuoted(path)} ] || set -- "$@" ${words(cover(copy, path))}`,
  );
  return `#!/bin/sh
# Runs its argument as a command that is kept to one project. Written by Ravel for one session.
command=$1
if [ ! -x ${shellQuoted(program)} ]; then
  echo ${shellQuoted(`The sandbox of this session is lost: ${program} is gone. No command runs until it is back.`)} >&2
  exit 126
fi
set --
${covered.join('\n')}
${index === undefined ? '' : showIndex(index, { programs, indexFile, covered: words(cover(indexFile, index.path)) })}
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
network=${network}
${takeTicket(ticketFolder, programs)}
[ "$network" = closed ] || ${run([...variables, ...proxies], 'open')}
${run(variables, 'closed')}
`;
}

/** How the network is reached if a proxy stands before it; each may hold a password. */
const proxies = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);

/** git is shown an index that takes the covered files for unchanged; it is made again whenever the real one changes. */
function showIndex(
  { path, root, tracked }: NonNullable<SandboxLayout['index']>,
  { programs, indexFile, covered }: Pick<ShellFileParts, 'programs' | 'indexFile'> & { readonly covered: string },
): string {
  const [cp, mv] = [shellQuoted(programs.cp), shellQuoted(programs.mv)];
  const git = `${shellQuoted(programs.git)} -C ${shellQuoted(root)} -c core.fsmonitor=false -c core.hooksPath=/dev/null`;
  return `if [ ! -e ${shellQuoted(indexFile)} ] || [ ${shellQuoted(path)} -nt ${shellQuoted(indexFile)} ]; then
  ${cp} ${shellQuoted(path)} ${shellQuoted(indexFile)}.$$ 2>/dev/null &&
    GIT_INDEX_FILE=${shellQuoted(indexFile)}.$$ ${git} update-index --assume-unchanged -- ${words(tracked)} >/dev/null 2>&1 &&
    ${mv} ${shellQuoted(indexFile)}.$$ ${shellQuoted(indexFile)}
fi
[ ! -e ${shellQuoted(indexFile)} ] || set -- "$@" ${covered}`;
}

function words(list: readonly string[]): string {
  return list.map(shellQuoted).join(' ');
}
