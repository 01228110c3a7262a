import { describe, expect, test } from 'vitest';
import { mayHoldSecrets } from '../../../src/gates/tools/toolPath.ts';
import { decisionOn, judgeIn } from './toolRequest.ts';

const secrets = ['.env', 'deploy/eu/server.pem', 'deploy/id_ed25519', 'credentials.json'];

function expectNotAllowed(command: string) {
  expect({ command, isAllowed: decisionOn(command, { secrets }) === 'allow' }).toEqual({ command, isAllowed: false });
}

describe('a command that could show the environment is asked about', () => {
  test.each([
    'npm run env',
    'yarn run env',
    'ps "$(printf auxe)"',
    'ps -oenviron',
    'ps -eo pid,environ',
    'ps axe',
    'echo e | xargs ps',
    'echo $DATABASE_URL',
    'echo $MYSQL_PWD',
    'echo $DB_PASS',
    'echo $MONGO_URI',
    'yq e \'load_str(".en"+"v")\' a.yaml',
    "yq e -n 'strenv(K)'",
  ])('%s', expectNotAllowed);

  test.each(['ps aux', 'ps -ef', 'ps -eo pid,args', 'echo $PWD', 'yq e .a a.yaml', 'jq .name package.json'])(
    'unlike %s',
    (command) => expect(decisionOn(command)).toBe('allow'),
  );
});

describe('a word that may turn out to be a file-reading option is asked about', () => {
  test.each(['echo --file=.env | xargs date', 'date "$(printf %s --file=.env)"', 'ls | xargs pip debug'])(
    '%s',
    expectNotAllowed,
  );
  test.each(['ls | xargs basename', 'basename "$(pwd)"'])('unlike %s', (command) =>
    expect(decisionOn(command)).toBe('allow'),
  );
});

describe('what find hands to a program is unknown if its names fit a secret file', () => {
  test.each([
    "find . -name '*env' -exec cat {} +",
    "find . -name '\\.en\\v' -exec cat {} +",
    "find . -name '*25519' -exec cat {} +",
    "find . -name '*.jso?' -exec cat {} +",
    "find . -name '.en[u-w]' -exec cat {} +",
    "find . -name '*.ts' -exec ls {} \\; -o -exec cat {} +",
    "find . -name '*.ts' -exec grep -q x {} \\; -o -exec cat {} +",
    'find . -name "*.t$(printf x)" -exec cat {} +',
  ])('%s', expectNotAllowed);
  test.each([
    "find . -name '*.ts' -exec cat {} +",
    "find . \\( -name '*.ts' -o -name '*.js' \\) -exec grep -l x {} +",
    "find src -name '*.ts' -exec grep -q x {} \\; -exec wc -l {} +",
  ])('unlike %s', (command) => expect(decisionOn(command, { secrets })).toBe('allow'));
});

describe('a folder that is read whole is asked about', () => {
  test.each([
    'diff -N . src',
    'diff -N deploy src',
    'tar -cf x.tar -C deploy eu',
    'tar cf x.tar -C src -C ../deploy eu',
    'diff -rN --to-file=deploy src',
    'diff -rN --from-file deploy src',
  ])('%s', expectNotAllowed);

  const linked = { secrets: ['vendor/out'], links: { 'vendor/out': '/srv/other' } };
  test.each(['tar -chf x.tar vendor', 'cp -rL vendor copy', 'diff -rN vendor src', 'zip -r x.zip vendor'])(
    'with the links that %s follows',
    (command) => expect(decisionOn(command, linked)).not.toBe('allow'),
  );
  test.each(['tar -cf x.tar vendor', 'cp -r vendor copy', 'diff src/a.ts src/b.ts'])('unlike %s', (command) =>
    expect(decisionOn(command, linked)).toBe('allow'),
  );
});

describe('git is asked about if it could show a secret', () => {
  test.each([
    'git config -l',
    'git config --list --name-only',
    'git config --get-regexp .',
    'git config remote.origin.url',
    'git config --get http.proxy',
    'git var -l',
    'git remote -v',
    'git remote get-url origin',
    "git log -p -- ':(icase).EN?'",
    'git rev-parse HEAD:.env',
    'git cat-file -p 1234567890123456789012345678901234567890',
    'git --help -w log',
    'git log --pretty=%GG',
    "git show -s --format='%h %G?'",
    "git for-each-ref --format='%(signature)'",
  ])('%s', expectNotAllowed);
  test.each([
    'git remote',
    'git config user.name',
    'git cat-file -p HEAD:src/a.ts',
    'git rev-parse HEAD',
    "git diff -- '*.ts'",
  ])('unlike %s', (command) => expect(decisionOn(command)).toBe('allow'));
});

test('a file of further arguments is asked about, as what is in it is read', () => expectNotAllowed('strings @list'));

describe('more names that say that a file holds secrets', () => {
  test.each([
    '.secrets',
    '.dev.vars',
    'prod.tfvars',
    'terraform.tfstate.backup',
    'server.pem.old',
    'server.key.bak',
    'id_rsa2',
    'credentials.tfrc.json',
    'kubeconfig',
    'app.keytab',
    'vault_pass.txt',
    'token.txt',
    'local.settings.json',
    '.dockerconfigjson',
  ])('%s', (name) => expect(mayHoldSecrets(name)).toBe(true));

  test.each(['tokens.json', 'token.ts', 'design-tokens.css', 'vault.ts', 'settings.json'])('unlike %s', (name) =>
    expect(mayHoldSecrets(name)).toBe(false),
  );

  test('.docker/config.json', () => {
    expect(judgeIn({}, 'Read', { file_path: '.docker/config.json' }).decision).toBe('deny');
    expect(judgeIn({}, 'Read', { file_path: '.docker/Dockerfile' }).decision).toBe('allow');
  });
});
