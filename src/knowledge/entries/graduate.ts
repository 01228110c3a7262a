import type { KnowledgeEntry } from '../../vault/entryFile.ts';
import { type ChangeContext, type EntryChange, revised, set } from './entryChange.ts';

/** Projects in which an entry has to be proven before a person is asked whether it holds in general. */
const graduationProjects = 2;

/** Whether a person can be asked: it is new, proven in several projects, and not `high` yet. */
export function canGraduate({ fields }: Pick<KnowledgeEntry, 'fields'>): boolean {
  const projects = new Set(fields.origins.map(({ project }) => project));
  return fields.status === 'staged' && fields.confidence === 'medium' && projects.size >= graduationProjects;
}

/** What a person accepted: it holds in general, so it is placed, and as sure as an entry can be. */
export function graduateEntry(entry: KnowledgeEntry, context: ChangeContext): EntryChange {
  const { fields } = entry;
  if (fields.status === 'consolidated' && fields.confidence === 'high')
    return { title: `Graduate ${fields.title}`, files: [] };
  const edits = [set('status', 'consolidated'), set('confidence', 'high')];
  return { title: `Graduate ${fields.title}`, files: [revised(entry, { fields: edits }, context)] };
}
