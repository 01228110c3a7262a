import { failure } from '../../model/codes.ts';
import type { Edit } from '../../model/edit.ts';
import { type Confidence, supersededHeading } from '../../model/entry.ts';
import { targetOfLink } from '../../model/entryLink.ts';
import { type EntryEvidence, evidenceProblem } from '../../model/evidence.ts';
import { supersessionCycle } from '../../vault/entryFaults.ts';
import { type EntryHead, entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import { EntryIndex } from '../../vault/entryIndex.ts';
import { type EntrySection, sectionsOf, withClosedFence } from '../../vault/entryText.ts';
import {
  type ChangeContext,
  type EntryChange,
  identified,
  linkTo,
  revised,
  set,
  withLink,
  withoutLinksTo,
} from './entryChange.ts';

export interface NewStatement {
  /** Heading of the section that it replaces; can be left out where an entry has one section. */
  readonly section?: string | undefined;
  readonly text: string;
  readonly reason: string;
  /** Of the new statement; that of the entry unless told. */
  readonly confidence?: Confidence | undefined;
}

/**
 * The entry with a new statement in place of an old one, which moves under `## Superseded` with its time and the reason.
 * Throws `entry/weakerEvidence` where the new one is less certain, and `entry/unknownSection`.
 */
export function supersedeStatement(
  entry: KnowledgeEntry,
  { section: heading, text, reason, confidence = entry.fields.confidence }: NewStatement,
  context: ChangeContext,
): EntryChange {
  refuseWeaker({ ...entry.fields, confidence }, entry.fields, entry);
  const section = findSection(entry, heading);
  const { fields } = entry;
  const since = (fields.last_validated ?? fields.created)?.slice(0, 10) ?? 'unknown';
  const name = section.heading === '' ? fields.title : section.heading;
  const { lead, statement } = statementOf(section);
  const old = quoted(statement.trim());
  const record = `### ${name} (${since} → ${context.today})\n\n${old}\n\nReason: ${reason.trim()}`;
  const edit = {
    fields: [
      set('last_validated', context.today),
      ...(confidence === fields.confidence ? [] : [set('confidence', confidence)]),
    ],
    body: (body: string, lineEnd: string) => {
      const said = lead + withClosedFence(text.trim().replace(/\r?\n/g, lineEnd), lineEnd) + lineEnd;
      const rest = body.slice(section.end);
      const replaced = body.slice(0, section.end - section.text.length) + said + (rest === '' ? '' : lineEnd) + rest;
      return withSuperseded(replaced, record.replace(/\r?\n/g, lineEnd), lineEnd);
    },
  };
  return { title: `Supersede a statement of ${fields.title}`, reason, files: [revised(entry, edit, context)] };
}

/**
 * Links both ends: the newer entry says what it supersedes, the older one by what it is. Throws `entry/weakerEvidence`,
 * `entry/alreadyLinked`, or `entry/supersessionCycle`.
 */
export function supersedeEntry(
  index: EntryIndex,
  entries: { readonly older: KnowledgeEntry; readonly newer: KnowledgeEntry },
  reason: string,
  context: ChangeContext,
): EntryChange {
  const [older, newer] = [identified(entries.older, context), identified(entries.newer, context)];
  if (older.file === newer.file) {
    throw failure('entry/supersessionCycle', entrySubject(older), 'An entry cannot supersede itself.');
  }
  const hasOlder = hasLinkTo(index, newer, 'supersedes', older);
  const hasNewer = hasLinkTo(index, older, 'superseded-by', newer);
  if (hasOlder && hasNewer) {
    throw failure(
      'entry/alreadyLinked',
      entrySubject(newer),
      `${entrySubject(newer)} supersedes ${entrySubject(older)} already.`,
    );
  }
  refuseCycle(index, { older, newer });
  refuseWeaker(newer.fields, older.fields, newer);
  return {
    title: `Supersede ${older.fields.title} by ${newer.fields.title}`,
    reason,
    files: [
      ...(hasOlder ? [] : [revised(newer, { fields: settled('supersedes', newer, older) }, context)]),
      ...(hasNewer ? [] : [revised(older, { fields: settled('superseded-by', older, newer) }, context)]),
    ],
  };

  /** Which of the two holds is decided, so that neither contradicts the other any more. */
  function settled(key: 'supersedes' | 'superseded-by', from: KnowledgeEntry, to: KnowledgeEntry): Edit[] {
    return [withLink(index, key, from, to), ...withoutLinksTo(index, 'contradicts', from, [to])];
  }
}

/** Whether an entry has such a link to another one. */
export function hasLinkTo(index: EntryIndex, from: EntryHead, key: string, to: EntryHead): boolean {
  return from.links.some(
    (link) => link.key === key && index.find(link.target, from).some(({ file }) => file === to.file),
  );
}

function refuseWeaker(newer: EntryEvidence, older: EntryEvidence, entry: EntryHead): void {
  const problem = evidenceProblem(newer, older);
  if (problem === undefined) return;
  throw failure('entry/weakerEvidence', entrySubject(entry), `The newer statement is less certain. ${problem}`);
}

/** With the new link, no way of superseding may lead from the older entry back to the newer one. */
function refuseCycle(index: EntryIndex, { older, newer }: { older: EntryHead; newer: EntryHead }): void {
  // As the link will be written: a path alone can be that of an entry of the other's project.
  const link = { key: 'supersedes', target: targetOfLink(linkTo(index, newer, older)) } as const;
  const heads = index.heads.map((head) =>
    head.file === newer.file ? { ...head, links: [...head.links, link] } : head,
  );
  const start = heads.find(({ file }) => file === newer.file);
  const cycle = start === undefined ? undefined : supersessionCycle(new EntryIndex(heads), start);
  if (cycle === undefined) return;
  const names = [...cycle, ...cycle.slice(0, 1)].map(entrySubject).join(' → ');
  throw failure(
    'entry/supersessionCycle',
    entrySubject(newer),
    `The entries would supersede each other in a circle: ${names}.`,
  );
}

/** The sections whose statement can be replaced. */
export function statementSections(entry: KnowledgeEntry): readonly EntrySection[] {
  return entry.sections.filter((one) => one.heading !== supersededHeading && statementOf(one).statement.trim() !== '');
}

function findSection(entry: KnowledgeEntry, heading: string | undefined): EntrySection {
  const sections = statementSections(entry);
  const found = sections.filter(
    (one) => heading === undefined || one.heading.toLowerCase() === heading.trim().toLowerCase(),
  );
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const names = sections.map((one) => (one.heading === '' ? 'the text before the first heading' : `"${one.heading}"`));
  const has = names.length === 0 ? 'It has no statement.' : `Its sections are ${names.join(', ')}.`;
  const message =
    heading === undefined
      ? `${entrySubject(entry)} has several sections.`
      : `${entrySubject(entry)} has no section "${heading}", or several.`;
  throw failure('entry/unknownSection', entrySubject(entry), `${message} ${has}`);
}

/** What a section says, without the empty lines and the title of the entry that come before it. */
function statementOf({ text }: EntrySection): { readonly lead: string; readonly statement: string } {
  const [lead = ''] = /^(?:[ \t]*(?:#[ \t][^\r\n]*)?\r?\n)*/.exec(text) ?? [];
  return { lead, statement: text.slice(lead.length) };
}

function withSuperseded(body: string, record: string, lineEnd: string): string {
  const section = sectionsOf(body).find(({ heading }) => heading === supersededHeading);
  if (section === undefined) {
    return `${withClosedFence(body.trimEnd(), lineEnd)}${lineEnd}${lineEnd}## ${supersededHeading}${lineEnd}${lineEnd}${record}${lineEnd}`;
  }
  const before = withClosedFence(body.slice(0, section.end).trimEnd(), lineEnd);
  const after = body.slice(section.end);
  return `${before}${lineEnd}${lineEnd}${record}${lineEnd}${after === '' ? '' : lineEnd}${after}`;
}

function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
