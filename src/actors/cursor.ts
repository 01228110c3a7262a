import * as z from 'zod';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import { writeAtomic } from '../base/files.ts';
import { newline } from '../base/units.ts';
import type { Json } from '../model/json.ts';
import { closeLine, crcProblem } from './record.ts';

const count = z.number().int().nonnegative();

const cursorSchema = z.looseObject({
  /** Whose mailbox this is: the name of a file may be too short to tell. */
  actor: z.string().min(1),
  /** The next record. All before it are done with. */
  seq: z.number().int().positive(),
  /** Where that record starts: a hint, checked against what stands there. Null while it is not known. */
  offset: count.nullable(),
  /** Deliveries of the next record that were begun, and those of them that ended with an error. */
  started: count,
  threw: count,
  /** What the behaviour recorded of its effects. */
  effects: z.record(
    z.string(),
    z.custom<Json>((value) => value !== undefined),
  ),
});

/** How far an actor has come with its mailbox, and how often it tried the message it is at. */
export type Cursor = Readonly<z.infer<typeof cursorSchema>>;

export type LoadedCursor =
  | { readonly kind: 'loaded'; readonly cursor: Cursor }
  | { readonly kind: 'missing' }
  | { readonly kind: 'garbage'; readonly reason: string };

/** Reads a cursor file; one that is not as it was written is garbage, whatever it says. */
export async function loadCursor(disk: Disk, path: string): Promise<LoadedCursor> {
  const bytes = await readIfExists(disk, path);
  if (bytes === undefined) return { kind: 'missing' };
  if (bytes.at(-1) !== newline) return { kind: 'garbage', reason: 'it does not end with a newline' };
  const reason = crcProblem(bytes.subarray(0, -1));
  if (reason !== undefined) return { kind: 'garbage', reason };
  const { success, data, error } = cursorSchema.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!success) return { kind: 'garbage', reason: error.issues[0]?.message ?? 'it has another form' };
  assert(data.threw <= data.started, 'only what was begun can fail');
  return { kind: 'loaded', cursor: data };
}

/** Replaces the cursor file; durable once it resolves. */
export async function saveCursor(disk: Disk, path: string, cursor: Cursor): Promise<void> {
  assert(cursor.threw <= cursor.started, 'only what was begun can fail');
  const { actor, seq, offset, started, threw, effects } = cursor;
  const line = closeLine(JSON.stringify({ actor, seq, offset, started, threw, effects }).slice(0, -1));
  await writeAtomic(disk, path, line, { permissions: 0o600 });
}

async function readIfExists(disk: Disk, path: string): Promise<Buffer | undefined> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw toDiskError(error, path, 'read');
  }
}
