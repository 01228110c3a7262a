import { CachedPromise } from '../base/cachedPromise.ts';
import type { Disk } from '../base/disk.ts';
import { createStoredValues, isSearchable, type StoredSecret } from '../gates/secrets/storedValues.ts';
import { printedSecret, type SecretCommandPorts, secretBytesMax } from '../harness/printedSecret.ts';
import { failure } from '../model/codes.ts';
import type { SecretRow, SecretSource, SecretState } from '../model/secretState.ts';
import type { StoredValues } from '../model/storedValues.ts';
import { loadSecretSources } from '../vault/secretSources.ts';

export interface StoredSecretPorts extends SecretCommandPorts {
  readonly disk: Disk;
}

/** How each secret of the person's configuration is, in its order; no value is in it. Throws `secrets/badSettings`. */
export async function inspectSecrets(ports: StoredSecretPorts): Promise<readonly SecretRow[]> {
  const read = await readSecrets(ports);
  return read.map(({ source, found }) => ({ ...source, ...stateOf(found) }));
}

/** How long values are kept: a person who replaces one need not restart anything. */
const keptMs = 10 * 60_000;

/**
 * The values of all secrets, for the gates. They are read when they are needed, and kept for ten minutes. A value that cannot be read
 * throws `secrets/unreadable`: what is not known cannot be looked for, so nothing may pass meanwhile.
 */
export function createStoredSecrets(ports: StoredSecretPorts): () => Promise<StoredValues> {
  const kept = new CachedPromise<StoredValues>();
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = ports.clock.monotonicMs();
    if (nowMs - readAtMs >= keptMs) {
      kept.forget();
      readAtMs = nowMs;
    }
    return kept.get(async () => createStoredValues(await loadValues(ports)));
  };
}

async function loadValues(ports: StoredSecretPorts): Promise<readonly StoredSecret[]> {
  const read = await readSecrets(ports);
  return read.flatMap(({ source: { name }, found }) => {
    if (found === undefined) return [];
    if ('problem' in found) throw failure('secrets/unreadable', name, `The secret ${name}: ${found.problem}.`);
    return [{ name, value: found.value }];
  });
}

type Found = { readonly value: string } | { readonly problem: string } | undefined;

async function readSecrets(
  ports: StoredSecretPorts,
): Promise<readonly { readonly source: SecretSource; readonly found: Found }[]> {
  const read: { source: SecretSource; found: Found }[] = [];
  // One after the other: a store that asks a person to unlock it asks once.
  for (const source of await loadSecretSources(ports.disk, ports.environment)) {
    read.push({ source, found: await readOne(source, ports) });
  }
  return read;
}

async function readOne({ place }: SecretSource, ports: StoredSecretPorts): Promise<Found> {
  if (place.kind === 'command') {
    const printed = await printedSecret(place, ports);
    return 'problem' in printed ? { problem: `its program ${place.program} ${printed.problem}` } : printed;
  }
  const value = ports.environment[place.variable];
  if (value === undefined || value === '') return undefined;
  if (Buffer.byteLength(value) <= secretBytesMax) return { value };
  return { problem: `its variable ${place.variable} holds more than ${secretBytesMax / 1024} KiB` };
}

function stateOf(found: Found): SecretState {
  if (found === undefined) return { state: 'absent' };
  if ('problem' in found) return { state: 'failed', problem: found.problem };
  return { state: isSearchable(found.value) ? 'guarded' : 'short' };
}
