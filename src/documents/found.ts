import { isScalar } from 'yaml';
import type { Diagnostic, Range } from '../base/errors.ts';
import type { Finding, TextEdit } from '../model/document.ts';
import type { JsonPath } from '../model/edit.ts';
import type { YamlEdit } from '../yaml/yaml.ts';
import { nearestNode, rangeBetween, type YamlSource } from '../yaml/yamlDocument.ts';

/** A change that fixes a finding; worked out only on demand. */
export interface QuickFix {
  readonly title: string;
  readonly isPreferred?: boolean;
  /** Edits of the YAML, which are checked, or of its text if that is surely right; of frontmatter both are its own. */
  readonly change: { readonly yaml: readonly YamlEdit[] } | { readonly text: readonly TextEdit[] };
}

/** A fault at a place, and how to fix it. */
export interface Found {
  readonly diagnostic: Diagnostic;
  readonly related?: NonNullable<Finding['related']>;
  /** Called only when a fix is wanted: finding out what was meant takes longer than seeing that something is wrong. */
  readonly fixes: () => readonly QuickFix[];
}

export function found(diagnostic: Diagnostic, fixes: Found['fixes'] = () => []): Found {
  return { diagnostic, fixes };
}

/** One fix for each similar name; if there is only one, it is surely the name that was meant. */
export function replacements(names: readonly string[], makeChange: (name: string) => QuickFix['change']): QuickFix[] {
  return names.map((name) => ({
    title: `Replace with "${name}"`,
    isPreferred: names.length === 1,
    change: makeChange(name),
  }));
}

export function replaceText(range: Range, text: string): QuickFix['change'] {
  return { text: [{ range, text }] };
}

/** Another word at a place that holds one; a plain word needs no check, which would read the whole text again. */
export function replaceWord(source: YamlSource, path: JsonPath, word: string): QuickFix['change'] {
  const node = nearestNode(source.document, path);
  const isPlain = /^[a-z][\w-]*$/.test(word) && !['null', 'true', 'false'].includes(word);
  if (!isPlain || !isScalar(node) || node.type?.startsWith('BLOCK'))
    return { yaml: [{ op: 'set', path, value: word }] };
  const [start, end] = node.range;
  return replaceText(rangeBetween(source.lineStarts, start, end), word);
}
