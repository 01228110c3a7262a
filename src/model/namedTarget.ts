import { wholePlanName } from './id.ts';
import type { NamedTarget } from './routing.ts';

/** Each of them is a target by itself. */
export const targetFields = ['target-plan', 'target-project', 'target-expert', 'target'] as const;

/** Whom an entry names, without the rest of it. */
export function namedBy(entry: NamedTarget): NamedTarget {
  const fields = [...targetFields, 'suggested-target-plan'] as const;
  return Object.fromEntries(fields.flatMap((field) => (entry[field] === undefined ? [] : [[field, entry[field]]])));
}

/** The target as the sender's record names it. */
export function targetText(entry: NamedTarget): string {
  const named = targetFields.map((field) => entry[field]).filter((target) => target !== undefined);
  return named.length === 0 ? 'nobody' : named.join(' and ');
}

/**
 * A target as a person writes it in one word: `auto`, `expert:NAME`, `project:NAME` for the right receiver in a
 * project, or a plan, for which the name of its project is enough, as everywhere.
 */
export function parseTarget(text: string): NamedTarget {
  if (text === 'auto') return { target: 'auto' };
  if (text.startsWith('expert:')) return { 'target-expert': text };
  if (text.startsWith('project:')) return { 'target-project': text.slice('project:'.length) };
  return { 'target-plan': wholePlanName(text) };
}
