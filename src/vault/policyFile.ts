import type { Diagnostic } from '../base/errors.ts';
import { type PolicyFile, policyFileSchema } from '../model/policy.ts';
import { readYaml } from '../yaml/yaml.ts';
import { parseSource, rangeBetween } from '../yaml/yamlDocument.ts';
import { locate } from '../yaml/yamlEntry.ts';
import { frontmatterFences } from './frontmatter.ts';

/** The policy of a text, an empty one of a text that is empty or all comment; undefined with what is wrong. */
export function parsePolicyFile(
  text: string,
  file: string,
): { readonly content: PolicyFile | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics } = readYaml(policyFileSchema.nullable(), text, { file, subject: file });
  return { content: value === undefined ? undefined : (value ?? {}), diagnostics };
}

/**
 * The lines, from 1, on which the values at these paths stand in a file of a policy; `plan-state.md` has its own below the
 * key `policy`. Undefined for what the text does not have.
 */
export function policyLines(
  text: string,
  file: string,
  paths: readonly (readonly (string | number)[])[],
): readonly (number | undefined)[] {
  const place = { file, subject: file };
  const isPlan = file.endsWith('.md');
  const fences = isPlan ? frontmatterFences(text, place) : undefined;
  const yaml = fences === undefined ? text : text.slice(fences.yamlStart, fences.yamlEnd);
  const before = fences === undefined ? 0 : text.slice(0, fences.yamlStart).split('\n').length - 1;
  const source = parseSource(yaml, place);
  return paths.map((path) => {
    const node = locate(source, isPlan ? ['policy', ...path] : [...path]).node;
    const start = node?.range?.[0];
    return start === undefined ? undefined : before + rangeBetween(source.lineStarts, start, start).start.line + 1;
  });
}
