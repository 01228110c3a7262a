import { wholePlanName } from './id.ts';

/** Whom a message is for. A `name` is as its sender wrote it: it need not be one that exists. */
export type Target =
  | { readonly kind: 'plan'; readonly name: string }
  /** A plan of this project that is still to be found; `suggested` is the one that its sender would choose. */
  | { readonly kind: 'project'; readonly name: string; readonly suggested?: string }
  /** With or without `expert:` before it. */
  | { readonly kind: 'expert'; readonly name: string }
  /** Any plan or expert of the vault. */
  | { readonly kind: 'auto' };

/** What does not name exactly one target: it is refused, and kept as it was written so that its sender's record can show it. */
export interface UnclearTarget {
  readonly kind: 'unclear';
  readonly fields: TargetFields;
}

/** What a message names. */
export type NamedTarget = Target | UnclearTarget;

interface WrittenTarget {
  readonly field: string;
  /** The only value of the field; without it the field holds a name. */
  readonly word?: 'auto';
  /** What the name names in an editor. */
  readonly names?: 'plan' | 'project' | 'bareExpert';
  /** For a session that fills the field in. */
  readonly use: string;
  /** For a person who reads the field in a file. */
  readonly meaning: string;
}

/** How each kind of target is written: in files, requests and the arguments of verbs. */
const written = {
  plan: {
    field: 'target-plan',
    names: 'plan',
    use: 'another plan of this project, by its id',
    meaning: 'The plan that it goes to, by its qualified id.',
  },
  project: {
    field: 'target-project',
    names: 'project',
    use: 'another project, by its name; Ravel finds the receiver there',
    meaning: 'The project that it goes to.',
  },
  expert: {
    field: 'target-expert',
    names: 'bareExpert',
    use: 'an expert, by its id',
    meaning: 'The expert that it goes to, by its id.',
  },
  auto: {
    field: 'target',
    word: 'auto',
    use: 'if you cannot name a receiver: Ravel looks for one among all plans of the vault',
    meaning: '`auto`: Ravel finds the receiver, by rules first.',
  },
} as const satisfies { readonly [Kind in Target['kind']]: WrittenTarget };

type Written = (typeof written)[Target['kind']];
type WordField = Extract<Written, { readonly word: string }>['field'];
const suggestedField = 'suggested-target-plan';
/** A field that holds a name. */
export type NameField = Exclude<Written['field'], WordField> | typeof suggestedField;

/** A target as it is written. Exactly one field may be there, and `suggested-target-plan` beside `target-project`. */
export type TargetFields = { readonly [Field in NameField]?: string | undefined } & {
  readonly [Field in WordField]?: 'auto' | undefined;
};

export type TargetField = keyof TargetFields;

const suggestion: WrittenTarget & { readonly field: typeof suggestedField } = {
  field: suggestedField,
  names: 'plan',
  use: 'beside a target-project: the plan of it that is likely to take it, by its id',
  meaning: 'The plan that the sender would choose.',
};

const kinds = Object.keys(written) as Target['kind'][];
/** A message has exactly one of them. */
const mainFields = kinds.map((kind) => written[kind].field);

/** Every field of a target, with what it holds; names before words. */
export const targetFields: readonly (WrittenTarget & { readonly field: TargetField })[] = [
  ...kinds.map((kind) => written[kind]).filter((row) => !('word' in row)),
  suggestion,
  ...kinds.map((kind) => written[kind]).filter((row) => 'word' in row),
];

/** Which fields name a target, of those that have to be one. */
export function fieldsNamed(fields: TargetFields): readonly TargetField[] {
  return mainFields.filter((field) => fields[field] !== undefined);
}

/** The target of an entry, a request or the arguments of a verb; its other fields do not matter. */
export function parseTarget(fields: TargetFields): NamedTarget {
  const suggested = fields[suggestedField];
  const [kind, ...others] = kinds.filter((one) => fields[written[one].field] !== undefined);
  const isUnclear = others.length > 0 || (suggested !== undefined && kind !== 'project');
  if (kind === undefined || isUnclear) return { kind: 'unclear', fields: onlyTarget(fields) };
  if (kind === 'auto') return { kind };
  const name = fields[written[kind].field] ?? '';
  return suggested === undefined ? { kind, name } : { kind: 'project', name, suggested };
}

/** The fields that name this target, and no others: what `parseTarget` reads back. */
export function formatTarget(target: NamedTarget): TargetFields {
  if (target.kind === 'unclear') return target.fields;
  if (target.kind === 'auto') return { target: 'auto' };
  const named = { [written[target.kind].field]: target.name };
  return target.kind === 'project' && target.suggested !== undefined
    ? { ...named, [suggestedField]: target.suggested }
    : named;
}

/** The fields of an entry that name its target, without the rest of it. */
export function onlyTarget(entry: TargetFields): TargetFields {
  const fields = [...mainFields, suggestedField] as const;
  return Object.fromEntries(fields.flatMap((field) => (entry[field] === undefined ? [] : [[field, entry[field]]])));
}

/** The target as the sender's record names it. */
export function targetText(target: NamedTarget): string {
  if (target.kind === 'auto') return 'auto';
  if (target.kind !== 'unclear') return target.name;
  const named = fieldsNamed(target.fields).map((field) => target.fields[field]);
  return named.length === 0 ? 'no target' : named.join(' and ');
}

/**
 * A target as a person writes it in one word: `auto`, `expert:NAME`, `project:NAME` for the right receiver in a
 * project, or a plan, for which the name of its project is enough, as everywhere.
 */
export function targetOfWord(word: string): Target {
  if (word === 'auto') return { kind: 'auto' };
  if (word.startsWith('expert:')) return { kind: 'expert', name: word };
  if (word.startsWith('project:')) return { kind: 'project', name: word.slice('project:'.length) };
  return { kind: 'plan', name: wholePlanName(word) };
}

/** The id of an expert that a target names. */
export function expertId(name: string): string {
  return `expert:${name.replace(/^expert:/, '')}`;
}

/** What has a target, as files and answers hold it: `named` has the fields of the target. */
export type WithFields<Message extends { readonly target: NamedTarget }> = Omit<Message, 'target'> & {
  readonly named: TargetFields;
};

export function toFields<Message extends { readonly target: NamedTarget }>(message: Message): WithFields<Message> {
  const { target, ...rest } = message;
  return { ...rest, named: formatTarget(target) };
}

export function fromFields<Message extends { readonly named: TargetFields }>(
  message: Message,
): Omit<Message, 'named'> & { readonly target: NamedTarget } {
  const { named, ...rest } = message;
  return { ...rest, target: parseTarget(named) };
}
