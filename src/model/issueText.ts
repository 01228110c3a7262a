import type * as z from 'zod';

/** What stands where an issue is; absent if that is not known. */
export interface FoundValue {
  readonly value: unknown;
}

/**
 * What is wrong with a value, and what can stand there, in plain words: the end of a sentence that names the key. A message
 * that a schema gives itself stays as it is; those of the schema library are for programmers.
 */
export function describeIssue(issue: z.core.$ZodIssue, found?: FoundValue): string {
  if (!/^(?:Invalid (?:input|option)|Too (?:small|big)|Unrecognized key)/.test(issue.message)) return issue.message;
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return issue.keys.length === 1 ? `the key ${keys} is not known` : `the keys ${keys} are not known`;
  }
  const isMissing = (found !== undefined && found.value === undefined) || issue.message.endsWith('received undefined');
  const shown = found === undefined || isMissing ? '' : `${shortJson(found.value)} is not allowed; `;
  const allowed = allowedBy(issue);
  if (allowed === undefined) return issue.message;
  return isMissing ? `it is missing; it has to be ${allowed}` : `${shown}it has to be ${allowed}`;
}

/** The value at the path of an issue, in what was checked. */
export function foundAt(root: unknown, path: readonly PropertyKey[]): FoundValue {
  let value = root;
  for (const key of path) value = (value as Readonly<Record<PropertyKey, unknown>> | undefined | null)?.[key];
  return { value };
}

function allowedBy(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return oneOf(issue.values.map(shortJson));
    case 'invalid_type':
      return typeWords[issue.expected];
    case 'too_small': {
      const { minimum, inclusive, origin } = issue;
      if (origin === 'number' || origin === 'int')
        return inclusive === false ? `above ${minimum}` : `at least ${minimum}`;
      if (origin === 'string')
        return minimum === 1 ? 'a text that is not empty' : `a text of at least ${minimum} characters`;
      return origin === 'array' ? `a list of at least ${minimum}` : undefined;
    }
    case 'too_big': {
      const { maximum, inclusive, origin } = issue;
      if (origin === 'number' || origin === 'int')
        return inclusive === false ? `below ${maximum}` : `at most ${maximum}`;
      if (origin === 'string') return `a text of at most ${maximum} characters`;
      return origin === 'array' ? `a list of at most ${maximum}` : undefined;
    }
    default:
      return undefined;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
};

function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** Enough of a value to recognise it. */
function shortJson(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
