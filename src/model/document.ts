import type { Diagnostic, Range } from '../base/errors.ts';
import type { QualifiedId } from './id.ts';
import { planFiles } from './plan.ts';

/** What a file that people edit is; each kind has its schema, its records and its own way to be read. */
export const documentKinds = [
  'backlog',
  'memory',
  'sessionLog',
  'latestSession',
  'commits',
  'dispatches',
  'queries',
  'planState',
  'phase',
  'projects',
  'localProjects',
  'routing',
  'policy',
  'expert',
  'entry',
  'identity',
  'settings',
] as const;

export type DocumentKind = (typeof documentKinds)[number];

/** Kinds whose text is YAML, as a whole or between the fences of its frontmatter. */
export type YamlKind = Exclude<DocumentKind, 'phase' | 'identity' | 'settings'>;

/** Kinds of Markdown whose frontmatter is what Ravel reads. */
export function isFrontmatterKind(kind: DocumentKind): kind is 'planState' | 'expert' | 'entry' {
  return kind === 'planState' || kind === 'expert' || kind === 'entry';
}

export function isYamlKind(kind: DocumentKind): kind is YamlKind {
  return kind !== 'phase' && kind !== 'identity' && kind !== 'settings';
}

/** Files in a plan's folder, by name. */
export const planDocuments: ReadonlyMap<string, DocumentKind> = new Map<string, DocumentKind>([
  [planFiles.backlog, 'backlog'],
  [planFiles.memory, 'memory'],
  [planFiles.sessionLog, 'sessionLog'],
  [planFiles.latestSession, 'latestSession'],
  [planFiles.commits, 'commits'],
  [planFiles.dispatches, 'dispatches'],
  [planFiles.queries, 'queries'],
  [planFiles.marker, 'planState'],
  [planFiles.phase, 'phase'],
]);

/** Files right in the vault, by name. */
export const vaultDocuments: ReadonlyMap<string, DocumentKind> = new Map<string, DocumentKind>([
  ['ravel.toml', 'identity'],
  ['daemon.toml', 'settings'],
  ['projects.yaml', 'projects'],
  ['projects.local.yaml', 'localProjects'],
  ['routing.yaml', 'routing'],
  ['policy.yaml', 'policy'],
]);

/** Files in the `ravel/` of a project, by name. */
export const projectDocuments: ReadonlyMap<string, DocumentKind> = new Map<string, DocumentKind>([
  ['policy.yaml', 'policy'],
]);

/** What stands in a document under an id. */
export type RecordKind =
  | 'task'
  | 'message'
  | 'entry'
  | 'session'
  | 'claim'
  | 'commit'
  | 'project'
  | 'rule'
  /** A key of frontmatter or a table of settings. */
  | 'key';

export interface DocumentRecord {
  readonly kind: RecordKind;
  /** The list that it stands in, such as `tasks`. */
  readonly list: string;
  /** Absent if the record names none. */
  readonly id?: string;
  readonly title: string;
  readonly state?: string;
  /** The whole record. */
  readonly range: Range;
  /** Its id, or else its beginning. */
  readonly idRange: Range;
}

/** Whom or what a place in a document names. */
export type ReferenceKind = 'task' | 'claim' | 'plan' | 'project' | 'expert' | 'note';

export interface DocumentTarget {
  readonly file: string;
  readonly range?: Range;
}

export interface DocumentReference {
  readonly kind: ReferenceKind;
  /** A qualified id for plans and experts. */
  readonly id: string;
  readonly range: Range;
  /** Absent if there is no such thing. */
  readonly target?: DocumentTarget;
  /** Of what is named, as far as it is known. */
  readonly title?: string;
  readonly state?: string;
}

/** A diagnostic in a document that is open. */
export interface Finding extends Diagnostic {
  /** Other places that it is about. */
  readonly related?: readonly { readonly file: string; readonly range: Range; readonly message: string }[];
}

export interface TextEdit {
  readonly range: Range;
  readonly text: string;
}

/** A change of the text after which the finding is gone; it touches nothing else. */
export interface Repair {
  readonly title: string;
  /** The one that is nearly always meant. */
  readonly isPreferred: boolean;
  /** Of the finding: its code and its place. */
  readonly code: string;
  readonly range: Range;
  readonly edits: readonly TextEdit[];
}

/** All that an editor shows of one state of one text. */
export interface InspectedDocument {
  readonly kind: DocumentKind;
  /** The path through the vault, whichever way led to the file. */
  readonly file: string;
  readonly plan?: QualifiedId;
  readonly findings: readonly Finding[];
  readonly records: readonly DocumentRecord[];
  readonly references: readonly DocumentReference[];
  /** Of an entry: the links of other entries to it. */
  readonly backlinks?: readonly DocumentBacklink[];
}

/** A link of an entry, from its other end. */
export interface DocumentBacklink {
  /** The entry that has the link. */
  readonly file: string;
  readonly title: string;
  /** The key under which it stands, or `body`. */
  readonly key: string;
}

/** Something that can stand at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'word' | 'reference' | 'file';
  /** Beside the label, in one line. */
  readonly detail?: string;
  readonly documentation?: string;
  readonly insert: string;
  /** The whole word that it replaces. */
  readonly range: Range;
  /** Further words by which it is found. */
  readonly filter?: string;
}

/** Longest text that is looked at while it is being edited; larger files are checked once they are saved. */
export const documentLengthMax = 512 * 1024;
