import type { Ring } from './ring.ts';

export interface ShellFileParts {
  /** The engine with its arguments, up to the command. */
  readonly engine: readonly string[];
  readonly ring: Pick<Ring, 'emptied' | 'index' | 'variables'>;
  /** By which names commands have their home and their temporary files. */
  readonly home: string;
  readonly temporary: string;
  /** Absolute paths: what stands on PATH may be the project's. */
  readonly programs: Readonly<Record<'bash' | 'env' | 'cp' | 'mv' | 'git', string>>;
  /** An empty file that stands for each that may not be read. */
  readonly emptyFile: string;
  /** Where the shown index is kept. */
  readonly indexFile: string;
  /** How the engine shows one file in the place of another. */
  readonly cover: (shown: string, path: string) => readonly string[];
}

/**
 * A program for `/bin/sh` that runs its one argument in the sandbox. The environment is made anew before the engine
 * starts: the engine's own process can be looked at from inside. Where the engine is missing nothing is run.
 */
export function formatShellFile(parts: ShellFileParts): string {
  const { engine, ring, home, temporary, programs, emptyFile, indexFile, cover } = parts;
  const { emptied, index, variables } = ring;
  const kept = variables.map((name) => `\${${name}+"${name}=$${name}"}`);
  const covered = emptied.map((path) => `[ ! -e ${quote(path)} ] || set -- "$@" ${words(cover(emptyFile, path))}`);
  return `#!/bin/sh
# Runs its argument as a command that is kept to one project. Written by Ravel for one session.
command=$1
set --
${covered.join('\n')}
${index === undefined ? '' : showIndex(index, { programs, indexFile, covered: words(cover(indexFile, index.path)) })}
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
exec ${quote(programs.env)} -i ${kept.join(' ')} HOME=${quote(home)} TMPDIR=${quote(temporary)} ${words(engine)} "$@" ${quote(programs.bash)} --norc -c "$command"
`;
}

/** git is shown an index that takes the covered files for unchanged; it is made again whenever the real one changes. */
function showIndex(
  { path, root, tracked }: NonNullable<Ring['index']>,
  { programs, indexFile, covered }: Pick<ShellFileParts, 'programs' | 'indexFile'> & { readonly covered: string },
): string {
  const [cp, mv] = [quote(programs.cp), quote(programs.mv)];
  const git = `${quote(programs.git)} -C ${quote(root)} -c core.fsmonitor=false -c core.hooksPath=/dev/null`;
  return `if [ ! -e ${quote(indexFile)} ] || [ ${quote(path)} -nt ${quote(indexFile)} ]; then
  ${cp} ${quote(path)} ${quote(indexFile)}.$$ 2>/dev/null &&
    GIT_INDEX_FILE=${quote(indexFile)}.$$ ${git} update-index --assume-unchanged -- ${words(tracked)} >/dev/null 2>&1 &&
    ${mv} ${quote(indexFile)}.$$ ${quote(indexFile)}
fi
[ ! -e ${quote(indexFile)} ] || set -- "$@" ${covered}`;
}

function words(list: readonly string[]): string {
  return list.map(quote).join(' ');
}

/** For a shell: nothing in it means anything but itself. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
