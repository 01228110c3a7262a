import { dirname } from 'node:path';
import * as z from 'zod';
import { ifThere } from '../base/diskErrors.ts';
import { messageOf } from '../base/errors.ts';
import { ensureDirectory, writeAtomic } from '../base/files.ts';
import { openJournal, readJournal } from '../base/journal.ts';
import { encodeLine } from '../base/ndjson.ts';
import { backlogSchema } from '../model/backlog.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { Author, Origin } from '../model/origin.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import { readMemoryFile } from '../vault/memoryFile.ts';
import { loadPlanTexts } from '../vault/planStore.ts';
import { readYaml } from '../yaml/yaml.ts';
import { type PlanServices, timestamp } from './services.ts';

/** The lists whose records have an origin. */
export type RecordList = 'tasks' | 'entries';

export interface TextChange {
  readonly file: PlanFile;
  readonly before: string | null;
  readonly after: string | null;
}

const idsSchema = z.object({ tasks: z.array(z.string()).optional(), entries: z.array(z.string()).optional() });

const lineSchema = z.object({
  at: z.string(),
  by: z.enum(['session', 'person', 'import']),
  session: z
    .string()
    .transform((text) => text as Ulid)
    .optional(),
  added: idsSchema.optional(),
  removed: idsSchema.optional(),
});

type Line = z.infer<typeof lineSchema>;

type OriginPorts = Pick<PlanServices, 'disk' | 'layout' | 'clock' | 'log'>;

/** A longer file is rewritten with the records that still exist, and again once it has doubled. */
export const originBytesMax = 256 * 1024;

/**
 * Notes who added the tasks and memory entries that a change brought, for `ravel why`; the caller holds the plan's lock and
 * has made the change. Never fails: what could not be noted is not known, and is told as that.
 */
export async function recordOrigins(
  ports: OriginPorts,
  plan: QualifiedId,
  author: Author,
  changes: readonly TextChange[],
): Promise<void> {
  try {
    if (changes.every(({ file }) => listIn(file) === undefined)) return;
    const path = ports.layout.origins(plan);
    const line = lineOf(ports, author, changes, await readLines(ports.disk, path));
    if (line === undefined) return;
    await ensureDirectory(ports.disk, dirname(path));
    const journal = await openJournal(ports.disk, path);
    try {
      await journal.append(line);
    } finally {
      await journal.close();
    }
    await shorten(ports, path);
  } catch (error) {
    ports.log.warn('who added records of a plan could not be noted', { plan, error: messageOf(error) });
  }
}

/**
 * Who added the record that has this id, as it was noted then; undefined for what an edit of the file or an older version
 * put there. A record that an edit replaced by another one of the same id cannot be told from it.
 */
export async function originOf(
  { disk, layout }: Pick<OriginPorts, 'disk' | 'layout'>,
  plan: QualifiedId,
  list: RecordList,
  id: string,
): Promise<Origin | undefined> {
  return fold(await readLines(disk, layout.origins(plan)))[list].get(id);
}

/** Entries of the memory that were added since a time and are still there, oldest first; those of an import are not. */
export async function entriesAddedSince(
  { disk, layout }: Pick<OriginPorts, 'disk' | 'layout'>,
  plan: QualifiedId,
  sinceMs: number,
): Promise<readonly { readonly at: string; readonly title: string }[]> {
  const { entries } = fold(await readLines(disk, layout.origins(plan)));
  const added = [...entries].filter(([, { at, by }]) => by !== 'import' && Date.parse(at) >= sinceMs);
  if (added.length === 0) return [];
  const texts = await loadPlanTexts(disk, layout.plan(plan), [planFiles.memory]);
  const place = { file: planFiles.memory, subject: plan };
  const { value } = readMemoryFile(texts.get(planFiles.memory) ?? '', place);
  const titles = new Map((value?.entries ?? []).map(({ id, title }) => [id, title]));
  return added.flatMap(([id, { at }]) => {
    const title = titles.get(id);
    return title === undefined ? [] : [{ at, title }];
  });
}

function lineOf(
  ports: OriginPorts,
  author: Author,
  changes: readonly TextChange[],
  earlier: readonly Line[],
): Line | undefined {
  const known = fold(earlier);
  const added: { [list in RecordList]?: string[] } = {};
  const removed: { [list in RecordList]?: string[] } = {};
  for (const { file, before, after } of changes) {
    const list = listIn(file);
    if (list === undefined || before === after) continue;
    const [old, now] = [idsIn(list, before), idsIn(list, after)];
    // The records of an unreadable text are unknown, so what was added to it is unknown too.
    if (old === undefined || now === undefined) continue;
    const came = [...now].filter((id) => !old.has(id));
    // With those that an edit of the file took away since the last line.
    const went = [...known[list].keys()].filter((id) => !old.has(id) || !now.has(id));
    if (came.length > 0) added[list] = came;
    if (went.length > 0) removed[list] = went;
  }
  if (Object.keys(added).length + Object.keys(removed).length === 0) return undefined;
  return { at: timestamp(ports), ...author, added, removed };
}

function listIn(file: PlanFile): RecordList | undefined {
  if (file === planFiles.backlog) return 'tasks';
  return file === planFiles.memory ? 'entries' : undefined;
}

function idsIn(list: RecordList, text: string | null): ReadonlySet<string> | undefined {
  if (text === null) return new Set();
  const place = { file: list, subject: list };
  if (list === 'tasks') {
    const { value } = readYaml(backlogSchema, text, place);
    return value && new Set((value.tasks ?? []).map(({ id }) => id));
  }
  const { value, damaged } = readMemoryFile(text, place);
  return value && new Set([...(value.entries ?? []), ...damaged].flatMap(({ id }) => id ?? []));
}

async function readLines(disk: OriginPorts['disk'], path: string): Promise<readonly Line[]> {
  const { records } = await readJournal(disk, path);
  return records.flatMap((record) => lineSchema.safeParse(record).data ?? []);
}

function fold(lines: readonly Line[]): Readonly<Record<RecordList, ReadonlyMap<string, Origin>>> {
  const known = { tasks: new Map<string, Origin>(), entries: new Map<string, Origin>() };
  for (const line of lines) {
    const origin = originIn(line);
    for (const list of ['tasks', 'entries'] as const) {
      for (const id of line.removed?.[list] ?? []) known[list].delete(id);
      for (const id of line.added?.[list] ?? []) if (origin !== undefined) known[list].set(id, origin);
    }
  }
  return known;
}

function originIn({ at, by, session }: Line): Origin | undefined {
  if (by !== 'session') return { at, by };
  return session === undefined ? undefined : { at, by, session };
}

/** What is left of the lines above the bound is as long as the plan's records ask for. */
async function shorten({ disk }: OriginPorts, path: string): Promise<void> {
  const size = (await ifThere(path, () => disk.stat(path)))?.size ?? 0;
  if (size <= originBytesMax) return;
  const lines = await readLines(disk, path);
  const text = linesOf(fold(lines)).map(encodeLine).join('');
  // A plan with many records keeps a long file; it is not rewritten for each new record.
  if (text.length <= size / 2) await writeAtomic(disk, path, text);
}

/** One line for all that came at once. */
function linesOf(known: ReturnType<typeof fold>): Line[] {
  const lines = new Map<string, Line & { readonly added: { readonly [list in RecordList]: string[] } }>();
  for (const list of ['tasks', 'entries'] as const) {
    for (const [id, origin] of known[list]) {
      const key = JSON.stringify(origin);
      const line = lines.get(key) ?? { ...origin, added: { tasks: [], entries: [] } };
      lines.set(key, line);
      line.added[list].push(id);
    }
  }
  return [...lines.values()];
}
