import { t } from '@vscode/l10n';
import type { DocumentRecord } from '../../model/document.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** A row of the outline: a list with its records below, or a record by itself. */
export interface RecordOutlineRow {
  readonly name: string;
  readonly detail: string;
  readonly record: DocumentRecord;
  readonly children: readonly RecordOutlineRow[];
}

/** Records below the list that they stand in, if a document has more than one. */
export function outlineRows(records: readonly DocumentRecord[]): RecordOutlineRow[] {
  const lists = new Map<string, DocumentRecord[]>();
  for (const record of records) {
    const list = lists.get(record.list);
    if (list === undefined) lists.set(record.list, [record]);
    else list.push(record);
  }
  if (lists.size < 2) return records.map(rowOf);
  return [...lists].flatMap(([list, own]): RecordOutlineRow[] => {
    const [first, last] = [own[0], own.at(-1)];
    if (list === '' || first === undefined || last === undefined) return own.map(rowOf);
    const whole = { ...first, range: { start: first.range.start, end: last.range.end } };
    return [{ name: list, detail: String(own.length), record: whole, children: own.map(rowOf) }];
  });
}

function rowOf(record: DocumentRecord): RecordOutlineRow {
  const { id, title, state } = record;
  const name = sanitizeLabel(id ?? title) || t('(no name)');
  const detail = [state, id === undefined ? undefined : title].filter((part) => part !== undefined && part !== '');
  return { name, detail: sanitizeLabel(detail.join(' · ')), record, children: [] };
}
