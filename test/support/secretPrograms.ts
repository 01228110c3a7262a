import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

/** Stands for `secret-tool` and `security`: keeps each value in a file of `STORE`, and writes down its arguments. */
const keychain = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const store = process.env.STORE;
const args = process.argv.slice(2);
appendFileSync(join(store, 'arguments'), args.join(' ') + '\\n');
if (process.env.COMPLAINS) process.stderr.write('secret-tool: Cannot autolaunch D-Bus without X11\\n');
if (process.env.LOCKED) process.exit(Number(process.env.LOCKED));
if (process.env.HANGS) setInterval(() => undefined, 1000);
else if (process.env.FLOODS) process.stdout.write('x'.repeat(5_000_000));
else if (basename(process.argv[1]) === 'security') security(args);
else secretTool(args);

function secretTool([verb, ...rest]) {
  const file = join(store, 'value-' + rest.at(-1));
  if (verb === 'store') writeFileSync(file, readFileSync(0));
  if (verb !== 'lookup' && verb !== 'clear') return;
  if (!existsSync(file)) process.exit(1);
  if (verb === 'lookup') process.stdout.write(readFileSync(file));
  else rmSync(file);
}

function security(given) {
  const words = given[0] === '-i' ? readFileSync(0, 'utf8').trim().split(' ') : given;
  if (given[0] === '-i' && words.join(' ').length > 4095) return;
  const file = join(store, 'value-' + words[words.indexOf('-a') + 1]);
  if (words[0] === 'add-generic-password') return writeFileSync(file, Buffer.from(words.at(-1), 'hex'));
  if (words[0] === 'help') return;
  if (!existsSync(file)) process.exit(44);
  if (words[0] === 'delete-generic-password') return rmSync(file);
  const value = readFileSync(file);
  const isPlain = /^[\\x20-\\x7e]*$/.test(value.toString('latin1'));
  process.stdout.write((isPlain ? value.toString() : value.toString('hex')) + '\\n');
}
`;

/** A person on a system of this kind, with a home and a keychain that the fake programs stand for. */
export async function makeSecretPerson(
  platform: 'darwin' | 'linux' = 'linux',
  variables: Readonly<Record<string, string>> = {},
) {
  const home = await makeTemporaryDirectory();
  const store = join(home, 'keychain');
  const bin = join(home, 'bin');
  mkdirSync(store);
  mkdirSync(bin);
  for (const name of ['secret-tool', 'security']) writeFileSync(join(bin, name), keychain, { mode: 0o700 });
  const config = join(home, '.config/ravel/config.toml');
  const environment = { HOME: home, PATH: bin, STORE: store, ...variables };
  return {
    ports: { disk: nodeDisk, clock: systemClock, environment, platform },
    ...{ home, bin, config },
    configure(text: string) {
      mkdirSync(dirname(config), { recursive: true });
      writeFileSync(config, text);
    },
    configured: () => (existsSync(config) ? readFileSync(config, 'utf8') : undefined),
    /** All arguments that the programs of the keychain were given so far. */
    keychainArguments: () =>
      existsSync(join(store, 'arguments')) ? readFileSync(join(store, 'arguments'), 'utf8') : '',
  };
}
