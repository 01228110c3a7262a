import { join } from 'node:path';
import { emptyDocument, type IndexedDocument } from '../../knowledge/retrieval/document.ts';
import { entriesOf } from '../../knowledge/search/entries.ts';
import { documentOf } from '../../knowledge/search/entryDocument.ts';
import { partsOfProse } from '../../knowledge/search/proseParts.ts';
import { planSource, type SearchSource } from '../../knowledge/search/searchSource.ts';
import { planFiles } from '../../model/plan.ts';
import type { Recipient } from '../../model/routing.ts';
import { projectOfRecipient } from '../../model/senders.ts';
import type { VaultLayout } from '../../vault/layout.ts';

/** A text that a recipient is known by, as it is ranked and quoted. */
export interface ContentDocument extends IndexedDocument {
  /** Where a person finds it: `task retry-refunds`, `README.md`. */
  readonly name: string;
  /** All of it, for the line that is quoted. */
  readonly text: string;
  /** Of a task: how it would read as a message. */
  readonly request?: string;
}

/** A file that says what a recipient is about. */
export interface ContentSource {
  /** The recipient, or `projectGroup` of a project. */
  readonly group: string;
  readonly path: string;
  /** Its texts; undefined if it cannot be read as what it should be, as in the middle of an edit. */
  readonly read: (text: string) => readonly ContentDocument[] | undefined;
}

const projectPrefix = 'project:';

/** What all plans of a project share; no recipient is called like that. */
export function projectGroup(project: string): string {
  return `${projectPrefix}${project}`;
}

export function isProjectGroup(group: string): boolean {
  return group.startsWith(projectPrefix);
}

const places = [
  [planFiles.marker, 'plans'],
  [planFiles.backlog, 'backlog'],
  [planFiles.memory, 'memory'],
] as const;

/** The files of a plan; an expert has none, and is known by its description. */
export function planSources(layout: VaultLayout, { id }: Recipient): ContentSource[] {
  if (projectOfRecipient(id) === undefined) return [];
  return places.map(([name, place]) => {
    const source = planSource(layout, place, id, name);
    return { group: id, path: source.file, read: (text) => planDocuments(source, text) };
  });
}

export function readmeSource(group: string, directory: string): ContentSource {
  const path = join(directory, 'README.md');
  return { group, path, read: (text) => proseDocuments(`${group}\n${path}`, text) };
}

/** What a recipient is called, and what it is for. */
export function recipientDocument({ id, description, tags }: Recipient): ContentDocument {
  const [, ...names] = id.split(/[/:]/).filter((name) => name !== 'project-root');
  const title = [description, ...names].join(' ');
  return { ...emptyDocument, id: `${id}\n`, title, tags, name: 'description', text: description };
}

/** What is on its way to others, or was declined, says what the plan is not about. */
const foreignKinds: ReadonlySet<string> = new Set(['received', 'dispatched']);

function planDocuments(source: SearchSource, text: string): readonly ContentDocument[] | undefined {
  const entries = entriesOf(source, text);
  if (entries === undefined) return undefined;
  if (source.in === 'plans') {
    return entries.flatMap((entry) => proseDocuments(documentOf(source, entry).id, entry.text, source.name));
  }
  return entries
    .filter(({ kind }) => source.in !== 'backlog' || !foreignKinds.has(kind))
    .map((entry) => {
      const name = `${source.in === 'backlog' ? 'task' : 'memory'} ${entry.id}`;
      const { title, text: all, description } = entry;
      const request = description === undefined ? {} : { request: `${title}\n${description}` };
      return { ...documentOf(source, entry), name, text: `${title}\n${all}`, ...request };
    });
}

/** Sections of a page; more are read as one. */
const sectionsMax = 200;

function proseDocuments(id: string, text: string, name = 'README.md'): readonly ContentDocument[] {
  const sections = text.split(/^(?=#{1,6}[ \t])/m);
  const kept = sections.slice(0, sectionsMax - 1);
  const last = sections.slice(sectionsMax - 1).join('');
  return [...kept, last]
    .filter((section) => section.trim() !== '')
    .map((section, at) => ({
      ...{ ...emptyDocument, ...partsOfProse(section), id: `${id}\n${at}` },
      ...{ name, text: section },
    }));
}
