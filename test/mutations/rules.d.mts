/**
 * A promise that the code keeps, the edits that take it out of a source file, and the cheapest test file that fails then.
 * The text that an edit searches must occur exactly once in the file.
 */
export interface Rule {
  readonly id: string;
  readonly rule: string;
  readonly file: string;
  readonly edits: readonly (readonly [search: string, replacement: string])[];
  readonly test: string;
}

export const rules: readonly Rule[];

export function takeOut(
  rule: Pick<Rule, 'file' | 'edits'>,
  source: string,
): { readonly text: string; readonly problem?: undefined } | { readonly problem: string; readonly text?: undefined };
