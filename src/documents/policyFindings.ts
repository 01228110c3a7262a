import { failedExamples } from '../gates/policy/examples.ts';
import { lintPolicy, type PolicyFinding } from '../gates/policy/policyLint.ts';
import { ruleForTool } from '../gates/policy/ruleString.ts';
import { compileLayer, type PolicyFault } from '../gates/policy/toolPolicy.ts';
import { diagnostic } from '../model/codes.ts';
import { valueAt } from '../model/edit.ts';
import { policyFileSchema } from '../model/policy.ts';
import { nearestNode, rangeBetween, type YamlSource } from '../yaml/yamlDocument.ts';
import type { DocumentPlace } from './documentPlace.ts';
import { type Found, found, type QuickFix } from './found.ts';

type Path = readonly (string | number)[];

/**
 * What is wrong with the rules of a policy whose form is good, and what is doubtful about them; nothing of another one.
 * `isShared` is the vault's own policy, which alone may allow.
 */
export function policyFindings(source: YamlSource, place: DocumentPlace, isShared: boolean): Found[] {
  const { data } = policyFileSchema.nullable().safeParse(source.value);
  if (data === undefined || data === null) return [];
  const layer = compileLayer(isShared ? 'vault' : 'project', place.file, data);
  return [
    ...[...layer.faults, ...failedExamples(layer)].map((fault) => ofFault(fault, source, place)),
    ...lintPolicy([layer]).map((finding) => ofLint(finding, source, place)),
  ];
}

function ofFault({ path, message, isWidening }: PolicyFault, source: YamlSource, place: DocumentPlace): Found {
  const code = isWidening === true ? 'policy/widens' : 'policy/badRule';
  const about = {
    file: place.file,
    severity: isWidening === true ? 'warning' : 'error',
    range: rangeAt(source, path),
  } as const;
  return found(diagnostic(code, place.subject, message, about), () => {
    if (isWidening === true) return [remove('Remove what it allows', path)];
    const text = valueAt(source.value ?? null, [...path]);
    const meant = typeof text === 'string' ? ruleForTool(text) : undefined;
    return meant === undefined ? [] : [replace(meant, path)];
  });
}

function ofLint({ rule, message, remedy }: PolicyFinding, source: YamlSource, place: DocumentPlace): Found {
  const about = { file: place.file, severity: 'warning', range: rangeAt(source, rule.path) } as const;
  return found(diagnostic('policy/doubtful', place.subject, message, about), () => {
    if (remedy === undefined) return [];
    return [remedy.kind === 'remove' ? remove('Remove the rule', rule.path) : replace(remedy.text, rule.path)];
  });
}

function remove(title: string, path: Path): QuickFix {
  return { title, change: { yaml: [{ op: 'delete', path: [...path] }] } };
}

function replace(text: string, path: Path): QuickFix {
  return {
    title: `Replace with "${text}"`,
    isPreferred: true,
    change: { yaml: [{ op: 'set', path: [...path], value: text }] },
  };
}

function rangeAt(source: YamlSource, path: Path) {
  const node = nearestNode(source.document, path);
  const [start, end] = node?.range ?? [0, 0];
  return rangeBetween(source.lineStarts, start, Math.max(start, end - (source.text[end - 1] === '\n' ? 1 : 0)));
}
