import { ask, type CommandPlace, doubt, type Objection, reaches, refuse } from './objection.ts';

/** Variables that decide how a shell reads, what is loaded into every program, or who a session is. */
const refused =
  /^(?:PATH|HOME|SHELL|IFS|ENV|SHELLOPTS|CDPATH|PWD|OLDPWD|GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT|FUNCNEST|TMOUT|PROMPT_COMMAND|PIPESTATUS|DIRSTACK|GROUPS|FUNCNAME|BASH.*|PS[0-4]|HIST.*|INPUTRC|MAIL.*|EDITOR|VISUAL|PAGER|LD_.*|DYLD_.*|GIT_.*|SSH_.*|RAVEL_.*|CLAUDE.*|ANTHROPIC.*)$/i;

/** Variables that decide what some programs load, start or reach; their values may be harmless. */
const doubted = [
  /^(?:XDG_.*|BROWSER|TERMINFO.*|TERMCAP|LESS(?:OPEN|CLOSE|KEY)|TMPDIR|TEMP|TMP|OPENSSL_CONF|HOSTALIASES|LOCALDOMAIN)$/i,
  /^(?:NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|REPL_.*)|(?:NPM|YARN|PNPM|BUN|DENO)_.*|.*_PROXY)$/i,
  /^(?:PYTHON(?!(?:DONTWRITEBYTECODE|UNBUFFERED|HASHSEED|UTF8|IOENCODING|FAULTHANDLER|WARNINGS)$).*|(?:PIP|UV|POETRY|TOX|PYTEST|COVERAGE|PYENV)_.*)$/i,
  /^(?:PERL.*|RUBY.*|(?:GEM|BUNDLE|RBENV)_.*|LUA_.*|PHP.*|COMPOSER_.*|R_.*|ERL_.*|ELIXIR_.*|NVM_.*)$/i,
  /^(?:_JAVA_OPTIONS|J.*_OPTIONS|JAVA_HOME|CLASSPATH|.*_OPTS|(?:MAVEN|GRADLE|DOTNET)_(?!CLI_TELEMETRY_OPTOUT).*|MSBUILD.*)$/i,
  /^(?:RUST(?:C|DOC|UP|FLAGS).*|CARGO_(?!TERM_|INCREMENTAL).*|GO(?:FLAGS|ROOT|PATH|PROXY|SUMDB|NOSUMDB|PRIVATE|TOOLCHAIN|ENV|EXE|CC)?|CGO_(?!ENABLED).*)$/i,
  /^(?:G?N?U?MAKE(?:FLAGS|FILES|SHELL|LEVEL)|MFLAGS|CMAKE_.*|CC|CXX|LD|AR|AS|FC|CPP|(?:C|CC|CPP|CXX|LD|F|FC|AS|AR)FLAGS|COMPILER_PATH|.*_LIBRARY_PATH|.*_INCLUDE_PATH|GCC_.*)$/i,
  /^(?:DOCKER_.*|KUBECONFIG|AWS_.*|TAR_OPTIONS|GREP_.*|RG_.*|RIPGREP_.*|FZF_.*|BAT_.*|GCONV_PATH|NLSPATH|LOCPATH|SUDO_.*)$/i,
  /^(?:.*PAGER|.*_EDITOR|.*_ASKPASS|.*_PRELOAD|.*_COMMAND|.*_WRAPPER|.*_LAUNCHER|.*_SHELL|ZDOTDIR)$/i,
];

/** Endings of names that hold arguments or programs. Scripts use them in lower case for what is their own. */
const doubtedEndings: readonly string[] = [
  ...['OPT', 'OPTS', '_ARGS', '_BINARY', '_BINARY_PATH', '_COMPILER', '_PROFILER', '_PROFILER_PATH'],
  ...['_PROFILER_PATH_32', '_PROFILER_PATH_64', '_CACHE_DIR', '_PROFILE_FILE'],
];

/** More arguments, and files that a program reads, writes or runs. */
const doubtedNames: ReadonlySet<string> = new Set([
  ...['ZIP', 'UNZIP', 'ZIPINFO', 'MAGIC', 'DEPENDENCIES_OUTPUT', 'SUNPRO_DEPENDENCIES', 'GCOV_PREFIX'],
  ...['NODE_V8_COVERAGE', 'NODE_REDIRECT_WARNINGS', 'NODE_COMPILE_CACHE'],
  ...['GOCACHE', 'GOTMPDIR', 'GOMODCACHE', 'GOCOVERDIR', 'GOBIN', 'GOWORK'],
]);

const secret =
  /(?:^|_)(?:KEY|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?|AUTH|COOKIE|DSN)(?:_|$)|(?:APIKEY|ACCESSKEY)|_PWD$|_UR[IL]$|CONNECTION_?STRING|CONN_STR/;

/** Set before a command, it asks for the network where nothing else shows that the command needs it. */
const networkWish = 'RAVEL_NETWORK';

/** Judges that a command sets, removes or exports a variable. */
export function judgeVariable(name: string, place?: CommandPlace): Objection {
  if (name === networkWish)
    return place?.request.confinement === 'confined' ? reaches(place, 'The command asks for the network.') : undefined;
  const reason = `A command may not change ${name}, which decides what else runs.`;
  if (refused.test(name)) return refuse(reason);
  const isDoubted =
    doubtedNames.has(name.toUpperCase()) ||
    doubtedEndings.some((ending) => name.endsWith(ending) && name !== ending) ||
    doubted.some((pattern) => pattern.test(name));
  if (!isDoubted) return undefined;
  const question = `${name} decides what some programs load, start or write.`;
  return place === undefined ? ask(question) : doubt(place, question);
}

/** Judges that a command uses a variable that it did not set. */
export function judgeRead(name: string): Objection {
  return secret.test(name.toUpperCase()) ? ask(`The variable ${name} may hold a secret.`) : undefined;
}
