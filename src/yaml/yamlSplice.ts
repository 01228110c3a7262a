import { isCollection, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { assert } from '../base/assert.ts';
import { applyEdits, type Edit, type JsonPath, valueAt } from '../model/edit.ts';
import type { Json } from '../model/json.ts';
import { isParsedNode, type YamlSource } from './yamlDocument.ts';
import {
  childAt,
  columnOf,
  type Entry,
  entryAt,
  entryEnd,
  isFlow,
  isFlowScalar,
  type ListNode,
  leadStart,
  lineStart,
  listTokens,
  locate,
  type MapNode,
  type NodePlace,
  ownedEnd,
  restOfLine,
  skipComments,
  skipSpace,
  startsLine,
  styleOf,
  UnsupportedForm,
} from './yamlEntry.ts';
import {
  type EntryLayout,
  formatDocument,
  formatEntry,
  formatInline,
  formatKey,
  type ListStyle,
} from './yamlFormat.ts';

/** Replace the text between two offsets. Lines are separated by `\n`, even if the file has another line end. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The splices for one edit that is not `set` of something missing deep down; the text ends with a line end. */
export function spliceEdit(source: YamlSource, edit: Edit): Splice[] {
  const holder = locate(source, edit.op === 'set' || edit.op === 'delete' ? edit.path.slice(0, -1) : edit.path);
  const inFlow = spliceInFlow(source, holder, edit);
  if (inFlow !== undefined) return inFlow;
  switch (edit.op) {
    case 'set':
      return spliceSet(source, edit.path, edit.value);
    case 'delete':
      return spliceDelete(source, edit.path);
    case 'insert':
      return spliceInsert(source, edit.path, edit.index, edit.value);
    case 'move':
      return spliceMove(source, edit.path, edit.from, edit.to);
  }
}

/** Whether `set` at `path` leaves the places of all other values as they are. */
export function isInPlace(source: YamlSource, edit: Edit): boolean {
  return edit.op === 'set' && edit.path.length > 0 && valueAt(source.value ?? null, edit.path) !== undefined;
}

function spliceSet(source: YamlSource, path: JsonPath, value: Json): Splice[] {
  const present = valueAt(source.value ?? null, path);
  if (present !== undefined) return replaceNode(source, locate(source, path), value);
  const depth = deepestPresent(source, path);
  const holder = locate(source, path.slice(0, depth));
  const [key, ...rest] = path.slice(depth);
  assert(typeof key === 'string', 'a list grows by insertions alone');
  const nested = rest.reduceRight<Json>((inner, step) => ({ [String(step)]: inner }), value);
  if (isMap(holder.node) && !isFlow(holder.node)) return appendPair(source, holder.node as MapNode, key, nested);
  return replaceNode(source, holder, Object.fromEntries([[key, nested]]));
}

function deepestPresent(source: YamlSource, path: JsonPath): number {
  let depth = path.length;
  while (depth > 0 && valueAt(source.value ?? null, path.slice(0, depth)) === undefined) depth -= 1;
  return depth;
}

/** Inside brackets the innermost collection is written again, except that a scalar is replaced where it stands. */
function spliceInFlow(source: YamlSource, holder: NodePlace, edit: Edit): Splice[] | undefined {
  const { node, flow } = holder;
  if (flow === undefined || node === null) return undefined;
  if (!isFlow(node)) return undefined;
  const outermost = flow === node;
  if (outermost && node.items.length === 0) return undefined;
  if (edit.op === 'set') {
    const target = locate(source, edit.path).node;
    const isThere = valueAt(source.value ?? null, edit.path) !== undefined;
    if (isThere && isScalar(target) && target.range[1] > target.range[0]) {
      const text = formatInline(edit.value, true, target.type);
      return [{ start: target.range[0], end: target.range[1], text }];
    }
  }
  if (mayHoldComments(source, node)) throw new UnsupportedForm('A list or mapping in brackets holds comments.');
  const depth = deepestPresent(source, edit.op === 'set' || edit.op === 'delete' ? edit.path.slice(0, -1) : edit.path);
  const before = valueAt(source.value ?? null, edit.path.slice(0, depth));
  assert(before !== undefined, 'the collection that holds an edit is there');
  const after = applyEdits(before, [{ ...edit, path: edit.path.slice(depth) }]);
  return [{ start: node.range[0], end: node.range[1], text: formatInline(after, true) }];
}

/** Puts `value` in the place of a node that is there. */
function replaceNode(source: YamlSource, place: NodePlace, value: Json): Splice[] {
  const { node, entry, flow } = place;
  if (entry === undefined || node === null) return replaceRoot(source, node, value);
  const inBrackets = flow !== undefined && flow !== node;
  const isInline = node.range[1] > node.range[0] && (isFlow(node) || isFlowScalar(node));
  const layout = layoutOf(source, entry);
  const end = entryEnd(source, node);
  const lines = wouldSwallow(source, value, end, layout.column)
    ? [` ${formatInline(value)}`]
    : formatEntry('', value, layout);
  const [first = '', ...below] = lines;
  if (inBrackets || (isInline && below.length === 0)) {
    const text = inBrackets ? formatInline(value, true, styleOf(node)) : first.slice(1);
    return [{ start: node.range[0], end: node.range[1], text }];
  }
  const comment = headComment(source, entry, isInline);
  const text = `${[first + (comment === '' ? '' : ` ${comment}`), ...below].join('\n')}\n`;
  return [{ start: entry.valueStart, end, text }];
}

function replaceRoot(source: YamlSource, node: ParsedNode | null, value: Json): Splice[] {
  const end = node === null ? source.text.length : entryEnd(source, node);
  const [first = '', ...below] = wouldSwallow(source, value, end, 0)
    ? [formatInline(value)]
    : formatDocument(value, listStyleOf(source));
  const comment = node !== null && (isFlow(node) || isFlowScalar(node)) ? restOfLine(source, node.range[1]).trim() : '';
  const text = `${[first + (comment === '' ? '' : ` ${comment}`), ...below].join('\n')}\n`;
  if (node === null || node.range[0] === node.range[1]) {
    return [{ start: source.text.length, end: source.text.length, text }];
  }
  const start = lineStart(source, node.range[0]);
  if (start !== node.range[0]) throw new UnsupportedForm('The document does not start on a line of its own.');
  return [{ start, end, text }];
}

function appendPair(source: YamlSource, map: MapNode, key: string, value: Json): Splice[] {
  const last = entryAt(map, map.items.length - 1);
  const column = columnOf(source, entryAt(map, 0).start);
  const at = skipComments(source, ownedEnd(source, last, column), column);
  const layout = { column, kind: 'key', listStyle: listStyleOf(source) } as const;
  const lines = formatEntry(`${' '.repeat(column)}${formatKey(key)}:`, value, layout);
  return [{ start: at, end: at, text: `${lines.join('\n')}\n` }];
}

function spliceInsert(source: YamlSource, path: JsonPath, index: number, value: Json): Splice[] {
  const present = valueAt(source.value ?? null, path);
  const { node } = locate(source, path);
  if (present === undefined || !isSeq(node) || isFlow(node)) return spliceSet(source, path, [value]);
  const list = node as ListNode;
  const column = columnOf(source, entryAt(list, 0).start);
  const pad = ' '.repeat(column);
  const lines = formatEntry(`${pad}-`, value, { column, kind: 'item', listStyle: listStyleOf(source) });
  if (index > 0) {
    const at = ownedEnd(source, entryAt(list, index - 1), column);
    return [{ start: at, end: at, text: `${lines.join('\n')}\n` }];
  }
  const first = entryAt(list, 0);
  if (startsLine(source, first)) {
    const at = leadStart(source, first, column);
    return [{ start: at, end: at, text: `${lines.join('\n')}\n` }];
  }
  const text = `${lines.join('\n').slice(column)}\n${pad}`;
  return [{ start: first.start, end: first.start, text }];
}

function spliceDelete(source: YamlSource, path: JsonPath): Splice[] {
  const holder = locate(source, path.slice(0, -1));
  const { node: parent } = holder;
  const { entry } = locate(source, path);
  if (entry === undefined) throw new UnsupportedForm('The whole document cannot be deleted.');
  assert(isCollection(parent), 'what is deleted stands in a collection');
  if (parent.items.length === 1) return emptyOut(source, holder, entry);
  const column = columnOf(source, entry.start);
  const end = ownedEnd(source, entry, column);
  if (startsLine(source, entry)) {
    // Comments above the first key of the file are the file's own.
    const isHeader = holder.entry === undefined && entry.index === 0 && entry.kind === 'key';
    return [{ start: isHeader ? entry.start : leadStart(source, entry, column), end, text: '' }];
  }
  return [{ start: entry.start, end: skipSpace(source, end), text: '' }];
}

/** Deletes the only entry of a block collection, which becomes `[]` or `{}`. */
function emptyOut(source: YamlSource, holder: NodePlace, entry: Entry): Splice[] {
  const brackets = entry.kind === 'item' ? '[]' : '{}';
  const column = columnOf(source, entry.start);
  const end = ownedEnd(source, entry, column);
  if (!startsLine(source, entry)) return [{ start: entry.start, end, text: `${brackets}\n` }];
  if (holder.entry === undefined) return [{ start: entry.start, end, text: `${brackets}\n` }];
  const { valueStart } = holder.entry;
  return [
    { start: valueStart, end: valueStart, text: ` ${brackets}` },
    { start: leadStart(source, entry, column), end, text: '' },
  ];
}

function spliceMove(source: YamlSource, path: JsonPath, from: number, to: number): Splice[] {
  const { node } = locate(source, path);
  assert(isSeq(node), 'only the items of a list move');
  if (from === to) return [];
  const list = node as ListNode;
  const entry = entryAt(list, from);
  const column = columnOf(source, entry.start);
  const anchor = entryAt(list, to);
  const [start, end] = [leadStart(source, entry, column), ownedEnd(source, entry, column)];
  const first = entryAt(list, 0);
  if (!startsLine(source, first) && from === 0) {
    const at = ownedEnd(source, anchor, column);
    const text = ' '.repeat(column) + source.text.slice(entry.start, end);
    return [
      { start: entry.start, end: skipSpace(source, end), text: '' },
      { start: at, end: at, text },
    ];
  }
  if (!startsLine(source, first) && to === 0) {
    if (start !== lineStart(source, entry.start))
      throw new UnsupportedForm('An item with a comment cannot come first.');
    const text = source.text.slice(entry.start, end) + ' '.repeat(column);
    return [
      { start, end, text: '' },
      { start: first.start, end: first.start, text },
    ];
  }
  const at = to < from ? leadStart(source, anchor, column) : ownedEnd(source, anchor, column);
  return [
    { start, end, text: '' },
    { start: at, end: at, text: source.text.slice(start, end) },
  ];
}

function layoutOf(source: YamlSource, entry: Entry): EntryLayout {
  const column = columnOf(source, entry.start);
  const style = styleOf(entry.node);
  const layout = { column, kind: entry.kind, listStyle: listStyleOf(source), style };
  if (!style?.startsWith('BLOCK')) return layout;
  const written = /^[|>][-+]?[ \t]*(?:#[^\n]*)?\r?\n(?:\r?\n)*( +)\S/.exec(
    source.text.slice(entry.node.range[0], entry.node.range[1]),
  );
  const textColumn = written?.[1]?.length ?? 0;
  return textColumn > column && textColumn < column + 10 ? { ...layout, textColumn } : layout;
}

/** Whether the lists of this text stand at the column of their key; told by the first there is. */
function listStyleOf(source: YamlSource): ListStyle {
  return findListStyle(source, source.document.contents) ?? 'flush';
}

function findListStyle(source: YamlSource, node: unknown): ListStyle | undefined {
  if (!isParsedNode(node) || !isCollection(node) || isFlow(node)) return undefined;
  for (const [index, item] of (node.items as unknown[]).entries()) {
    const value = isMap(node) ? childAt(node as MapNode, index) : item;
    if (isMap(node) && isSeq(value) && !isFlow(value as ParsedNode)) {
      const list = listTokens(value as ListNode)[0]?.start.find(({ type }) => type === 'seq-item-ind');
      const key = (node as MapNode).items[index]?.key;
      if (list !== undefined && key !== undefined) {
        return columnOf(source, list.offset) === columnOf(source, key.range[0]) ? 'flush' : 'indented';
      }
    }
    const found = findListStyle(source, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The comment on the line of the key or dash, or after a value that stands on it; '' when there is none. */
function headComment(source: YamlSource, entry: Entry, isInline: boolean): string {
  const { text } = source;
  const { node, valueStart } = entry;
  if (isInline) {
    if (/[#\n]/.test(text.slice(valueStart, node.range[0]))) {
      throw new UnsupportedForm('A comment or a line end stands between a key and its value.');
    }
    return restOfLine(source, node.range[1]).trim();
  }
  const from = styleOf(node)?.startsWith('BLOCK')
    ? text.slice(node.range[0]).search(/[^-+|>0-9]/) + node.range[0]
    : valueStart;
  const rest = restOfLine(source, from).trim();
  return rest.startsWith('#') ? rest : '';
}

/** A comment inside brackets ends at a line end inside them. */
function mayHoldComments(source: YamlSource, node: ParsedNode): boolean {
  const text = source.text.slice(node.range[0], node.range[1]);
  const comment = text.search(/\s#/);
  return comment >= 0 && text.includes('\n', comment + 2);
}

/** Whether a comment after `end` stands so far in that a block scalar before it would swallow it. */
function wouldSwallow(source: YamlSource, value: Json, end: number, column: number): boolean {
  const next = skipSpace(source, end);
  if (source.text[next] !== '#' || next - lineStart(source, next) < column + 2) return false;
  let last: Json | undefined = value;
  while (typeof last === 'object' && last !== null) last = Object.values(last).at(-1);
  return typeof last === 'string';
}
