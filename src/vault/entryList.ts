import type { Diagnostic } from '../base/errors.ts';
import type { EntryHead, EntryPlace } from './entryFile.ts';
import { entrySubject } from './entryFile.ts';
import type { EntryFilter } from './entryFilter.ts';

/** A part of a list of entries. */
export interface EntryListOrder extends EntryFilter {
  /** The entry before the first one that is wanted, by its path in the vault; it can be gone. */
  readonly after?: string | undefined;
  /** How many are passed over. */
  readonly from: number;
  readonly limit: number;
}

export interface EntryList {
  readonly heads: readonly EntryHead[];
  /** How many fit. */
  readonly total: number;
  /** How many fit behind the last of `heads`. */
  readonly more: number;
  /**
   * Whether files that were not looked at count as entries that fit: then `total` and `more` are the most that there can
   * be.
   */
  readonly isAtMost: boolean;
  /** About the files that were looked at. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Where in a list the first place behind an entry is. */
export function startAfter(places: readonly EntryPlace[], after: string | undefined): number {
  if (after === undefined) return 0;
  const at = places.findIndex((place) => entrySubject(place) === after);
  if (at >= 0) return at + 1;
  // It was removed since: what comes next in the order of a list. The places of one folder stand together.
  const folders = [...new Set(places.map(folderOf))];
  const folder = folders.filter((one) => after.startsWith(one)).sort((one, other) => other.length - one.length)[0];
  if (folder === undefined) return places.length;
  const path = after.slice(folder.length);
  const first = places.findIndex((place) => folderOf(place) === folder && comparePaths(place.path, path) > 0);
  return first >= 0 ? first : places.findLastIndex((place) => folderOf(place) === folder) + 1;
}

function folderOf(place: EntryPlace): string {
  return entrySubject({ ...place, path: '' });
}

/** The order in which `listNotes` lists paths of files: those of a folder before its folders, each by their names. */
function comparePaths(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  for (let n = 0; ; n += 1) {
    const [a = '', b = ''] = [left[n], right[n]];
    const [isFile, isOtherFile] = [n >= left.length - 1, n >= right.length - 1];
    if (isFile !== isOtherFile) return isFile ? -1 : 1;
    if (a !== b) return a < b ? -1 : 1;
    if (isFile) return 0;
  }
}
