import { isRecord } from '../base/json.ts';
import type { Json } from '../model/json.ts';
import { equalJson, isJsonArray } from '../model/json.ts';
import { parseYaml } from './yaml.ts';

/**
 * The text without those items of a list at its top level that `isGone` names by their index, however many they are, in
 * the time of two parses: item by item, an edit parses the text once for each. Comments above an item go with it, every
 * other byte stays. Undefined if the text is not written as state files commonly are, and if nothing would go.
 */
export function withoutItems(text: string, key: string, isGone: (index: number) => boolean): string | undefined {
  const before = parse(text);
  const items = before?.[key];
  if (before === undefined || !Array.isArray(items)) return undefined;
  const list = items.filter((_item, index) => !isGone(index));
  if (list.length === items.length) return undefined;
  const found = findItems(text, key);
  if (found?.starts.length !== items.length) return undefined;
  const { head, starts, end } = found;
  const kept = starts.map((start, n) => (isGone(n) ? '' : text.slice(start, starts[n + 1] ?? end)));
  const line = list.length > 0 ? text.slice(head.start, starts[0]) : `${key}: []${head.lineEnd}`;
  const edited = text.slice(0, head.start) + line + kept.join('') + text.slice(end);
  // Checking the beginnings of lines proves nothing; parsing the result does.
  const after = parse(edited);
  const expected = { ...before, [key]: list };
  return after !== undefined && equalJson(after as Json, expected as Json) ? edited : undefined;
}

interface Items {
  /** The line of the key. */
  readonly head: { readonly start: number; readonly lineEnd: string };
  /** Where each item begins, the comments above it included. */
  readonly starts: readonly number[];
  readonly end: number;
}

function findItems(text: string, key: string): Items | undefined {
  let at = 0;
  let head: Items['head'] | undefined;
  let column: number | undefined;
  /** Where the comments that stand above the next item begin. */
  let above: number | undefined;
  const starts: number[] = [];
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (head === undefined) {
      if (bare === `${key}:`) head = { start, lineEnd: line === bare ? '\n' : '\r\n' };
      continue;
    }
    const indent = bare.length - bare.trimStart().length;
    if (bare.startsWith('- ', indent) && indent === (column ?? indent)) {
      column ??= indent;
      starts.push(above ?? start);
      above = undefined;
    } else if (bare.startsWith('#', indent) && indent === (column ?? indent)) {
      above ??= start;
    } else {
      // A line that is not deeper than the dashes, and not an item, is the next key.
      if (bare !== '' && indent <= (column ?? indent)) return { head, starts, end: above ?? start };
      above = undefined;
    }
  }
  return head && { head, starts, end: text.length };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  const { value } = parseYaml(text, { file: '', subject: '' });
  return isRecord(value) && !isJsonArray(value as Json) ? value : undefined;
}
