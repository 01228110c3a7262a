/** What the name of a value says about it. */
export type NameKind =
  /** Anything that is hard to guess: people choose passwords themselves. */
  | 'password'
  /** Long and random: a machine made it. */
  | 'token'
  /** As `token`, of a service that makes UUIDs. */
  | 'uuid'
  /** A key of something: only what is random beyond doubt. */
  | 'key'
  | undefined;

const passwordWords: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'pwd',
  'pass',
  'passphrase',
  'passcode',
  'pw',
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

/** Keys that everybody may know. */
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
  const words = wordsOf(name);
  while (words.length > 1 && (trailingWords.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (words.some((word) => publicWords.has(word))) return undefined;
  if (passwordWords.has(last)) return 'password';
  const isUuid = words.some((word) => uuidServices.has(word)) || (last === 'token' && before === 'auth');
  if (tokenWords.has(last)) return isUuid ? 'uuid' : 'token';
  if (last !== 'key') return undefined;
  if (keyWords.has(before)) return isUuid ? 'uuid' : 'token';
  return before === '' ? undefined : isUuid ? 'uuid' : 'key';
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
