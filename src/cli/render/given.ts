import { formatBytes, harmless, oneLine, plural } from '../../base/text.ts';
import { explainEntry, explainMemory } from '../../model/givenMemory.ts';
import type { ContextPreview, GivenPage, GivenPart } from '../../model/requests/inspect.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

/** Of the entries that are left out, as many are listed unless all are wanted. */
const leftShown = 20;

/** How it is shown; `all` shows each stretch of the instructions, and each entry that is left out. */
interface GivenForm {
  readonly style: Style;
  readonly columns: number;
  readonly all: boolean;
}

/** What a session was given, part by part, then its memory, entry by entry, and what came later. */
export function formatGiven(page: GivenPage, form: GivenForm): string[] {
  const { given, memory, later = [] } = page;
  const { style, columns } = form;
  return [
    `Session ${page.session}${page.phase === undefined ? '' : `, ${page.phase}`}`,
    '',
    ...formatParts(given, form),
    ...formatMemory(memory, form),
    ...(later.length === 0 ? [] : ['', style.strong('Came later')]),
    ...(later.length === 0 ? [] : formatLater(later, style, columns)),
  ];
}

export function formatPreview(preview: ContextPreview, form: GivenForm): string[] {
  const { plan, phase, task, given, memory } = preview;
  return [
    `What a session of ${plan} for ${phase}${task === undefined ? '' : `, task ${task},`} would be given`,
    '',
    ...formatParts(given, form),
    ...formatMemory(memory, form),
  ];
}

function formatParts(given: readonly GivenPart[], { style, columns, all }: GivenForm): string[] {
  const rows = given.filter((part) => all || !isInstruction(part)).map(rowOf);
  const instructions = all ? [] : given.filter(isInstruction);
  if (instructions.length > 0) {
    const count = `${plural(instructions.length, 'part')} of the instructions`;
    rows.unshift([count, formatBytes(bytesOf(instructions)), 'the texts around the parts below; --all lists each']);
  }
  return [...formatTable(['PART', 'SIZE', 'WHY'], rows, style, columns), `${formatBytes(bytesOf(given))} in all.`];
}

/** Whether it stands in a file of instructions, or between two of them. */
function isInstruction({ name }: GivenPart): boolean {
  return name.endsWith('/template') || name.endsWith('/separator');
}

function rowOf({ name, bytes, reason }: GivenPart): string[] {
  return [name, formatBytes(bytes), reason];
}

function bytesOf(parts: readonly GivenPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

function formatMemory(memory: GivenPage['memory'], { style, columns, all }: GivenForm): string[] {
  if (memory === undefined) return [];
  const left = memory.entries.filter(({ place }) => place === 'left');
  const leftListed = all ? left : left.slice(0, leftShown);
  const shown = [...memory.entries.filter(({ place }) => place !== 'left'), ...leftListed];
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
