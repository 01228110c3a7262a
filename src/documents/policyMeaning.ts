import type { Position, Range } from '../base/errors.ts';
import { inlined } from '../base/fence.ts';
import type { RuleSubject } from '../gates/policy/ruleString.ts';
import { compileLayer, type PolicyEntry } from '../gates/policy/toolPolicy.ts';
import { type PolicyAction, policyFileSchema } from '../model/policy.ts';
import { nearestNode, parseSource, rangeBetween, type YamlPlace } from '../yaml/yamlDocument.ts';

const verbs: Readonly<Record<PolicyAction, string>> = { deny: 'Refuses', ask: 'Asks a person about', allow: 'Allows' };

/** What the rule string at a position of a policy matches, in Markdown; undefined at any other place. */
export function ruleMeaningAt(
  text: string,
  position: Position,
  place: YamlPlace,
): { readonly range: Range; readonly meaning: string } | undefined {
  const source = parseSource(text, place);
  const { data } = policyFileSchema.nullable().safeParse(source.value);
  if (data === undefined || data === null) return undefined;
  for (const rule of compileLayer('vault', place.file, data).rules) {
    const [start, end] = nearestNode(source.document, rule.path)?.range ?? [0, 0];
    const range = rangeBetween(source.lineStarts, start, end);
    if (isIn(range, position)) return { range, meaning: meaningOf(rule) };
  }
  return undefined;
}

function codeSpan(text: string): string {
  return `\`${inlined(text)}\``;
}

function isIn({ start, end }: Range, { line, character }: Position): boolean {
  if (line < start.line || line > end.line) return false;
  return (line > start.line || character >= start.character) && (line < end.line || character <= end.character);
}

function meaningOf({ action, text, parsed: { tool, subject }, rule }: PolicyEntry): string {
  const inner = text.includes('(') ? text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')).trim() : '';
  const whom = (['actors', 'phases', 'harnesses', 'models'] as const).flatMap((key) => {
    const named = rule?.[key];
    return named == null ? [] : [`- ${key}: ${named.map(codeSpan).join(', ')}`];
  });
  const only = whom.length === 0 ? [] : ['', 'Only for these:', '', ...whom];
  return [`${verbs[action]} ${objectOf(tool, subject, inner)}.`, ...only].join('\n');
}

function objectOf(tool: string, subject: RuleSubject, inner: string): string {
  switch (subject.kind) {
    case 'command':
      return `the command ${codeSpan(inner)}${subject.pattern.stars > 0 ? ', where a star stands for any text' : ''}`;
    case 'path': {
      const roots = { project: 'below the project', home: 'below the home folder', absolute: 'of this machine' };
      const deed = tool === 'Edit' ? 'changes of files' : 'reading of files';
      return `${deed} ${roots[subject.root]} that match ${codeSpan(subject.pattern)}, by tools and by commands`;
    }
    case 'domain':
      return `addresses of ${codeSpan(subject.domain)}`;
    case 'tool':
      return `every use of ${codeSpan(tool)}`;
  }
}
