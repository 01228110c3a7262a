import { isPassword, isPasswordOf } from './passwords.ts';
import type { FoundToken } from './tokenScanner.ts';

/** How programs are given a password on their command line. */
interface PasswordOption {
  readonly programs: readonly string[];
  readonly options: readonly string[];
  /**
   * Whether the password is joined to the option (`-pSECRET`), the word behind it (`-p SECRET`), either of these, or
   * stands in that word behind a name and a sign (`-u NAME:SECRET`).
   */
  readonly form: 'joined' | 'apart' | 'either' | ':' | '%';
  /** What the name has to be. */
  readonly name?: string;
  /** A word that has to come before: `docker run -p 80:80` is something else. */
  readonly after?: string;
}

const passwordOptions: readonly PasswordOption[] = [
  {
    programs: ['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mysqlshow', 'mysqlcheck', 'mysqlpump', 'mysqlsh'],
    options: ['-p'],
    form: 'joined',
  },
  { programs: ['mariadb', 'mariadb-dump', 'mariadb-admin', '7z', '7za', '7zz'], options: ['-p'], form: 'joined' },
  { programs: ['sshpass'], options: ['-p'], form: 'either' },
  {
    programs: ['docker', 'podman', 'nerdctl', 'buildah', 'skopeo', 'helm', 'oras', 'crane', 'cosign', 'az', 'oc', 'cf'],
    options: ['-p'],
    form: 'apart',
    after: 'login',
  },
  { programs: ['mongo', 'mongosh', 'mongodump', 'mongorestore', 'mongoexport'], options: ['-p'], form: 'either' },
  { programs: ['redis-cli', 'valkey-cli'], options: ['-a'], form: 'apart' },
  { programs: ['sqlcmd', 'bcp', 'zip', 'unzip'], options: ['-P'], form: 'either' },
  { programs: ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapdelete', 'ldappasswd'], options: ['-w'], form: 'either' },
  { programs: ['keytool', 'jarsigner'], options: ['-storepass', '-keypass', '-srcstorepass'], form: 'apart' },
  { programs: ['openssl'], options: ['-passin', '-passout', '-pass'], form: ':', name: 'pass' },
  { programs: ['curl'], options: ['-u', '--user', '-U', '--proxy-user'], form: ':' },
  { programs: ['http', 'https', 'xh'], options: ['-a', '--auth'], form: ':' },
  { programs: ['smbclient'], options: ['-U', '--user'], form: '%' },
];

const optionsOf: ReadonlyMap<string, PasswordOption> = new Map(
  passwordOptions.flatMap((option) => option.programs.map((program) => [program, option] as const)),
);

/** Each program of the table, with a blank behind it. */
const programPattern =
  /\b(?:mysql(?:dump|admin|import|show|check|pump|sh)?|mariadb(?:-dump|-admin)?|7z[az]?|sshpass|docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|cosign|az|oc|cf|mongo(?:sh|dump|restore|export)?|redis-cli|valkey-cli|sqlcmd|bcp|zip|unzip|ldap(?:search|add|modify|delete|passwd)|keytool|jarsigner|openssl|curl|https?|xh|smbclient)(?=["',]{0,3} )/g;

/**
 * Passwords that commands are given: `mysql -pSECRET`, `sshpass -p SECRET`, `docker login -p SECRET`,
 * `curl -u NAME:SECRET`; in a script, or in a list of arguments that stands in one line. Each line is read once.
 */
export function* findInCommands(text: string): Generator<FoundToken> {
  let done = 0;
  for (const { index } of text.matchAll(programPattern)) {
    if (index < done) continue;
    done = endOfCommand(text, index);
    yield* passwordsIn(text, index, done);
  }
}

/** The end of the line, or of those that a backslash at its end adds. */
function endOfCommand(text: string, from: number): number {
  let end = text.indexOf('\n', from);
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('\n', end + 1);
  return end < 0 ? text.length : end;
}

function* passwordsIn(text: string, from: number, end: number): Generator<FoundToken> {
  let known: PasswordOption | undefined;
  let isAfter = false;
  let done = from;
  for (const { 0: whole, index } of text.slice(from, end).matchAll(/[^\s,;|&]+|[;|&]+/g)) {
    const at = from + index;
    if (at < done) continue;
    const word = whole.replace(/^["'`[($\\]{1,4}/, '');
    const program = optionsOf.get(word.replace(/["'`\]\\]{1,4}$/, ''));
    if (program !== undefined) [known, isAfter] = [program, program.after === undefined];
    else if (/^[;|&]/.test(word)) known = undefined;
    else if (known === undefined) continue;
    else if (word.startsWith('-') && isAfter) {
      const found = passwordAt(text.slice(at, Math.min(end, at + optionCharsMax)), word, known);
      if (found === undefined) continue;
      yield { index: at + found.index, value: found.value, service: 'password of a command' };
      done = at + found.index + found.value.length;
    } else if (word.replace(/["'`]$/, '') === known.after) isAfter = true;
  }
}

/** An option with its value is looked at so far. */
const optionCharsMax = 240;

/** The password of the option that a piece of a command begins with; its index counts in the piece. */
function passwordAt(
  piece: string,
  word: string,
  { options, form, name }: PasswordOption,
): { readonly index: number; readonly value: string } | undefined {
  const option = options.find((one) => word.startsWith(one) || isLastOf(one, word));
  if (option === undefined) return undefined;
  const optionEnd = piece.indexOf(word) + (word.startsWith(option) ? option.length : word.length);
  const rest = piece.slice(optionEnd);
  const gap = /^(?:["',]{0,3}[ \t]{1,8}(?:\\\r?\n[ \t]{0,40})?|=)/.exec(rest)?.[0] ?? '';
  if (form === 'joined' ? gap !== '' : form === 'apart' && gap === '') return undefined;
  const [, quote = '', quoted = '', bare = ''] =
    /^(?:\\?(["'])([^\n]*?)(?:\\?\1|$)|([^\s"'`,;|&()<>\\\]]*))/.exec(rest.slice(gap.length)) ?? [];
  const value = quote === '' ? bare : quoted;
  const start = optionEnd + gap.length + rest.slice(gap.length).indexOf(value);
  if (form !== ':' && form !== '%') {
    return !value.startsWith('-') && isPassword(value, 'given') ? { index: start, value } : undefined;
  }
  const sign = value.indexOf(form);
  const [user, password] = [value.slice(0, sign), value.slice(sign + 1)];
  if (sign < 1 || (name !== undefined && user !== name) || !isPasswordOf(user, password)) return undefined;
  return { index: start + sign + 1, value: password };
}

/** `-sSu` ends with the option `-u`. */
function isLastOf(option: string, word: string): boolean {
  return option.length === 2 && /^-[A-Za-z]{2,6}$/.test(word) && word.endsWith(option.slice(1));
}

/** What sets a password in SQL, in settings of Redis and LDAP, and in PowerShell. */
const statements: readonly RegExp[] = [
  /\bidentified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?by\s{1,4}'([^'\n]{6,128})'/gi,
  /\b(?:with|encrypted|login|role\s{1,4}\S{1,64}|user\s{1,4}\S{1,64})\s{1,4}password\s{1,4}'([^'\n]{6,128})'/gi,
  /^(?:requirepass|masterauth|bindpw|rootpw)[ \t]{1,8}([^\s"'{]{6,128})$/gm,
  /\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\n]{6,128})["']/gi,
];

/** Passwords in statements that set one: `IDENTIFIED BY 'SECRET'`, `requirepass SECRET`. */
export function* findInStatements(text: string): Generator<FoundToken> {
  for (const statement of statements) {
    for (const { 0: whole, 1: value = '', index } of text.matchAll(statement)) {
      if (!isPassword(value, 'given')) continue;
      yield { index: index + whole.lastIndexOf(value), value, service: 'password that is set' };
    }
  }
}
