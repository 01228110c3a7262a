import { join } from 'node:path';
import { parseJson } from '../../base/json.ts';
import { isQualifiedId, projectNameProblem, projectOf, type QualifiedId } from '../../model/id.ts';
import type { SearchPlace } from '../../model/requests/search.ts';
import { searchPlaces } from '../../model/requests/search.ts';
import { projectPaths, type VaultLayout } from '../../vault/layout.ts';

/** A file that holds entries. */
export interface SearchSource {
  /** The same for the same file, whenever it is looked at; one line without a tab at its end. */
  readonly key: string;
  readonly in: SearchPlace;
  /** Absolute path, through the vault. */
  readonly file: string;
  readonly plan?: QualifiedId;
  /** Name of the file in the folder of its plan, or path of a note below its knowledge folder. */
  readonly name: string;
  /** The vault, or the link to the `ravel/` of a project: no link may lead out of it. */
  readonly root: string;
}

/** A key is the place, the plan or project, and the name of the file; none of the first two can hold a tab. */
function keyOf(place: SearchPlace, owner: string, name: string): string {
  return `${place}\t${owner}\t${JSON.stringify(name)}`;
}

export function planSource(layout: VaultLayout, place: SearchPlace, plan: QualifiedId, name: string): SearchSource {
  const root = layout.project(projectOf(plan));
  return { key: keyOf(place, plan, name), in: place, plan, name, root, file: join(layout.plan(plan), name) };
}

/** `project` is empty for the notes of the vault itself; `name` uses `/`. */
export function noteSource(layout: VaultLayout, project: string, name: string): SearchSource {
  return {
    ...{ key: keyOf('knowledge', project, name), in: 'knowledge', name },
    root: project === '' ? layout.root : layout.project(project),
    file: join(knowledgeFolder(layout, project), name),
  };
}

function knowledgeFolder(layout: VaultLayout, project: string): string {
  return project === '' ? layout.knowledge : join(layout.project(project), projectPaths.knowledge);
}

/** `month` is empty for a decision that was not put aside yet. */
export function decisionSource(layout: VaultLayout, month: string, name: string): SearchSource {
  const folder = month === '' ? layout.decisions : join(layout.decisionArchive, month);
  return { key: keyOf('decisions', month, name), in: 'decisions', name, root: layout.root, file: join(folder, name) };
}

/** The source of a key that was made here; undefined for any other text. */
export function sourceOfKey(layout: VaultLayout, key: string): SearchSource | undefined {
  const [place = '', owner = '', quoted = ''] = key.split('\t');
  const name = parseJson(quoted);
  if (typeof name !== 'string' || !isPlace(place) || leadsUp(name)) return undefined;
  const isOwn = owner === '' || projectNameProblem(owner) === undefined;
  if (place === 'knowledge') return isOwn ? noteSource(layout, owner, name) : undefined;
  if (place === 'decisions') return isOwn ? decisionSource(layout, owner, name) : undefined;
  return isQualifiedId(owner) ? planSource(layout, place, owner, name) : undefined;
}

/** Keys are read from a file as well, which must not lead a search out of the vault. */
function leadsUp(name: string): boolean {
  return name.replaceAll('\\', '/').split('/').includes('..');
}

/** For a person: where an entry is, in a few words. */
export function entryName({ in: place, plan, name }: SearchSource, id: string): string {
  return place === 'knowledge' ? `${place} ${name}` : [place, plan, id].filter(Boolean).join(' ');
}

function isPlace(text: string): text is SearchPlace {
  return searchPlaces.some((place) => place === text);
}
