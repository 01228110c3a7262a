import * as z from 'zod';
import { failure } from '../../model/codes.ts';
import { entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';

/** What a person decides on who is asked whether an entry is to be deleted. */
export const entryDeletionSchema = z.looseObject({
  title: z.string(),
  project: z.string(),
  path: z.string(),
  isArchived: z.boolean(),
  /** SHA-256 of the file that the person saw. */
  hash: z.string(),
  reason: z.string(),
  /** The whole file, so that the decision keeps what it deletes. */
  text: z.string(),
});

export type EntryDeletion = z.infer<typeof entryDeletionSchema>;

export function deletion(
  { fields, project, path, isArchived, hash, text }: KnowledgeEntry,
  reason: string,
): EntryDeletion {
  return { title: fields.title, project, path, isArchived, hash, reason, text };
}

/** Throws `entry/deletionStale` if the entry is there and is not what the person saw. */
export function refuseStale(
  { hash, project, path, isArchived }: EntryDeletion,
  entry: KnowledgeEntry | undefined,
): void {
  if (entry === undefined || entry.hash === hash) return;
  const subject = entrySubject({ project, path, isArchived });
  throw failure('entry/deletionStale', subject, `${subject} changed since its deletion was asked for, and stays.`);
}
