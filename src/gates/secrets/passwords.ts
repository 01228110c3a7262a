import { changes, isMadeUp, steps } from './placeholders.ts';
import { nameWords } from './secretNames.ts';

/** How much the place of a value says by itself. */
export type PasswordPlace =
  /** Nothing but a password stands there: behind `PGPASSWORD=`, in a connection string, behind an option of a program. */
  | 'given'
  /** A text behind a name that ends in “password”. */
  | 'named'
  /** The same without quotes, if the value may as well be the name of a variable or of a type. */
  | 'unquoted'
  /** Behind a word that has other meanings, such as `pass`; a digit tells a password from other words. */
  | 'ambiguous';

/** Characters of a password. Shorter texts are mostly words, longer ones mostly prose or code. */
export const passwordCharsMin = 6;
const passwordCharsMax = 128;

/** Whether a value that stands where a password may stand is one, and neither a placeholder nor an ordinary word. */
export function isPassword(text: string, place: PasswordPlace): boolean {
  if (text.length < passwordCharsMin || text.length > passwordCharsMax || !/[a-z]/i.test(text)) return false;
  if (isCommon(text) || isVariable(text) || technicalWord.test(text)) return false;
  if (isMadeUp(text)) return isCounted(text);
  if (/\d/.test(text)) return place === 'given' ? !/\/.*\//.test(text) : !isName(text);
  if (place === 'ambiguous' || isDescription(text)) return false;
  if (place === 'given') return true;
  if (!/^[a-z][\x21-\x7e]*[^:?*.,]$/i.test(text) || isName(text)) return false;
  return place === 'named' || isChosen(text);
}

/** Characters of a password that stands beside its user, which a shorter one also shows to be one. */
const pairedCharsMin = 3;

/** Whether a password that stands beside the name of its user is one: `name:password`. */
export function isPasswordOf(user: string, text: string): boolean {
  if (text.length < pairedCharsMin || text === user || isVariable(text)) return false;
  return !isCommon(text) && !isMadeUp(text) && (/\d/.test(text) || !isDescription(text));
}

/** Passwords that documents and local set-ups use; anyone who knows the service knows them. */
const commonPassword =
  /^(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|user(?:name)?|admin|root|guest|test|postgres|mysql|mongo|redis|default|change[-_ ]?(?:me|it|this)|abc|foo|bar|baz|qux|s+ecret|x+|y+|z+|\.+|\*+|•+)\d{0,4}$/i;

/** Whether a password is one that stands for any other. */
export function isCommon(password: string): boolean {
  return commonPassword.test(password);
}

/** `${PASSWORD}`, `$PASSWORD`, `{{ password }}`, `%s`, `<password>`, `[password]`, `:password`, `...`, `process.env.A`. */
export function isVariable(text: string): boolean {
  if (/^(?:os\.environ|process\.env|import\.meta\.env|ENV$|env\.|secrets\.)/.test(text)) return true;
  return /^[[:@&<{]|^%[a-z({]|^\$[A-Za-z_{(]|[$#]\{|\{\{|\{[\w.]*\}|>$|\.\.\.|…/i.test(text);
}

/** Names of algorithms and types that hold digits as passwords do. */
const technicalWord =
  /^(?:md|sha|aes|des|rsa|hs|rs|es|ps|ed|x|p|k|utf|base|argon|bcrypt|scrypt|pbkdf|hmac|oauth|http|ipv|u?int|float|v|h|type|step|level|option|var|arg|tmp|str|line|page|item|field|input)[-_]?\d{1,5}(?:[-_]?[a-z]*\d*)$/i;

/** `Abcdef123456` is a password that people choose, although it counts; `abcdef` and `123456` alone stand for any. */
function isCounted(text: string): boolean {
  return /^[A-Z][a-z]+\d+$/.test(text) && !/pass|example|your|fake|dummy/i.test(text) && steps(text) < text.length - 1;
}

/** `user-2`, `db.password.v2`: words with a number behind them, joined by something. */
function isName(text: string): boolean {
  const words = text.split(/[-_./: ]+/);
  return words.length > 1 && words.every((word) => /^(?:[A-Za-z]*\d{0,3}|v\d+)$/.test(word));
}

/** What documents, forms, types and translations say where a password goes; the last are “password” in other languages. */
const describingWords: ReadonlySet<string> = new Set([
  ...['key', 'user', 'username', 'name', 'log', 'login', 'sign', 'auth', 'authentication', 'authenticated', 'token'],
  ...['authorization', 'credential', 'credentials', 'account', 'admin', 'administrator', 'root', 'guest', 'anonymous'],
  ...['default', 'test', 'testing', 'demo', 'dummy', 'my', 'your', 'the', 'some', 'any', 'not', 'none', 'null', 'new'],
  ...[
    'old',
    'current',
    'confirm',
    'confirmation',
    'repeat',
    'again',
    'reset',
    'retype',
    'forgot',
    'forgotten',
    'change',
  ],
  ...[
    'update',
    'enter',
    'type',
    'input',
    'output',
    'text',
    'string',
    'str',
    'boolean',
    'number',
    'object',
    'undefined',
  ],
  ...[
    'function',
    'symbol',
    'bytes',
    'bytearray',
    'char',
    'array',
    'list',
    'buffer',
    'varchar',
    'form',
    'field',
    'label',
    'value',
    'hidden',
  ],
  ...[
    'visible',
    'show',
    'hide',
    'require',
    'required',
    'optional',
    'option',
    'options',
    'invalid',
    'valid',
    'incorrect',
  ],
  ...['wrong', 'missing', 'empty', 'different', 'plain', 'plaintext', 'clear', 'cleartext', 'encrypted', 'unencrypted'],
  ...[
    'encoded',
    'hash',
    'hashed',
    'bcrypt',
    'prompt',
    'flag',
    'flags',
    'parameter',
    'parameters',
    'argument',
    'instead',
  ],
  ...['arguments', 'public', 'private', 'basic', 'digest', 'oauth', 'ldap', 'local', 'remote', 'prod', 'production'],
  ...['data', 'database', 'db', 'server', 'client', 'service', 'app', 'application', 'api', 'email', 'mail', 'http'],
  ...['https', 'proxy', 'ssh', 'ftp', 'strong', 'weak', 'safe', 'secure', 'secured', 'protected', 'minimum', 'maximum'],
  ...[
    'length',
    'min',
    'max',
    'in',
    'up',
    'a',
    'an',
    'and',
    'or',
    'is',
    'no',
    'to',
    'for',
    'of',
    'with',
    'before',
    'method',
  ],
  ...['kennwort', 'wachtwoord', 'contrasena', 'senha', 'parola', 'parole', 'parool', 'heslo', 'haslo', 'salasana'],
  ...['adgangskode', 'losenord', 'lozinka', 'geslo', 'sifre', 'jelszo', 'unspecified', 'alphanumeric', 'because'],
]);

/** Whether a text without digits only says what goes there: each of its words does so, or it ends in “pass” or “secret”. */
function isDescription(text: string): boolean {
  if (/^(?:pass|pwd|anonymous@|user@)|(?:pass|pwd|passwor[dt]|secret|sekrit)[^a-z]*$/i.test(text)) return true;
  return nameWords(text).every((word) => describingWords.has(word));
}

/** Characters of a password that has letters alone; shorter ones are mostly names. */
const lettersMin = 12;

/** Letters that read as no name of a program: a long row of small ones, none that make words, or signs between them. */
function isChosen(text: string): boolean {
  if (/^[A-Za-z]+$/.test(text)) return text.length >= lettersMin && (/^[a-z]+$/.test(text) || !isCamelCase(text));
  return /[a-z][@!#$%~]+[a-z]/i.test(text) && !/[()[\]{}<>=+*/|&;,\\]/.test(text);
}

function isCamelCase(text: string): boolean {
  return changes(text) < 0.25 * text.length;
}
