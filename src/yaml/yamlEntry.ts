import {
  type CST,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { assert } from '../base/assert.ts';
import type { JsonPath } from '../model/edit.ts';
import { findPair, isParsedNode, type YamlSource } from './yamlDocument.ts';
import type { ScalarStyle } from './yamlFormat.ts';

export type MapNode = YAMLMap<ParsedNode, ParsedNode | null>;
export type ListNode = YAMLSeq<ParsedNode>;

/** A value with the key or dash that introduces it; offsets into the text. */
export interface Entry {
  readonly kind: 'key' | 'item';
  readonly parent: MapNode | ListNode;
  readonly index: number;
  /** Of the key or dash. */
  readonly start: number;
  /** Right after the colon or dash. */
  readonly valueStart: number;
  readonly node: ParsedNode;
}

/** Where a path leads: along entries, the last of which holds the node; none for the root. */
export interface NodePlace {
  readonly node: ParsedNode | null;
  readonly entry: Entry | undefined;
  readonly flow: ParsedNode | undefined;
}

/** The form of the text is one that cannot be spliced safely. */
export class UnsupportedForm extends Error {
  override readonly name = 'UnsupportedForm';
}

export function locate(source: YamlSource, path: JsonPath): NodePlace {
  let node: ParsedNode | null = source.document.contents;
  let entry: Entry | undefined;
  let flow: ParsedNode | undefined;
  for (const step of path) {
    if (flow === undefined && node !== null && isFlow(node)) flow = node;
    const index = indexOfStep(node, step);
    if (index < 0 || !isCollection(node)) return { node, entry, flow };
    if (flow === undefined) entry = entryAt(node as MapNode | ListNode, index);
    node = childAt(node as MapNode | ListNode, index);
  }
  if (flow === undefined && node !== null && isFlow(node)) flow = node;
  return { node, entry, flow };
}

function indexOfStep(node: ParsedNode | null, step: string | number): number {
  if (typeof step === 'number') return isSeq(node) && step < node.items.length ? step : -1;
  const pair = findPair(node, step);
  return pair === undefined || !isMap(node) ? -1 : (node.items as unknown[]).indexOf(pair);
}

export function childAt(parent: MapNode | ListNode, index: number): ParsedNode | null {
  const item: unknown = parent.items[index];
  const value = isMap(parent) ? (item as Pair<ParsedNode, ParsedNode | null>).value : item;
  return isParsedNode(value) ? value : null;
}

export function entryAt(parent: MapNode | ListNode, index: number): Entry {
  const node = childAt(parent, index);
  const token = isMap(parent) ? parent.items[index]?.srcToken : listTokens(parent)[index];
  if (node === null || token === undefined) throw new UnsupportedForm('A key stands without its colon.');
  const indicators = isMap(parent) ? token.sep : token.start;
  const indicator = indicators?.find(({ type }) => type === 'map-value-ind' || type === 'seq-item-ind');
  if (indicator === undefined || token.start.some(({ type }) => type === 'explicit-key-ind')) {
    throw new UnsupportedForm('A key is written in a way that is not edited.');
  }
  const valueStart = indicator.offset + 1;
  if (!isMap(parent)) return { kind: 'item', parent, index, start: indicator.offset, valueStart, node };
  const key = parent.items[index]?.key;
  assert(key !== undefined, `there is a key ${index}`);
  return { kind: 'key', parent, index, start: key.range[0], valueStart, node };
}

export function listTokens(list: ListNode): readonly CST.CollectionItem[] {
  const token = list.srcToken;
  return token?.type === 'block-seq' ? token.items : [];
}

export function isFlow(node: ParsedNode): node is (YAMLMap.Parsed | YAMLSeq.Parsed) & { flow: true } {
  return isCollection(node) && node.flow === true;
}

export function isFlowScalar(node: ParsedNode): boolean {
  return isScalar(node) && !styleOf(node)?.startsWith('BLOCK');
}

export function styleOf(node: ParsedNode): ScalarStyle | undefined {
  return isScalar(node) ? node.type : undefined;
}

/** The end of the last line that belongs to a value, its line end included. */
export function entryEnd(source: YamlSource, node: ParsedNode): number {
  const end = contentEnd(node);
  if (end > node.range[0] && source.text[end - 1] === '\n') return end;
  const newline = source.text.indexOf('\n', end);
  return newline < 0 ? source.text.length : newline + 1;
}

function contentEnd(node: ParsedNode): number {
  if (!isCollection(node) || isFlow(node) || node.items.length === 0) return node.range[1];
  const last = childAt(node as MapNode | ListNode, node.items.length - 1);
  if (last !== null) return contentEnd(last);
  const pair = node.items.at(-1) as Pair<ParsedNode, unknown>;
  return isParsedNode(pair.key) ? pair.key.range[1] : node.range[1];
}

/** The end of an entry with the comment lines after it that are indented further than it is. */
export function ownedEnd(source: YamlSource, entry: Entry, column: number): number {
  return skipComments(source, entryEnd(source, entry.node), column + 1, true);
}

export function skipComments(source: YamlSource, from: number, columnMin: number, overBlank = false): number {
  let end = from;
  let at = from;
  while (at < source.text.length) {
    const line = restOfLine(source, at);
    const next = at + line.length + 1;
    const indentation = line.search(/[^ ]/);
    if (line[indentation] === '#' && indentation >= columnMin) end = next;
    else if (!(overBlank && line.trim() === '')) break;
    at = next;
  }
  return Math.min(end, source.text.length);
}

/** The start of an entry with the comment lines right above it that stand at its own column. */
export function leadStart(source: YamlSource, entry: Entry, column: number): number {
  const bound = entry.index > 0 ? ownedEnd(source, entryAt(entry.parent, entry.index - 1), column) : 0;
  let start = lineStart(source, entry.start);
  while (start > bound) {
    const above = lineStart(source, start - 1);
    const line = source.text.slice(above, start);
    if (line.search(/[^ ]/) !== column || line[column] !== '#') break;
    start = above;
  }
  return start;
}

export function startsLine(source: YamlSource, entry: Entry): boolean {
  return source.text.slice(lineStart(source, entry.start), entry.start).trim() === '';
}

export function columnOf(source: YamlSource, offset: number): number {
  const start = lineStart(source, offset);
  if (source.text.slice(start, offset).includes('\t')) throw new UnsupportedForm('A tab stands before a key or dash.');
  return offset - start;
}

export function skipSpace(source: YamlSource, offset: number): number {
  const space = /\s*/y;
  space.lastIndex = offset;
  space.test(source.text);
  return space.lastIndex;
}

export function lineStart(source: YamlSource, offset: number): number {
  return offset === 0 ? 0 : source.text.lastIndexOf('\n', offset - 1) + 1;
}

export function restOfLine(source: YamlSource, offset: number): string {
  const end = source.text.indexOf('\n', offset);
  return source.text.slice(offset, end < 0 ? source.text.length : end);
}
