import { isUlid } from '../../model/id.ts';
import { type EntryHead, entrySubject } from '../../vault/entryFile.ts';

/** By which the uses of an entry are found, and recorded by the first of them. */
export function usedNamesOf(head: EntryHead): readonly [string, ...string[]] {
  const subject = entrySubject(head);
  return head.fields.id === undefined ? [subject] : [head.fields.id, subject];
}

/** The first of these names for an entry that a session was given, by the id that it had there and its path from the vault on. */
export function usedName({ id, path }: { readonly id: string; readonly path: string }): string {
  return isUlid(id) ? id : path.replace(/^projects\//, '');
}
