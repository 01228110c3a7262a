import { spawnSync } from 'node:child_process';
import type { ShellWord } from '../../src/gates/tools/shell/shell.ts';
import { seeShell } from './shellSight.ts';

/** What bash did with one command: what it ran, where, and the files that it made. */
export interface BashRun {
  readonly commands: readonly { readonly folder: string; readonly words: readonly string[] }[];
  readonly files: readonly string[];
}

const ring = '/ring/p';

/**
 * Runs each text of a list, NUL-terminated on standard input, in a shell of its own. No program can be found, so the handler
 * of missing programs tells what would run; what the shell itself would run is told by functions of the same names.
 */
const driver = String.raw`
mapfile -d '' -t __texts
PATH=/none FUNCNEST=4
exec 199>&1 2> /dev/null
__t() { builtin printf '%s\0' T "$__i" "$PWD" "$#" "${'$'}{@//$'\n'/␊}" >&199; }
command_not_found_handle() { __t "$@"; [[ $1 != no* ]]; }
echo() { __t echo "$@"; }
printf() { __t printf "$@"; if [[ $1 == -v ]]; then builtin printf "$@"; fi; }
for __n in : true false test [ read cd eval; do
  builtin eval "function $__n { __t $__n \"\$@\"; builtin $__n \"\$@\"; }"
done
. () { __t . "$@"; }
source() { __t source "$@"; }
command() {
  __t command "$@"
  if (($# == 0)); then builtin return; fi
  case $1 in -[vV]) builtin command "$@"; builtin return;; -p|--) builtin shift;; esac
  if (($# == 0)); then builtin return; fi
  if [[ $(builtin type -t "$1") == builtin || $1 == cd || $1 == eval || $1 == echo ]]; then "$@"; else __t "$@"; fi
}
exec() {
  if (($# == 0)); then builtin return; fi
  __t exec "$@"
  while [[ $1 == -* ]]; do if [[ $1 == -a ]]; then builtin shift; fi; builtin shift; done
  if (($# > 0)); then __t "$@"; fi
  builtin exit
}
__fresh() {
  /usr/bin/rm -rf /ring/p
  /usr/bin/mkdir -p /ring/p/src/sub /ring/p/x
  builtin : > /ring/p/a.ts > /ring/p/b.ts > /ring/p/src/c.ts
}
__list() { shopt -s dotglob nullglob globstar; __files=(/ring/p/**); shopt -u dotglob nullglob globstar; }
__fresh; __list; __base="${'$'}{__files[*]}"
for __i in "${'$'}{!__texts[@]}"; do
  builtin : > /ring/n
  (
    builtin cd /ring/p
    unset OLDPWD
    # The counter grows with every command of every process, and at this size ends each of them.
    ulimit -t 1 -f 1000
    set -T
    trap 'builtin printf %1024s "" >> /ring/n' DEBUG
    builtin eval "${'$'}{__texts[__i]}"
    wait
  ) > /dev/null 2>&1 < /dev/null
  builtin kill -9 -1
  wait
  __list
  if [[ "${'$'}{__files[*]}" != "$__base" ]]; then
    for __f in "${'$'}{__files[@]}"; do builtin printf '%s\0' F "$__i" "$__f" >&199; done
    __fresh
  fi
done
`;

/** Runs the texts in bash inside a sandbox without network, home or files of this machine that it could change. */
export function runInBash(texts: readonly string[]): readonly BashRun[] {
  const mounts = ['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'];
  const sandbox = ['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', ...mounts];
  const places = [
    '--symlink',
    'usr/lib64',
    '/lib64',
    '--tmpfs',
    '/ring',
    '--tmpfs',
    '/tmp',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
  ];
  const shell = ['/bin/bash', '--norc', '--noprofile', '-c', driver];
  const { stdout, status } = spawnSync(
    'bwrap',
    [...sandbox, ...places, '--chdir', '/ring', '--setenv', 'LC_ALL', 'C.UTF-8', '--setenv', 'HOME', '/ring', ...shell],
    {
      input: texts.map((text) => `${text}\0`).join(''),
      maxBuffer: 2 ** 28,
      timeout: 120_000,
      killSignal: 'SIGKILL',
    },
  );
  if (status === null) throw new Error('bash did not come to its end');
  return readRuns(stdout.toString(), texts.length);
}

function readRuns(output: string, count: number): readonly BashRun[] {
  const runs = Array.from({ length: count }, () => ({
    commands: [] as { folder: string; words: string[] }[],
    files: [] as string[],
  }));
  const fields = output.split('\0');
  for (let at = 0; at < fields.length - 1; ) {
    const run = runs[Number(fields[at + 1])];
    if (fields[at] === 'F') {
      run?.files.push(fields[at + 2] ?? '');
      at += 3;
    } else if (fields[at] === 'T') {
      const length = Number(fields[at + 3]);
      run?.commands.push({
        folder: fields[at + 2] ?? '',
        words: fields.slice(at + 4, at + 4 + length).map((word) => word.replaceAll('␊', '\n')),
      });
      at += 4 + length;
    } else {
      throw new Error(`the trace cannot be read at ${JSON.stringify(fields.slice(at, at + 5))}`);
    }
  }
  return runs;
}

const existing = new Set(['', '/a.ts', '/b.ts', '/src', '/src/c.ts', '/src/sub', '/x', '/'].map((path) => ring + path));

/** What bash ran or made that the gate did not see; undefined if the gate refused the text or saw all of it. */
export function unseen(text: string, { commands, files }: BashRun): string | undefined {
  const seen = seeShell(text, ring);
  if (typeof seen === 'string') return undefined;
  for (const { folder, words } of commands) {
    const found = seen.some((each) => each.folders.includes(folder) && matches(each.command.words, words));
    if (!found) return `bash ran ${JSON.stringify(words)} in ${folder}`;
  }
  const targets = new Set(
    seen.flatMap(({ command, folders }) =>
      command.redirections.flatMap(({ writes, target }) =>
        writes ? folders.map((folder) => (target.text.startsWith('/') ? target.text : `${folder}/${target.text}`)) : [],
      ),
    ),
  );
  const made = files.find((file) => !existing.has(file) && !targets.has(file));
  return made === undefined ? undefined : `bash made the file ${made}`;
}

/** Whether the words that the gate saw can be these. */
function matches(seen: readonly ShellWord[], words: readonly string[]): boolean {
  let starts = new Set([0]);
  for (const word of seen) {
    const next = new Set<number>();
    for (const at of starts) {
      if (word.isMany === true) for (let end = at; end <= words.length; end++) next.add(end);
      else if (word.isGlob) for (let end = at + 1; end <= words.length; end++) next.add(end);
      else if (at < words.length && (word.isDynamic || word.isHome || word.text === words[at])) next.add(at + 1);
    }
    starts = next;
  }
  return starts.has(words.length);
}
