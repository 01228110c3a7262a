import { defined } from '../../base/defined.ts';
import { confidenceAfterUse } from '../../model/evidence.ts';
import type { KnowledgeEntry } from '../../vault/entryFile.ts';
import { type ChangeContext, type EntryChange, jsonOf, revised, set } from './entryChange.ts';

/** Where an entry was seen to hold. */
export interface Holding {
  readonly project?: string | undefined;
  readonly context?: string | undefined;
}

/** Origins of one project that an entry keeps. Without a bound, an entry that is validated each day has no end. */
const originsOfProjectMax = 10;

/** Says that an entry still holds: from today, and in a project where one is named, which can raise its confidence. */
export function validateEntry(
  entry: KnowledgeEntry,
  { project, context: seen }: Holding,
  context: ChangeContext,
): EntryChange {
  const { fields } = entry;
  const origin = { project: project ?? '', date: context.today, ...defined({ context: seen }) };
  const confidence = project === undefined ? fields.confidence : confidenceAfterUse(fields.confidence);
  const edits = [
    set('last_validated', context.today),
    ...(project === undefined ? [] : [set('origins', originsWith(entry, origin).map(jsonOf))]),
    ...(confidence === fields.confidence ? [] : [set('confidence', confidence)]),
  ];
  return { title: `Validate ${fields.title}`, files: [revised(entry, { fields: edits }, context)] };
}

/** Of the same project, the first and the newest ones stay. */
function originsWith({ fields }: KnowledgeEntry, origin: { readonly project: string }) {
  const all = [...fields.origins, origin];
  const own = all.filter(({ project }) => project === origin.project);
  const dropped = new Set(own.slice(1, Math.max(1, own.length - originsOfProjectMax + 1)));
  return all.filter((one) => !dropped.has(one));
}
