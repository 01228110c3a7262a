import { dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { ensureDirectory, readTextIfExists, sha256, writeAtomic } from '../base/files.ts';
import { readJson } from '../base/jsonFile.ts';
import type { AccessPorts } from './ports.ts';

/**
 * When a person last looked at what happened in a vault. It is theirs alone, so it lies in their state folder and not in
 * the vault, which others share: `$XDG_STATE_HOME/ravel/looks/`, else `~/.local/state/ravel/looks/`.
 */
export interface LastLook {
  /** Undefined if this person never looked, or the file cannot be read as a time. */
  load(): Promise<number | undefined>;
  /** Rejects with `disk/denied` and its like; a file that cannot be written costs only the next look its beginning. */
  save(at: string): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const lookSchema = z.looseObject({ at: z.string() });

/** Of one vault, by its path. Undefined if the environment names no home. */
export function lastLookAt(disk: AccessPorts['disk'], environment: Environment, vault: string): LastLook | undefined {
  const state = stateFolder(environment);
  if (state === undefined) return undefined;
  const file = join(state, 'ravel', 'looks', `${sha256(vault).slice(0, 32)}.json`);
  return {
    async load() {
      const text = await readTextIfExists(disk, file, { bytesMax: 4096 });
      const found = text === undefined ? undefined : readJson(text, lookSchema);
      const ms = found !== undefined && 'value' in found ? Date.parse(found.value.at) : Number.NaN;
      return Number.isFinite(ms) ? ms : undefined;
    },
    async save(at) {
      await ensureDirectory(disk, dirname(file), 0o700);
      await writeAtomic(disk, file, `${JSON.stringify({ vault, at })}\n`, { permissions: 0o600 });
    },
  };
}

function stateFolder(environment: Environment): string | undefined {
  const named = environment['XDG_STATE_HOME'];
  if (named !== undefined && isAbsolute(named)) return named;
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  return home !== undefined && isAbsolute(home) ? join(home, '.local', 'state') : undefined;
}
