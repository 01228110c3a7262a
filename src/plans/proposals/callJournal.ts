import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../../base/disk.ts';
import { readTextIfExists, removeTree, writeAtomic } from '../../base/files.ts';
import { type Journal, openJournal, readJournal } from '../../base/journal.ts';
import { parseJsonFile } from '../../base/jsonFile.ts';
import { type ApprovalKind, approvalKinds } from '../../model/approval.ts';
import type { DreamMap } from '../../model/memory.ts';
import { type PlanFile, planFiles } from '../../model/plan.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import { type FinishArgs, finishOutcomes } from '../../model/sessionTools.ts';
import type { StagingPaths } from '../transaction.ts';

/** How a session's `finish_phase` was answered. */
export type FinishVerdict =
  | { readonly kind: 'accepted'; readonly finish: FinishArgs }
  | { readonly kind: 'refused'; readonly reason: string }
  /** Refused for the last time, or for a reason that the session cannot fix. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** A dream refused for the last time: the old memory stands and the cycle goes on. */
  | { readonly kind: 'givenUp'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly approval: ApprovalKind; readonly reason: string };

/** One call of a session, as the journal keeps it. */
export interface CallRecord {
  readonly call: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: CallResult;
  /** Name of the verb, if the call was one and was carried out. */
  readonly verb?: string;
  readonly dreamMap?: DreamMap;
  readonly finish?: FinishVerdict;
  /** Notes of a person that the answer told. */
  readonly notes?: readonly string[];
}

const refusal = { reason: z.string() };

const verdictSchema = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('accepted'),
    finish: z.looseObject({ outcome: z.enum(finishOutcomes), summary: z.string() }),
  }),
  z.looseObject({ kind: z.literal('refused'), ...refusal }),
  z.looseObject({ kind: z.literal('failed'), ...refusal }),
  z.looseObject({ kind: z.literal('givenUp'), ...refusal }),
  z.looseObject({ kind: z.literal('waiting'), ...refusal, approval: z.enum(approvalKinds) }),
]) satisfies z.ZodType<FinishVerdict>;

const callSchema: z.ZodType<CallRecord> = z.looseObject({
  call: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  result: z.looseObject({ text: z.string(), isError: z.boolean() }),
  verb: z.string().exactOptional(),
  dreamMap: z.record(z.string(), z.array(z.string())).exactOptional(),
  finish: verdictSchema.exactOptional(),
  notes: z.array(z.string()).exactOptional(),
});

/** Whether the session ends after it. */
export function isDecisive(verdict: FinishVerdict): boolean {
  return verdict.kind !== 'refused';
}

/** What decided the phase, in the calls of its session; undefined while nothing has. */
export function verdictIn(calls: readonly CallRecord[]): FinishVerdict | undefined {
  return calls.findLast(({ finish }) => finish !== undefined && isDecisive(finish))?.finish;
}

export type StagedEdits = ReadonlyMap<PlanFile, string | undefined>;

export const noEdits: StagedEdits = new Map();

/**
 * What a session did, in order: a redo log over its staged copy. A call is durable before its effect, and its effect
 * before its answer; a call that is repeated because its answer was lost finds its record and changes nothing.
 */
export interface CallJournal {
  readonly records: readonly CallRecord[];
  /** Of all calls before the last one that was made here. */
  readonly bytes: number;
  find(call: string): CallRecord | undefined;
  /** Carries out what an earlier `commit` could not; until then the staged copy must not be read. */
  settle(): Promise<void>;
  /**
   * Makes the call durable, then carries its edits out on the staged copy. Once it is durable the call counts: where the
   * disk then refuses the edits, `settle` has to come first.
   */
  commit(record: CallRecord, edits: StagedEdits): Promise<void>;
  close(): Promise<void>;
}

export function callJournalPath(sessionDirectory: string): string {
  return join(sessionDirectory, 'calls.jsonl');
}

/** Opens the journal and finishes the edits of its last call, should a crash have come in between. */
export async function openCallJournal(disk: Disk, paths: StagingPaths, sessionDirectory: string): Promise<CallJournal> {
  const file = callJournalPath(sessionDirectory);
  const journal = await openJournal(disk, file);
  const records = await readCalls(disk, sessionDirectory);
  await redo(disk, paths, records.at(-1));
  return createCallJournal(disk, paths, journal, records);
}

/** Finishes the edits of a session's last call, for a caller that reads its staged copy without opening the journal. */
export async function redoLastCall(disk: Disk, paths: StagingPaths, sessionDirectory: string): Promise<void> {
  await redo(disk, paths, (await readCalls(disk, sessionDirectory)).at(-1));
}

export async function readCalls(disk: Disk, sessionDirectory: string): Promise<CallRecord[]> {
  return (await readJournal(disk, callJournalPath(sessionDirectory), callSchema)).records;
}

function createCallJournal(disk: Disk, paths: StagingPaths, journal: Journal, records: CallRecord[]): CallJournal {
  const byCall = new Map(records.map((record) => [record.call, record]));
  let owed: StagedEdits = new Map();
  let bytes = 0;
  const settle = async () => {
    await writeStaged(disk, paths, owed);
    owed = new Map();
  };
  return {
    records,
    get bytes() {
      return bytes;
    },
    find: (call) => byCall.get(call),
    settle,
    async commit(record, edits) {
      if (edits.size > 0) await writeAtomic(disk, paths.redo, formatRedo(record.call, edits));
      bytes = await journal.append(record);
      records.push(record);
      byCall.set(record.call, record);
      owed = edits;
      // The call is decided and its redo is on disk: a caller that needs the staged files settles first, and gets the
      // error then.
      await settle().catch(() => undefined);
    },
    close: () => journal.close(),
  };
}

interface Redo {
  readonly call: string;
  readonly edits: readonly (readonly [PlanFile, string | null])[];
}

const redoSchema: z.ZodType<Redo> = z.looseObject({
  call: z.string(),
  edits: z.array(z.tuple([z.enum(planFiles), z.string().nullable()])),
});

function formatRedo(call: string, edits: StagedEdits): string {
  const redo: Redo = { call, edits: [...edits].map(([file, text]) => [file, text ?? null] as const) };
  return JSON.stringify(redo);
}

async function redo(disk: Disk, paths: StagingPaths, last: CallRecord | undefined): Promise<void> {
  const text = await readTextIfExists(disk, paths.redo);
  if (text === undefined || last === undefined) return;
  const pending = parseJsonFile(text, paths.redo, redoSchema);
  if (pending.call !== last.call) return;
  await writeStaged(disk, paths, new Map(pending.edits.map(([file, content]) => [file, content ?? undefined])));
}

async function writeStaged(disk: Disk, paths: StagingPaths, edits: StagedEdits): Promise<void> {
  for (const [file, text] of edits) {
    const target = join(paths.plan, file);
    if (text === undefined) await removeTree(disk, target);
    else await writeAtomic(disk, target, text);
  }
}
