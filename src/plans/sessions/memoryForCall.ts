import type { NamedEntry } from '../../knowledge/memory/namedEntries.ts';
import type { MemoryEntry } from '../../model/memory.ts';
import { foreign, formatPromptText, ownWords } from '../../model/promptText.ts';
import { formatTitleLine, formatWhole } from './promptMemory.ts';

export interface CallMemoryEntry {
  readonly id: string;
  readonly title: string;
  /** What it names, as it was touched. */
  readonly name: string;
  /** Or by its title alone. */
  readonly whole: boolean;
}

export interface CallMemory {
  readonly entries: readonly CallMemoryEntry[];
  readonly text: string;
}

type Named = readonly NamedEntry<MemoryEntry>[];

/** Those that fit, whole; one that does not fit by its title. Undefined if nothing is left to tell. */
export function chooseForCall(named: Named, bytesMax: number): CallMemory | undefined {
  let entries: readonly CallMemoryEntry[] = [];
  let text = '';
  for (const { entry, name } of named) {
    for (const whole of [true, false]) {
      const more = [...entries, { id: entry.id, title: entry.title, name, whole }];
      const longer = formatForCall(named, more);
      if (Buffer.byteLength(longer) > bytesMax) continue;
      [entries, text] = [more, longer];
      break;
    }
  }
  return entries.length === 0 ? undefined : { entries, text };
}

function formatForCall(named: Named, chosen: readonly CallMemoryEntry[]): string {
  const isWhole = new Map(chosen.map(({ id, whole }) => [id, whole]));
  const whole = named.filter(({ entry }) => isWhole.get(entry.id) === true);
  const titles = named.filter(({ entry }) => isWhole.get(entry.id) === false);
  return formatPromptText([
    ...ownWords("From the plan's memory, on what you just touched; it can be out of date:"),
    ...(whole.length === 0 ? [] : foreign('memory', whole.map(({ entry }) => formatWhole(entry)).join('\n'))),
    ...(titles.length === 0
      ? []
      : [
          ...ownWords('By title alone; `memory_show` gives them whole:'),
          ...foreign('titles', titles.map(({ entry }) => formatTitleLine(entry)).join('')),
        ]),
  ]);
}
