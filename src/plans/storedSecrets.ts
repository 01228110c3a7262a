import { CachedPromise } from '../base/cachedPromise.ts';
import type { Disk } from '../base/disk.ts';
import { plural } from '../base/text.ts';
import { createStoredValues, isSearchable, type StoredSecret } from '../gates/secrets/storedValues.ts';
import { readAgeFile } from '../harness/secrets/ageFile.ts';
import { type KeychainPorts, readKeychain } from '../harness/secrets/keychain.ts';
import { printedSecret } from '../harness/secrets/printedSecret.ts';
import { failure } from '../model/codes.ts';
import { type SecretRow, type SecretSource, type SecretState, secretValueBytesMax } from '../model/secretState.ts';
import type { StoredValues } from '../model/storedValues.ts';
import { userConfigPath } from '../vault/discovery.ts';
import { loadSecretSources } from '../vault/secretSources.ts';

export interface StoredSecretPorts extends KeychainPorts {
  readonly disk: Disk;
}

/** The values of secrets that the person's editor keeps, by name. */
type GivenSecrets = ReadonlyMap<string, string>;

/** How each secret of the person's configuration is, in its order; no value is in it. Throws `secrets/badSettings`. */
export async function inspectSecrets(
  ports: StoredSecretPorts,
  fromEditor?: GivenSecrets,
): Promise<readonly SecretRow[]> {
  const read = await readSecrets(ports, fromEditor);
  const byValue = new Map<string, string[]>();
  return read.map(({ source, found }): SecretRow => {
    if (source.place.kind === 'editor' && fromEditor === undefined) return { ...source, state: 'unseen' };
    const row: SecretRow = { ...source, ...stateOf(found) };
    if (found === undefined || 'problem' in found) return row;
    const same = byValue.get(found.value) ?? [];
    byValue.set(found.value, [...same, source.name]);
    return {
      ...row,
      ...(found.note !== undefined && { note: found.note }),
      ...(same.length > 0 && { sameAs: same }),
    };
  });
}

/** The values of all secrets, for the gates and for what leaves Ravel in other ways. */
export interface SecretKeeper {
  /**
   * They are read when they are needed, and kept for ten minutes, or until the configuration is written. A value that
   * cannot be read throws `secrets/unreadable`: what is not known cannot be looked for, so nothing may pass meanwhile.
   */
  load(): Promise<StoredValues>;
  /** As `inspectSecrets`, with what the editor gave. */
  inspect(): Promise<readonly SecretRow[]>;
  /** What was read last, for code that cannot wait; nothing before the first `load`. */
  known(): StoredValues;
  /** The values that the person's editor keeps, in the place of those that it gave before. They are kept in memory alone. */
  takeFromEditor(secrets: GivenSecrets): void;
}

/** How long values are kept: a person who replaces one need not restart anything. */
const keptMs = 10 * 60_000;

export function createSecretKeeper(ports: StoredSecretPorts): SecretKeeper {
  const kept = new CachedPromise<StoredValues>();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let stamp = '';
  let known = createStoredValues([]);
  let reads = 0;
  let fromEditor: GivenSecrets | undefined;
  return {
    async load() {
      const nowMs = ports.clock.monotonicMs();
      const now = await stampOf(ports);
      if (nowMs - readAtMs >= keptMs || now !== stamp) {
        kept.forget();
        readAtMs = nowMs;
        stamp = now;
      }
      return kept.get(async () => {
        reads += 1;
        const read = reads;
        const values = createStoredValues(await loadValues(ports, fromEditor));
        // One that began later may know better.
        if (read === reads) known = values;
        return values;
      });
    },
    inspect: () => inspectSecrets(ports, fromEditor),
    known: () => known,
    takeFromEditor(secrets) {
      fromEditor = secrets;
      kept.forget();
    },
  };
}

/** Changes whenever the configuration is written; `ravel secrets set` writes it also if only a value changed. */
async function stampOf({ disk, environment }: StoredSecretPorts): Promise<string> {
  const file = userConfigPath(environment);
  return file === undefined ? '' : Array.from(await disk.stampEach([file])).join(' ');
}

async function loadValues(
  ports: StoredSecretPorts,
  fromEditor: GivenSecrets | undefined,
): Promise<readonly StoredSecret[]> {
  const read = await readSecrets(ports, fromEditor);
  const problems = read.flatMap(({ source: { name }, found }) =>
    found !== undefined && 'problem' in found ? [{ name, problem: found.problem }] : [],
  );
  const [first, ...others] = problems;
  if (first !== undefined) {
    const also = others.length === 0 ? '' : ` ${plural(others.length, 'other secret')} cannot be read either.`;
    throw failure('secrets/unreadable', first.name, `The secret ${first.name}: ${first.problem}.${also}`);
  }
  return read.flatMap(({ source: { name }, found }) =>
    found === undefined || 'problem' in found ? [] : [{ name, value: found.value }],
  );
}

type Found = { readonly value: string; readonly note?: string } | { readonly problem: string } | undefined;

/** All at once, so that the time is that of the slowest store. */
async function readSecrets(
  ports: StoredSecretPorts,
  fromEditor: GivenSecrets | undefined,
): Promise<readonly { readonly source: SecretSource; readonly found: Found }[]> {
  const sources = await loadSecretSources(ports.disk, ports.environment);
  return Promise.all(
    sources.map(async (source) => ({ source, found: await readOne(source, { ...ports, fromEditor }) })),
  );
}

async function readOne(
  { name, place }: SecretSource,
  ports: StoredSecretPorts & { readonly fromEditor: GivenSecrets | undefined },
): Promise<Found> {
  switch (place.kind) {
    case 'command': {
      const printed = await printedSecret(place, ports);
      return 'problem' in printed ? { problem: `its program ${place.program} ${printed.problem}` } : printed;
    }
    case 'age':
      return readAgeFile(place, ports);
    case 'keychain':
      return readKeychain(name, ports);
    case 'editor':
      return readFromEditor(name, ports.fromEditor);
    case 'environment': {
      const value = ports.environment[place.variable];
      if (value === undefined || value === '') return undefined;
      if (Buffer.byteLength(value) <= secretValueBytesMax) return { value };
      return { problem: `its variable ${place.variable} holds more than ${secretValueBytesMax / 1024} KiB` };
    }
  }
}

function readFromEditor(name: string, fromEditor: GivenSecrets | undefined): Found {
  if (fromEditor === undefined) return { problem: 'only a window of the editor that shows the vault can read it' };
  const value = fromEditor.get(name);
  return value === undefined ? { problem: 'the editor has no value for it' } : { value };
}

function stateOf(found: Found): SecretState {
  if (found === undefined) return { state: 'absent' };
  if ('problem' in found) return { state: 'failed', problem: found.problem };
  return { state: isSearchable(found.value) ? 'guarded' : 'short' };
}
