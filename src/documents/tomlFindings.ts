import { type Diagnostic, isRavelError } from '../base/errors.ts';
import type { DocumentRecord } from '../model/document.ts';
import { nearestNames } from '../model/nearest.ts';
import { settingPaths } from '../model/settingRows.ts';
import { parseIdentity } from '../vault/identity.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { parseSettings } from '../vault/settings.ts';
import { type Found, found, type QuickFix, replacements, replaceText } from './found.ts';

/** What is wrong with `ravel.toml`. */
export function identityFindings(text: string, layout: VaultLayout): Found[] {
  return withoutFile(() => {
    parseIdentity(text, layout);
    return [];
  }).map((one) => found(one));
}

/** What is wrong with `daemon.toml`. */
export function settingsFindings(text: string, file: string): Found[] {
  return withoutFile(() => parseSettings(text, file).diagnostics).map((one) => found(one, () => fixesOf(one, text)));
}

/** A longer outline is of no use, and an editor would take long to show it. */
const recordsMax = 10_000;

/** Tables and keys, for the outline; the first of them if there are too many. */
export function tomlRecords(text: string): DocumentRecord[] {
  const records: DocumentRecord[] = [];
  let table = '';
  for (const [line, source] of text.split(/\r?\n/).entries()) {
    const header = /^\s*\[{1,2}([^\]]+)\]/.exec(source)?.[1]?.trim();
    const key = header === undefined ? /^\s*([\w."-]+)\s*=(.*)$/s.exec(source) : null;
    if (header !== undefined) table = header;
    const id = header ?? key?.[1];
    if (id === undefined) continue;
    if (records.length === recordsMax) break;
    const range = {
      start: { line, character: source.search(/\S/) },
      end: { line, character: source.trimEnd().length },
    };
    records.push({
      kind: 'key',
      list: key === null ? '' : table,
      id,
      title: key?.[2]?.trim() ?? '',
      range,
      idRange: range,
    });
  }
  return records;
}

function withoutFile(read: () => readonly Diagnostic[]): readonly Diagnostic[] {
  try {
    return read();
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return [error.diagnostic];
  }
}

/** For a key that has no effect: the one that was meant, or nothing at all. */
function fixesOf({ code, range, message }: Diagnostic, text: string): QuickFix[] {
  const path = /"([^"]+)"/.exec(message)?.[1];
  if (code !== 'vault/unknownSetting' || range === undefined || path === undefined) return [];
  const { line } = range.start;
  const source = text.split(/\r?\n/)[line] ?? '';
  const key = path.slice(path.lastIndexOf('.') + 1);
  const start = source.indexOf(key);
  const word = { start: { line, character: start }, end: { line, character: start + key.length } };
  const table = path.slice(0, path.lastIndexOf('.') + 1);
  const inTable = settingPaths.filter((one) => one.startsWith(table)).map((one) => one.slice(table.length));
  const free = inTable.filter((one) => !one.includes('.'));
  const near = start < 0 ? [] : nearestNames(key, free);
  const wholeLine = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
  return [
    ...replacements(near, (name) => replaceText(word, name)),
    { title: 'Remove the line', change: replaceText(wholeLine, '') },
  ];
}
