import { defined } from '../../base/defined.ts';
import { confidenceAfterUse } from '../../model/evidence.ts';
import type { KnowledgeEntry } from '../../vault/entryFile.ts';
import { boundedOrigins, type ChangeContext, type EntryChange, jsonOf, revised, set } from './entryChange.ts';

/** Where an entry was seen to hold. */
export interface Holding {
  readonly project?: string | undefined;
  readonly context?: string | undefined;
}

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
    ...(project === undefined ? [] : [set('origins', boundedOrigins([...fields.origins, origin]).map(jsonOf))]),
    ...(confidence === fields.confidence ? [] : [set('confidence', confidence)]),
  ];
  return { title: `Validate ${fields.title}`, files: [revised(entry, { fields: edits }, context)] };
}
