import type { MemoryEntry } from '../../model/memory.ts';
import { foreign, formatPromptText, ownWords } from '../../model/promptText.ts';
import type { NamedEntry } from './namedEntries.ts';
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

/** Entries as they are shown: whole, and by their titles. */
interface Shown {
  readonly whole: readonly string[];
  readonly titles: readonly string[];
}

/** Of all entries that name what was touched, this many are tried with one call: each try formats all that was chosen before. */
const triedMax = 200;

/** Those that fit, whole; one that does not fit by its title. Undefined if nothing is left to tell. */
export function chooseForCall(named: readonly NamedEntry<MemoryEntry>[], bytesMax: number): CallMemory | undefined {
  const entries: CallMemoryEntry[] = [];
  let shown: Shown = { whole: [], titles: [] };
  let text = '';
  for (const { entry, name } of named.slice(0, triedMax)) {
    for (const whole of [true, false]) {
      const more = whole
        ? { ...shown, whole: [...shown.whole, formatWhole(entry)] }
        : { ...shown, titles: [...shown.titles, formatTitleLine(entry)] };
      const longer = formatForCall(more);
      if (Buffer.byteLength(longer) > bytesMax) continue;
      entries.push({ id: entry.id, title: entry.title, name, whole });
      [shown, text] = [more, longer];
      break;
    }
  }
  return entries.length === 0 ? undefined : { entries, text };
}

function formatForCall({ whole, titles }: Shown): string {
  return formatPromptText([
    ...ownWords("From the plan's memory, on what you just touched; it can be out of date:"),
    ...(whole.length === 0 ? [] : foreign('memory', whole.join('\n'))),
    ...(titles.length === 0
      ? []
      : [...ownWords('By title alone; `memory_show` gives them whole:'), ...foreign('titles', titles.join(''))]),
  ]);
}
