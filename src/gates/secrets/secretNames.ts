/** What the name of a value says about it. */
export type NameKind =
  /** Anything that is hard to guess: people choose passwords themselves. */
  | 'password'
  /** A password of one program that reads it from a variable of this name alone. */
  | 'variable'
  /** Perhaps a password: tests pass as well, `pwd` is a folder, and “reset password” the text of a button. */
  | 'pass'
  /** Long and random: a machine made it. */
  | 'token'
  /** As `token`, of a service that makes UUIDs. */
  | 'uuid'
  /** A key of something: only what is random beyond doubt. */
  | 'key'
  | undefined;

/** Words with other meanings. */
const passWords: ReadonlySet<string> = new Set(['pwd', 'pass', 'passcode', 'pw', 'psk']);

/** What has a password: `DB_PASS`, `smtpPass`. */
const accountWords: ReadonlySet<string> = new Set([
  ...[
    'db',
    'database',
    'user',
    'root',
    'admin',
    'mysql',
    'postgres',
    'pg',
    'redis',
    'mongo',
    'rabbitmq',
    'smtp',
    'imap',
  ],
  ...[
    'mail',
    'email',
    'ftp',
    'sftp',
    'ssh',
    'ldap',
    'proxy',
    'wifi',
    'vpn',
    'keystore',
    'truststore',
    'store',
    'server',
  ],
]);

/** What is done with a password, or said of it: the value behind such a name may be a text for people. */
const actionWords: ReadonlySet<string> = new Set([
  ...[
    'forgot',
    'reset',
    'change',
    'update',
    'confirm',
    'show',
    'hide',
    'toggle',
    'enter',
    'invalid',
    'wrong',
    'missing',
  ],
  ...['required', 'require', 'requires', 'has', 'is', 'set', 'get', 'check', 'verify', 'validate', 'use', 'no', 'need'],
  ...['with', 'without', 'allow', 'enable', 'disable', 'save', 'remember', 'encode', 'encrypt', 'decrypt', 'match'],
  ...['repeat', 'retype', 'type', 'for', 'input', 'lost', 'generate', 'create', 'find', 'read', 'ask', 'prompt'],
]);

/** Variables that one program each reads a password from. */
const passwordVariables: ReadonlySet<string> = new Set([
  ...['PGPASSWORD', 'MYSQL_PWD', 'REDISCLI_AUTH', 'SSHPASS', 'RESTIC_PASSWORD', 'BORG_PASSPHRASE', 'MSSQL_SA_PASSWORD'],
  ...[
    'POSTGRES_PASSWORD',
    'MYSQL_PASSWORD',
    'MYSQL_ROOT_PASSWORD',
    'SQLCMDPASSWORD',
    'RSYNC_PASSWORD',
    'LDAP_PASSWORD',
  ],
]);

const tokenWords: ReadonlySet<string> = new Set([
  ...['secret', 'token', 'apikey', 'authtoken', 'accesstoken', 'secretkey', 'accesskey', 'apitoken', 'privatekey'],
  ...['clientsecret', 'credential', 'credentials', 'authorization', 'bearer', 'pat', 'auth', 'jwt', 'sas', 'sig'],
  ...['authkey', 'signingkey', 'encryptionkey', 'masterkey', 'apisecret', 'dsn', 'cookie'],
]);

/** What makes a key one that must not be known. */
const keyWords: ReadonlySet<string> = new Set([
  ...['api', 'access', 'secret', 'private', 'auth', 'signing', 'encryption', 'master', 'account', 'license', 'service'],
  ...['shared', 'admin', 'client', 'consumer', 'write', 'app', 'application', 'deploy', 'ssh', 'storage', 'crypt'],
]);

/** Words that say which environment a value is for, or how it is written. */
const trailingWords: ReadonlySet<string> = new Set([
  ...['prod', 'production', 'live', 'dev', 'development', 'test', 'testing', 'staging', 'stage', 'local', 'sandbox'],
  ...['default', 'base', 'base64', 'hex', 'value', 'raw', 'plain', 'text', 'string', 'str', 'old', 'new', 'current'],
]);

/** Public keys. */
const publicWords: ReadonlySet<string> = new Set([
  ...[
    'public',
    'publishable',
    'pub',
    'anon',
    'cache',
    'primary',
    'foreign',
    'partition',
    'sort',
    'idempotency',
    'csrf',
  ],
  ...['pagination', 'page', 'continuation', 'next', 'cursor', 'sync', 'hash', 'hashed', 'i18n', 'translation'],
  ...[
    'git',
    'commit',
    'content',
    'object',
    'file',
    'lookup',
    'index',
    'row',
    'column',
    'react',
    'map',
    'sitekey',
    'websocket',
  ],
]);

/** Services whose keys are UUIDs, by a word of the name. */
const uuidServices: ReadonlySet<string> = new Set([
  ...['heroku', 'authtoken', 'snyk', 'postmark', 'kraken', 'scaleway', 'codecov', 'launchdarkly', 'pagerduty', 'aha'],
  ...['linode', 'octopus', 'circleci', 'circle', 'confluent', 'honeybadger', 'kucoin', 'sumo', 'tower', 'airbrake'],
]);

/** Tells by its words what a value of this name is: `DB_PASSWORD`, `apiKey`, `aws_secret_access_key`, `x-auth-token`. */
export function kindOfName(name: string): NameKind {
  if (passwordVariables.has(name)) return 'variable';
  const words = nameWords(name);
  while (words.length > 1 && (trailingWords.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (words.some((word) => publicWords.has(word))) return undefined;
  if (passWords.has(last)) return accountWords.has(before) ? 'password' : 'pass';
  // `dbpassword`, too.
  if (/(?:passwor[dt]|passwd|passphrase|kennwort)$/.test(last)) return actionWords.has(before) ? 'pass' : 'password';
  const isUuid = words.some((word) => uuidServices.has(word)) || (last === 'token' && before === 'auth');
  if (tokenWords.has(last)) return isUuid ? 'uuid' : 'token';
  if (last !== 'key') return undefined;
  if (keyWords.has(before)) return isUuid ? 'uuid' : 'token';
  return before === '' ? undefined : isUuid ? 'uuid' : 'key';
}

/** Its words in small letters: those of `apiKey`, `API_KEY` and `api-key` are the same. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
