import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../../base/disk.ts';
import { readTextIfExists, writeAtomic } from '../../base/files.ts';
import { parseJsonFile } from '../../base/jsonFile.ts';
import type { Ulid } from '../../model/id.ts';
import { ulidSchema } from '../../model/idSchemas.ts';
import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject, ownValue } from '../../model/json.ts';
import type { Conflict, MergeSides } from '../../model/merge.ts';
import { type PlanFile, planFiles } from '../../model/plan.ts';
import type { StagingPaths } from '../transaction.ts';

/** What shall stand in place of a conflict: a side, or what a person wrote; undefined for nothing at all. */
export type Take = 'session' | 'person' | { readonly value?: Json | undefined };

/** One conflict as the person saw it, and what they decided. It holds for exactly these two sides. */
export interface ResolvedConflict {
  readonly conflict: Conflict;
  readonly take: Take;
}

export interface Resolution {
  readonly approval: Ulid;
  readonly files: Readonly<Partial<Record<PlanFile, readonly ResolvedConflict[]>>>;
}

/** Of a text that was parsed as JSON everything is that. */
const json = z.custom<Json>().exactOptional();

const conflictSchema = z.looseObject({
  list: z.string().exactOptional(),
  record: z.string().exactOptional(),
  field: z.string().exactOptional(),
  base: json,
  session: json,
  person: json,
  reason: z.string(),
}) satisfies z.ZodType<Conflict>;

const takeSchema = z.union([z.literal('session'), z.literal('person'), z.looseObject({ value: json })]);

const resolutionSchema: z.ZodType<Resolution> = z.looseObject({
  approval: ulidSchema,
  files: z.partialRecord(z.enum(planFiles), z.array(z.looseObject({ conflict: conflictSchema, take: takeSchema }))),
});

/** Keeps what a person decided beside the proposal, so that it is found when it is applied, even after a crash. */
export async function saveResolution(disk: Disk, paths: StagingPaths, resolution: Resolution): Promise<void> {
  await writeAtomic(disk, fileOf(paths), JSON.stringify(resolution));
}

export async function loadResolution(disk: Disk, paths: StagingPaths): Promise<Resolution | undefined> {
  const text = await readTextIfExists(disk, fileOf(paths));
  if (text === undefined) return undefined;
  return parseJsonFile(text, fileOf(paths), resolutionSchema);
}

function fileOf(paths: StagingPaths): string {
  return join(paths.root, 'resolution.json');
}

/**
 * What each conflict shall come to; undefined unless every one of them was decided with both sides as they are now.
 */
export function takesFor(
  conflicts: readonly Conflict[],
  resolved: readonly ResolvedConflict[],
): readonly ResolvedConflict[] | undefined {
  const takes = conflicts.map((conflict) => resolved.find((candidate) => isSame(candidate.conflict, conflict)));
  return takes.every((take) => take !== undefined) ? takes : undefined;
}

function isSame(seen: Conflict, now: Conflict): boolean {
  if (seen.list !== now.list || seen.record !== now.record || seen.field !== now.field) return false;
  return equalJson(seen.base, now.base) && equalJson(seen.session, now.session) && equalJson(seen.person, now.person);
}

/**
 * The sides with the conflicts settled: where the person's value stands, the session wanted nothing else; where another
 * one does, the person had changed nothing.
 */
export function settleSides(sides: MergeSides, takes: readonly ResolvedConflict[]): MergeSides {
  let { base, session } = sides;
  for (const { conflict, take } of takes) {
    const value = take === 'person' ? conflict.person : take === 'session' ? conflict.session : take.value;
    session = put(session, conflict, value, base);
    if (!equalJson(value, conflict.person)) base = put(base, conflict, conflict.person, sides.person);
  }
  return { base, session, person: sides.person };
}

/** What shall stand where a whole file is one conflict. */
export function settledText({ conflict, take }: ResolvedConflict): string | undefined {
  const value = take === 'person' ? conflict.person : take === 'session' ? conflict.session : take.value;
  return typeof value === 'string' ? value : undefined;
}

/** The side with another value at the place of the conflict; a record that it lacks stands where `like` has it. */
function put(side: JsonObject, place: Conflict, value: Json | undefined, like: JsonObject): JsonObject {
  const { list, record, field } = place;
  if (list === undefined) return field === undefined ? side : withKey(side, field, value);
  const items = listOf(side, list);
  const at = items.findIndex((item) => idOf(item) === record);
  if (field !== undefined) {
    const item = items[at];
    return isJsonObject(item) ? { ...side, [list]: items.with(at, withKey(item, field, value)) } : side;
  }
  if (value === undefined) return at < 0 ? side : { ...side, [list]: items.toSpliced(at, 1) };
  if (at >= 0) return { ...side, [list]: items.with(at, value) };
  return { ...side, [list]: items.toSpliced(positionLike(items, listOf(like, list), record), 0, value) };
}

/** Behind the nearest of the records that stand before it in the other list. */
function positionLike(items: readonly Json[], like: readonly Json[], record: string | undefined): number {
  const ids = like.map(idOf);
  for (let before = ids.indexOf(record) - 1; before >= 0; before--) {
    const at = items.findIndex((item) => idOf(item) === ids[before]);
    if (at >= 0) return at + 1;
  }
  return 0;
}

function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _gone, ...rest } = object;
  return rest;
}

function listOf(side: JsonObject, list: string): Json[] {
  const value = ownValue(side, list);
  return isJsonArray(value) ? [...value] : [];
}

function idOf(item: Json | undefined): string | undefined {
  const id = isJsonObject(item) ? ownValue(item, 'id') : undefined;
  return typeof id === 'string' ? id : undefined;
}
