import * as z from 'zod';
import { oneLine, plural } from '../base/text.ts';
import type { Api } from '../model/protocol.ts';
import { boundAnswer } from './answers.ts';

/** How many entries of a memory one search reads. */
const entriesRead = 500;
const entriesListed = 10;

const tasksSchema = z.looseObject({
  tasks: z.array(
    z.looseObject({
      id: z.string(),
      title: z.string().optional(),
      status: z.string().optional(),
      category: z.string().optional(),
    }),
  ),
});

const entriesSchema = z.looseObject({ entries: z.array(z.looseObject({ id: z.string() })) });
const entrySchema = z.looseObject({ title: z.string().default(''), body: z.string().default('') });

interface TaskFilter {
  readonly plan: string;
  readonly status?: string | undefined;
  readonly ready?: boolean | undefined;
}

export async function listTasks(api: Api, { plan, ...filter }: TaskFilter, signal: AbortSignal): Promise<string> {
  const { result } = await api.request('state', { plan, verb: 'backlog/list', args: filter }, signal);
  const { tasks } = tasksSchema.parse(result);
  if (tasks.length === 0) return 'No tasks of this plan match.';
  const lines = tasks.map(({ id, status, category, title }) => `- ${id} [${status}, ${category}]: ${title}`);
  return boundAnswer(lines.join('\n'), 'Ask with status or ready.');
}

export async function showTask(
  api: Api,
  { plan, id }: { readonly plan: string; readonly id: string },
  signal: AbortSignal,
) {
  const { result } = await api.request('state', { plan, verb: 'backlog/show', args: { id } }, signal);
  return boundAnswer(formatRecord(result), undefined, 'task');
}

interface Search {
  readonly plan: string;
  readonly text: string;
  readonly limit?: number | undefined;
}

/** Every word must occur in the title or the body of an entry. */
export async function searchMemory(
  api: Api,
  { plan, text, limit = entriesListed }: Search,
  signal: AbortSignal,
): Promise<string> {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const listed = await api.request('state', { plan, verb: 'memory/list', args: {} }, signal);
  const { entries } = entriesSchema.parse(listed.result);
  const found: string[] = [];
  for (const { id } of entries.slice(0, entriesRead)) {
    signal.throwIfAborted();
    const { result } = await api.request('state', { plan, verb: 'memory/show', args: { id } }, signal);
    const { title, body } = entrySchema.parse(result);
    const whole = `${title}\n${body}`.toLowerCase();
    if (words.every((word) => whole.includes(word))) found.push(`## ${oneLine(title)} (${id})\n${body.trim()}`);
  }
  if (found.length === 0)
    return `None of the ${plural(entries.length, 'entry', 'entries')} of this memory holds these words.`;
  const rest = found.length > limit ? [`… and ${found.length - limit} more; ask with more words.`] : [];
  const shown = boundAnswer(found.slice(0, limit).join('\n\n'), 'Ask with more words.', 'memory');
  return [shown, ...rest].join('\n\n');
}

/** A record as lines of `key: value`, with longer texts below their key. */
function formatRecord(record: unknown): string {
  const fields = z.record(z.string(), z.unknown()).parse(record);
  return Object.entries(fields)
    .map(([key, value]) => {
      if (typeof value !== 'string') return `${key}: ${JSON.stringify(value)}`;
      return value.includes('\n') ? `${key}:\n${value.trimEnd()}` : `${key}: ${value}`;
    })
    .join('\n');
}
