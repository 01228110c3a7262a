import { join } from 'node:path';
import * as z from 'zod';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import type { Diagnostic } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { jsonLine, RecordFolder } from '../base/recordFolder.ts';
import { isUlid, type QualifiedId, segmentFromId, type Ulid } from '../model/id.ts';
import { actorSchema, ulidSchema } from '../model/idSchemas.ts';
import { unreadableRecord } from '../model/unreadableRecord.ts';
import type { Effects } from './record.ts';

/** A message that its actor could not handle, with why. */
export interface DeadLetter {
  /** The message's. */
  readonly id: Ulid;
  readonly actor: QualifiedId;
  /** As it was sent; in a form that may be unknown, if that is the reason. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly reason: Pick<Diagnostic, 'code' | 'message'>;
  /** When it was given up. */
  readonly at: string;
  /** How often it was delivered before. */
  readonly attempts: number;
  /** How often it was given up and delivered again before. */
  readonly redelivered: number;
  /** What the behaviour recorded of the effects that it did make, by their index. */
  readonly effects: Effects;
}

const deadLetterSchema: z.ZodType<DeadLetter> = z.object({
  id: ulidSchema,
  actor: actorSchema,
  message: z.record(z.string(), z.unknown()),
  reason: z.object({ code: z.string(), message: z.string() }),
  at: z.string(),
  attempts: z.number().int().nonnegative(),
  redelivered: z.number().int().nonnegative(),
  effects: z.custom<Effects>(isRecord, 'it is not a record of effects'),
});

export interface DeadLetterList {
  /** By actor, then by id. */
  readonly letters: DeadLetter[];
  /** Letters that cannot be read; their files stay. */
  readonly diagnostics: Diagnostic[];
}

/** Dead letters on disk: a folder for each actor, a file for each letter. */
export interface DeadLetterStore {
  /** Durable once it resolves. Writing the same letter again replaces it. */
  write(letter: DeadLetter): Promise<void>;
  list(actor?: QualifiedId): Promise<DeadLetterList>;
  /** The ids of all letters, by the folder they lie in; none of them is read. */
  ids(): Promise<Map<string, Set<Ulid>>>;
  remove(letter: DeadLetter): Promise<void>;
}

export function openDeadLetters(disk: Disk, directory: string): DeadLetterStore {
  const folderOf = (segment: string) =>
    new RecordFolder<Ulid, DeadLetter>({
      ...{ disk, folder: join(directory, segment), text: jsonLine, schema: deadLetterSchema, isPrivate: true },
      ...{ isId: isUlid, idOf: ({ id }) => id },
      unreadable: unreadableRecord('message/unreadable', 'a dead letter'),
    });
  const segments = async () => (await listIfThere(disk, directory)).map(({ name }) => name).sort();
  return {
    async write(letter) {
      assert(letter.id === letter.message['id'] && letter.reason.message !== '', 'a letter names its message and why');
      await folderOf(segmentFromId(letter.actor)).save(letter.id, letter);
    },
    async list(actor) {
      const letters: DeadLetter[] = [];
      const diagnostics: Diagnostic[] = [];
      for (const segment of actor === undefined ? await segments() : [segmentFromId(actor)]) {
        const found = await folderOf(segment).loadAll();
        letters.push(...found.records);
        diagnostics.push(...found.diagnostics);
      }
      return { letters, diagnostics };
    },
    async ids() {
      const ids = new Map<string, Set<Ulid>>();
      for (const segment of await segments()) {
        const found = await folderOf(segment).list();
        if (found.length > 0) ids.set(segment, new Set(found));
      }
      return ids;
    },
    remove: ({ actor, id }) => folderOf(segmentFromId(actor)).remove(id),
  };
}

/** The folder of one actor's letters. */
export function deadLettersOf(directory: string, actor: QualifiedId): string {
  return join(directory, segmentFromId(actor));
}
