import { oneLine } from '../base/text.ts';
import { isPlaceholder, type TaskStatus, taskSchema } from '../model/backlog.ts';
import type { JsonObject } from '../model/json.ts';
import { taskStatuses } from '../model/taskStatus.ts';
import { isBlank, joinFirst, joinLines, type LinePiece, type LineRange, type MarkdownText } from './markdownLines.ts';
import { createSlugs } from './slugs.ts';

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
  /** The number of the line that names them, from 0; undefined if none does. */
  readonly dependenciesLine?: number;
  readonly description: string;
  readonly results?: string;
  readonly handoff?: string;
  /** Fields that Ravel knows no key for, under keys made from their names. */
  readonly others: JsonObject;
  /** What a reader should look at, as sentences. */
  readonly remarks: readonly string[];
}

export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Reads the block of one task: the title of its heading and the lines below it. */
export function parseTask(heading: string, text: MarkdownText, block: LineRange): MarkdownTask {
  const { title, tags } = parseTitle(heading);
  const { fieldLines, marked } = splitHandoff(text, block);
  const { fields, dependenciesLine } = parseFields(text, fieldLines);
  const textOf = (name: (typeof fieldNames)[number]) => fields.get(name) ?? '';
  const remarks: string[] = [];
  const { status, statusNote, blockedReason } = parseStatus(oneLine(textOf('status')), remarks);
  const results = textOf('results');
  const handoff = marked.length === 0 && !fields.has('handoff') ? textOf('hand-off') : joined(fields, text, marked);
  const category = oneLine(textOf('category')).replaceAll('`', '');
  const task: Writable<MarkdownTask> = {
    title,
    tags,
    category: category || (tags[0] ?? 'uncategorized'),
    status,
    dependencies: oneLine(asList(textOf('dependencies'))),
    description: textOf('description'),
    others: otherKeys(fields),
    remarks,
  };
  // One by one: spreading what may not be there would take most of the time of a long backlog.
  if (statusNote !== undefined) task.statusNote = statusNote;
  if (blockedReason !== undefined) task.blockedReason = blockedReason;
  if (dependenciesLine !== undefined) task.dependenciesLine = dependenciesLine;
  if (!isPlaceholder(results)) task.results = results;
  if (!isPlaceholder(handoff)) task.handoff = handoff;
  return task;
}

function joined(fields: ReadonlyMap<string, string>, text: MarkdownText, marked: readonly LinePiece[]): string {
  const parts = [fields.get('handoff'), fields.get('hand-off'), joinLines(text, marked)];
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

const fieldNames = ['status', 'category', 'dependencies', 'description', 'results', 'handoff', 'hand-off'] as const;

/** Whether a line begins a field that every task may have: what tells the heading above it from others. */
export function beginsTask(text: MarkdownText, line: number): boolean {
  const field = parseField(text, line);
  return field !== undefined && isKnown(field.name);
}

const handoffWord = '[HANDOFF]';
const handoffMark = /^\s*(?:#{1,6}\s+)?(?:[-*]\s+)?(?:\*\*)?\[HANDOFF\](?:\*\*)?:?\s*/;

/** A hand-off belongs to the task above it, even if its mark is written as a heading. */
export function isHandoffMark({ lines, isFenced }: MarkdownText, line: number): boolean {
  const words = lines[line] ?? '';
  return words.includes(handoffWord) && handoffMark.test(words) && !isFenced(line);
}

/** Tags of one task that are read. */
const tagsMax = 20;

/** `Title [tag] [other]`, with the tags in backquotes or without. */
function parseTitle(heading: string): { readonly title: string; readonly tags: readonly string[] } {
  const tags: string[] = [];
  let title = oneLine(heading);
  while (title.endsWith(']') || title.endsWith(']`')) {
    const match = / `?\[([^\][`]{1,60})\]`?$/.exec(title);
    if (match === null || tags.length === tagsMax) return { title, tags };
    tags.unshift(oneLine(match[1] ?? ''));
    title = title.slice(0, match.index).trimEnd();
  }
  return { title, tags };
}

function splitHandoff(text: MarkdownText, { start, end }: LineRange): { fieldLines: LineRange; marked: LinePiece[] } {
  let mark = start;
  while (mark < end && !isHandoffMark(text, mark)) mark++;
  if (mark === end) return { fieldLines: { start, end }, marked: [] };
  const first = (text.lines[mark] ?? '').replace(handoffMark, '');
  return { fieldLines: { start, end: mark }, marked: [dedented(text, { start: mark, end, first })] };
}

interface Field {
  readonly name: string;
  readonly text: string;
  readonly isBullet: boolean;
}

function parseField({ lines, isFenced }: MarkdownText, line: number): Field | undefined {
  const words = lines[line] ?? '';
  if (!beginsField.has(words.charCodeAt(0))) return undefined;
  const match = /^([-*+] +)?\*\*([^*:]{1,60})(?::\*\*|\*\*:)[ \t]*(.*)$/s.exec(words);
  if (match === null || isFenced(line)) return undefined;
  const [, bullet, name = '', text = ''] = match;
  return { name: oneLine(name).toLowerCase(), text, isBullet: bullet !== undefined };
}

const beginsField: ReadonlySet<number> = new Set([...'-*+'].map((one) => one.charCodeAt(0)));

interface Fields {
  /** Their texts by name, in order. */
  readonly fields: Map<string, string>;
  readonly dependenciesLine: number | undefined;
}

/**
 * The fields of a task. If they are bullets, every bullet with a bold name is one, since a text below one is
 * indented. If they are bare lines, a bullet is part of a text, and the first long text ends the fields that Ravel
 * does not know.
 */
function parseFields(text: MarkdownText, { start, end }: LineRange): Fields {
  const fields = new Map<string, string>();
  let dependenciesLine: number | undefined;
  let areBullets: boolean | undefined;
  let isInText = false;
  let open: { readonly name: string; readonly first: string; readonly start: number } | undefined;
  for (let n = start; n < end; n++) {
    const field = parseField(text, n);
    if (field === undefined) continue;
    areBullets ??= field.isBullet;
    const counts = areBullets
      ? field.isBullet || isKnown(field.name)
      : !field.isBullet && (isKnown(field.name) || !isInText);
    if (!counts) continue;
    put(n);
    open = { name: field.name, first: field.text, start: n };
    if (field.name === 'dependencies') dependenciesLine ??= n;
    isInText ||= field.name === 'description' || field.name === 'results';
  }
  put(end);
  return { fields, dependenciesLine };

  /** A field that is there twice keeps both texts. */
  function put(before: number): void {
    if (open === undefined) return;
    const { first, start: from } = open;
    const isAlone = before === from + 1;
    const value = isAlone ? joinFirst(first) : joinLines(text, [dedented(text, { start: from, end: before, first })]);
    const old = fields.get(open.name);
    fields.set(open.name, old === undefined || old === '' ? value : `${old}\n${value}`);
  }
}

/** A list with a bullet for each item, as one with commas. */
function asList(text: string): string {
  return text.includes('\n') ? text.replace(/^[-*+][ \t]+/, '').replace(/\n[ \t]*[-*+][ \t]+/g, '; ') : text;
}

function isKnown(name: string): boolean {
  return fieldNames.some((known) => known === name);
}

/** Takes off the indentation that all lines with text below the first one share. */
function dedented({ lines }: MarkdownText, piece: LinePiece): LinePiece {
  let indent = Number.POSITIVE_INFINITY;
  for (let n = piece.start + 1; n < piece.end && indent > 0; n++) {
    const line = lines[n] ?? '';
    if (!isBlank(line)) indent = Math.min(indent, line.length - line.trimStart().length);
  }
  return { ...piece, indent };
}

/** `done (Session 12)`, `blocked (reason: no key)`, `in progress`: a word, and what people put beside it. */
function parseStatus(
  text: string,
  remarks: string[],
): { readonly status: TaskStatus; readonly statusNote?: string; readonly blockedReason?: string } {
  const known = taskStatuses.find((one) => one === text);
  if (known !== undefined) return { status: known };
  const plain = text.replaceAll('`', '').trim();
  const match = /^(not[ _-]started|in[ _-]progress|done|blocked)\b(.*)$/i.exec(plain);
  const word = match?.[1]?.toLowerCase().replace(/[ -]/, '_');
  const status = taskStatuses.find((one) => one === word);
  if (status === undefined) {
    remarks.push(plain === '' ? 'it has no status' : `its status "${plain}" is unknown`);
    return { status: 'not_started', ...(plain !== '' && { statusNote: plain }) };
  }
  const rest = (match?.[2] ?? '').trim();
  const note = /^\(.*\)$/.test(rest) ? rest.slice(1, -1).trim() : rest.replace(/^[-:—–.,;]\s*/, '');
  if (note === '') return { status };
  if (status === 'blocked') return { status, blockedReason: note.replace(/^reason:\s*/i, '') };
  return { status, statusNote: note };
}

const takenKeys = [...Object.keys(taskSchema.shape), 'tags', 'status-note', 'dependencies-note'];

function otherKeys(fields: ReadonlyMap<string, string>): JsonObject {
  const others: Record<string, string> = {};
  let slug: ((title: string) => string) | undefined;
  for (const [name, text] of fields) {
    if (isKnown(name)) continue;
    slug ??= createSlugs('field', takenKeys);
    const trimmed = text.trimEnd();
    others[slug(name)] = trimmed.includes('\n') ? text : trimmed;
  }
  return others;
}
