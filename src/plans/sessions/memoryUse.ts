import type { Disk } from '../../base/disk.ts';
import { loadContext } from '../../harness/sessionContext.ts';
import type { MemoryEntry } from '../../model/memory.ts';
import type { PhaseRecord } from '../../model/phaseRecord.ts';
import { readCalls } from '../proposals/callJournal.ts';
import { loadIntactLater } from './laterMemory.ts';

export type MemoryUse = NonNullable<PhaseRecord['memory']>;

/** Ids and titles that are shorter stand in too many texts to say that an entry was meant. */
const nameLengthMin = 6;

/**
 * How many entries of the memory a session was given, and how many of them it then read by itself, changed, or named in
 * what it recorded. Undefined for a session that was given no memory, or of which that is no longer known.
 */
export async function measureMemoryUse(
  disk: Disk,
  sessionDirectory: string,
  memory: readonly Pick<MemoryEntry, 'id' | 'title'>[],
): Promise<MemoryUse | undefined> {
  const given = (await loadContext(disk, sessionDirectory))?.memory;
  if (given === undefined) return undefined;
  const lines = await loadIntactLater(disk, sessionDirectory);
  if (lines === undefined) return undefined;
  const { later, read } = lines;
  const inPrompt = given.given === 'all' ? memory : given.entries.filter(({ place }) => place === 'full');
  const titles = new Map([...memory, ...given.entries].map(({ id, title }) => [id, title]));
  const cameLater = later.flatMap(({ entries }) => entries.filter(({ whole }) => whole).map(({ id }) => id));
  const said = (await readCalls(disk, sessionDirectory)).map(({ args }) => JSON.stringify(args)).join('\n');
  const isNamed = (name: string) => name.length >= nameLengthMin && said.includes(JSON.stringify(name).slice(1, -1));
  const byItself = new Set(read);
  const had = new Set([...inPrompt.map(({ id }) => id), ...cameLater, ...read]);
  const used = [...had].filter((id) => byItself.has(id) || isNamed(id) || isNamed(titles.get(id) ?? ''));
  return { given: inPrompt.length, later: new Set(cameLater).size, read: byItself.size, used: used.length };
}
