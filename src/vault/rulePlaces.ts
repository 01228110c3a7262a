import { isSeq } from 'yaml';
import type { Range } from '../base/errors.ts';
import {
  findPair,
  isParsedNode,
  parseSource,
  rangeBetween,
  type YamlPlace,
  type YamlSource,
} from '../yaml/yamlDocument.ts';
import { columnOf, entryAt, isFlow, type ListNode, locate, ownedEnd, UnsupportedForm } from '../yaml/yamlEntry.ts';

/** Where the rules of a text stand. */
export interface RulePlaces {
  /** Line of each rule, from 0; empty for a text that does not parse. */
  readonly lines: readonly number[];
  /** What stands on the first line of each rule, without a comment. */
  readonly ranges: readonly Range[];
  /** The line before which a rule would be inserted that comes after `count` others. */
  readonly lineAfter: (count: number) => number;
  /** Column of the dashes. */
  readonly column: number;
}

/** Where rules stand, and would stand. Comments below a rule that are indented further than it are its own. */
export function rulePlaces(text: string, place: YamlPlace): RulePlaces {
  const source = parseSource(text, place);
  const end = source.text === '' ? 0 : source.lineStarts.length - (source.text.endsWith('\n') ? 1 : 0);
  const lineOf = (offset: number) => rangeBetween(source.lineStarts, offset, offset).start.line;
  const list = findPair(source.document.contents, 'rules')?.value;
  if (source.value === undefined || !isSeq(list) || !isParsedNode(list)) {
    return { lines: [], ranges: [], lineAfter: () => end, column: 0 };
  }
  const starts = list.items.map((item) => (isParsedNode(item) ? item.range[0] : list.range[0]));
  const lines = starts.map(lineOf);
  const ranges = starts.map((start) => rangeBetween(source.lineStarts, start, firstLineEnd(source.text, start)));
  const below = lineOf(list.range[0]) + 1;
  if (isFlow(list) || list.items.length === 0) return { lines, ranges, lineAfter: () => below, column: 0 };
  const { column, endOf } = blockPlaces(source, list as ListNode);
  return {
    lines,
    ranges,
    column,
    lineAfter: (count) => (count === 0 ? (lines[0] ?? below) : lineOf(endOf(count - 1))),
  };
}

function firstLineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end);
  const comment = line.search(/\s#/);
  return start + (comment < 0 ? line : line.slice(0, comment)).trimEnd().length;
}

function blockPlaces(source: YamlSource, list: ListNode) {
  try {
    const column = columnOf(source, entryAt(list, 0).start);
    return { column, endOf: (index: number) => ownedEnd(source, entryAt(list, index), column) };
  } catch (error) {
    // A form that is not edited has its rules all the same; where one would stand is not known any better.
    if (!(error instanceof UnsupportedForm)) throw error;
    return { column: 0, endOf: () => locate(source, ['rules']).node?.range[1] ?? 0 };
  }
}
