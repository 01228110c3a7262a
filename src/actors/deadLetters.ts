import { join } from 'node:path';
import * as z from 'zod';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { isAbsent, listIfThere, toDiskError } from '../base/diskErrors.ts';
import { type Diagnostic, messageOf } from '../base/errors.ts';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../base/files.ts';
import { diagnostic } from '../model/codes.ts';
import { isQualifiedId, isUlid, type QualifiedId, segmentFromId, type Ulid } from '../model/id.ts';
import type { Effects } from './record.ts';

const deadLetterSchema = z.object({
  id: z.custom<Ulid>((value) => typeof value === 'string' && isUlid(value), 'it is not a ULID'),
  actor: z.custom<QualifiedId>((value) => typeof value === 'string' && isQualifiedId(value), 'it names no actor'),
  message: z.record(z.string(), z.unknown()),
  reason: z.object({ code: z.string(), message: z.string() }),
  at: z.string(),
  attempts: z.number().int().nonnegative(),
  redelivered: z.number().int().nonnegative(),
  effects: z.custom<Effects>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
});

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
  return {
    async write(letter) {
      assert(letter.id === letter.message['id'] && letter.reason.message !== '', 'a letter names its message and why');
      const folder = deadLettersOf(directory, letter.actor);
      await ensureDirectory(disk, folder, 0o700);
      await writeAtomic(disk, join(folder, fileName(letter.id)), `${JSON.stringify(letter)}\n`, { permissions: 0o600 });
    },
    async list(actor) {
      const folders = actor === undefined ? await names(disk, directory) : [segmentFromId(actor)];
      const letters: DeadLetter[] = [];
      const diagnostics: Diagnostic[] = [];
      for (const folder of folders) {
        for (const name of await deadLetterNames(disk, join(directory, folder))) {
          const read = await readDeadLetter(disk, join(directory, folder, name));
          if (read.kind === 'letter') letters.push(read.letter);
          if (read.kind === 'bad') diagnostics.push(read.diagnostic);
        }
      }
      return { letters, diagnostics };
    },
    async ids() {
      const ids = new Map<string, Set<Ulid>>();
      for (const folder of await names(disk, directory)) {
        const found = (await deadLetterNames(disk, join(directory, folder))).map((name) => idOf(name) as Ulid);
        if (found.length > 0) ids.set(folder, new Set(found));
      }
      return ids;
    },
    async remove({ actor, id }) {
      const folder = deadLettersOf(directory, actor);
      try {
        await disk.unlink(join(folder, fileName(id)));
        await disk.syncDirectory(folder);
      } catch (error) {
        if (!isAbsent(error)) throw toDiskError(error, join(folder, fileName(id)), 'remove');
      }
    },
  };
}

/** The folder of one actor's letters. */
export function deadLettersOf(directory: string, actor: QualifiedId): string {
  return join(directory, segmentFromId(actor));
}

const ending = '.json';

function fileName(id: Ulid): string {
  return `${id}${ending}`;
}

async function names(disk: Disk, directory: string): Promise<string[]> {
  const entries = await listIfThere(disk, directory);
  return entries.map(({ name }) => name).sort();
}

/** Skips the leftovers of writes that a crash cut short. */
async function deadLetterNames(disk: Disk, folder: string): Promise<string[]> {
  return (await names(disk, folder)).filter((name) => idOf(name) !== undefined);
}

function idOf(name: string): Ulid | undefined {
  const id = name.slice(0, -ending.length);
  return name.endsWith(ending) && isUlid(id) ? id : undefined;
}

type ReadDeadLetter =
  | { readonly kind: 'letter'; readonly letter: DeadLetter }
  | { readonly kind: 'bad'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'gone' };

async function readDeadLetter(disk: Disk, file: string): Promise<ReadDeadLetter> {
  try {
    const text = await readTextIfExists(disk, file);
    if (text === undefined) return { kind: 'gone' };
    return { kind: 'letter', letter: deadLetterSchema.parse(JSON.parse(text)) };
  } catch (error) {
    const message = `The dead letter ${file} cannot be read: ${messageOf(error)}`;
    return { kind: 'bad', diagnostic: diagnostic('message/unreadable', file, message, { file }) };
  }
}
