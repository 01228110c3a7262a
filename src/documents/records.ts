import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { defined } from '../base/defined.ts';
import type { Range } from '../base/errors.ts';
import type { DocumentRecord, YamlKind } from '../model/document.ts';
import { findPair, isParsedNode, rangeBetween, type YamlSource } from '../yaml/yamlDocument.ts';
import { type NamedBy, recordShapes } from './recordShapes.ts';

/** A name as it stands in a document, not yet looked up. */
export interface RawReference {
  readonly by: NamedBy;
  readonly name: string;
  readonly range: Range;
  /** Where it stands: list, position, key, and its own position in a list of names. */
  readonly path: readonly (string | number)[];
}

export interface YamlRecords {
  readonly records: readonly DocumentRecord[];
  readonly references: readonly RawReference[];
}

/** Characters of a title; a longer one is cut. */
const titleLengthMax = 120;

/** A person does not read more than this in an outline; it leaves out the rest of a longer file. */
const recordsMax = 20_000;

/** Records and the names in them, also of a text that has other faults. */
export function documentRecords(kind: YamlKind, source: YamlSource): YamlRecords {
  const records: DocumentRecord[] = [];
  const references: RawReference[] = [];
  const root = source.document.contents;
  for (const shape of recordShapes[kind]) {
    const list = shape.list === '' ? undefined : findPair(root, shape.list)?.value;
    const nodes: readonly unknown[] = shape.list === '' ? [root] : isSeq(list) ? list.items : [];
    for (const [at, node] of nodes.entries()) {
      if (!isMap<ParsedNode, ParsedNode | null>(node) || !isParsedNode(node)) continue;
      if (records.length >= recordsMax) break;
      const idNode = shape.id === '' ? undefined : findPair(node, shape.id)?.value;
      const id = textOf(idNode);
      const state = shape.state === undefined ? undefined : textOf(findPair(node, shape.state)?.value);
      const range = rangeOf(source, node);
      records.push({
        kind: shape.kind,
        list: shape.list,
        title: firstLine(textOf(findPair(node, shape.title)?.value) ?? ''),
        range,
        idRange: isParsedNode(idNode) ? rangeOf(source, idNode) : { start: range.start, end: range.start },
        ...defined({ id, state }),
      });
      for (const [key, by] of Object.entries(shape.names ?? {})) {
        references.push(...namesIn(source, findPair(node, key)?.value, by, [shape.list, at, key]));
      }
    }
  }
  return { records, references };
}

function namesIn(source: YamlSource, node: unknown, by: NamedBy, path: readonly (string | number)[]): RawReference[] {
  if (isSeq(node)) return node.items.flatMap((item, at) => namesIn(source, item, by, [...path, at]));
  const name = textOf(node);
  if (name === undefined || name === '' || !isParsedNode(node)) return [];
  return [{ by, name, range: rangeOf(source, node), path }];
}

function textOf(node: unknown): string | undefined {
  return isScalar(node) && node.value !== null && node.value !== undefined ? String(node.value) : undefined;
}

/** Without the line ends that a block text brings along. */
function rangeOf(source: YamlSource, node: ParsedNode): Range {
  const [start, valueEnd] = node.range;
  const length = source.text.slice(start, valueEnd).trimEnd().length;
  return rangeBetween(source.lineStarts, start, start + length);
}

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return line.length > titleLengthMax ? `${line.slice(0, titleLengthMax - 1)}…` : line;
}
