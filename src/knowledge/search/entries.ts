import { isRecord } from '../../base/json.ts';
import { beginning } from '../../base/text.ts';
import { type Decision, decisionSchema } from '../../model/approval.ts';
import { type Backlog, backlogSchema } from '../../model/backlog.ts';
import type { MemoryEntry } from '../../model/memory.ts';
import type { PlanState } from '../../model/planState.ts';
import { type SessionRecord, sessionLogSchema } from '../../model/session.ts';
import { parseFrontmatter } from '../../vault/frontmatter.ts';
import { readMemoryFile } from '../../vault/memoryFile.ts';
import { readPlanState } from '../../vault/planStore.ts';
import { readYaml } from '../../yaml/yaml.ts';
import type { SearchSource } from './searchSource.ts';

/** Something in a file that can be found by itself. */
export interface SearchableEntry {
  /** One entry of a file for each id. */
  readonly id: string;
  readonly title: string;
  /** All that it says besides its title, in Markdown. */
  readonly text: string;
  /** Of a task: what it asks for, without what came of it. */
  readonly description?: string;
  readonly kind: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
}

/** What can be found in a file. */
export interface FileEntries {
  readonly entries: readonly SearchableEntry[];
  /** Whether some of its entries cannot be read. */
  readonly isPartial: boolean;
}

/** The entries of a file by its text; undefined if it cannot be read as what it should be. */
export function readEntries(source: SearchSource, text: string): FileEntries | undefined {
  const place = { file: source.file, subject: source.plan ?? source.name };
  if (text.trim() === '') return whole([]);
  switch (source.in) {
    case 'knowledge':
      return whole([noteEntry(source, text)]);
    case 'plans': {
      const state = readPlanState(text, place).value;
      return state && whole([planEntry(source.plan ?? source.name, state, parseFrontmatter(text, place).body)]);
    }
    case 'memory': {
      const { value, damaged } = readMemoryFile(text, place);
      return value && { entries: (value.entries ?? []).map(memoryEntry), isPartial: damaged.length > 0 };
    }
    case 'backlog': {
      const { value } = readYaml(backlogSchema, text, place);
      return value && whole(backlogEntries(value));
    }
    case 'sessions': {
      const { value } = readYaml(sessionLogSchema, text, place);
      return value && whole((value.sessions ?? []).map(sessionEntry));
    }
    case 'decisions': {
      const { value } = readYaml(decisionSchema, text, place);
      return value && whole([decisionEntry(value)]);
    }
  }
}

export function entriesOf(source: SearchSource, text: string): readonly SearchableEntry[] | undefined {
  return readEntries(source, text)?.entries;
}

function whole(entries: readonly SearchableEntry[]): FileEntries {
  return { entries, isPartial: false };
}

/** Characters of a title. */
const titleLengthMax = 200;
const nothing = { kind: '', status: '', tags: [], aliases: [] } as const;

function planEntry(id: string, { description, tags }: PlanState, body: string): SearchableEntry {
  return { ...nothing, id, title: description, text: body.trim(), kind: 'plan', tags, aliases: [id] };
}

function memoryEntry({ id, title, body, source, ...rest }: MemoryEntry): SearchableEntry {
  const kind = source ?? 'observation';
  return { ...nothing, id, title, text: body, kind, tags: namesIn(rest['tags']), aliases: [id] };
}

function backlogEntries({ tasks, received, dispatched }: Backlog): SearchableEntry[] {
  return [
    ...(tasks ?? []).map((task): SearchableEntry => {
      const text = paragraphs(task.description, task.results, task.handoff, task.blocked_reason);
      const { id, title, category, status } = task;
      const labels = { kind: category, status, tags: namesIn(task['tags']), aliases: [id] };
      return { ...nothing, id, title, text, description: task.description ?? '', ...labels };
    }),
    ...(received ?? []).map(({ id, from, reason, body, state, declined_reason }): SearchableEntry => {
      const text = paragraphs(body, declined_reason);
      return { ...nothing, id, title: reason, text, kind: 'received', status: state, aliases: [from] };
    }),
    ...(dispatched ?? []).map(({ id, to, reason, body, outcome }): SearchableEntry => {
      return { ...nothing, id, title: reason, text: paragraphs(body, outcome), kind: 'dispatched', aliases: [to] };
    }),
  ];
}

function sessionEntry({ id, phase, body, claims }: SessionRecord): SearchableEntry {
  const [first = ''] = body.trimStart().split('\n', 1);
  const title = beginning(first.replace(/^#+\s*/, ''), titleLengthMax);
  const text = paragraphs(body, ...(claims ?? []).map((claim) => claim.text));
  return { ...nothing, id, title, text, kind: phase };
}

function decisionEntry({ id, kind, subject, decision, by, option, text, reason, details }: Decision): SearchableEntry {
  const said = paragraphs(reason, text, option, ...textsIn(details));
  return { ...nothing, id, title: subject, text: said, kind, status: decision, aliases: [by] };
}

/** A note needs no frontmatter; one that is broken is part of its text. */
function noteEntry({ file, name }: SearchSource, text: string): SearchableEntry {
  const hasFrontmatter = /^\ufeff?---\s/.test(text);
  const { data, body, diagnostics } = hasFrontmatter
    ? parseFrontmatter(text, { file, subject: name })
    : { data: {}, body: text, diagnostics: [] };
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  const fields = isRecord(data) && !isBroken ? data : {};
  const [, heading] = /^#{1,6}[ \t]+(\S.*)$/m.exec(body) ?? [];
  const fileTitle = name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/, '');
  return {
    id: name,
    title: oneName(fields['title']) || beginning(heading ?? fileTitle, titleLengthMax),
    text: isBroken ? text : body,
    kind: oneName(fields['kind']),
    status: oneName(fields['status']),
    tags: namesIn(fields['tags']),
    aliases: [...namesIn(fields['aliases']), name],
  };
}

function paragraphs(...texts: readonly (string | null | undefined)[]): string {
  return texts
    .map((text) => text?.trim())
    .filter(Boolean)
    .join('\n\n');
}

/** Names of one field that are indexed. */
const namesMax = 100;

/** Of a list of names, or of one; a file of others can hold anything there. */
function namesIn(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.slice(0, namesMax) : [value];
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}

function oneName(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Details of one entry that are indexed. */
const detailsMax = 50;

/** Texts at any depth of what a person was shown, in their order. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 5) return [];
  return Object.values(value)
    .flatMap((one) => textsIn(one, depth + 1))
    .slice(0, detailsMax);
}
