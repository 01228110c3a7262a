import { parse, TomlError } from 'smol-toml';
import { defined } from '../base/defined.ts';
import type { Range } from '../base/errors.ts';
import { formatCount, withoutEnd } from '../base/text.ts';
import { type Code, failure } from '../model/codes.ts';

export type TomlTable = Readonly<Record<string, unknown>>;

export interface TomlPlace {
  readonly file: string;
  readonly subject: string;
  /** The code of the error to throw when the text is not TOML. */
  readonly code: Code;
  /** What to do, if the table of codes speaks of another file. */
  readonly help?: string;
}

/** Far above what settings need. The parser takes a tenth of a second for a few times as much, and for its errors longer. */
export const tomlCharactersMax = 256 * 1024;

/**
 * Parses a whole TOML file; a byte order mark is tolerated. Throws `place.code` with the line of the first error, or for a
 * file of more than `tomlCharactersMax`.
 */
export function parseToml(text: string, place: TomlPlace): TomlTable {
  const { code, subject, help, file } = place;
  if (text.length > tomlCharactersMax) {
    const size = `has ${formatCount(text.length)} characters; at most ${formatCount(tomlCharactersMax)} are read`;
    throw failure(code, subject, `${file} ${size}.`, { file, ...defined({ help }) });
  }
  try {
    return parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const summary = error.message.split('\n')[0] ?? '';
    throw failure(code, subject, `${file} is not valid TOML at line ${error.line}: ${summary}.`, {
      file,
      range: rangeAt(error.line - 1, Math.max(0, error.column - 1)),
      cause: error,
      ...helpFor(summary, help),
    });
  }
}

function helpFor(summary: string, help: string | undefined): { readonly help?: string } {
  if (summary.includes('redefine')) {
    return { help: 'A table or a key is there twice: put the keys of a table below one header, each once.' };
  }
  return defined({ help });
}

export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/**
 * Where a key is written, for a message that points at it. Found by reading headers and keys line by line, since the
 * parser keeps no positions; undefined when the key is written in a form that this does not recognise.
 */
export function locateKey(text: string, path: readonly string[]): Range | undefined {
  const wanted = path.join('.');
  let table = '';
  const lines = text.split('\n');
  for (let line = 0; line < lines.length; line++) {
    const source = withoutEnd(lines[line] ?? '', '\r');
    if (!source.includes('=') && !source.includes('[')) continue;
    const header = /^\s*\[\[?([^\]]+)\]/.exec(source)?.[1]?.trim();
    if (header !== undefined) table = bareName(header);
    const key = header === undefined ? /^\s*([\w."'-][\w."' \t-]*)=/.exec(source)?.[1]?.trim() : undefined;
    const name = key === undefined ? table : joinNames(table, bareName(key));
    if ((header !== undefined || key !== undefined) && name === wanted) return rangeAt(line, 0, source.length);
  }
  return undefined;
}

function bareName(name: string): string {
  return name.replace(/["' ]/g, '');
}

function joinNames(table: string, key: string): string {
  return table === '' ? key : `${table}.${key}`;
}

function rangeAt(line: number, character: number, end = character): Range {
  return { start: { line, character }, end: { line, character: end } };
}
