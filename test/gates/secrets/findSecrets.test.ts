import { describe, expect, test } from 'vitest';
import { findSecrets } from '../../../src/gates/secrets/findSecrets.ts';
import { tokenFormats } from '../../../src/gates/secrets/tokenScanner.ts';
import { joined, makeToken } from '../../support/madeSecrets.ts';
import { createRandom } from '../../support/seededRandom.ts';

const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

describe('every published format', () => {
  const seed = Number(process.env['RAVEL_SEED'] ?? 7);
  const random = createRandom(seed);
  const surroundings: readonly ((token: string) => string)[] = [
    (token) => token,
    (token) => `The key is ${token}.`,
    (token) => `const key = "${token}";\n`,
    (token) => `{"url":"https://x.org/?k=${token}&n=1"}`,
  ];

  test.each(tokenFormats.map((format) => [format[0], format[1], format] as const))(
    '%s %s',
    (_service, _shape, format) => {
      const token = makeToken(format, random);
      const found = surroundings.filter((surround) => findSecrets(surround(token)).length > 0);
      expect(found.length, `seed ${seed}: ${token.length} characters`).toBe(surroundings.length);
    },
  );

  test('names its service, a shape that can be read, and where the shape is described', () => {
    for (const [service, shape, source] of tokenFormats) {
      expect(service).not.toBe('');
      expect(shape).not.toMatch(/^\[\w+:[\d-]+\]$/);
      expect(source).toMatch(/^https:\/\/[\w.-]+\/?/);
    }
    expect(new Set(tokenFormats.map(([service]) => service)).size).toBeGreaterThan(150);
  });

  test('is found behind an escape as well, and not inside of a longer word', () => {
    const token = joined('gh¦p_85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S');
    expect(valuesIn(`"first\\n${token}"`)).toEqual([token]);
    expect(valuesIn(`a%3D${token}`)).toEqual([token]);
    expect(valuesIn(`rough${token}`)).toEqual([]);
    expect(valuesIn([...token].join('\0'))).toEqual([token]);
  });
});

test('a token behind a name that calls it a secret is told once, by its service', () => {
  const text = joined('API_TOKEN=gh¦p_85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S');
  expect(findSecrets(text).map(({ service }) => service)).toEqual(['GitHub token']);
});

test.each([
  'aws_secret_access_¦key = 301vCVJqYTyU3jMdkaT1mWtlZkPFlhdScFxMH2mn',
  'The line is aws_secret_access_¦key = 301vCVJqYTyU3jMdkaT1mWtlZkPFlhdScFxMH2mn.',
  'pass¦word = "Tr0ub4dor&3xyz"',
  "pass¦word: 'Pa$$w0rd!9'",
  'SNOWFLAKE_PASS¦WORD=Abcdef123456',
  'export DB_PA¦SS=Qw9rty7z',
  'spring.datasource.pass¦word=Qw9rty7z',
  'Server=tcp:x;Database=y;User Id=z;Pass¦word=Qw9!rty7;Encrypt=true',
  'jdbc:mysql://h/db?user=a&pass¦word=Qw9rty7z',
  "SECRET_¦KEY = 'django-insecure-3x!(k&9z#vb2n@q7w$e5r^t1y*u8i0o-p+a=s4d6f'",
  'APP_¦KEY=base64:x7Kq9mZ2vB4nT8wL1cR5x8Kq9mZ3vB4nT8wL1cR6ab0=',
  'Private¦Key = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=',
  '"au¦th": "dXNlcjpwYXNzd29yZDEyMw=="',
  'Authorization: Basic¦ YWRhOlMzY3IzdA==',
  'Authorization: Bearer¦ czd8eU4055Ts8ozvPV9EqnHcQtPZ4PaP8ATjAE8x',
  "-H 'X-Api-¦Key: x7Kq9mZ2vB4nT8wL1cR5'",
  'sv=2022-11-02&ss=b&si¦g=x7Kq9mZ2vB4nT8wL1cR5x7Kq9mZ2vB4nT8wL1cR5ab%3D',
  '<pass¦word>Qw9rty7z</pass¦word>',
  '--pass¦word Qw9rty7z',
  'HEROKU_API_¦KEY=5eee345e-d0cb-458e-922c-9ef2a75b1b44',
  '//registry.npmjs.org/:_auth¦Token=5eee345e-d0cb-458e-922c-9ef2a75b1b44',
  "define('DB_PASS¦WORD', 'Qw9rty7z!')",
  "'api_¦key' => 'x7Kq9mZ2vB4nT8wL1cR5'",
  'FlyV1 fm2_lJPECAAAAAA¦x7Kq9mZ2vB4nT8wL1cR5x8Kq9mZ3vB4nT8wL1cR6x7Kq9mZ2vB4nT8wL1cR5x8Kq9mZ3vB4nT8wL1cR6',
  'FROM a\nENV API_¦KEY x7Kq9mZ2vB4nT8wL1cR5',
  'API_¦KEY ?= x7Kq9mZ2vB4nT8wL1cR5',
  'machine api.github.com login ada pass¦word S3cr3tPw9',
  'cu¦rl -u ada:S3cr3tPw9 https://x.io',
  'postgres:¦//user:S3cr3tPass@db.example.com:5432/app',
  'postgres:¦//u:pa%2Fss@db/app',
  'redis:¦//:p4ssQ9@h:6379/0',
  'https://5eee345ed0cb458e922c¦9ef2a75b1b44@o1.ingest.sentry.io/5',
  'client-key-data: LS0tLS1CRUdJTiBSU0Eg¦UFJJVkFURSBLRVktLS0tLQpNSUl',
])('%s is a secret', (text) => expect(findSecrets(joined(text))).not.toEqual([]));

describe('a declaration with a type:', () => {
  test.each([
    'let api_¦key: &str = "x7Kq9mZ2vB4nT8wL1cR5";',
    'const API_¦KEY: &\'static str = "x7Kq9mZ2vB4nT8wL1cR5";',
    'let pass¦word = String::from("Qw9rty7zK");',
    'const api¦Key: string = "x7Kq9mZ2vB4nT8wL1cR5";',
    "private readonly pass¦word: string | undefined = 'Qw9rty7zK';",
    'var api¦Key string = "x7Kq9mZ2vB4nT8wL1cR5"',
    'const dbPass¦word string = "Qw9rty7zK"',
    'private const val API_¦KEY: String = "x7Kq9mZ2vB4nT8wL1cR5"',
    'var pass¦word: String? = "Qw9rty7zK"',
    'pass¦word: Optional[str] = "Qw9rty7zK"',
    'static const char pass¦word[] = "Qw9rty7zK";',
    '#define API_¦KEY "x7Kq9mZ2vB4nT8wL1cR5"',
  ])('%s holds a secret', (text) => expect(valuesIn(joined(text))).toEqual([expect.stringMatching(/^(?:x7Kq|Qw9r)/)]));

  test.each([
    'const apiKey: string;',
    'apiKey?: string;',
    'let password: Option<String> = None;',
    'def login(password: str = None, token: Optional[str] = None):',
    'let api_key: &str = "your-api-key-goes-here-1";',
    'const password: string = "changeme";',
    'var password string',
    'fn login(password: &str) -> Result<(), Error> {',
    'password: SecretString',
  ])('%s holds none', (text) => expect(valuesIn(text)).toEqual([]));
});

describe('a password of letters alone, where only a password can be:', () => {
  test.each([
    'PGPASS¦WORD=correcthorsebattery psql -h db',
    "PGPASS¦WORD='SunshineMeadow' pg_dump",
    'export PGPASS¦WORD=correct-horse',
    'MYSQL_¦PWD=correcthorsebattery mysql',
    'host=db user=ada pass¦word=correcthorsebattery dbname=app',
    'Server=db;User Id=sa;Pass¦word=correcthorsebattery;Encrypt=True',
    'Data Source=.;User ID=sa;P¦wd=correcthorsebattery',
    '<server><pass¦word>correcthorsebattery</pass¦word></server>',
    '<pass¦phrase>correct.horse</pass¦phrase>',
    'machine example.org login ada pass¦word correcthorsebattery',
    'machine example.org\n  login ada\n  pass¦word correcthorsebattery\n',
  ])('%s', (text) => {
    expect(valuesIn(joined(text))).toEqual([expect.stringMatching(/^(?:correct.?horse(?:battery)?|SunshineMeadow)$/)]);
  });
});

describe('a password of letters alone, behind a name that ends in “password”:', () => {
  test.each([
    'pass¦word = "sunshine"',
    'dbpass¦word = "sunshine"',
    "$pass¦word = 'correcthorse';",
    'db_pass¦word: "SunshineMeadow"',
    'os.environ["DB_PASS¦WORD"] = "SunshineMeadow"',
    'pass¦phrase = correcthorsebattery',
    '  pass¦word: kfjDhwKqzPmX',
    'DB_PASS¦WORD=sunshine',
    'spring.datasource.pass¦word=sunshine',
    'docker login --username ada --pass¦word sunshine',
    'gpg --pass¦phrase sunshine -d x',
    'key_pass¦word="p@ss!wort"',
    '{user: ada, pass¦word: Kx9mQ2vB7nTz}',
  ])('%s is found', (text) => expect(valuesIn(joined(text))).toHaveLength(1));

  test.each([
    'password: "string"',
    'type: password\npassword: required',
    '"password": "Passwort"',
    '"resetPassword": "Continue"',
    '"password": "Contraseña"',
    'password = "loginPassword"',
    'password: "CURRENT_VALUE"',
    "password: 'user.name'",
    'password = plaintext',
    '    password=credentials\n',
    'password: BasicCredentials',
    'pass: "passed"',
    'Tests pass: everything',
    'the --username and --password options are needed',
    'the default password callback',
    'password="process.env.DB_PASS"',
    'DB_PASSWORD=secret',
    '<password>string</password>',
    'host=db user=ada password=postgres',
    'Server=db;Password=<password>;User Id=sa',
    'machine example.org login ada password your-own-one',
    'if (typeof password === "function") {',
  ])('%s is a placeholder, or something else', (text) => expect(valuesIn(text)).toEqual([]));
});

describe('a password that a command is given:', () => {
  test.each([
    'my¦sql -u root -pQw9rty7z app',
    "my¦sql -h db -u ada -p'Qw9rty7z!,;' app",
    'my¦sqldump -uroot -pcorrecthorse app | gzip > a.gz',
    'ssh¦pass -p Qw9rty7z ssh ada@h',
    "ssh¦pass -p 'correct horse' ssh ada@h",
    'ssh¦pass -pcorrecthorse scp a h:',
    'docker lo¦gin -u ada -p Qw9rty7z registry.io',
    'helm registry lo¦gin -u ada -p correcthorse x.io',
    '["ssh¦pass", "-p", "correcthorse", "ssh"]',
    'cu¦rl -u ada:correcthorse https://x.io',
    'cu¦rl -X POST \\\n  -u "ada:Qw9rty7z" https://x.io',
    'cu¦rl -sSu ada:Qw9rty7z https://x.io',
    'cu¦rl -uada:Qw9rty7z https://x.io',
    'http -¦a ada:Qw9rty7z https://x.io',
    'open¦ssl rsa -in a.pem -passin pass:correcthorse',
    'smb¦client -U ada%Qw9rty7z //h/s',
    'redis¦-cli -a correcthorse ping',
    'sql¦cmd -S db -U sa -P correcthorse',
    "CREATE USER ada WITH PASS¦WORD 'correcthorse';",
    "CREATE USER 'ada'@'%' IDENTI¦FIED BY 'correcthorse';",
    'require¦pass correcthorse',
    'ConvertTo-Secure¦String "Qw9rty7z" -AsPlainText -Force',
  ])('%s', (text) => expect(valuesIn(joined(text))).toEqual([expect.stringMatching(/^(?:Qw9rty7z|correct.?horse)/)]));

  test.each([
    'mysql -u root -p app_production',
    'mysql -u root -p"$PASS" app',
    'mysql -uroot -proot app',
    'mysql -uroot -p${DB_PASS} app',
    'sshpass -p "$PASS" ssh ada@h',
    'sshpass -f file ssh ada@h',
    'sshpass -p <password> ssh ada@h',
    'docker login -u ada --password-stdin',
    'docker login -u ada -p $TOKEN x.io',
    'docker login x.io && mkdir -p components/login',
    'docker run -p 127.0.0.1:8080:80 nginx:1.25.3',
    'oc get -p production2 pods',
    'The -p option of docker login is unsafe.',
    'curl -u ada https://x.io',
    'curl -u "$USER:$PASS" https://x.io',
    'curl -u user:password https://x.io',
    'curl -u <user>:<password> https://x.io',
    'curl https://x.io | sort -u a:Qw9rty7z',
    'openssl rsa -passin env:KEY_PASS1 -in a.pem',
    "CREATE USER ada WITH PASSWORD 'changeme';",
    'requirepass your-own-password',
  ])('%s holds none', (text) => expect(valuesIn(text)).toEqual([]));
});

describe('a secret in a form of its own:', () => {
  const hash = '$apr¦1$x7Kq9mZ2$vB4nT8wL1cR5hY6uJ3kP0.';
  test.each([
    'kubectl create secret generic a --from-literal=user=ada --from-literal=pass¦word=correcthorse',
    "kubectl create secret generic a --from-literal 'api-to¦ken=x7Kq9mZ2vB4nT8wL1cR5'",
    `ada:${hash}`,
    `ada:${hash}:1000:`,
    'open¦ssl enc -aes-256-cbc -salt -in a -out b -k correcthorse',
    'pass¦word <- "correcthorse"',
    "db_pass¦word <<- 'Qw9rty7z'",
  ])('%s', (text) => expect(valuesIn(joined(text))).toHaveLength(1));

  test.each([
    'kubectl create secret generic a --from-literal=user=production2',
    'kubectl create secret generic a --from-literal=password=$PASSWORD',
    'kubectl create configmap a --from-literal=color=green-7719',
    'ada:$apr1$xxxxxxxx$xxxxxxxxxxxxxxxxxxxxxx',
    'ada:$PASSWORD_HASH',
    'openssl enc -aes-256-cbc -in a -out b -k $PASSWORD',
    'openssl enc -d -in a -pass env:SECRET_KEY1',
    'password <- readline("password: ")',
    'token <- "changeme"',
    'if (password <-1) "Qw9rty7z"',
  ])('%s holds none', (text) => expect(valuesIn(text)).toEqual([]));
});

describe('a secret of a certain shape:', () => {
  const member = '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE';
  test.each([
    `{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","¦d":"${member}"}`,
    `{\n  "¦d": "${member}",\n  "kty": "EC"\n}`,
    `{ kty: 'OKP', crv: 'Ed25519', ¦d: '${member}' }`,
    `"{\\"kty\\":\\"oct\\",\\"¦k\\":\\"${member}\\"}"`,
    'requests.get(url, au¦th=("ada", "Qw9rty7z"))',
    "session.au¦th = ('ada', 'correcthorse')",
    'HTTPBasicAu¦th("ada", "correcthorse")',
    'client.basic_au¦th("ada", Some("Qw9rty7z"))',
    'smtp.log¦in("ada@example.org", "Qw9rty7z")',
    'new NetworkCredent¦ial("ada", "correcthorse")',
    'user,pass¦word\nada,Qw9rty7z',
    'user,pass¦word,role\nbob,,admin\nada,correcthorse,admin',
    'id;"pass¦word";role\n1;"correct;horse";admin',
    'name\tpass¦word\nada\tQw9rty7z',
    'name,api_k¦ey\nada,x7Kq9mZ2vB4nT8wL1cR5',
    '| user | pass¦word |\n| --- | --- |\n| ada | Qw9rty7z |',
    '<add key="Pass¦word" value="correcthorse" />',
    '<entry key="pass¦word">Qw9rty7z</entry>',
    '<property name="api¦Key" value="x7Kq9mZ2vB4nT8wL1cR5"/>',
    '<pass¦word><![CDATA[Qw9rty7z]]></pass¦word>',
  ])('%s', (text) => {
    const secrets = [member, 'Qw9rty7z', 'correcthorse', 'correct;horse', 'x7Kq9mZ2vB4nT8wL1cR5'];
    const found = valuesIn(joined(text));
    expect(found).toHaveLength(1);
    expect(secrets).toContain(found[0]);
  });

  test.each([
    `{"x":1,"d":"${member}"}`,
    `{"kty":"EC"},{"d":"${member}"}`,
    '{"kty":"EC","d":"<your-private-key-goes-in-here>"}',
    '<path d="M10 20L30 40C12 34 56 78 90 12z"/>',
    'auth=("user", password)',
    'auth=("user", "password")',
    'auth=("user", "changeme")',
    'auth=(os.environ["USER"], os.environ["PASS1"])',
    'login("form", "submitButton")',
    'Credentials("client", "my-user-agent/1.0")',
    'user,password\nada,changeme\nbob,${BOB_PASSWORD}',
    'user,password\nada,',
    'name, password, email are required\nand more, things, here',
    '| user | password |\n| --- | --- |\n| ada | required |',
    '| name | type | password |\n| --- | --- | --- |\n| ada | string | mandatory |',
    '  user, password,\n  hostname, credential,\n',
    '<input name="password" value="Continue">',
    '<add key="Password" value="${PASSWORD}" />',
  ])('%s holds none', (text) => expect(valuesIn(text)).toEqual([]));
});

test.each([
  'AKIA¦IOSFODNN7EXAMPLE',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'gh¦p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'gh¦p_dummyTokenForTests85RKTjrXp3l2pdI4YTHRu3',
  'sk_¦live_your_key_here_0000000000',
  'xoxb-¦your-token-here-1234567890',
  'AIza¦SyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  'API_KEY=<your-key>',
  'API_KEY=${API_KEY}',
  'api_key: YOUR_API_KEY',
  "api_key=os.environ['API_KEY_2']",
  'TOKEN=$(cat /run/secrets/token1)',
  'password: ${{ secrets.DB_PASSWORD_1 }}',
  'password: process.env.PASSWORD1',
  'password = changeme',
  'PASSWORD=changeme123',
  "password: 'password123'",
  "password: 'fake-p4ssw0rd-99'",
  'password: string',
  'password_hash: sha256',
  'token: ****************',
  'SECRET=1234567890abcdef1234567890abcdef',
  'token: dummy-token-0123456789abcd',
  "apiKey: 'test-api-key-1234567890'",
  "secret: 'keyboard cat'",
  'const token = await getToken2(user)',
  'token = tokens[i2].value3',
  'secretName: my-app-secret-v2',
  'tokenUrl: https://auth.example.com/v2/token',
  'publicKey: x7Kq9mZ2vB4nT8wL1cR5x7Kq',
  "cacheKey = 'a1b2c3d4e5f6a7b8c9d0aabb'",
  'key: v1.2.3-beta4',
  'commit: 3f786850e387550fdab836ed7e6dc881de23001b',
  'integrity: sha512-x7Kq9mZ2vB4nT8wL1cR5x7Kq9mZ2vB4nT8wL1cR5x7Kq9mZ2vB4nT8wL1cR5==',
  'id: 5eee345e-d0cb-458e-922c-9ef2a75b1b44',
  'sk-fadingcircleanimationname',
  'postgres://user:password@localhost/db',
  'postgres://postgres:postgres@localhost/db',
  'postgres://${USER}:${PASSWORD}@host/db',
  'https://git@github.com/x/y.git',
  '{user}:{password1}@host',
])('%s is a placeholder for a secret, or something else', (text) => expect(findSecrets(joined(text))).toEqual([]));
