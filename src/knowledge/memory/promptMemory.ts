import { defined } from '../../base/defined.ts';
import { visible } from '../../base/fence.ts';
import { formatBytes, oneLine, plural, withoutEnd } from '../../base/text.ts';
import { type DamagedEntry, formatDamaged } from '../../model/damagedEntry.ts';
import type { GivenEntry, GivenMemory, GivenPlace } from '../../model/givenMemory.ts';
import type { MemoryEntry } from '../../model/memory.ts';
import { planFiles } from '../../model/plan.ts';
import { foreign, ownWords, type PromptText } from '../../model/promptText.ts';
import type { Settings } from '../../model/settings.ts';
import { readMemoryFile } from '../../vault/memoryFile.ts';
import { formatYaml } from '../../yaml/yaml.ts';
import { type ChosenEntry, chooseMemory, type MemoryChoice } from './chooseMemory.ts';
import type { TaskTexts } from './rankMemory.ts';

export interface PromptMemory {
  readonly text: PromptText;
  readonly given: GivenMemory;
}

/** Of what is only counted, as many are recorded by name. */
const recordedMax = 300;
/** Of the entries that cannot be read, as many are told one by one. */
const damagedMax = 20;

const none = '(the memory is empty)';

/**
 * The part of a memory that a session is given: all of it if that fits the budget, the settings want it, or the
 * session has no task to choose by; else the entries that fit the task, the titles of others, and a count. Of a memory
 * that cannot be read, the beginning is given instead. The budget counts what a session sees of the memory.
 */
export function promptMemory(
  text: string | undefined,
  task: TaskTexts | undefined,
  settings: Settings['memory'],
  reader: MemoryReader = 'session',
): PromptMemory {
  const bytesMax = settings['budget-kb'] * 1000;
  const fits = text === undefined || (text.length <= bytesMax && shownBytes(text) <= bytesMax);
  const isEmpty = text === undefined || text.trim() === '';
  const { entries, damaged } = isEmpty ? noMemory : rememberedIn(text);
  const count = (entries?.length ?? 0) + damaged.length;
  const amiss = damaged.length === 0 ? {} : { damaged: { count: damaged.length, first: damaged.slice(0, damagedMax) } };
  if (task === undefined || fits || settings.given === 'all') {
    const given = !isEmpty && entries === undefined ? 'unread' : 'all';
    return {
      text: [...foreign('memory', text, none), ...tellDamaged(damaged)],
      given: { given, count, entries: [], ...amiss },
    };
  }
  if (entries === undefined) return beginningOf(text, bytesMax);
  const form = forms[reader];
  const whole = (entry: MemoryEntry) => shownBytes(form.whole(entry));
  const title = (entry: MemoryEntry) => shownBytes(form.title(entry));
  const { full, titles, left } = chooseMemory(task, entries, { bytesMax, whole, title });
  const rows = [
    ...full.map((chosen) => rowOf(chosen, 'full')),
    ...titles.map((chosen) => rowOf(chosen, 'title')),
    ...left.slice(0, recordedMax).map((chosen) => rowOf(chosen, 'left')),
  ];
  const later = {
    callBytesMax: settings['later-call-kb'] * 1000,
    sessionBytesMax: settings['later-session-kb'] * 1000,
  };
  const given: GivenMemory = { given: 'relevant', count, bytesMax, later, entries: rows, ...amiss };
  return { text: [...formatChoice({ full, titles, left }, form), ...tellDamaged(damaged)], given };
}

/** What cannot be seen is spelled out in a prompt, which takes more bytes. */
function shownBytes(text: string): number {
  return Buffer.byteLength(visible(text));
}

function beginningOf(text: string, bytesMax: number): PromptMemory {
  const shown = Buffer.from(visible(text.slice(0, bytesMax))).subarray(0, bytesMax);
  // Without half of a character.
  const start = withoutEnd(shown.toString('utf8'), '\ufffd');
  const sizes = `${formatBytes(bytesMax)} of its ${formatBytes(Buffer.byteLength(text))}`;
  return {
    text: [...ownWords(`The memory cannot be read. It begins so (up to ${sizes}):`), ...foreign('memory', start, none)],
    given: { given: 'unread', count: 0, bytesMax, entries: [] },
  };
}

/** Undefined if they cannot be read. */
export function rememberedIn(text: string): RememberedEntries {
  const { value, damaged } = readMemoryFile(text, { file: planFiles.memory, subject: '' });
  return value === undefined ? noMemory : { entries: value.entries ?? [], damaged };
}

/** The entries of a memory; undefined if it cannot be read. */
interface RememberedEntries {
  readonly entries: readonly MemoryEntry[] | undefined;
  readonly damaged: readonly DamagedEntry[];
}

const noMemory: RememberedEntries = { entries: undefined, damaged: [] };

/** What the file says of them is data: an id can hold anything. */
function tellDamaged(damaged: readonly DamagedEntry[]): PromptText {
  if (damaged.length === 0) return [];
  const lines = damaged.slice(0, damagedMax).map((one) => `- ${oneLine(formatDamaged(one))}\n`);
  const count = plural(damaged.length, 'entry', 'entries');
  const them = damaged.length === 1 ? 'it' : 'them';
  const some = damaged.length > damagedMax ? `; the first ${damagedMax}` : '';
  return [
    ...ownWords(`${count} cannot be read, so the memory tools leave ${them} out${some}:`),
    ...foreign('damaged', lines.join('')),
  ];
}

export function formatWhole({ title, body }: Pick<MemoryEntry, 'title' | 'body'>): string {
  return `## ${oneLine(title)}\n${body.trimEnd()}\n`;
}

export function formatTitleLine({ title }: Pick<MemoryEntry, 'title'>): string {
  return `- ${oneLine(title)}\n`;
}

function formatChoice({ full, titles, left }: MemoryChoice<MemoryEntry>, form: ReaderForm): PromptText {
  const count = plural(full.length + titles.length + left.length, 'entry', 'entries');
  const inFull = full.length === 0 ? 'None of them is here in full.' : `Those that fit the ${form.subject} best:`;
  const more = plural(left.length, 'more entry', 'more entries');
  return [
    ...ownWords(`The memory has ${count}. ${inFull}`),
    ...(full.length === 0 ? [] : foreign('memory', full.map(({ entry }) => form.whole(entry)).join(''))),
    ...(titles.length === 0
      ? []
      : [
          ...ownWords(`The titles of ${titles.length} more${form.aboutTitles}:`),
          ...foreign('titles', titles.map(({ entry }) => form.title(entry)).join('')),
        ]),
    ...(left.length === 0 ? [] : ownWords(`${more}${form.aboutRest}.`)),
  ];
}

/** Who reads a part of a memory, and by what they come to the rest. */
export type MemoryReader = 'session' | 'person' | 'consultation';

interface ReaderForm {
  readonly subject: string;
  readonly whole: (entry: MemoryEntry) => string;
  readonly title: (entry: MemoryEntry) => string;
  readonly aboutTitles: string;
  readonly aboutRest: string;
}

/** Behind each entry stands an empty line. */
const prose = { whole: (entry: MemoryEntry) => `${formatWhole(entry)}\n`, title: formatTitleLine };

const forms: Readonly<Record<MemoryReader, ReaderForm>> = {
  session: {
    ...{ ...prose, subject: 'task' },
    aboutTitles: '; `memory_show` gives entries whole, by their titles',
    aboutRest: ': `memory_search` finds entries by their words',
  },
  person: {
    ...{ ...prose, subject: 'task' },
    aboutTitles: '; `memory.yaml` in this folder has them whole',
    aboutRest: ': `memory.yaml` in this folder has all of them',
  },
  // It has no tool to look, and cites entries by their ids.
  consultation: {
    subject: 'question',
    whole: ({ id, title, body }) => `${formatYaml([{ id, title, body }])}\n`,
    title: ({ id, title }) => `- ${id}: ${oneLine(title)}\n`,
    aboutTitles: ', by their ids',
    aboutRest: ' fit the question less and are left out',
  },
};

function rowOf({ entry, rank, words, isTwin }: ChosenEntry<MemoryEntry>, place: GivenPlace): GivenEntry {
  return {
    ...{ id: entry.id, title: entry.title, place },
    ...defined({ rank }),
    words,
    ...defined({ isTwin }),
  };
}
