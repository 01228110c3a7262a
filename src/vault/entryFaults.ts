import { dirname } from 'node:path';
import type { Diagnostic } from '../base/errors.ts';
import { type Code, diagnostic } from '../model/codes.ts';
import { type EntryHead, type EntryLink, entrySubject } from './entryFile.ts';
import { type EntryIndex, foldName } from './entryIndex.ts';

/** Something that is wrong between entries, each of which alone is fine. */
export interface EntryFault {
  readonly head: EntryHead;
  /** The link that it is about; absent if it is about none. */
  readonly link?: EntryLink;
  readonly diagnostic: Diagnostic;
}

/** A name that many entries have can make a circle of each two of them, and the first ones show what to correct. */
const cyclesMax = 100;
/** Entries that one message names. */
const namedMax = 20;

export function entryFaults(index: EntryIndex): readonly EntryFault[] {
  return [
    ...duplicateIds(index),
    ...duplicateTitles(index),
    ...caseTwins(index),
    ...linkFaults(index),
    ...cycles(index),
  ];
}

/** The first circle of entries, each of which supersedes the next one, that is reached from one; undefined if none is. */
export function supersessionCycle(index: EntryIndex, start: EntryHead): readonly EntryHead[] | undefined {
  return [...cyclesFrom(index, [start])][0];
}

/** Circles that are reached from these entries, each once. It looks at each entry once, and needs no deep stack. */
function* cyclesFrom(index: EntryIndex, starts: readonly EntryHead[]): Generator<readonly EntryHead[]> {
  const left = new Set<EntryHead>();
  for (const start of starts) {
    const path: { readonly head: EntryHead; readonly older: Iterator<EntryHead> }[] = [];
    const onPath = new Set<EntryHead>();
    const enter = (head: EntryHead): void => {
      path.push({ head, older: superseded(index, head)[Symbol.iterator]() });
      onPath.add(head);
    };
    if (!left.has(start)) enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const step = last.older.next();
      if (step.done === true) {
        path.pop();
        onPath.delete(last.head);
        left.add(last.head);
      } else if (onPath.has(step.value)) {
        const heads = path.map(({ head }) => head);
        yield heads.slice(heads.indexOf(step.value));
      } else if (!left.has(step.value)) enter(step.value);
    }
  }
}

/** The entries that one says it supersedes. */
function superseded(index: EntryIndex, head: EntryHead): readonly EntryHead[] {
  return head.links.filter(({ key }) => key === 'supersedes').flatMap(({ target }) => index.find(target, head));
}

function duplicateIds({ heads }: EntryIndex): EntryFault[] {
  return repeated(heads, ({ fields }) => fields.id ?? '').map(([head, first]) =>
    fault('entry/duplicateId', head, `The id ${head.fields.id} is also that of ${entrySubject(first)}.`),
  );
}

/** A project can have an entry of the same title as the vault: one that graduated stays where it was. */
function duplicateTitles({ heads }: EntryIndex): EntryFault[] {
  const live = heads.filter(({ isArchived }) => !isArchived);
  return repeated(live, ({ fields, project }) => `${project}\n${foldName(fields.title)}`).map(([head, first]) =>
    warning('entry/duplicateTitle', head, `The title "${head.fields.title}" is also that of ${entrySubject(first)}.`),
  );
}

function caseTwins({ heads }: EntryIndex): EntryFault[] {
  return repeated(heads, (head) => `${head.isArchived}\n${head.project}\n${foldName(head.path)}`)
    .filter(([head, first]) => foldName(dirname(head.path)) === foldName(dirname(first.path)))
    .map(([head, first]) =>
      warning('entry/caseTwins', head, `The file differs from ${entrySubject(first)} only in case or Unicode form.`),
    );
}

function linkFaults(index: EntryIndex): EntryFault[] {
  return index.heads.flatMap((head) =>
    head.isArchived ? [] : head.links.flatMap((link) => linkFault(index, head, link)),
  );
}

/** A link in a text can lead to any note of the vault, so only links of the frontmatter are checked. */
function linkFault(index: EntryIndex, head: EntryHead, link: EntryLink): EntryFault[] {
  const { key, target } = link;
  if (key === 'body') return [];
  const found = index.find(target, head);
  if (found.length === 0) {
    return [{ ...warning('entry/brokenLink', head, `${key}: "${target}" names no entry.`), link }];
  }
  const back = key === 'supersedes' ? 'superseded-by' : key === 'superseded-by' ? 'supersedes' : key;
  if (key === 'related' || found.some((to) => hasLink(index, to, back, head))) return [];
  const names = namesOf(found, ', ');
  return [
    { ...warning('entry/oneSidedLink', head, `${key}: ${names} has no link "${back}" back to this entry.`), link },
  ];
}

function hasLink(index: EntryIndex, from: EntryHead, key: string, to: EntryHead): boolean {
  return from.links.some((link) => link.key === key && index.find(link.target, from).includes(to));
}

function cycles(index: EntryIndex): EntryFault[] {
  const found: EntryFault[] = [];
  for (const cycle of cyclesFrom(index, index.heads)) {
    const [first] = cycle;
    if (first === undefined) continue;
    const names = namesOf([...cycle, first], ' → ');
    found.push(fault('entry/supersessionCycle', first, `Entries supersede each other in a circle: ${names}.`));
    if (found.length >= cyclesMax) break;
  }
  return found;
}

/** A message stays one line that can be read. */
function namesOf(heads: readonly EntryHead[], between: string): string {
  const more = heads.length - namedMax;
  const named = heads.slice(0, namedMax).map(entrySubject).join(between);
  return more > 0 ? `${named}, and ${more} more` : named;
}

/** Each that has the name of an earlier one, with that one. An empty name is not compared. */
function repeated(
  heads: readonly EntryHead[],
  nameOf: (head: EntryHead) => string,
): (readonly [head: EntryHead, first: EntryHead])[] {
  const firsts = new Map<string, EntryHead>();
  const found: (readonly [EntryHead, EntryHead])[] = [];
  for (const head of heads) {
    const name = nameOf(head);
    const first = name === '' ? undefined : firsts.get(name);
    if (first === undefined) firsts.set(name, head);
    else found.push([head, first]);
  }
  return found;
}

function fault(code: Code, head: EntryHead, message: string): EntryFault {
  return { head, diagnostic: diagnostic(code, entrySubject(head), message, { file: head.file }) };
}

function warning(code: Code, head: EntryHead, message: string): EntryFault {
  return { head, diagnostic: { ...fault(code, head, message).diagnostic, severity: 'warning' } };
}
