import type { RecordKind, YamlKind } from '../model/document.ts';
import { targetFields } from '../model/namedTarget.ts';

/**
 * What a value names. `actor` is a plan or `expert:<id>`, `receiver` one of them or a project, `bareExpert` an expert's id
 * by itself.
 */
export type NamedBy = 'task' | 'claim' | 'actor' | 'receiver' | 'plan' | 'project' | 'bareExpert';

/** How the records of a list show themselves: which keys say what. */
export interface RecordShape {
  /** Key of the list at the root; the root itself is one record if it is empty. */
  readonly list: string;
  readonly kind: RecordKind;
  readonly id: string;
  readonly title: string;
  readonly state?: string;
  readonly names?: Readonly<Record<string, NamedBy>>;
}

const message: Omit<RecordShape, 'list'> = {
  kind: 'message',
  id: 'id',
  title: 'reason',
  names: Object.fromEntries(targetFields.flatMap(({ field, names }) => (names === undefined ? [] : [[field, names]]))),
};

const claim: RecordShape = { list: 'claims', kind: 'claim', id: 'id', title: 'text', state: 'verdict' };

export const recordShapes: Readonly<Record<YamlKind, readonly RecordShape[]>> = {
  backlog: [
    { list: 'tasks', kind: 'task', id: 'id', title: 'title', state: 'status', names: { dependencies: 'task' } },
    { list: 'received', kind: 'message', id: 'id', title: 'reason', state: 'state', names: { from: 'actor' } },
    { list: 'dispatched', kind: 'message', id: 'id', title: 'reason', state: 'outcome', names: { to: 'actor' } },
  ],
  memory: [{ list: 'entries', kind: 'entry', id: 'id', title: 'title', names: { claims: 'claim' } }],
  sessionLog: [{ list: 'sessions', kind: 'session', id: 'id', title: 'body', state: 'phase' }],
  latestSession: [{ list: '', kind: 'session', id: 'id', title: 'body', state: 'phase' }, claim],
  commits: [{ list: 'commits', kind: 'commit', id: '', title: 'message' }],
  dispatches: [{ list: 'dispatches', ...message }],
  queries: [{ list: 'queries', ...message }],
  planState: [],
  projects: [{ list: 'projects', kind: 'project', id: 'name', title: 'remote' }],
  localProjects: [{ list: 'projects', kind: 'project', id: 'name', title: 'path', names: { name: 'project' } }],
  routing: [{ list: 'rules', kind: 'rule', id: 'id', title: 'target', names: { target: 'receiver' } }],
  policy: [{ list: 'rules', kind: 'rule', id: 'id', title: 'why' }],
  expert: [],
  entry: [],
};

/** What a value at a key names, by the path of the mapping that holds the key. */
export function namedAt(kind: YamlKind, path: readonly string[], key: string): NamedBy | undefined {
  const [list, item] = path;
  if (path.length !== 2 || item !== '*') return undefined;
  return recordShapes[kind].find((shape) => shape.list === list)?.names?.[key];
}
