import type { Diagnostic } from '../../base/errors.ts';
import { isCode } from '../../model/codes.ts';
import { type DocumentKind, isFrontmatterKind, isYamlKind, planDocuments } from '../../model/document.ts';

/** A person does not read more than this in one file, or in all closed files together. */
const inOneFileMax = 100;
const inAllFilesMax = 1000;

/** Kinds whose schema the manifest offers to extensions for YAML. */
const kindsWithSchema: ReadonlySet<DocumentKind> = new Set([...planDocuments.values()].filter(isWholeYaml));

/** What another extension that reads YAML has told already. */
const reportedByYaml: ReadonlySet<string> = new Set(['yaml/syntax']);
const reportedBySchema: ReadonlySet<string> = new Set(['yaml/schema']);

/** Findings that only we report: a YAML extension checks the syntax, and the schemas that we offer to it. */
export function ownFindings<F extends Diagnostic>(
  findings: readonly F[],
  kind: DocumentKind,
  hasYamlExtension: boolean,
): readonly F[] {
  if (!hasYamlExtension || !isWholeYaml(kind)) return findings;
  return findings.filter(
    ({ code }) => !reportedByYaml.has(code) && !(reportedBySchema.has(code) && kindsWithSchema.has(kind)),
  );
}

/** Whether an extension for YAML completes the keys and words of such a document by its schema. */
export function isCompletedElsewhere(kind: DocumentKind, hasYamlExtension: boolean): boolean {
  return hasYamlExtension && kindsWithSchema.has(kind);
}

/** Where a code is explained: below the folder of the extension. */
export function pageOfCode(code: string): string | undefined {
  return isCode(code) ? 'docs/troubleshooting.md' : undefined;
}

/**
 * Findings in files that are not open, by file, as many as the list of problems can show. `open` are files whose editor
 * tells its own.
 */
export function closedFindings(
  diagnostics: readonly Diagnostic[],
  open: ReadonlySet<string>,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>();
  let count = 0;
  for (const one of diagnostics) {
    if (one.file === undefined || open.has(one.file) || count >= inAllFilesMax) continue;
    const list = byFile.get(one.file) ?? [];
    if (list.length >= inOneFileMax) continue;
    list.push(one);
    byFile.set(one.file, list);
    count++;
  }
  return byFile;
}

function isWholeYaml(kind: DocumentKind): boolean {
  return isYamlKind(kind) && !isFrontmatterKind(kind);
}
