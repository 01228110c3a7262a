import { stringify } from 'yaml';
import * as z from 'zod';
import { visible, visibleJson } from '../../base/fence.ts';
import { localTime } from '../../base/localTime.ts';
import { capitalized, harmless, oneLine, plural } from '../../base/text.ts';
import { groupTasks, type TaskGrouping } from '../../model/backlogOrder.ts';
import { formatMarkdownTable } from '../../model/markdownTable.ts';
import { summaryLabels } from '../../model/phaseSummary.ts';
import { taskStatuses } from '../../model/taskStatus.ts';
import type { VerbName } from '../../model/verbs.ts';
import type { RecordFormat } from './recordFormats.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';
import { widthOf, wrap } from './text.ts';

export interface RecordView {
  readonly format: RecordFormat;
  readonly groupBy?: TaskGrouping | undefined;
  readonly style: Style;
  readonly columns: number;
}

/** What a reading verb answered, as lines. */
export function formatRecords(name: VerbName, result: unknown, view: RecordView): string[] {
  switch (view.format) {
    case 'json':
      return formatJson(result);
    case 'yaml':
      return formatExactly(result);
    case 'markdown':
      return shape(taskList, formatMarkdown)(result, view);
    case 'text':
      return (renderers[name] ?? formatRecord)(result, view);
  }
}

/** What a verb changed: its summary, below the list of what it repaired, if any. */
export function formatChange(
  name: VerbName,
  { result, summary }: { readonly result: unknown; readonly summary: string },
  view: RecordView,
): string[] {
  // An id is lower-case wherever it stands.
  const beginsWithId = z.object({ id: z.string() }).safeParse(result).data?.id === summary.split(' ', 1)[0];
  const sentence = `${beginsWithId ? summary : capitalized(summary)}.`;
  const lists = name === 'backlog/repair-stale-statuses' ? shape(repairList, formatRepairs)(result, view) : [];
  return [...lists, ...wrap(sentence, view.columns)];
}

type Renderer = (result: unknown, view: RecordView) => string[];

/** What does not fit comes from an owner of another version, and is shown as it is. */
function shape<S extends z.ZodType>(schema: S, format: (value: z.infer<S>, view: RecordView) => string[]): Renderer {
  return (result, view) => {
    const parsed = schema.safeParse(result);
    return parsed.success ? format(parsed.data, view) : formatYaml(result);
  };
}

const text = z.string();

const taskList = z.object({
  tasks: z.array(
    z.object({ id: text, title: text, category: text, status: z.enum(taskStatuses), dependencies: z.array(text) }),
  ),
});
type TaskList = z.infer<typeof taskList>;

const driftList = z.object({ drifts: z.array(z.object({ id: text, missing: z.array(text) })) });
const repairList = z.object({ repairs: z.array(z.object({ id: text, from: text, to: text, reason: text })) });
const entryList = z.object({ entries: z.array(z.object({ id: text, title: text, body: text.optional() })) });
const sessionList = z.object({
  sessions: z.array(z.object({ id: text, timestamp: text, phase: text, title: text })),
  total: z.number(),
});
const messageList = z.object({
  messages: z.array(z.object({ id: text, from: text, at: text, reason: text, body: text, state: text })),
});
const sentList = z.object({
  messages: z.array(z.object({ id: text, to: text, at: text, reason: text, body: text, outcome: text })),
});
const phaseSummary = z.object({
  items: z.array(z.object({ label: z.enum(summaryLabels), id: text, title: text })),
  words: z.object({ before: z.number(), after: z.number() }).optional(),
});

const renderers: Partial<Record<VerbName, Renderer>> = {
  'backlog/list': shape(taskList, formatTasks),
  'backlog/lint-dependencies': shape(driftList, formatDrifts),
  'received/list': shape(messageList, formatMessages),
  'message/list': shape(sentList, formatSent),
  'memory/list': shape(entryList, formatEntries),
  'memory/search': shape(entryList, formatEntries),
  'session/list': shape(sessionList, formatSessions),
  'phase/show': shape(z.object({ phase: text }), ({ phase }) => [phase]),
  'phase-summary/render': shape(phaseSummary, formatSummary),
};

function formatTasks({ tasks }: TaskList, { groupBy, style, columns }: RecordView): string[] {
  if (tasks.length === 0) return ['No tasks.'];
  if (groupBy === undefined) return formatTaskTable(tasks, style, columns);
  return groupTasks(tasks, groupBy).flatMap((group, at) => [
    ...(at === 0 ? [] : ['']),
    style.strong(harmless(group.name)),
    ...formatTaskTable(group.tasks, style, columns - 2).map((line) => `  ${line}`),
  ]);
}

function formatTaskTable(tasks: readonly TaskList['tasks'][number][], style: Style, columns: number): string[] {
  const rows = tasks.map((task) => [task.id, task.status, task.category, namesOf(task.dependencies), task.title]);
  const header = ['ID', 'STATUS', 'CATEGORY', 'DEPENDS ON', 'TITLE'];
  const titleBelow = [header, ...rows].map((row) => row.slice(0, -1));
  const widest = Math.max(
    ...formatTable(titleBelow[0] ?? [], titleBelow, style, Number.POSITIVE_INFINITY).map(widthOf),
  );
  return widest <= columns ? formatTable(header, rows, style, columns) : formatTaskCards(tasks, style, columns);
}

/** For a backlog whose ids and dependencies no line can hold beside each other: what is looked for stands first. */
function formatTaskCards(tasks: readonly TaskList['tasks'][number][], style: Style, columns: number): string[] {
  const heads = formatTable(
    ['STATUS', 'CATEGORY', 'ID'],
    tasks.map(({ status, category, id }) => [status, category, id]),
    style,
    Number.POSITIVE_INFINITY,
  );
  const below = (text: string) =>
    wrap(text.replace(/\s+/g, ' '), Math.max(20, columns - 4)).map((line) => `    ${line}`);
  return heads.flatMap((head, at) => {
    const task = tasks[at - 1];
    if (task === undefined) return [head];
    const needs = task.dependencies.length === 0 ? [] : below(`depends on ${namesOf(task.dependencies)}`);
    return [head, ...below(task.title), ...needs.map((line) => style.faint(line))];
  });
}

function formatMarkdown({ tasks }: TaskList, { groupBy = 'category' }: RecordView): string[] {
  if (tasks.length === 0) return ['_(no tasks)_'];
  return groupTasks(tasks, groupBy).flatMap((group, at) => {
    const rows = group.tasks.map((task) => [task.title, task.status, namesOf(task.dependencies)].map(harmless));
    const name = harmless(group.name).replace(/\s+/g, ' ').trim();
    const table = formatMarkdownTable(['title', 'status', 'deps'], rows);
    return [...(at === 0 ? [] : ['']), `## ${name}`, '', ...table.split('\n')];
  });
}

function namesOf(ids: readonly string[]): string {
  return ids.join(', ') || '—';
}

function formatDrifts({ drifts }: z.infer<typeof driftList>, { style, columns }: RecordView): string[] {
  if (drifts.length === 0) return ['Every task that a description names is also a dependency.'];
  const rows = drifts.map(({ id, missing }) => [id, missing.join(', ')]);
  return formatTable(['TASK', 'NAMES WITHOUT DEPENDING ON'], rows, style, columns);
}

function formatRepairs({ repairs }: z.infer<typeof repairList>, { style, columns }: RecordView): string[] {
  if (repairs.length === 0) return [];
  const rows = repairs.map(({ id, from, to, reason }) => [id, `${from} → ${to}`, reason]);
  return formatTable(['TASK', 'STATUS', 'BECAUSE'], rows, style, columns);
}

/** Each message with its whole text: the user has to read it to decide about it. */
function formatMessages({ messages }: z.infer<typeof messageList>, { style, columns }: RecordView): string[] {
  if (messages.length === 0) return ['No messages wait for triage.'];
  const rows = messages.map(({ state, from, at, ...message }) => ({
    ...message,
    about: `${state}, from ${from}, ${localTime(at)}`,
  }));
  return formatEach(rows, style, columns);
}

function formatSent({ messages }: z.infer<typeof sentList>, { style, columns }: RecordView): string[] {
  if (messages.length === 0) return ['The plan has sent no messages.'];
  const rows = messages.map(({ to, at, outcome, ...message }) => ({
    ...message,
    about: `to ${to}, ${localTime(at)}, ${outcome}`,
  }));
  return formatEach(rows, style, columns);
}

interface MessageView {
  readonly id: string;
  readonly about: string;
  readonly reason: string;
  readonly body: string;
}

function formatEach(messages: readonly MessageView[], style: RecordView['style'], columns: number): string[] {
  return messages.flatMap(({ id, about, reason, body }, index) => [
    ...(index === 0 ? [] : ['']),
    `${style.strong(harmless(id))}  ${harmless(about)}`,
    ...wrap(reason, columns - 2).map((line) => `  ${line}`),
    ...wrap(body, columns - 4).map((line) => `  ${style.faint('│')} ${line}`.trimEnd()),
  ]);
}

function formatEntries({ entries }: z.infer<typeof entryList>, { style, columns }: RecordView): string[] {
  if (entries.length === 0) return ['No entries.'];
  const isWhole = entries.some(({ body }) => body !== undefined);
  if (!isWhole) {
    const rows = entries.map(({ id, title }) => [id, title]);
    return formatTable(['ID', 'TITLE'], rows, style, columns);
  }
  return entries.flatMap(({ id, title, body = '' }, at) => [
    ...(at === 0 ? [] : ['']),
    `${style.strong(harmless(oneLine(title)))}  ${style.faint(harmless(id))}`,
    ...harmless(body).trimEnd().split('\n'),
  ]);
}

function formatSessions({ sessions, total }: z.infer<typeof sessionList>, { style, columns }: RecordView): string[] {
  if (sessions.length === 0) return ['No session records.'];
  // A record that was imported can have a day alone.
  const when = (timestamp: string) => (timestamp.includes('T') ? localTime(timestamp) : timestamp);
  const rows = sessions.map(({ id, timestamp, phase, title }) => [id, when(timestamp), phase, title]);
  const left = total - sessions.length;
  return [
    ...formatTable(['ID', 'WHEN', 'PHASE', 'TITLE'], rows, style, columns),
    ...(left === 0 ? [] : [style.faint(`${plural(left, 'older record')}; see all with --all.`)]),
  ];
}

/** One item a line, and never cut: people paste it into what they write about the phase. */
function formatSummary({ items, words }: z.infer<typeof phaseSummary>): string[] {
  const lines = items.map(({ label, id, title }) => harmless(`[${label}] ${title.replace(/\s+/g, ' ')} (${id})`));
  if (words !== undefined) lines.push(`[STATS] ${words.before} words before`, `        ${words.after} words after`);
  return lines.length === 0 ? ['No change.'] : lines;
}

/** Any record: its short fields in two columns, its texts below with a heading each. */
function formatRecord(result: unknown, { style, columns }: RecordView): string[] {
  const record = z.record(z.string(), z.unknown()).safeParse(result);
  if (!record.success) return formatYaml(result);
  const fields = Object.entries(record.data).filter(([, value]) => value !== null && value !== undefined);
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.includes('\n');
  const short = fields.flatMap(([name, value]) => (isLong(value) ? [] : [[name, inline(value)] as const]));
  const long = fields.flatMap(([name, value]) => (isLong(value) ? [[name, value] as const] : []));
  const width = Math.max(0, ...short.map(([name]) => name.length)) + 2;
  return [
    ...short.flatMap(([name, value]) =>
      wrap(value, Math.max(20, columns - width)).map((line, at) =>
        `${style.faint((at === 0 ? harmless(name) : '').padEnd(width))}${line}`.trimEnd(),
      ),
    ),
    ...long.flatMap(([name, value]) => ['', style.strong(harmless(name)), ...harmless(value).trimEnd().split('\n')]),
  ];
}

function inline(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return namesOf(value);
  return typeof value === 'object' ? formatYaml(value).join('\n') : String(value);
}

function formatJson(value: unknown): string[] {
  return visibleJson(JSON.stringify(value, undefined, 2)).split('\n');
}

/** As YAML for a program. What YAML would leave unseen is told as JSON, which is YAML as well and escapes it. */
function formatExactly(value: unknown): string[] {
  const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  return visible(text) === text ? text.split('\n') : formatJson(value);
}

/** Texts of several lines as literal blocks, nothing folded, as the files themselves have them. */
function formatYaml(value: unknown): string[] {
  return harmless(stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }))
    .trimEnd()
    .split('\n');
}
