import { join } from 'node:path';
import * as z from 'zod';
import { attempt, ifThere, listIfThere } from '../../base/diskErrors.ts';
import { writeFully } from '../../base/files.ts';
import { openJournal } from '../../base/journal.ts';
import { parseJson } from '../../base/json.ts';
import { type Backlog, backlogSchema } from '../../model/backlog.ts';
import type { QualifiedId } from '../../model/id.ts';
import { messageArchiveName, type PlanTexts, planFiles } from '../../model/plan.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { editYaml } from '../../yaml/yaml.ts';
import { withoutItems } from '../../yaml/yamlItems.ts';
import { changePlanFiles } from '../proposals/planWriter.ts';
import type { PlanWriterPorts } from '../services.ts';
import { backlogFrom, type MessageList } from './messageRecords.ts';
import { withoutReply } from './outcomes.ts';

/** The messages of a backlog that are in its archive. */
export type ArchivedMessages = Required<{ [List in MessageList]: NonNullable<Backlog[List]> }>;
type MessageOf = ArchivedMessages[MessageList][number];

/** A larger backlog gives up messages that are done with, until it has as little as `keptBytes`. */
export const archiveAboveBytes = 256 * 1024;
const keptBytes = 128 * 1024;
/** In a text that is not written as Ravel writes it each takes a parse of the whole, so only a few go at a time. */
const oneByOneMax = 20;

const file = planFiles.backlog;

interface Leaving {
  readonly list: MessageList;
  readonly index: number;
  readonly record: MessageOf;
}

/**
 * Takes messages that are done with out of a backlog that has become large, the oldest first, and keeps them in files
 * beside it. Done with is what was promoted to a task that is gone, or declined, once its sender was told; and what was
 * sent, has its last outcome and is named by no task. They are in the archive, durably, before they leave: a crash in
 * between leaves them in both, and doing it again adds none a second time. Returns how many left.
 */
export async function archiveMessages(
  services: PlanWriterPorts,
  plan: QualifiedId,
  aboveBytes = archiveAboveBytes,
): Promise<number> {
  const { disk, layout } = services;
  const path = join(layout.plan(plan), file);
  const size = (await ifThere(path, () => disk.lstat(path)))?.size ?? 0;
  if (size <= aboveBytes) return 0;
  const texts = await loadPlanTexts(disk, layout.plan(plan), [file]);
  const leaving = await choose(services, plan, texts, size - keptBytes);
  const text = leaving.length === 0 ? undefined : without(texts.get(file) ?? '', plan, leaving);
  if (text === undefined) return 0;
  await append(services, plan, leaving);
  return changePlanFiles(services, plan, (now) => {
    // If the file was changed meanwhile, the next time looks at it again.
    const isSame = now.get(file) === texts.get(file);
    return { edits: new Map(isSame ? [[file, text] as const] : []), result: isSame ? leaving.length : 0 };
  });
}

/** Messages in the archive of a plan, the oldest first: all of them, or those that name an id in any way. */
export async function loadArchived(ports: VaultPorts, plan: QualifiedId, id?: string): Promise<ArchivedMessages> {
  const folder = ports.layout.plan(plan);
  const names = (await listIfThere(ports.disk, folder)).map(({ name }) => name);
  const found = { received: new Map<string, MessageOf>(), dispatched: new Map<string, MessageOf>() };
  const wanted = id === undefined ? '' : JSON.stringify(id);
  for (const name of names.filter((one) => messageArchiveName.test(one)).sort()) {
    for (const line of (await readFile(ports, join(folder, name))).split('\n')) {
      if (line === '' || !line.includes(wanted)) continue;
      const { data } = lineSchema.safeParse(parseJson(line));
      // A message that is there twice was changed in between.
      if (data !== undefined) found[data.list].set(data.record.id, data.record as MessageOf);
    }
  }
  const { received, dispatched } = found;
  return { received: [...received.values()], dispatched: [...dispatched.values()] } as ArchivedMessages;
}

/** Whether a message was received, decided about and put into the archive; reads the file of its month alone. */
export async function isArchived(
  ports: VaultPorts,
  plan: QualifiedId,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<boolean> {
  const text = await readFile(ports, join(ports.layout.plan(plan), fileOf(at)));
  return text.includes(`"id":${JSON.stringify(id)}`);
}

const records = { received: backlogSchema.shape.received, dispatched: backlogSchema.shape.dispatched };
const lineSchema = z.discriminatedUnion('list', [
  z.object({ list: z.literal('received'), record: records.received.unwrap().unwrap().element }),
  z.object({ list: z.literal('dispatched'), record: records.dispatched.unwrap().unwrap().element }),
]);

async function choose(
  services: VaultPorts,
  plan: QualifiedId,
  texts: PlanTexts,
  bytes: number,
): Promise<readonly Leaving[]> {
  const backlog = backlogFrom(texts, plan);
  const untold = await withoutReply(services, plan, backlog);
  const { workTask } = await loadRunState(services, plan);
  const tasks = backlog.tasks ?? [];
  const needed = new Set([...tasks.map(({ id }) => id), workTask]);
  // A receiver can still decline what it promoted, which the record passes on to the task.
  const awaited = new Set(tasks.map(({ sent }) => sent));
  const received = (backlog.received ?? []).flatMap((record, index): Leaving[] => {
    const isNeeded = record.task != null && needed.has(record.task);
    return record.state === 'new' || isNeeded || untold.has(record.id) ? [] : [{ list: 'received', index, record }];
  });
  const dispatched = (backlog.dispatched ?? []).flatMap((record, index): Leaving[] =>
    lastOutcome.test(record.outcome) && !awaited.has(record.id) ? [{ list: 'dispatched', index, record }] : [],
  );
  const done = [...received, ...dispatched].sort((a, b) => (a.record.at < b.record.at ? -1 : 1));
  let left = bytes;
  return done.filter(({ record }) => {
    if (left <= 0) return false;
    left -= Buffer.byteLength(JSON.stringify(record));
    return true;
  });
}

/** Nothing more is told of a message whose record says this (`outcomeText`). */
const lastOutcome = /^(?:promoted as |declined: |refused: |answered by |not answered: )/;

function without(text: string, plan: QualifiedId, leaving: readonly Leaving[]): string | undefined {
  const lists = ['received', 'dispatched'] as const;
  const gone = lists.map((list) => new Set(leaving.flatMap((one) => (one.list === list ? [one.index] : []))));
  let edited: string | undefined = text;
  for (const [n, list] of lists.entries()) {
    const indexes = gone[n] ?? new Set();
    if (indexes.size > 0 && edited !== undefined) edited = withoutItems(edited, list, (index) => indexes.has(index));
  }
  if (edited !== undefined || leaving.length > oneByOneMax) return edited;
  const edits = leaving.toReversed().map(({ list, index }) => ({ op: 'delete' as const, path: [list, index] }));
  return editYaml(text, edits, { file, subject: plan });
}

async function append(ports: VaultPorts, plan: QualifiedId, leaving: readonly Leaving[]): Promise<void> {
  for (const name of new Set(leaving.map(({ record }) => fileOf(record.at)))) {
    const ones = leaving.filter(({ record }) => fileOf(record.at) === name);
    const path = join(ports.layout.plan(plan), name);
    const text = await readFile(ports, path);
    await endLastLine(ports, path, text);
    const known = new Set(text.split('\n'));
    const journal = await openJournal(ports.disk, path);
    try {
      const lines = ones.map(({ list, record }) => ({ list, record }));
      await Promise.all(lines.filter((line) => !known.has(JSON.stringify(line))).map((line) => journal.append(line)));
    } finally {
      await journal.close();
    }
  }
}

/**
 * A journal takes a last line without an end for half of one, and cuts it. People edit this file and git merges it, which
 * can leave a whole message so; and a power cut can take nothing but the end.
 */
async function endLastLine({ disk }: VaultPorts, path: string, text: string): Promise<void> {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  if (!lineSchema.safeParse(parseJson(last)).success) return;
  await attempt(path, 'write', async () => {
    const file = await disk.open(path, 'appendDurably');
    try {
      await writeFully(file, Buffer.from('\n'));
    } finally {
      await file.close();
    }
  });
}

function fileOf(at: string): string {
  return `backlog.${/^\d{4}-\d{2}/.exec(at)?.[0] ?? '0000-00'}.jsonl`;
}

async function readFile({ disk }: VaultPorts, path: string): Promise<string> {
  return (await ifThere(path, () => disk.readFile(path)))?.toString('utf8') ?? '';
}
