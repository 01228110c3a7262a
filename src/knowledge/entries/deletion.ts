import * as z from 'zod';
import { sha256 } from '../../base/files.ts';
import { failure } from '../../model/codes.ts';
import { projectNameProblem } from '../../model/id.ts';
import { entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import { isNotePath } from '../../vault/entryFiles.ts';

/** What a person decides on who is asked whether an entry is to be deleted. */
export const entryDeletionSchema = z.looseObject({
  title: z.string(),
  project: z.string().refine((name) => name === '' || projectNameProblem(name) === undefined, 'not a project'),
  path: z.string().refine(isNotePath, 'not a path of an entry'),
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

/** Throws `entry/deletionStale` if the file is not what the person saw; undefined is a file that is gone. */
export function refuseStale({ hash, project, path, isArchived }: EntryDeletion, text: string | undefined): void {
  if (text !== undefined && sha256(text) === hash) return;
  const subject = entrySubject({ project, path, isArchived });
  const message =
    text === undefined
      ? `${subject} was moved or removed since its deletion was asked for, so there is nothing to delete.`
      : `${subject} changed since its deletion was asked for, and stays.`;
  throw failure('entry/deletionStale', subject, message);
}
