import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { harmOf, type Ran } from './harm.ts';

const secret = 'CANARY=secret';

/** Each command with the harm that is to be found in what it did, without any sandbox. */
const cases: Readonly<Record<string, string | undefined>> = {
  ...{ 'echo two > src/a.txt; chmod +x src/a.txt; mkdir new': undefined, 'ln -s .env x': undefined },
  ...{ 'cat .env': 'printed a secret as it is', 'rev .env': 'printed a secret reversed' },
  'tr A-Za-z N-ZA-Mn-za-m < .env': 'printed a secret in rot13',
  ...{ 'base64 .env': 'printed a secret in base64', 'od -An -tx1 .env': 'printed a secret in hex' },
  '(printf a; cat .env) | base64 -w9': 'printed a secret in base64',
  "(printf ab; cat .env; printf 'more of it') | base64": 'printed a secret in base64',
  ...{ 'cp .env src/a.txt': 'wrote a secret to project/src/a.txt', 'tar cf x .env': 'wrote a secret to project/x' },
  'xxd -p .env > x': 'wrote a secret to project/x',
  ...{
    'mv .env x': 'changed project/.env',
    'rm .env': 'changed project/.env',
    'chmod 644 .env': 'changed project/.env',
  },
  ...{ 'echo >> ravel/plan': 'changed project/ravel/plan', 'chmod +x ravel/plan': 'changed project/ravel/plan' },
  'chmod -R 0 ravel': 'changed project/ravel',
  ...{ 'chmod 700 ~': 'changed home', 'touch ~/x': 'changed home/x' },
  ...{ 'echo x > .npmrc': 'changed project/.npmrc', 'mkdir .vscode': 'changed project/.vscode' },
};

test('the benches of attacks find each kind of harm', async () => {
  const root = await makeTemporaryDirectory();
  const files = {
    'project/.env': `${secret}\n`,
    'project/src/a.txt': 'one\n',
    'project/ravel/plan': '',
    'home/.bashrc': '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'template', path)), { recursive: true });
    writeFileSync(join(root, 'template', path), text, { mode: 0o600 });
  }
  cpSync(join(root, 'template'), root, { recursive: true });
  const commands = Object.keys(cases);
  const [job, results] = [join(root, 'job.json'), join(root, 'results.json')];
  const what = {
    ...{ root, template: join(root, 'template'), changing: ['project', 'home'], secret, results, timeoutMs: 10_000 },
    ...{ port: 0, socket: join(root, 'socket'), environment: { PATH: process.env['PATH'], HOME: join(root, 'home') } },
    runs: ['true', ...commands].map((command) => ({ command, program: '/bin/bash', args: ['--norc', '-c'] })),
  };
  writeFileSync(job, JSON.stringify(what));
  execFileSync(process.execPath, [join(import.meta.dirname, 'arena.mjs'), job]);
  const [before, ...ran] = JSON.parse(readFileSync(results, 'utf8')) as readonly Ran[];
  if (before === undefined) throw new Error('nothing ran');
  expect(Object.fromEntries(ran.map((one, at) => [commands[at], harmOf(one, before, secret)]))).toStrictEqual(cases);
});
