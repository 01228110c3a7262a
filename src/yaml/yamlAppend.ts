import { isJsonArray, isJsonObject, type Json } from '../model/json.ts';
import { formatEntry } from './yamlFormat.ts';

/**
 * The text with one more item at the end of the list under a key of its top level, where a look at the beginnings of its
 * lines shows where that list ends; undefined if it does not, or there is no such list yet. It costs a search and not
 * a parse, and must be parsed afterwards: only that the text is written as state files commonly are makes it right
 * (`parsePlainYaml`). What it gives is, byte for byte, what `spliceEdit` gives (`test/yaml/yamlAppend.test.ts`).
 */
export function appendItem(text: string, key: string, item: Json): string | undefined {
  if (!isFlatRecord(item) || !plainKey.test(key) || !text.endsWith('\n') || text.includes('\r')) return undefined;
  const list = findList(text, key);
  if (list === undefined) return undefined;
  const { column, end } = list;
  const lines = formatEntry(`${' '.repeat(column)}-`, item, { column, kind: 'item', listStyle: 'flush' });
  return `${text.slice(0, end)}${lines.join('\n')}\n${text.slice(end)}`;
}

const plainKey = /^[A-Za-z_]+$/;

/** Records of single values, whose form does not depend on how the text writes its lists. */
function isFlatRecord(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  const values = Object.values(item);
  return values.length > 0 && !values.some((value) => isJsonObject(value) || isJsonArray(value));
}

/** The column of the list's dashes, and where its last line ends. */
function findList(text: string, key: string): { readonly column: number; readonly end: number } | undefined {
  const head = new RegExp(`^${key}:\n( *)- `, 'm').exec(text);
  if (head === null) return undefined;
  const column = head[1]?.length ?? 0;
  // Inside a list a line begins with spaces, with its dash, or is empty; what follows a list is a key.
  const following = column === 0 ? /^(?:[^ \n-]|-[^ ])/gm : /^[^ \n]/gm;
  following.lastIndex = head.index + head[0].length;
  const next = following.exec(text);
  if (next !== null && !/^[A-Za-z_]/.test(next[0])) return undefined;
  const end = lastLineEnd(text, next?.index ?? text.length);
  return end === undefined ? undefined : { column, end };
}

/** Where the last line before `limit` ends that is not empty; undefined if that, or what is empty, may be text. */
function lastLineEnd(text: string, limit: number): number | undefined {
  let end = limit;
  while (text.charAt(end - 2) === '\n') end -= 1;
  const line = text.slice(text.lastIndexOf('\n', end - 2) + 1, end - 1);
  const isSure = end === limit ? !/^ *(?:#|$)/.test(line) : /^ +(?:- )?[a-z_]+: [^|> ]/.test(line);
  return isSure ? end : undefined;
}
