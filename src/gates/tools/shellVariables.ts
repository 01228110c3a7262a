import { riskyVariables } from './commandRules.ts';
import { ask, type Objection, refuse } from './objection.ts';

/** Variables that decide how bash itself reads or where it goes, or what other programs load and start. */
const deciding =
  /^(?:CDPATH|PWD|OLDPWD|GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT|FUNCNEST|TMOUT|BASH.*|PS[0-4]|HIST.*|INPUTRC|MAIL.*|CLAUDE.*|ANTHROPIC.*|XDG_.*|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS)|PYTHON(?!(?:DONTWRITEBYTECODE|UNBUFFERED|HASHSEED|UTF8|IOENCODING|FAULTHANDLER)$).*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|MAVEN_.*|GRADLE_.*|G?N?U?MAKEFLAGS|MAKEFILES|RUSTC.*|RUSTDOC.*|RUSTFLAGS|CARGO_(?!TERM_).*|GO(?:FLAGS|ENV|ROOT|PATH|TOOLCHAIN|PROXY|SUMDB|NOSUMDB|PRIVATE)|CGO_\w*FLAGS\w*|NPM_CONFIG_.*|npm_.*|YARN_.*|PIP_.*|UV_.*|.*_PROXY|.*_proxy|TERMINFO.*|LESSOPEN|LESSCLOSE|MANPAGER|BROWSER)$/i;

const secret = /(?:^|_)(?:KEY|TOKEN|SECRETS?|PASSWORD|PASSWD|CREDENTIALS?|AUTH)(?:_|$)|(?:APIKEY|ACCESSKEY)/;

/** Judges that a command sets, removes or exports a variable. */
export function judgeVariable(name: string): Objection {
  return riskyVariables.test(name) || deciding.test(name)
    ? refuse(`A command may not change ${name}, which decides what else runs.`)
    : undefined;
}

/** Judges that a command uses a variable that it did not set. */
export function judgeRead(name: string): Objection {
  return secret.test(name) ? ask(`The variable ${name} may hold a secret.`) : undefined;
}
