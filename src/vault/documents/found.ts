import type { Diagnostic, Range } from '../../base/errors.ts';
import type { Finding, TextEdit } from '../../model/document.ts';
import type { YamlEdit } from '../yaml.ts';

/** A change that mends what was found; worked out only when somebody asks for it. */
export interface Mend {
  readonly title: string;
  readonly isPreferred?: boolean;
  readonly change: { readonly yaml: readonly YamlEdit[] } | { readonly text: readonly TextEdit[] };
}

/** What is wrong at a place, and what would mend it. */
export interface Found {
  readonly diagnostic: Diagnostic;
  readonly related?: NonNullable<Finding['related']>;
  readonly mends: readonly Mend[];
}

export function found(diagnostic: Diagnostic, mends: readonly Mend[] = []): Found {
  return { diagnostic, mends };
}

/** One mend for each name that is near, of which a single one is surely meant. */
export function replacements(names: readonly string[], makeChange: (name: string) => Mend['change']): Mend[] {
  return names.map((name) => ({
    title: `Replace with "${name}"`,
    isPreferred: names.length === 1,
    change: makeChange(name),
  }));
}

export function replaceText(range: Range, text: string): Mend['change'] {
  return { text: [{ range, text }] };
}
