import { axisOf, type EntryHead, type EntryPlace } from './entryFile.ts';

/** Which entries are meant; what is absent leaves out nothing. An entry fits one value of each list. */
export interface EntryFilter {
  /** Folder of the vault's knowledge. */
  readonly axis?: string | undefined;
  /** Empty for the vault itself. */
  readonly project?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** Without it all but the archived ones. */
  readonly statuses?: readonly EntryHead['fields']['status'][] | undefined;
  readonly confidences?: readonly string[] | undefined;
}

/** An entry in the archive is archived, whatever its file says. */
export function statusOf({ isArchived, fields }: EntryHead): EntryHead['fields']['status'] {
  return isArchived ? 'archived' : fields.status;
}

export function fitsFilter(head: EntryHead, filter: EntryFilter): boolean {
  const { fields } = head;
  const { tags, kinds, statuses, confidences } = filter;
  return (
    fitsByPlace(head, filter) &&
    (statuses === undefined || statuses.includes(statusOf(head))) &&
    (tags === undefined || fields.tags.some((tag) => tags.includes(tag))) &&
    (kinds === undefined || kinds.includes(fields.kind)) &&
    (confidences === undefined || confidences.includes(fields.confidence))
  );
}

/** Whether a file can fit, by where it is. */
export function fitsByPlace(place: EntryPlace, { axis, project, statuses }: EntryFilter): boolean {
  if (place.isArchived && statuses?.includes('archived') !== true) return false;
  return (axis === undefined || axisOf(place) === axis) && (project === undefined || place.project === project);
}

/** Whether it takes more than the place of a file to say that it fits. */
export function readsFields({ tags, kinds, statuses, confidences }: EntryFilter): boolean {
  return [tags, kinds, statuses, confidences].some((words) => words !== undefined);
}
