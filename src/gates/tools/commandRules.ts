import type { Access } from './toolPath.ts';

/** What a program may do in a session's shell, as data. */
export interface ProgramRule {
  readonly access: Access;
  /** Which of its operands are paths: all of them, those that look like one, or none. */
  readonly operands: 'all' | 'likely' | 'none';
  /** The first operand is a script or a pattern, unless an option gives one. */
  readonly hasScript?: true;
  /** Options with which it could run or write anything; a person is asked. */
  readonly askOptions?: RegExp;
  readonly allowedSubcommands?: ReadonlySet<string>;
  readonly deniedSubcommands?: ReadonlySet<string>;
}

const list = (words: string): readonly string[] => words.trim().split(/\s+/);
const set = (words: string): ReadonlySet<string> => new Set(list(words));
const each = (words: string, rule: ProgramRule) => list(words).map((name) => [name, rule] as const);

const publishing = set(
  'publish unpublish login logout adduser token owner access deprecate dist-tag yank star profile team org hook set',
);

export const programRules: ReadonlyMap<string, ProgramRule> = new Map([
  ...each(
    'echo printf test [ true false : pwd date seq sleep uname whoami which type exit return wait shift break continue',
    {
      access: 'read',
      operands: 'none',
    },
  ),
  ...each('cat head tail wc nl tac stat file du df ls tree realpath readlink basename dirname diff cmp comm', {
    access: 'read',
    operands: 'all',
  }),
  ...each('cut tr fold column paste join strings xxd od hexdump md5sum sha1sum sha256sum shasum cksum', {
    access: 'read',
    operands: 'likely',
  }),
  ...each('grep egrep fgrep', { access: 'read', operands: 'all', hasScript: true }),
  ...each('rg', { access: 'read', operands: 'all', hasScript: true, askOptions: /^--(?:pre|hostname-bin)(?:=|$)/ }),
  ...each('jq yq', { access: 'write', operands: 'all', hasScript: true }),
  ...each('sed awk gawk mawk', { access: 'write', operands: 'all', hasScript: true }),
  ...each('sort', { access: 'write', operands: 'all', askOptions: /^--compress-program/ }),
  ...each('uniq tee touch mkdir cp ln install truncate patch gzip gunzip zip unzip', {
    access: 'write',
    operands: 'all',
  }),
  ...each('rm rmdir unlink mv', { access: 'remove', operands: 'all' }),
  ...each('chmod', { access: 'remove', operands: 'all', hasScript: true }),
  ...each('make cmake ninja ctest just gradle mvn ant bazel meson scons', { access: 'write', operands: 'likely' }),
  ...each('tsc vitest jest mocha ava tap eslint prettier biome esbuild rollup webpack vite knip c8 nyc tsx ts-node', {
    access: 'write',
    operands: 'likely',
  }),
  ...each('pytest tox nox ruff black mypy pyright flake8 isort pylint phpunit rspec rake shellcheck shfmt', {
    access: 'write',
    operands: 'likely',
  }),
  ...each('gcc g++ cc c++ clang clang++ clang-format clang-tidy ld ar rustc rustfmt javac java kotlinc ghc ocaml', {
    access: 'write',
    operands: 'likely',
  }),
  ...each('node deno bun ruby perl php lua python python3 Rscript', {
    access: 'write',
    operands: 'likely',
    askOptions: /^(?:-[a-zA-Z]*[cepErR]|--eval|--print|--require|--import|--loader)(?:=|$)/,
  }),
  ...each('npm pnpm yarn', {
    access: 'write',
    operands: 'likely',
    allowedSubcommands: set('test t tst run run-script ls list why explain'),
    deniedSubcommands: publishing,
  }),
  ...each('cargo', {
    access: 'write',
    operands: 'likely',
    allowedSubcommands: set('build b test t check c clippy fmt run r bench doc tree metadata clean nextest'),
    deniedSubcommands: publishing,
  }),
  ...each('go', {
    access: 'write',
    operands: 'likely',
    allowedSubcommands: set('build test vet fmt run list doc version generate env'),
  }),
  ...each('dotnet swift zig mix stack cabal dune sbt lein', {
    access: 'write',
    operands: 'likely',
    allowedSubcommands: set('build test run check format fmt compile clean credo dialyzer'),
    deniedSubcommands: publishing,
  }),
  ...each('ravel', {
    access: 'read',
    operands: 'none',
    // With the session's own rights; what runs, and what becomes of it, is a person's business.
    allowedSubcommands: set('state status verify logs help'),
    deniedSubcommands: set('mcp scripted daemon'),
  }),
]);

/** A program of the project itself: like a test, it is trusted as far as its arguments can be checked. */
export const scriptRule: ProgramRule = { access: 'write', operands: 'likely' };

/** Programs that no session runs, and why. */
export const deniedPrograms: ReadonlyMap<string, string> = new Map([
  ...list('sudo su doas pkexec').map((name) => [name, 'a session has no rights but its own'] as const),
  ...list(
    'curl wget nc ncat netcat telnet ssh scp sftp rsync ftp socat aria2c http https xh ping dig nslookup host openssl gh glab',
  ).map((name) => [name, 'a session does not use the network by itself'] as const),
  ...list(
    'kill pkill killall xkill skill shutdown reboot halt poweroff systemctl service launchctl crontab at batch',
  ).map((name) => [name, 'processes and the machine are not a session’s to control'] as const),
  ...list('setsid disown screen tmux daemonize').map((name) => [name, 'what a session starts ends with it'] as const),
  ...list('dd mkfs mount umount fdisk chroot nsenter unshare chown chgrp').map(
    (name) => [name, 'it reaches beyond the project'] as const,
  ),
]);

/** Options whose next word is a script or a pattern, not a path. */
export const scriptOptions: ReadonlySet<string> = set('-e --expression --regexp');

/** What git may be asked for: it reads. */
export const gitReads: ReadonlySet<string> = set(
  'status diff log show blame ls-files ls-tree rev-parse rev-list grep describe shortlog cat-file merge-base name-rev for-each-ref ' +
    'count-objects check-ignore check-attr diff-tree diff-index diff-files show-ref whatchanged annotate version help var',
);

export const gitDenied: ReadonlySet<string> = set(
  'push commit reset checkout switch restore stash rebase clean merge cherry-pick revert am apply add rm mv pull fetch clone init ' +
    'remote branch tag config worktree submodule notes replace filter-branch filter-repo gc prune reflog update-ref update-index ' +
    'symbolic-ref read-tree write-tree commit-tree hash-object bisect sparse-checkout lfs subtree bundle archive send-email svn ' +
    'daemon credential difftool mergetool instaweb maintenance fsck repack pack-refs rerere citool gui request-pull format-patch',
);

/** Forms of the denied ones that only read: the subcommand, and all that may stand after it. */
export const gitReadingForms: ReadonlyMap<string, RegExp> = new Map([
  ['branch', /^(?:-a|-r|-v|-vv|--all|--remotes|--list|--show-current|--merged|--no-merged|--verbose)$/],
  ['tag', /^(?:-l|--list)$/],
  ['remote', /^(?:-v|--verbose|show|get-url)$/],
  ['stash', /^(?:list|show)$/],
  ['config', /^(?:--get|--get-all|--list|-l|--show-origin|--local|[a-z]+\.[\w.-]+)$/],
  ['worktree', /^(?:list|--porcelain)$/],
  ['submodule', /^status$/],
]);

/** Options of git's reading commands that write a file or start a program. */
export const gitRefusedOptions =
  /^(?:--output(?:=|$)|--ext-diff|--textconv|-O|--open-files-in-pager|--upload-pack|--exec|--filters)/;

/** Modules that `python -m` may run. */
export const pythonModules: ReadonlySet<string> = set(
  'pytest unittest mypy black ruff flake8 isort pylint compileall py_compile json.tool doctest tox nox coverage build',
);

/** Variables that decide what the programs of a command load, run or reach. */
export const riskyVariables =
  /^(?:PATH|HOME|SHELL|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|EDITOR|VISUAL|PAGER|LD_.*|DYLD_.*|GIT_.*|SSH_.*|RAVEL_.*|NODE_OPTIONS|NODE_PATH|PYTHON(?:STARTUP|PATH|HOME)|PERL5(?:OPT|LIB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|npm_config_.*)$/;
