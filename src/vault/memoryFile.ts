import type { Diagnostic } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { checkRecord } from '../base/jsonFile.ts';
import type { DamagedEntry } from '../model/damagedEntry.ts';
import { type Memory, type MemoryEntry, memoryEntrySchema, memorySchema } from '../model/memory.ts';
import { parseYaml, readYaml } from '../yaml/yaml.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';

/** A memory as far as its file can be read. */
export interface ReadMemory {
  /** With the entries that can be read; undefined if the file as a whole cannot be. */
  readonly value?: Memory | undefined;
  /** Where each of these entries stands in the list of the file, from 0. */
  readonly places: readonly number[];
  /** How many entries the list of the file has. */
  readonly count: number;
  readonly damaged: readonly DamagedEntry[];
  /** Errors keep the file from being read; a damaged entry is a warning. */
  readonly diagnostics: readonly Diagnostic[];
}

/** With more bad entries than this, the file as a whole cannot be read. */
const damagedMax = 1000;

/**
 * Reads the text of `memory.yaml`. An entry that lacks a field, or has one of another type, is left out and told, and the
 * others stay. A text that is not YAML, has no list of entries, or has one id twice cannot be read at all.
 */
export function readMemoryFile(text: string, place: YamlPlace): ReadMemory {
  const { value, diagnostics } = readYaml(memorySchema, text, place);
  if (value !== undefined) {
    const count = value.entries?.length ?? 0;
    return { value, places: Array.from({ length: count }, (_, at) => at), count, damaged: [], diagnostics };
  }
  const unread = { places: [], count: 0, damaged: [], diagnostics };
  if (!diagnostics.every(isAboutEntry)) return unread;
  const whole = parseYaml(text, place).value;
  const list = isRecord(whole) ? whole['entries'] : undefined;
  if (!isRecord(whole) || !Array.isArray(list)) return unread;
  const entries: MemoryEntry[] = [];
  const places: number[] = [];
  const damaged: DamagedEntry[] = [];
  for (const [at, item] of list.entries()) {
    const read = checkRecord(item, memoryEntrySchema);
    if ('value' in read) {
      entries.push(read.value);
      places.push(at);
      continue;
    }
    const id = isRecord(item) ? item['id'] : undefined;
    damaged.push({ at: at + 1, ...(typeof id === 'string' && { id }), problem: read.problem });
    if (damaged.length > damagedMax) return unread;
  }
  const told = diagnostics.map((one) => toWarning(one, damaged));
  return { value: { ...whole, entries }, places, count: list.length, damaged, diagnostics: told };
}

/** A path in a message counts from 0. */
const entryPath = /^entries\[(\d+)\]/;

function isAboutEntry({ code, message }: Diagnostic): boolean {
  return code === 'yaml/schema' && entryPath.test(message);
}

function toWarning(problem: Diagnostic, damaged: readonly DamagedEntry[]): Diagnostic {
  const at = Number(entryPath.exec(problem.message)?.[1]) + 1;
  const id = damaged.find((one) => one.at === at)?.id;
  const which = id === undefined ? `Entry ${at}` : `Entry ${at} ("${id}")`;
  return {
    ...problem,
    severity: 'warning',
    message: `${problem.message} ${which} is left out until that is corrected.`,
  };
}
