import { defined } from '../../base/defined.ts';
import { visible } from '../../base/fence.ts';
import { formatBytes, oneLine, plural, withoutEnd } from '../../base/text.ts';
import { type ChosenEntry, chooseMemory } from '../../knowledge/memory/chooseMemory.ts';
import type { TaskTexts } from '../../knowledge/memory/rankMemory.ts';
import type { GivenEntry, GivenMemory, GivenPlace } from '../../model/givenMemory.ts';
import { type MemoryEntry, memorySchema } from '../../model/memory.ts';
import { planFiles } from '../../model/plan.ts';
import { foreign, ownWords, type PromptText } from '../../model/promptText.ts';
import type { Settings } from '../../model/settings.ts';
import { readYaml } from '../../yaml/yaml.ts';

export interface PromptMemory {
  readonly text: PromptText;
  readonly given: GivenMemory;
}

/** Of what is only counted, as many are recorded by name. */
const recordedMax = 300;

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
): PromptMemory {
  const bytesMax = settings['budget-kb'] * 1000;
  const fits = text === undefined || (text.length <= bytesMax && shownBytes(text) <= bytesMax);
  const entries = text === undefined ? undefined : rememberedIn(text);
  if (task === undefined || fits || settings.given === 'all') {
    const given = text !== undefined && entries === undefined ? 'unread' : 'all';
    return { text: foreign('memory', text, none), given: { given, count: entries?.length ?? 0, entries: [] } };
  }
  if (entries === undefined) return beginningOf(text, bytesMax);
  // Behind each entry but the last stands an empty line.
  const whole = (entry: MemoryEntry) => shownBytes(`${formatWhole(entry)}\n`);
  const title = (entry: MemoryEntry) => shownBytes(formatTitleLine(entry));
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
  const given: GivenMemory = { given: 'relevant', count: entries.length, bytesMax, later, entries: rows };
  return { text: formatChoice(full, titles, left.length), given };
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
export function rememberedIn(text: string): readonly MemoryEntry[] | undefined {
  const { value } = readYaml(memorySchema, text, { file: planFiles.memory, subject: '' });
  return value === undefined ? undefined : (value.entries ?? []);
}

export function formatWhole({ title, body }: Pick<MemoryEntry, 'title' | 'body'>): string {
  return `## ${oneLine(title)}\n${body.trimEnd()}\n`;
}

export function formatTitleLine({ title }: Pick<MemoryEntry, 'title'>): string {
  return `- ${oneLine(title)}\n`;
}

function formatChoice(
  full: readonly ChosenEntry<MemoryEntry>[],
  titles: readonly ChosenEntry<MemoryEntry>[],
  left: number,
): PromptText {
  const count = plural(full.length + titles.length + left, 'entry', 'entries');
  const inFull = full.length === 0 ? 'None of them is here in full.' : 'Those that fit the task best:';
  return [
    ...ownWords(`The memory has ${count}. ${inFull}`),
    ...(full.length === 0 ? [] : foreign('memory', full.map(({ entry }) => formatWhole(entry)).join('\n'))),
    ...(titles.length === 0
      ? []
      : [
          ...ownWords(`The titles of ${titles.length} more; \`memory_show\` gives entries whole, by their titles:`),
          ...foreign('titles', titles.map(({ entry }) => formatTitleLine(entry)).join('')),
        ]),
    ...(left === 0
      ? []
      : ownWords(`${plural(left, 'more entry', 'more entries')}: \`memory_search\` finds entries by their words.`)),
  ];
}

function rowOf({ entry, rank, words, isTwin }: ChosenEntry<MemoryEntry>, place: GivenPlace): GivenEntry {
  return {
    ...{ id: entry.id, title: entry.title, place },
    ...defined({ rank }),
    words,
    ...defined({ isTwin }),
  };
}
