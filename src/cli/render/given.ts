import { formatBytes, harmless, oneLine, plural } from '../../base/text.ts';
import { explainEntry, explainMemory } from '../../model/givenMemory.ts';
import type { ContextPreview, GivenPage, GivenPart } from '../../model/requests/inspect.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

/** Of the entries that are left out, as many are listed. */
const leftShown = 20;

/** What a session was given, part by part, then its memory, entry by entry, and what came later. */
export function formatGiven(page: GivenPage, style: Style, columns: number): string[] {
  const { given, memory, later = [] } = page;
  return [
    `Session ${page.session}${page.phase === undefined ? '' : `, ${page.phase}`}`,
    '',
    ...formatParts(given, style, columns),
    ...formatMemory(memory, style, columns),
    ...(later.length === 0 ? [] : ['', style.strong('Came later')]),
    ...(later.length === 0 ? [] : formatLater(later, style, columns)),
  ];
}

export function formatPreview(preview: ContextPreview, style: Style, columns: number): string[] {
  const { plan, phase, task, given, memory } = preview;
  return [
    `What a session of ${plan} for ${phase}${task === undefined ? '' : `, task ${task},`} would be given`,
    '',
    ...formatParts(given, style, columns),
    ...formatMemory(memory, style, columns),
  ];
}

function formatParts(given: readonly GivenPart[], style: Style, columns: number): string[] {
  const bytes = given.reduce((sum, part) => sum + part.bytes, 0);
  const rows = given
    .filter(({ name }) => !name.endsWith('/separator'))
    .map((part) => [part.name, formatBytes(part.bytes), part.reason]);
  return [...formatTable(['PART', 'SIZE', 'WHY'], rows, style, columns), `${formatBytes(bytes)} in all.`];
}

function formatMemory(memory: GivenPage['memory'], style: Style, columns: number): string[] {
  if (memory === undefined) return [];
  const left = memory.entries.filter(({ place }) => place === 'left');
  const shown = [...memory.entries.filter(({ place }) => place !== 'left'), ...left.slice(0, leftShown)];
  const rows = shown.map((entry) => [
    entry.rank === undefined ? '' : String(entry.rank),
    entry.place,
    harmless(oneLine(entry.title)),
    harmless(explainEntry(entry)),
  ]);
  return [
    '',
    style.strong('Memory'),
    `${explainMemory(memory)}`,
    ...(rows.length === 0 ? [] : formatTable(['RANK', 'GIVEN', 'ENTRY', 'WHY'], rows, style, columns)),
  ];
}

function formatLater(later: NonNullable<GivenPage['later']>, style: Style, columns: number): string[] {
  const rows = later.flatMap(({ at, tool, entries }) =>
    entries.map(({ title, name, whole }) => [
      at,
      tool,
      harmless(oneLine(title)),
      `names ${harmless(name)}${whole ? '' : ', by its title'}`,
    ]),
  );
  const bytes = later.reduce((sum, one) => sum + one.bytes, 0);
  return [
    ...formatTable(['WHEN', 'AFTER', 'ENTRY', 'WHY'], rows, style, columns),
    `${plural(later.length, 'answer')} with ${formatBytes(bytes)} of memory.`,
  ];
}
