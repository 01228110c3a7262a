import { isVariableOf } from '../../model/variablePattern.ts';
import { judgeLikelyPaths } from './commandArguments.ts';
import { ask, type CommandPlace, doubt, type Objection, reaches, refuse } from './objection.ts';
import { wordsOf } from './programs/table.ts';
import type { ShellWord } from './shell/shell.ts';
import { isLeaving, isSetting } from './tasks.ts';

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

/** Set before a command, it asks for the network if nothing else shows that the command needs it. */
const networkWish = 'RAVEL_NETWORK';

/** Variables that choose, count, name or tell something, and no program or file that decides what runs. */
const harmless: ReadonlySet<string> = new Set(
  wordsOf(
    `CI DEBUG VERBOSE PORT LOG_LEVEL NODE_ENV APP_ENV BABEL_ENV RAILS_ENV RACK_ENV MIX_ENV FLASK_ENV ENVIRONMENT
     RUST_LOG RUST_BACKTRACE RUST_LIB_BACKTRACE CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN GOOS GOARCH GOARM GOAMD64
     CGO_ENABLED GO111MODULE GOMAXPROCS GOGC GOTRACEBACK FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM
     COLUMNS LINES TZ LANG LANGUAGE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUTF8
     PYTHONIOENCODING PYTHONFAULTHANDLER SOURCE_DATE_EPOCH`,
  ),
);

/** A number or a switch names no program. These are more than that: where a server listens, and what is checked. */
const serious = /HOST|ADDR|BIND|LISTEN|TLS|SSL|VERIFY|INTEGRITY|INSECURE|UNSAFE/i;

/**
 * Judges that a command gives a program a variable: one that is set before it, or exported. What is not known to be
 * harmless may name a program, a file or a server. Without `value` it is not known.
 */
export function judgeExported(name: string, value: ShellWord | undefined, place?: CommandPlace): Objection {
  const objection = judgeName(name, place);
  if (objection !== undefined || name === networkWish) return objection;
  const isKnown = value !== undefined && !value.isDynamic && !value.isGlob && !value.isHome;
  const isSwitch = isKnown && isSetting(name, value.text) && !serious.test(name) && !isLeaving(name);
  place?.exported.add(name);
  if (!isSwitch && !isHarmless(name)) return unknownExport(name, place);
  return place === undefined || !isKnown ? undefined : judgeLikelyPaths([value], place);
}

function isHarmless(name: string): boolean {
  return harmless.has(name) || /^LC_[A-Z]+$/.test(name);
}

function unknownExport(name: string, place: CommandPlace | undefined): Objection {
  const question = `What programs do with the variable ${name} is not known; leave it out if you can.`;
  return place === undefined ? ask(question) : doubt(place, question);
}

/**
 * Judges that a command sets or removes a variable of the shell. A program sees that only if the variable was exported
 * before, or comes from outside.
 */
export function judgeVariable(name: string, place?: CommandPlace): Objection {
  const objection = judgeName(name, place);
  if (objection !== undefined || name === networkWish || place === undefined || isHarmless(name)) return objection;
  // A program that was given a switch would be given its next value too.
  const isGiven = place.exported.has(name) || isVariableOf(name, place.request.passedVariables ?? []);
  return isGiven ? unknownExport(name, place) : undefined;
}

/** What a name by itself says. */
function judgeName(name: string, place: CommandPlace | undefined): Objection {
  if (name === networkWish)
    return place?.request.confinement === 'confined' ? reaches(place, 'The command asks for the network.') : undefined;
  const reason = `A command cannot change ${name}, which decides what else runs.`;
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
