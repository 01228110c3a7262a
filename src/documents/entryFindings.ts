import type { Range } from '../base/errors.ts';
import { entrySchema } from '../model/entry.ts';
import { jsonSchemaOf } from '../model/jsonSchemas.ts';
import { nearestNames } from '../model/nearest.ts';
import { type EntryFault, entryFaults } from '../vault/entryFaults.ts';
import { type EntryHead, type EntryLink, parseEntry } from '../vault/entryFile.ts';
import { EntryIndex } from '../vault/entryIndex.ts';
import { keyRange } from '../vault/frontmatter.ts';
import { parseSource } from '../yaml/yamlDocument.ts';
import type { DocumentPlace } from './documentPlace.ts';
import { type Found, found, type QuickFix, replacements, replaceText } from './found.ts';
import { frontmatterPart } from './frontmatterFindings.ts';
import { issueFixes } from './yamlFindings.ts';

/** In a vault with more entries an editor would wait too long for what is wrong between them; `ravel verify` tells it. */
const entriesMax = 20_000;

/** Titles that a wrong one is compared with. */
const titlesMax = 2000;

export interface EntryFindings {
  readonly findings: readonly Found[];
  /** The entries, with this one as it is in the editor. */
  readonly index: EntryIndex;
  /** Absent for a plain note, and for what cannot be read. */
  readonly head?: EntryHead;
}

/** What is wrong with the text of an entry, by itself and beside the others. */
export function entryFindings(saved: EntryIndex, place: DocumentPlace, text: string): EntryFindings {
  const { entry } = place;
  if (entry === undefined) return { findings: [], index: saved };
  const parsed = parseEntry(text, entry);
  const own = parsed.diagnostics.map((one, at) =>
    found({ range: keyRange(text, undefined), ...one }, () => fixesOf(at)),
  );
  if (parsed.kind !== 'entry') return { findings: own, index: saved };
  const { text: _text, body: _body, sections: _sections, ...head } = parsed.entry;
  const isSaved = saved.heads.some(({ file }) => file === head.file);
  const heads = isSaved ? saved.heads.map((one) => (one.file === head.file ? head : one)) : [...saved.heads, head];
  const index = new EntryIndex(heads);
  const faults = heads.length > entriesMax ? [] : entryFaults(index).filter((fault) => fault.head === head);
  return { findings: [...own, ...faults.map((fault) => faultFound(fault, text, index))], index, head };

  /** The n-th problem of a schema is the n-th issue of its value; what is wrong before it has no fix. */
  function fixesOf(at: number): readonly QuickFix[] {
    const part = frontmatterPart(text);
    if (part === undefined) return [];
    const source = parseSource(part.text, place);
    const { error } = entrySchema.safeParse(source.value ?? {});
    const issue = error?.issues[at - (parsed.diagnostics.length - error.issues.length)];
    return issue === undefined ? [] : issueFixes(issue, source, jsonSchemaOf('entry'));
  }
}

function faultFound({ diagnostic, link, head }: EntryFault, text: string, index: EntryIndex): Found {
  const range = link === undefined ? keyRange(text, keyOf(diagnostic.code)) : rangeOfLink(text, link);
  return found({ ...diagnostic, range }, () => {
    if (diagnostic.code === 'entry/duplicateId') {
      const change: QuickFix['change'] = { yaml: [{ op: 'delete', path: ['id'] }] };
      return [{ title: 'Remove the id', isPreferred: true, change }];
    }
    if (diagnostic.code !== 'entry/brokenLink' || link === undefined || !isWritten(text, range, link)) return [];
    const titles = index.heads
      .slice(0, titlesMax)
      .filter((one) => one !== head)
      .map(({ fields }) => fields.title);
    const above = frontmatterLines(range);
    return replacements(nearestNames(link.target, titles), (title) => replaceText(above, title));
  });
}

/** Edits of frontmatter count its own lines, of which the first is the second of the file. */
function frontmatterLines({ start, end }: Range): Range {
  return { start: { ...start, line: start.line - 1 }, end: { ...end, line: end.line - 1 } };
}

function keyOf(code: string): string | undefined {
  if (code === 'entry/duplicateId') return 'id';
  if (code === 'entry/duplicateTitle') return 'title';
  return code === 'entry/supersessionCycle' ? 'supersedes' : undefined;
}

/** The target of a link where it is written, or else the line of its key. */
function rangeOfLink(text: string, { key, target }: EntryLink): Range {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith(`${key}:`));
  for (let line = Math.max(0, first); line < lines.length; line++) {
    const source = lines[line] ?? '';
    if (line > first && /^\S/.test(source) && !source.startsWith('-')) break;
    const at = source.indexOf(`[[${target}`);
    if (at < 0) continue;
    const start = at + 2;
    return { start: { line, character: start }, end: { line, character: start + target.length } };
  }
  return keyRange(text, key);
}

function isWritten(text: string, { start, end }: Range, { target }: EntryLink): boolean {
  return text.split('\n')[start.line]?.slice(start.character, end.character) === target;
}
