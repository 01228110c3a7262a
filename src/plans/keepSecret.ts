import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { leadsNowhere } from '../base/diskErrors.ts';
import { isRavelError, messageOf } from '../base/errors.ts';
import { ensureDirectory, exists, readTextIfExists, sha256, writeAtomicIf } from '../base/files.ts';
import { removeAgeFile, writeAgeFile } from '../harness/secrets/ageFile.ts';
import { hasKeychain, removeFromKeychain, writeKeychain } from '../harness/secrets/keychain.ts';
import { failure } from '../model/codes.ts';
import {
  isSecretName,
  placeText,
  type RemovedSecret,
  type SecretPlace,
  type SecretRow,
  type SecretSource,
  secretValueBytesMax,
  type WrittenStore,
} from '../model/secretState.ts';
import { userConfigPath } from '../vault/discovery.ts';
import { withoutSecret, withSecret } from '../vault/nameSecret.ts';
import { secretSourcesIn, usualAgePlace } from '../vault/secretSources.ts';
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
  const before = config.sources.find((source) => source.name === name);
  const place = before?.place ?? (await newPlace(ports, config, given));
  if (given.store !== undefined && given.store !== place.kind) throw elsewhere(name, place);
  if (place.kind !== 'age' && place.kind !== 'keychain') throw elsewhere(name, place);
  // Before the value goes anywhere: one that no configuration names would be kept and not looked for.
  named(config, { name, place });
  const replaces = before !== undefined || (place.kind === 'age' && (await exists(ports.disk, place.file)));
  const failed =
    place.kind === 'age' ? await writeAgeFile(place, value, ports) : await writeKeychain(name, value, ports);
  if (failed !== undefined) throw notKept(name, failed.problem);
  try {
    // Also if nothing of it changed: owners read values again once it was written.
    await changeConfig(ports, (now) => named(now, { name, place }));
  } catch (error) {
    if (replaces || isRavelError(error, 'secrets/elsewhere')) throw error;
    await (place.kind === 'age' ? removeAgeFile(place, ports) : removeFromKeychain(name, ports));
    throw notKept(name, `${messageOf(error)} The new value was removed again, since nothing would name it`);
  }
  return inspectSecret(ports, name);
}

/** The text of the configuration with the secret at that place; throws `secrets/elsewhere` if it has another by now. */
function named(
  { text, file, sources }: Config,
  { name, place }: { readonly name: string; readonly place: Parameters<typeof withSecret>[1]['place'] },
): string {
  const there = sources.find((source) => source.name === name);
  if (there === undefined) return withSecret(text, { name, place }, file);
  if (!isDeepStrictEqual(there.place, place)) throw elsewhere(name, there.place);
  return text;
}

/**
 * Removes the value of a secret and its name. A value in a variable, with a program, or in an age file that another
 * secret names stays there. Throws `secrets/unknown`, `secrets/elsewhere` if the editor keeps it,
 * `secrets/notKept` or `secrets/badSettings`.
 */
export async function removeSecret(ports: StoredSecretPorts, name: string): Promise<RemovedSecret> {
  const config = await readConfig(ports);
  const source = config.sources.find((one) => one.name === name);
  if (source === undefined) throw unknown(name);
  const { place } = source;
  if (place.kind === 'editor') throw elsewhere(name, place);
  // Before the value goes: a name without one could not be removed again.
  withoutSecret(config.text, name, config.file);
  const keptFor = await namedBeside(ports, config, source);
  if (place.kind === 'age' && keptFor.length === 0) await removeAgeFile(place, ports);
  const failed = place.kind === 'keychain' ? await removeFromKeychain(name, ports) : undefined;
  if (failed !== undefined) throw notKept(name, failed.problem);
  await changeConfig(ports, ({ text, file, sources }) => {
    const there = sources.find((one) => one.name === name);
    // It has another place by now, or its name is gone.
    if (there === undefined || !isDeepStrictEqual(there.place, place)) return text;
    return withoutSecret(text, name, file);
  });
  return { name, place, ...(keptFor.length > 0 && { keptFor }) };
}

/** The names of the other secrets whose age file this is, by whatever path. */
async function namedBeside(
  { disk }: StoredSecretPorts,
  { sources }: Config,
  { name, place }: SecretSource,
): Promise<readonly string[]> {
  if (place.kind !== 'age') return [];
  const real = (path: string) => disk.realPath(path).catch(() => path);
  const file = await real(place.file);
  const names: string[] = [];
  for (const other of sources) {
    if (other.name === name || other.place.kind !== 'age') continue;
    if ((await real(other.place.file)) === file) names.push(other.name);
  }
  return names;
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
  await changeConfig(ports, ({ text, file, sources }) => {
    const before = sources.find((source) => source.name === name);
    if (before !== undefined && before.place.kind !== 'editor') throw elsewhere(name, before.place);
    if ((before !== undefined) === isKept) return undefined;
    return isKept ? withSecret(text, { name, place: { kind: 'editor' } }, file) : withoutSecret(text, name, file);
  });
}

async function newPlace(
  ports: StoredSecretPorts,
  config: Config,
  { name, store }: { readonly name: string; readonly store?: WrittenStore | undefined },
): Promise<SecretPlace> {
  const chosen = store ?? ((await hasKeychain(ports)) ? 'keychain' : 'age');
  if (chosen === 'keychain') return { kind: 'keychain' };
  // Not where a link leads: an identity in a repository would be pushed with it.
  const place = usualAgePlace(config.path, name);
  const [other] = await namedBeside(ports, config, { name, place });
  if (other !== undefined) throw notKept(name, `${place.file} holds the value of ${other}`);
  return place;
}

interface Config {
  /** As the person's environment names it. */
  readonly path: string;
  /** Links resolved: a person may keep it elsewhere and link to it. */
  readonly file: string;
  readonly text: string;
  readonly sha256: string | undefined;
  readonly sources: readonly SecretSource[];
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
  const text = await readTextIfExists(disk, file);
  const sources = text === undefined ? [] : secretSourcesIn(text, { file: path, environment });
  return { path, file, text: text ?? '', sha256: text === undefined ? undefined : sha256(text), sources };
}

/** Gives up after this number: others then write the file without end. */
const triesMax = 100;

/**
 * Writes what `change` makes of the configuration, unless that is undefined. Others who save the file meanwhile keep what
 * they saved: it is read and changed again then.
 */
async function changeConfig(ports: StoredSecretPorts, change: (config: Config) => string | undefined): Promise<void> {
  for (let tries = 1; ; tries++) {
    const config = await readConfig(ports);
    const text = change(config);
    if (text === undefined) return;
    await ensureDirectory(ports.disk, dirname(config.file), 0o700);
    try {
      return await writeAtomicIf(ports.disk, config.file, config.sha256, text);
    } catch (error) {
      if (tries === triesMax || !isRavelError(error, 'yaml/changedMeanwhile')) throw error;
    }
  }
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
