import { dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { isRavelError } from '../base/errors.ts';
import { ensureDirectory, readTextIfExists, sha256, writeAtomic } from '../base/files.ts';
import { readJson } from '../base/jsonFile.ts';
import type { LastVisit } from '../model/lastVisit.ts';
import type { AccessPorts } from './ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const visitSchema = z.looseObject({ at: z.string() });

/**
 * Of one vault, by its path, in `$XDG_STATE_HOME/ravel/visits/`, else `~/.local/state/ravel/visits/`. Undefined if the
 * environment names no home.
 */
export function lastVisitAt(disk: AccessPorts['disk'], environment: Environment, vault: string): LastVisit | undefined {
  const state = stateFolder(environment);
  if (state === undefined) return undefined;
  const file = join(state, 'ravel', 'visits', `${sha256(vault).slice(0, 32)}.json`);
  return {
    async load() {
      // A file that is damaged says nothing, and is replaced by the next visit.
      const text = await readTextIfExists(disk, file, { bytesMax: 4096 }).catch((error: unknown) => {
        if (!isRavelError(error)) throw error;
        return undefined;
      });
      const found = text === undefined ? undefined : readJson(text, visitSchema);
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
