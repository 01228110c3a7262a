import { defined } from '../base/defined.ts';
import type { EntryRow } from '../model/requests/knowledge.ts';
import { axisOf, type EntryHead, entrySubject } from '../vault/entryFile.ts';
import { statusOf } from '../vault/entryFilter.ts';

/** An entry in a list. */
export function entryRowOf(head: EntryHead): EntryRow {
  const { fields, project, file, bytes } = head;
  const { id, title, kind, confidence, tags, version, created, last_validated: lastValidated } = fields;
  return {
    ...{ entry: entrySubject(head), title, kind, status: statusOf(head), confidence, tags },
    ...{ axis: axisOf(head), project, version, file, bytes },
    ...defined({ id, created, lastValidated }),
  };
}
