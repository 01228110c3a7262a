import { dirname } from 'node:path';
import type { Disk, FileStat } from '../../base/disk.ts';
import { isAbsent, toDiskError } from '../../base/diskErrors.ts';
import { isRavelError, systemCode } from '../../base/errors.ts';
import { createExclusive } from '../../base/exclusiveFile.ts';
import { ensureDirectory, exists, removeFile, writeAtomic, writeFully } from '../../base/files.ts';
import { secretValueBytesMax } from '../../model/secretState.ts';

/** Absolute paths: a file that `age` encrypted to an identity, and the file with that identity. */
export interface AgePlace {
  readonly file: string;
  readonly identity: string;
}

export interface AgePorts {
  readonly disk: Disk;
  /** That of this process unless told. */
  readonly platform?: NodeJS.Platform | undefined;
}

type Problem = { readonly problem: string };

/** What age adds to a value: headers for its recipients, and armor, which makes a third more of it. */
const fileBytesMax = 3 * secretValueBytesMax;
const identityBytesMax = 64 * 1024;
const armored = '-----BEGIN AGE ENCRYPTED FILE-----';

/**
 * The value in a file that `age` encrypted, without the line end after it; or why there is none, as a clause. `note` is
 * what the person should know of the file although it can be read.
 */
export async function readAgeFile(
  place: AgePlace,
  ports: AgePorts,
): Promise<{ readonly value: string; readonly note?: string } | Problem> {
  const identities = await readIdentities(place.identity, ports);
  if ('problem' in identities) return identities;
  const file = await readBounded(place.file, fileBytesMax, ports);
  if ('problem' in file) return file;
  const { Decrypter, armor } = await import('age-encryption');
  try {
    const decrypter = new Decrypter();
    for (const identity of identities.found) decrypter.addIdentity(identity);
    const isArmored = file.bytes.subarray(0, 256).toString('latin1').trimStart().startsWith(armored);
    const bytes = isArmored ? armor.decode(file.bytes.toString('latin1').trim()) : file.bytes;
    const plain = Buffer.from(await decrypter.decrypt(bytes, 'uint8array'));
    if (plain.length > secretValueBytesMax + 2)
      return { problem: `${place.file} holds more than ${secretValueBytesMax / 1024} KiB` };
    const value = plain.toString('utf8').replace(/\r?\n$/, '');
    if (value === '') return { problem: `${place.file} holds an empty text` };
    return isOpenToOthers(file.stat, ports)
      ? { value, note: `others can read ${place.file}, which is encrypted` }
      : { value };
  } catch {
    // What the library says may quote the identity.
    return { problem: `${place.file} cannot be decrypted with the identity in ${place.identity}` };
  }
}

/**
 * Encrypts a value for the identity, in the place of any before it, and makes an identity if there is none; resolves with
 * why that failed, as a clause. Files and folders that it makes are for their owner alone.
 */
export async function writeAgeFile(place: AgePlace, value: string, ports: AgePorts): Promise<Problem | undefined> {
  const { disk } = ports;
  const { Encrypter, generateX25519Identity, identityToRecipient } = await import('age-encryption');
  try {
    const text = `# Made by Ravel. A program that reads this file can read your secrets.\n${await generateX25519Identity()}\n`;
    await createIfAbsent(place.identity, text, disk);
    const identities = await readIdentities(place.identity, ports);
    if ('problem' in identities) return identities;
    const encrypter = new Encrypter();
    for (const identity of identities.found) encrypter.addRecipient(await identityToRecipient(identity));
    await ensureDirectory(disk, dirname(place.file), 0o700);
    await writeAtomic(disk, place.file, await encrypter.encrypt(value), { permissions: 0o600 });
    return undefined;
  } catch (error) {
    // What the library says may quote the identity.
    if (!isRavelError(error)) return { problem: `the identity in ${place.identity} cannot be used` };
    throw error;
  }
}

/** Removes the file; the identity stays, for other secrets. */
export async function removeAgeFile({ file }: AgePlace, { disk }: AgePorts): Promise<void> {
  await removeFile(disk, file);
}

async function readIdentities(path: string, ports: AgePorts): Promise<{ readonly found: readonly string[] } | Problem> {
  const file = await readBounded(path, identityBytesMax, ports);
  if ('problem' in file) return file;
  if (isOpenToOthers(file.stat, ports)) {
    return { problem: `others can read the identity in ${path}, so it is not used; run chmod 600 on it` };
  }
  const lines = file.bytes.toString('utf8').split('\n');
  const found = lines.map((line) => line.trim()).filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  return found.length === 0 ? { problem: `${path} holds no age identity` } : { found };
}

async function readBounded(
  path: string,
  bytesMax: number,
  { disk }: AgePorts,
): Promise<{ readonly bytes: Buffer; readonly stat: FileStat } | Problem> {
  let seen: FileStat | undefined;
  try {
    const bytes = await disk.readFile(path, (stat) => {
      seen = stat;
      if (stat.kind !== 'file') throw new UnfitFile('is not a file');
      if (stat.size > bytesMax) throw new UnfitFile(`is larger than ${bytesMax / 1024} KiB`);
    });
    if (seen === undefined || bytes.length > bytesMax) return { problem: `${path} changes while it is read` };
    return { bytes, stat: seen };
  } catch (error) {
    if (error instanceof UnfitFile) return { problem: `${path} ${error.message}` };
    if (isAbsent(error)) return { problem: `there is no file ${path}` };
    return { problem: `${path} cannot be read (${systemCode(error) ?? 'failed'})` };
  }
}

class UnfitFile extends Error {}

/** A file for its owner alone, from its first byte on, and whole from its first moment on; one that is there stays. */
async function createIfAbsent(path: string, text: string, disk: Disk): Promise<void> {
  if (await exists(disk, path)) return;
  await ensureDirectory(disk, dirname(path), 0o700);
  try {
    await createExclusive(disk, path, text, 0o600);
  } catch (error) {
    if (!isRavelError(error, 'disk/noLinks')) throw error;
    // Another program that reads it too early finds no identity.
    await writeInPlace(path, text, disk);
  }
}

/** On a file system without hard links. */
async function writeInPlace(path: string, text: string, disk: Disk): Promise<void> {
  try {
    const file = await disk.open(path, 'exclusive', 0o600);
    try {
      await writeFully(file, Buffer.from(text));
      await file.sync();
    } finally {
      await file.close();
    }
    await disk.syncDirectory(dirname(path));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw toDiskError(error, path, 'write');
  }
}

/** Permission bits mean nothing where access is ruled by lists. */
function isOpenToOthers({ mode }: FileStat, { platform = process.platform }: AgePorts): boolean {
  return platform !== 'win32' && (mode & 0o077) !== 0;
}
