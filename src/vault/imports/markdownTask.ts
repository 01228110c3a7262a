import { oneLine } from '../../base/text.ts';
import { type TaskStatus, taskSchema } from '../../model/backlog.ts';
import { allocateSlug } from '../../model/id.ts';
import type { JsonObject } from '../../model/json.ts';
import { taskStatuses } from '../../model/taskStatus.ts';
import { joinLines, type MarkdownLine } from './markdownLines.ts';

/** A task as its block says; dependencies are still words. */
export interface MarkdownTask {
  readonly title: string;
  readonly tags: readonly string[];
  readonly category: string;
  readonly status: TaskStatus;
  /** What stood beside the word of the status, and no status is. */
  readonly statusNote?: string;
  readonly blockedReason?: string;
  readonly dependencies: string;
  readonly description: string;
  readonly results?: string;
  readonly handoff?: string;
  /** Fields that Ravel knows no key for, under keys made from their names. */
  readonly others: JsonObject;
  /** What a reader should look at, as sentences. */
  readonly remarks: readonly string[];
}

/** Reads the block of one task: the title of its heading and the lines below it. */
export function parseTask(heading: string, block: readonly MarkdownLine[]): MarkdownTask {
  const { title, tags } = parseTitle(heading);
  const { fieldLines, handoffLines } = splitHandoff(block);
  const fields = parseFields(fieldLines);
  const take = (name: string) => {
    const text = fields.get(name) ?? '';
    fields.delete(name);
    return text;
  };
  const remarks: string[] = [];
  const { status, ...about } = parseStatus(oneLine(take('status')), remarks);
  const results = take('results');
  const handoff = [take('handoff'), take('hand-off'), joinLines(handoffLines)].filter((text) => text !== '').join('\n');
  const category = oneLine(take('category')).replaceAll('`', '');
  return {
    title,
    tags,
    category: category || (tags[0] ?? 'uncategorized'),
    status,
    ...about,
    dependencies: oneLine(take('dependencies')),
    description: take('description'),
    ...(results !== '' && results.trim() !== '_pending_' && { results }),
    ...(handoff !== '' && { handoff }),
    others: otherKeys(fields),
    remarks,
  };
}

const fieldNames = ['status', 'category', 'dependencies', 'description', 'results', 'handoff', 'hand-off'] as const;

/** Whether a line begins a field that every task may have: what tells the heading above it from others. */
export function beginsTask(line: MarkdownLine | undefined): boolean {
  const field = line === undefined ? undefined : parseField(line);
  return field !== undefined && isKnown(field.name);
}

const handoffMark = /^\s*(?:#{1,6}\s+)?(?:[-*]\s+)?(?:\*\*)?\[HANDOFF\](?:\*\*)?:?\s*/;

/** A hand-off belongs to the task above it, also where its mark is written as a heading. */
export function isHandoffMark(line: MarkdownLine): boolean {
  return !line.isFenced && handoffMark.test(line.text);
}

const tagsMax = 20;

/** `Title [tag] [other]`, with the tags in backquotes or without. */
function parseTitle(heading: string): { readonly title: string; readonly tags: readonly string[] } {
  const tags: string[] = [];
  let title = oneLine(heading);
  for (;;) {
    const match = / `?\[([^\][`]{1,60})\]`?$/.exec(title);
    if (match === null || tags.length === tagsMax) return { title, tags };
    tags.unshift(oneLine(match[1] ?? ''));
    title = title.slice(0, match.index).trimEnd();
  }
}

function splitHandoff(block: readonly MarkdownLine[]) {
  const at = block.findIndex(isHandoffMark);
  if (at < 0) return { fieldLines: block, handoffLines: [] };
  const [mark, ...rest] = block.slice(at);
  const first = mark === undefined ? [] : [{ ...mark, text: mark.text.replace(handoffMark, '') }];
  return { fieldLines: block.slice(0, at), handoffLines: [...first, ...dedent(rest)] };
}

interface Field {
  readonly name: string;
  readonly text: string;
  readonly isBullet: boolean;
}

function parseField(line: MarkdownLine): Field | undefined {
  if (line.isFenced) return undefined;
  const match = /^([-*+] +)?\*\*([^*:]{1,60})(?::\*\*|\*\*:)[ \t]*(.*)$/s.exec(line.text);
  if (match === null) return undefined;
  const [, bullet, name = '', text = ''] = match;
  return { name: oneLine(name).toLowerCase(), text, isBullet: bullet !== undefined };
}

/**
 * Fields by name, in order. Where they are bullets, every bullet with a bold name is one, since a text below one is
 * indented. Where they are bare lines, a bullet is part of a text, and the first long text ends the fields that Ravel
 * does not know.
 */
function parseFields(block: readonly MarkdownLine[]): Map<string, string> {
  const areBullets = block.map(parseField).find((field) => field !== undefined)?.isBullet === true;
  const fields = new Map<string, string>();
  let name: string | undefined;
  let lines: MarkdownLine[] = [];
  let isInText = false;
  for (const line of block) {
    const field = parseField(line);
    if (field === undefined || !counts(field)) {
      lines.push(line);
      continue;
    }
    put();
    name = field.name;
    isInText ||= ['description', 'results'].includes(name);
    lines = [{ ...line, text: field.text }];
  }
  put();
  return fields;

  function counts(field: Field): boolean {
    if (areBullets) return field.isBullet || isKnown(field.name);
    return !field.isBullet && (isKnown(field.name) || !isInText);
  }

  /** A field that is there twice keeps both texts. */
  function put(): void {
    if (name === undefined) return;
    const [head, ...rest] = lines;
    const text = joinLines(head === undefined ? [] : [head, ...dedent(rest)]);
    const old = fields.get(name);
    fields.set(name, old === undefined || old === '' ? text : `${old}\n${text}`);
  }
}

function isKnown(name: string): boolean {
  return fieldNames.some((known) => known === name);
}

/** Takes off the indentation that all lines with text share. */
function dedent(lines: readonly MarkdownLine[]): MarkdownLine[] {
  let width = Number.POSITIVE_INFINITY;
  for (const { text } of lines) {
    if (text.trim() !== '') width = Math.min(width, text.length - text.trimStart().length);
  }
  return lines.map((line) => ({ ...line, text: line.text.slice(Math.min(width, line.text.length)) }));
}

/** `done (Session 12)`, `blocked (reason: no key)`, `in progress`: a word, and what people put beside it. */
function parseStatus(
  text: string,
  remarks: string[],
): { readonly status: TaskStatus; readonly statusNote?: string; readonly blockedReason?: string } {
  const plain = text.replaceAll('`', '').trim();
  const match = /^(not[ _-]started|in[ _-]progress|done|blocked)\b(.*)$/i.exec(plain);
  const word = match?.[1]?.toLowerCase().replace(/[ -]/, '_');
  const status = taskStatuses.find((known) => known === word);
  if (status === undefined) {
    remarks.push(plain === '' ? 'it has no status' : `its status "${plain}" is none that there is`);
    return { status: 'not_started', ...(plain !== '' && { statusNote: plain }) };
  }
  const rest = (match?.[2] ?? '').trim();
  const note = /^\(.*\)$/.test(rest) ? rest.slice(1, -1).trim() : rest.replace(/^[-:—–.,;]\s*/, '');
  if (note === '') return { status };
  if (status === 'blocked') return { status, blockedReason: note.replace(/^reason:\s*/i, '') };
  return { status, statusNote: note };
}

function otherKeys(fields: ReadonlyMap<string, string>): JsonObject {
  const taken = new Set([...Object.keys(taskSchema.shape), 'tags', 'status-note', 'dependencies-note']);
  const others: Record<string, string> = {};
  for (const [name, text] of fields) {
    const key = allocateSlug(name, taken, 'field');
    taken.add(key);
    const trimmed = text.trimEnd();
    others[key] = trimmed.includes('\n') ? text : trimmed;
  }
  return others;
}
