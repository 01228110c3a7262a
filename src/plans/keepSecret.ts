import { dirname } from 'node:path';
import { leadsNowhere } from '../base/diskErrors.ts';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../base/files.ts';
import { removeAgeFile, writeAgeFile } from '../harness/secrets/ageFile.ts';
import { hasKeychain, removeFromKeychain, writeKeychain } from '../harness/secrets/keychain.ts';
import { failure } from '../model/codes.ts';
import {
  isSecretName,
  placeText,
  type SecretPlace,
  type SecretRow,
  type SecretSource,
  secretValueBytesMax,
  type WrittenStore,
} from '../model/secretState.ts';
import { userConfigPath } from '../vault/discovery.ts';
import { withoutSecret, withSecret } from '../vault/nameSecret.ts';
import { loadSecretSources, usualAgePlace } from '../vault/secretSources.ts';
import { inspectSecrets, type StoredSecretPorts } from './storedSecrets.ts';

/**
 * Puts a value where the secret is kept, or into a store if it has none yet, and names it in the configuration. Resolves
 * with how it is then. Throws `secrets/badName`, `secrets/badValue`, `secrets/elsewhere` if Ravel cannot write to its
 * store, `secrets/notKept` if that failed, or `secrets/badSettings`. No error repeats the value.
 */
export async function keepSecret(
  ports: StoredSecretPorts,
  given: { readonly name: string; readonly value: string; readonly store?: WrittenStore | undefined },
): Promise<SecretRow> {
  const { name, value } = given;
  assertSecretName(name);
  assertSecretValue(name, value);
  const config = await readConfig(ports);
  const before = (await loadSecretSources(ports.disk, ports.environment)).find((source) => source.name === name);
  const place = before?.place ?? (await newPlace(ports, config.file, given));
  if (given.store !== undefined && given.store !== place.kind) throw elsewhere(name, place);
  if (place.kind !== 'age' && place.kind !== 'keychain') throw elsewhere(name, place);
  // Before the value goes anywhere: one that no configuration names would be kept and not looked for.
  const text = before === undefined ? withSecret(config.text, { name, place }, config.file) : config.text;
  const failed =
    place.kind === 'age' ? await writeAgeFile(place, value, ports) : await writeKeychain(name, value, ports);
  if (failed !== undefined) throw notKept(name, failed.problem);
  // Also if nothing of it changed: owners read values again once it was written.
  await writeConfig(ports, config.file, text);
  return inspectSecret(ports, name);
}

/**
 * Removes the value of a secret and its name. A value in a variable or with a program stays there. Throws
 * `secrets/unknown`, `secrets/elsewhere` if the editor keeps it, `secrets/notKept` or `secrets/badSettings`.
 */
export async function removeSecret(ports: StoredSecretPorts, name: string): Promise<SecretSource> {
  const { name: _name, place } = await sourceOf(ports, name);
  if (place.kind === 'editor') throw elsewhere(name, place);
  const config = await readConfig(ports);
  const text = withoutSecret(config.text, name, config.file);
  if (place.kind === 'age') await removeAgeFile(place, ports);
  const failed = place.kind === 'keychain' ? await removeFromKeychain(name, ports) : undefined;
  if (failed !== undefined) throw notKept(name, failed.problem);
  await writeConfig(ports, config.file, text);
  return { name, place };
}

/** Where a secret is kept and how it is now. Throws `secrets/unknown` or `secrets/badSettings`. */
export async function inspectSecret(ports: StoredSecretPorts, name: string): Promise<SecretRow> {
  const row = (await inspectSecrets(ports)).find((one) => one.name === name);
  if (row === undefined) throw unknown(name);
  return row;
}

/** Names a secret that the editor keeps, or takes its name away; throws `secrets/elsewhere` if another store has it. */
export async function nameEditorSecret(ports: StoredSecretPorts, name: string, isKept: boolean): Promise<void> {
  assertSecretName(name);
  const config = await readConfig(ports);
  const before = (await loadSecretSources(ports.disk, ports.environment)).find((source) => source.name === name);
  if (before !== undefined && before.place.kind !== 'editor') throw elsewhere(name, before.place);
  if ((before !== undefined) === isKept) return;
  const text = isKept
    ? withSecret(config.text, { name, place: { kind: 'editor' } }, config.file)
    : withoutSecret(config.text, name, config.file);
  await writeConfig(ports, config.file, text);
}

async function sourceOf(ports: StoredSecretPorts, name: string): Promise<SecretSource> {
  const source = (await loadSecretSources(ports.disk, ports.environment)).find((one) => one.name === name);
  if (source === undefined) throw unknown(name);
  return source;
}

async function newPlace(
  ports: StoredSecretPorts,
  config: string,
  { name, store }: { readonly name: string; readonly store?: WrittenStore | undefined },
): Promise<SecretPlace> {
  const chosen = store ?? ((await hasKeychain(ports)) ? 'keychain' : 'age');
  return chosen === 'keychain' ? { kind: 'keychain' } : usualAgePlace(config, name);
}

interface Config {
  /** Links resolved: a person may keep it elsewhere and link to it. */
  readonly file: string;
  readonly text: string;
}

async function readConfig({ disk, environment }: StoredSecretPorts): Promise<Config> {
  const path = userConfigPath(environment);
  if (path === undefined) {
    const message = 'The environment names no home, so there is no place for a configuration.';
    throw failure('secrets/badSettings', 'HOME', message);
  }
  const file = await disk.realPath(path).catch((error: unknown) => {
    if (leadsNowhere(error)) return path;
    throw error;
  });
  return { file, text: (await readTextIfExists(disk, file)) ?? '' };
}

async function writeConfig({ disk }: StoredSecretPorts, file: string, text: string): Promise<void> {
  await ensureDirectory(disk, dirname(file), 0o700);
  await writeAtomic(disk, file, text);
}

function assertSecretName(name: string): void {
  if (isSecretName(name)) return;
  const shown = JSON.stringify(name.slice(0, 80));
  throw failure('secrets/badName', shown, `${shown} cannot be the name of a secret.`);
}

function assertSecretValue(name: string, value: string): void {
  const bad = (problem: string) => failure('secrets/badValue', name, `The value for ${name} ${problem}.`);
  if (value.trim() === '') throw bad('is empty');
  if (value.includes('\0')) throw bad('has a null character');
  const bytes = Buffer.byteLength(value);
  if (bytes > secretValueBytesMax) throw bad(`is longer than ${secretValueBytesMax / 1024} KiB`);
}

function elsewhere(name: string, place: SecretPlace) {
  const message = `${name} is kept in the ${placeText(place)}.`;
  return failure('secrets/elsewhere', name, message);
}

function notKept(name: string, problem: string) {
  return failure('secrets/notKept', name, `The store of ${name} cannot be changed: ${problem}.`);
}

function unknown(name: string) {
  const shown = JSON.stringify(name.slice(0, 80));
  return failure('secrets/unknown', shown, `Your configuration names no secret ${shown}.`);
}
