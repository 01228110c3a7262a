import { describe, expect, test } from 'vitest';
import { findSecrets } from '../../../src/gates/secrets/findSecrets.ts';
import { tokenFormats } from '../../../src/gates/secrets/tokenScanner.ts';
import { createChance } from '../../support/chance.ts';
import { joined, makeToken } from '../../support/madeSecrets.ts';

const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

describe('every published format', () => {
  const seed = Number(process.env['RAVEL_SEED'] ?? 7);
  const chance = createChance(seed);
  const surroundings: readonly ((token: string) => string)[] = [
    (token) => token,
    (token) => `The key is ${token}.`,
    (token) => `const key = "${token}";\n`,
    (token) => `{"url":"https://x.org/?k=${token}&n=1"}`,
  ];

  test.each(tokenFormats.map((format) => [format[0], format[1], format] as const))(
    '%s %s',
    (_service, _shape, format) => {
      const token = makeToken(format, chance);
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
])('%s stands for a secret, or is something else', (text) => expect(findSecrets(joined(text))).toEqual([]));
