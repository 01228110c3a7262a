import { t } from '@vscode/l10n';
import { defined } from '../../src/base/defined.ts';
import type { GivenPage, GivenPart } from '../../src/model/requests/inspect.ts';

/** Where a part stands before the model, in the order in which it is read. */
const groupTitles = {
  system: t('System prompt'),
  prompt: t('Prompt of the phase'),
  tools: t('Session tools'),
  later: t('Came later, with answers'),
} as const;

export type GivenGroupName = keyof typeof groupTitles;

/** What is new or gone beside another session: `same` by its bytes, `changed` by its name alone. */
export type Difference = 'same' | 'changed' | 'new';

/** One line of the tab: stretches of one name, such as the instructions around what was filled in. */
export interface GivenLine {
  readonly name: string;
  readonly reason: string;
  /** A tool is known by its name; why it is there is the same for all. */
  readonly isTool: boolean;
  readonly path?: string;
  /** Places in the list of parts. */
  readonly parts: readonly number[];
  readonly bytes: number;
  readonly tokens: number;
  /** Of all that was given, from 0 to 1. */
  readonly share: number;
  readonly difference?: Difference;
}

export interface GivenGroup {
  readonly name: GivenGroupName;
  readonly title: string;
  readonly lines: readonly GivenLine[];
  readonly bytes: number;
  readonly tokens: number;
}

export interface GivenView {
  readonly groups: readonly GivenGroup[];
  readonly bytes: number;
  readonly tokens: number;
  /** What the other session had and this one has not. */
  readonly gone: readonly GivenLine[];
}

/** What a session was given, in lines; beside `other`, with what differs. */
export function viewGiven(page: Pick<GivenPage, 'given'>, other?: Pick<GivenPage, 'given'>): GivenView {
  const bytes = sum(page.given, 'bytes');
  const groups = Object.entries(groupTitles).flatMap(([name, title]): GivenGroup[] => {
    const lines = linesOf(page.given, bytes).filter((line) => line.name.startsWith(`${name}/`));
    if (lines.length === 0) return [];
    const compared = lines.map((line) => compareLine(line, page.given, other?.given));
    return [
      {
        name: name as GivenGroupName,
        title,
        lines: compared,
        bytes: sum(lines, 'bytes'),
        tokens: sum(lines, 'tokens'),
      },
    ];
  });
  const names = new Set(page.given.map(({ name }) => name));
  const gone = other === undefined ? [] : linesOf(other.given, bytes).filter(({ name }) => !names.has(name));
  return { groups, bytes, tokens: sum(page.given, 'tokens'), gone };
}

/** One line a name, where its first stretch stands. */
function linesOf(given: readonly GivenPart[], allBytes: number): GivenLine[] {
  const byName = new Map<string, { readonly part: GivenPart; readonly index: number }[]>();
  for (const [index, part] of given.entries()) {
    byName.set(part.name, [...(byName.get(part.name) ?? []), { part, index }]);
  }
  return [...byName].flatMap(([name, stretches]) => {
    const [first] = stretches;
    if (first === undefined) return [];
    const parts = stretches.map(({ part }) => part);
    const bytes = sum(parts, 'bytes');
    const { reason, path } = first.part;
    return [
      {
        ...{ name, reason, bytes, tokens: sum(parts, 'tokens') },
        isTool: name.startsWith('tools/'),
        parts: stretches.map(({ index }) => index),
        share: allBytes === 0 ? 0 : bytes / allBytes,
        ...defined({ path }),
      },
    ];
  });
}

function compareLine(line: GivenLine, given: readonly GivenPart[], other: readonly GivenPart[] | undefined): GivenLine {
  if (other === undefined) return line;
  const before = hashesOf(other, line.name);
  if (before === '') return { ...line, difference: 'new' };
  return { ...line, difference: before === hashesOf(given, line.name) ? 'same' : 'changed' };
}

function hashesOf(given: readonly GivenPart[], name: string): string {
  return given
    .filter((part) => part.name === name)
    .map(({ sha256 }) => sha256)
    .join(' ');
}

function sum<Key extends string>(values: readonly { readonly [K in Key]: number }[], key: Key): number {
  return values.reduce((total, value) => total + value[key], 0);
}
