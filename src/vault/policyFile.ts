import * as z from 'zod';
import type { Diagnostic, Range } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { type PolicyFile, policyFileSchema } from '../model/policy.ts';
import { readYaml } from '../yaml/yaml.ts';
import { nearestNode, parseSource, rangeBetween } from '../yaml/yamlDocument.ts';
import { schemaProblems } from '../yaml/yamlSchema.ts';
import { frontmatterFences, parseFrontmatter } from './frontmatter.ts';

export interface ReadPolicy {
  /** Undefined with what is wrong; an empty one of a text that says nothing. */
  readonly content: PolicyFile | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The policy of a text, an empty one of a text that is empty or all comment; undefined with what is wrong. */
export function parsePolicyFile(text: string, file: string): ReadPolicy {
  const { value, diagnostics } = readYaml(policyFileSchema.nullable(), text, { file, subject: file });
  return { content: value === undefined ? undefined : (value ?? {}), diagnostics };
}

/** The policy below the key `policy` of a `plan-state.md`, and the models that the plan names for its phases. */
export function parsePlanPolicy(
  text: string,
  file: string,
): ReadPolicy & { readonly models?: Readonly<Record<string, string | undefined>> } {
  const place = { file, subject: file };
  const { data, diagnostics } = parseFrontmatter(text, place);
  // A marker that cannot be read keeps its plan from running anyway, and says so elsewhere.
  if (data === undefined && text === '') return { content: {}, diagnostics: [] };
  if (data === undefined) return { content: undefined, diagnostics };
  const { policy: given, models: named } = isRecord(data) ? data : {};
  const models = z.record(z.string(), z.string()).safeParse(named).data;
  const own = models === undefined ? {} : { models };
  if (given === undefined || given === null) return { content: {}, diagnostics: [], ...own };
  const { data: content, error } = policyFileSchema.safeParse(given);
  if (error === undefined) return { content, diagnostics: [], ...own };
  const { yaml, lines } = yamlOf(text, file);
  const issues = error.issues.map((issue) => ({ ...issue, path: ['policy', ...issue.path] }));
  const problems = schemaProblems(parseSource(yaml, place), { issues }, place);
  return {
    content: undefined,
    diagnostics: problems.map((one) => ({ ...one, ...movedDown(one.range, lines) })),
    ...own,
  };
}

/**
 * Where the values at these paths stand in a file of a policy, zero-based; `plan-state.md` has its own below the key
 * `policy`. Undefined for what the text does not have.
 */
export function policyRanges(
  text: string,
  file: string,
  paths: readonly (readonly (string | number)[])[],
): readonly (Range | undefined)[] {
  const { yaml, lines, above } = yamlOf(text, file);
  const source = parseSource(yaml, { file, subject: file });
  return paths.map((path) => {
    const node = nearestNode(source.document, [...above, ...path]);
    if (node === null) return undefined;
    const [start, end] = node.range;
    return movedDown(rangeBetween(source.lineStarts, start, end), lines).range;
  });
}

/** The YAML of a file of a policy, the lines before it, and the keys above the policy in it. */
function yamlOf(text: string, file: string) {
  if (!file.endsWith('.md')) return { yaml: text, lines: 0, above: [] };
  const { yamlStart, yamlEnd } = frontmatterFences(text, { file, subject: file });
  const lines = text.slice(0, yamlStart).split('\n').length - 1;
  return { yaml: text.slice(yamlStart, yamlEnd), lines, above: ['policy'] };
}

function movedDown(range: Range | undefined, lines: number): { range?: Range } {
  if (range === undefined) return {};
  const moved = ({ line, character }: Range['start']) => ({ line: line + lines, character });
  return { range: { start: moved(range.start), end: moved(range.end) } };
}
